/// Small statement trees, serialized, for tests that are about what happens to a statement and not about its grammar.
package import MartletAST

package enum Trees {
  /// One raw segment of SQL.
  package static func raw(_ sql: String) -> [UInt8] {
    var part = ASTRaw.Part()
    part.sql = sql
    var statement = ASTStatement()
    statement.raw.parts = [part]
    return bytes(statement)
  }

  /// `INSERT INTO table (columns) VALUES (?1, ?2, …)`, with `RETURNING` for the columns named there.
  package static func insert(
    _ table: String, _ columns: [String], or conflict: ASTConflictResolution = .unspecified,
    returning: [String] = []
  ) -> [UInt8] {
    var insert = ASTInsert()
    insert.or = conflict
    insert.into.name = table
    insert.columns = columns
    var tuple = ASTTuple()
    for index in columns.indices { tuple.elements.append(parameter(index + 1)) }
    insert.values.rows = [tuple]
    insert.returning = returning.map(result)
    var statement = ASTStatement()
    statement.insert = insert
    return bytes(statement)
  }

  /// `INSERT INTO table (columns) SELECT … FROM` the rows bound to parameter 1.
  package static func insertRows(_ table: String, _ columns: [String]) -> [UInt8] {
    var insert = ASTInsert()
    insert.into.name = table
    insert.columns = columns
    insert.rows.index = 1
    insert.rows.list = true
    insert.rows.columns = UInt32(columns.count)
    var statement = ASTStatement()
    statement.insert = insert
    return bytes(statement)
  }

  /// `UPDATE table SET column = column + ?1 WHERE key = ?2`, with `RETURNING` for the columns named there.
  package static func add(_ table: String, to column: String, key: String, returning: [String] = []) -> [UInt8] {
    var assignment = ASTAssignment()
    assignment.columns = [column]
    assignment.value = call(.add, [self.column(column), parameter(1)])
    var update = ASTUpdate()
    update.table.name = table
    update.assignments = [assignment]
    update.where = call(.equal, [self.column(key), parameter(2)])
    update.returning = returning.map(result)
    var statement = ASTStatement()
    statement.update = update
    return bytes(statement)
  }

  /// `DELETE FROM table WHERE column = ?1`.
  package static func delete(_ table: String, where column: String) -> [UInt8] {
    var delete = ASTDelete()
    delete.from.name = table
    delete.where = call(.equal, [self.column(column), parameter(1)])
    var statement = ASTStatement()
    statement.delete = delete
    return bytes(statement)
  }

  /// `SELECT columns FROM table ORDER BY the first of them`.
  package static func select(_ columns: [String], from table: String) -> [UInt8] {
    var select = ASTSelect()
    select.columns = columns.map(result)
    select.from.table.name = table
    if let first = columns.first {
      var term = ASTOrderingTerm()
      term.expression = column(first)
      select.orderBy = [term]
    }
    var statement = ASTStatement()
    statement.select = select
    return bytes(statement)
  }

  package static func bytes(_ statement: ASTStatement) -> [UInt8] { statement.serialized }

  private static func column(_ name: String) -> ASTExpression {
    var expression = ASTExpression()
    expression.column.name = name
    return expression
  }

  private static func parameter(_ index: Int) -> ASTExpression {
    var expression = ASTExpression()
    expression.parameter.index = UInt32(index)
    return expression
  }

  private static func call(_ symbol: ASTOperator, _ arguments: [ASTExpression]) -> ASTExpression {
    var expression = ASTExpression()
    expression.call.operator = symbol
    expression.call.arguments = arguments
    return expression
  }

  private static func result(_ name: String) -> ASTResultColumn {
    var result = ASTResultColumn()
    result.expression = column(name)
    return result
  }
}
