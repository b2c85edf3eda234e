/// The SQL that the engine itself runs, beside what a connection's setup runs in MartletSQLite.
///
/// Always true: constants; nothing of a program's gets in.
enum EngineStatements {
  /// A transaction whose snapshot is taken by its first read.
  static let begin = "BEGIN"
  static let commit = "COMMIT"
  static let rollBack = "ROLLBACK"
  /// A read of the file's first page: what makes a transaction take its snapshot.
  static let touch = "PRAGMA schema_version"
}
