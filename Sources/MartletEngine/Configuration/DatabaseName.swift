import MartletValues

/// What a database may be called, and where its file is.
///
/// Always true: a valid name is a file name of one directory, whatever a client sent.
enum DatabaseName {
  static func isValid(_ name: String) -> Bool {
    let bytes = name.utf8
    guard bytes.count >= 1, bytes.count <= EngineLimits.nameBytesMax else { return false }
    return bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        return true
      default: return false
      }
    }
  }

  static func path(of name: String, in directory: String) -> String { "\(directory)/\(name).sqlite" }

  static let invalid = RequestError(
    .invalidArgument, .unknownDatabase,
    "A database's name is 1 to 64 letters, digits, underscores and hyphens.")

  /// `name` is valid, so it may be shown.
  static func unknown(_ name: String) -> RequestError {
    RequestError(
      .notFound, .unknownDatabase,
      "There is no database called \(name) here. Name another, or make it: martlet databases create, --create of "
        + "martlet sql, or createsDatabase in a program.")
  }
}
