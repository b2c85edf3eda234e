/// One tree and the SQL that it must become.
///
/// Always true: together the examples use every field and every value of the grammar, which a test demands.
import MartletAST
import Testing

struct Example: Sendable, CustomTestStringConvertible {
  var tree: ASTStatement
  var sql: String
  /// What stands beyond the SQLite that Martlet runs on by default.
  var sqliteVersion = 3_040_001

  var testDescription: String { sql }

  init(_ sql: String, _ tree: ASTStatement, sqliteVersion: Int = 3_040_001) {
    self.sql = sql
    self.tree = tree
    self.sqliteVersion = sqliteVersion
  }

  /// An expression, selected from `items`.
  static func expression(_ sql: String, _ expression: ASTExpression) -> Example {
    Example(
      "SELECT \(sql)\nFROM \"items\"",
      .select {
        $0.columns = [.expression(expression)]; $0.from = .table("items")
      })
  }

  static let all = expressions + operators + windows + queries + sources + writes + tables + schemaObjects

  /// The tables that examples name.
  static let schema = [
    """
    CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "title" TEXT UNIQUE, "price" REAL, "qty" INTEGER, "note" TEXT,
      "list_id" INTEGER)
    """,
    "CREATE TABLE \"lists\" (\"id\" INTEGER PRIMARY KEY, \"name\" TEXT, \"parent\" INTEGER)",
    "CREATE INDEX \"items_by_qty\" ON \"items\" (\"qty\")",
    "CREATE VIEW \"stock\" AS SELECT \"title\" FROM \"items\"",
    "CREATE TRIGGER \"touch\" AFTER INSERT ON \"items\" BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE \"texts\" USING fts5(\"body\")",
  ]
}
