/// The words that Tab knows: SQL's, and the tables and columns of the database.
///
/// Always true: the lists are bounded, by SQLite's grammar and by whoever reads the schema.
struct CompletionWords: Equatable, Sendable {
  /// The commands that begin with a dot, without it.
  var commands: [String] = []
  /// Columns by table, in the order of the schema.
  var tables: [(name: String, columns: [String])] = []
  /// The server's databases, if this client may know them.
  var databases: [String] = []

  static func == (left: CompletionWords, right: CompletionWords) -> Bool {
    left.commands == right.commands && left.databases == right.databases
      && left.tables.map(\.name) == right.tables.map(\.name)
      && left.tables.map(\.columns) == right.tables.map(\.columns)
  }

  static let keywords = [
    "ABORT", "ADD", "AFTER", "ALL", "ALTER", "ANALYZE", "AND", "AS", "ASC", "AUTOINCREMENT", "BEFORE", "BEGIN",
    "BETWEEN",
    "BY", "CASCADE", "CASE", "CAST", "CHECK", "COLLATE", "COLUMN", "COMMIT", "CONFLICT", "CONSTRAINT", "CREATE",
    "CROSS",
    "CURRENT_TIMESTAMP", "DEFAULT", "DEFERRABLE", "DEFERRED", "DELETE", "DESC", "DISTINCT", "DO", "DROP", "EACH",
    "ELSE",
    "END", "EXCEPT", "EXCLUSIVE", "EXISTS", "EXPLAIN", "FILTER", "FOLLOWING", "FOREIGN", "FROM", "FULL", "GENERATED",
    "GLOB",
    "GROUP", "HAVING", "IF", "IGNORE", "IMMEDIATE", "IN", "INDEX", "INDEXED", "INITIALLY", "INNER", "INSERT", "INSTEAD",
    "INTERSECT", "INTO", "IS", "ISNULL", "JOIN", "KEY", "LEFT", "LIKE", "LIMIT", "MATCH", "MATERIALIZED", "NATURAL",
    "NOT",
    "NOTHING", "NOTNULL", "NULL", "NULLS", "OFFSET", "ON", "OR", "ORDER", "OUTER", "OVER", "PARTITION", "PLAN",
    "PRAGMA",
    "PRECEDING", "PRIMARY", "QUERY", "RAISE", "RANGE", "RECURSIVE", "REFERENCES", "REINDEX", "RELEASE", "RENAME",
    "REPLACE",
    "RESTRICT", "RETURNING", "RIGHT", "ROLLBACK", "ROW", "ROWS", "SAVEPOINT", "SELECT", "SET", "STRICT", "TABLE",
    "TEMPORARY", "THEN", "TO", "TRANSACTION", "TRIGGER", "UNBOUNDED", "UNION", "UNIQUE", "UPDATE", "USING", "VACUUM",
    "VALUES", "VIEW", "VIRTUAL", "WHEN", "WHERE", "WINDOW", "WITH", "WITHOUT",
  ]
}
