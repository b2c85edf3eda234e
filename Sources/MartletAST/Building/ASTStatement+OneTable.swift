/// Statements on one table with plain columns, as the tools and the readers of a schema need them.
///
/// Always true: each says no more than the longer form in `ASTStatement+Building` does.
extension ASTStatement {
  /// `SELECT "title", "price" FROM "items" WHERE … ORDER BY "title"`
  package static func select(
    _ columns: [String], from source: ASTTableSource, where condition: ASTExpression? = nil,
    orderBy names: [String] = []
  ) -> ASTStatement {
    select(columns.map { .column($0) }, from: source, where: condition, orderBy: names)
  }

  /// `SELECT count(*), max("id") FROM "items" WHERE … ORDER BY "id"`
  package static func select(
    _ expressions: [ASTExpression], from source: ASTTableSource, where condition: ASTExpression? = nil,
    orderBy names: [String] = []
  ) -> ASTStatement {
    select {
      $0.columns = expressions.map { .expression($0) }
      $0.from = source
      if let condition { $0.where = condition }
      $0.orderBy = names.map { .by(.column($0)) }
    }
  }

  /// `SELECT "name", "type" FROM "pragma_table_xinfo"(?1)`: what SQLite tells of whatever the parameter names.
  package static func select(_ columns: [String], ofNamed function: String) -> ASTStatement {
    select(columns, from: .function(function, [.parameter(1)]))
  }

  /// `INSERT INTO "items" ("title", "price") VALUES (?1, ?2)`
  package static func insert(into table: String, _ columns: [String], values: [ASTExpression]) -> ASTStatement {
    insert(into: table, columns) { $0.values = .rows([values]) }
  }

  /// `DELETE FROM "items" WHERE …`
  package static func delete(from table: String, where condition: ASTExpression) -> ASTStatement {
    delete(from: table) { $0.where = condition }
  }
}
