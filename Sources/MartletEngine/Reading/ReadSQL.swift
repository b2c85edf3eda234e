/// The SQL that the readers themselves run.
///
/// Always true: constants; nothing of a program's gets in.
enum ReadSQL {
  static let begin = "BEGIN"
  static let commit = "COMMIT"
  static let rollback = "ROLLBACK"
  /// A read of the file's first page: what makes a transaction take its snapshot.
  static let touch = "PRAGMA schema_version"
}
