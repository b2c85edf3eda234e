/// The SQL that checks and explanations run, beside what a connection's setup runs in MartletSQLite.
///
/// Always true: constants; nothing of a program's gets in.
enum MaintenanceSQL {
  /// Stands before a statement.
  static let explain = "EXPLAIN QUERY PLAN "

  // What a check asks. The name of a table is a bound value.
  static let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"
  static let checkTable =
    "SELECT integrity_check FROM pragma_integrity_check(?1, 'main') LIMIT \(EngineLimits.tableFaultsMax)"
  static let checkWhole =
    "SELECT integrity_check FROM pragma_integrity_check(NULL, 'main') LIMIT \(EngineLimits.tableFaultsMax)"
  static let leaveOutChecks = "PRAGMA ignore_check_constraints=ON"
  static let lookAtChecks = "PRAGMA ignore_check_constraints=OFF"
  /// One more than is told, so that it shows whether there are more.
  static let checkForeignKeys =
    "SELECT rowid, parent FROM pragma_foreign_key_check(?1, 'main') LIMIT \(EngineLimits.tableFaultsMax + 1)"
  /// The beginning of a trigger's text says what fires it. One more than is looked at.
  static let definitions = """
    SELECT type, name, tbl_name, substr(sql, 1, \(EngineLimits.definitionHeadCharacters)) FROM sqlite_schema
    WHERE type IN ('view', 'trigger') ORDER BY type = 'trigger', name LIMIT \(EngineLimits.checkedDefinitionsMax + 1)
    """
  static let hasTables = "SELECT count(*) > 0 FROM sqlite_schema WHERE type IN ('table', 'view')"
  static let pageNumbers = """
    SELECT page_size, page_count, freelist_count FROM pragma_page_size(), pragma_page_count(), pragma_freelist_count()
    """
}
