import MartletValues

/// What a database may be called, and where its file is.
///
/// Always true: a valid name is a file name of one directory, whatever a client sent.
enum DatabaseName {
  static func isValid(_ name: String) -> Bool { SimpleName.isValid(name) }

  static func path(of name: String, in directory: String) -> String { "\(directory)/\(name).sqlite" }

  static let invalid = RequestError(.invalidArgument, .unknownDatabase, SimpleName.rule("A database's name"))

  /// `name` is valid, so it may be shown.
  static func unknown(_ name: String) -> RequestError {
    RequestError(
      .notFound, .unknownDatabase,
      "There is no database called \(name) here. Name another, or make it: martlet databases create, --create of "
        + "martlet sql, or createsDatabase in a program.")
  }
}
