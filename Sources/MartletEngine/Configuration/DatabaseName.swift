import MartletValues

/// What a database may be called, and where its file is.
///
/// Always true: a valid name is a file name of one directory, whatever a client sent.
enum DatabaseName {
  static func isValid(_ name: String) -> Bool { SimpleName.isValid(name) }

  static func path(of name: String, in directory: String) -> String { "\(directory)/\(name).sqlite" }
}
