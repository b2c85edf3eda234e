/// The pragmas of this module.
///
/// Always true: a program can put only numbers, and words of this module's own lists, into a pragma.
enum Pragma: String {
  case userVersion = "user_version"
  case applicationID = "application_id"
  case foreignKeys = "foreign_keys"
  case deferForeignKeys = "defer_foreign_keys"
  case journalMode = "journal_mode"
  case synchronous

  static let sqliteVersion = "SELECT sqlite_version()"
  static let vacuum = "VACUUM"
  static let attach = "ATTACH DATABASE ? AS ?"
  static let attachWithKey = "ATTACH DATABASE ? AS ? KEY ?"
  static let detach = "DETACH DATABASE ?"

  var text: String { "PRAGMA \(rawValue)" }
  func text(setting value: Int32) -> String { "PRAGMA \(rawValue) = \(value)" }
  func text(setting word: String) -> String { "PRAGMA \(rawValue) = \(word)" }
}
