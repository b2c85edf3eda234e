/// How many columns a file may have.
enum ColumnLimits {
  /// As many as SQLite takes in one table (SQLITE_MAX_COLUMN with its default, which Debian's library keeps).
  static let columnsMax = 2_000
}
