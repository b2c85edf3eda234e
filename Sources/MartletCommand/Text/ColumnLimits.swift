/// How many columns a file may have.
enum ColumnLimits {
  /// As many as SQLite takes in one table (SQLITE_MAX_COLUMN, which Debian's library has not changed).
  static let columnsMax = 2_000
}
