import MartletAST

/// Short spellings of the statement trees that the executable sends on its own account.
///
/// Always true: names go into nodes that the renderer quotes, and values into parameters, so nothing here makes SQL
/// text.
enum Tree {
  // MARK: - Expressions

  static func column(_ name: String, of table: String = "") -> ASTExpression {
    var column = ASTColumn()
    column.name = name
    column.table = table
    var expression = ASTExpression()
    expression.column = column
    return expression
  }

  static func parameter(_ index: UInt32) -> ASTExpression {
    var parameter = ASTParameter()
    parameter.index = index
    var expression = ASTExpression()
    expression.parameter = parameter
    return expression
  }

  static func integer(_ value: Int64) -> ASTExpression {
    var expression = ASTExpression()
    expression.literal.integer = value
    return expression
  }

  static func text(_ value: String) -> ASTExpression {
    var expression = ASTExpression()
    expression.literal.text = value
    return expression
  }

  static func call(_ operation: ASTOperator, _ arguments: [ASTExpression]) -> ASTExpression {
    var call = ASTCall()
    call.operator = operation
    call.arguments = arguments
    var expression = ASTExpression()
    expression.call = call
    return expression
  }

  static func function(_ name: String, _ arguments: [ASTExpression] = [], star: Bool = false) -> ASTExpression {
    var call = ASTCall()
    call.function = name
    call.arguments = arguments
    call.star = star
    var expression = ASTExpression()
    expression.call = call
    return expression
  }

  // MARK: - Queries

  static func table(_ name: String, schema: String = "") -> ASTTableSource {
    var source = ASTTableSource()
    source.table.name = name
    source.table.schema = schema
    return source
  }

  /// A table-valued function, such as `pragma_table_xinfo`.
  static func tableFunction(_ name: String, _ arguments: [ASTExpression] = []) -> ASTTableSource {
    var source = ASTTableSource()
    source.function.name = name
    source.function.arguments = arguments
    return source
  }

  static func select(
    _ columns: [String], from table: String, where condition: ASTExpression? = nil, orderBy: [String] = []
  ) -> ASTStatement {
    select(expressions: columns.map { column($0) }, from: self.table(table), where: condition, orderBy: orderBy)
  }

  static func select(expressions: [ASTExpression], from table: String) -> ASTStatement {
    select(expressions: expressions, from: self.table(table))
  }

  static func select(
    expressions: [ASTExpression], from source: ASTTableSource, where condition: ASTExpression? = nil,
    orderBy: [String] = []
  ) -> ASTStatement {
    var select = ASTSelect()
    select.columns = expressions.map { expression in
      var column = ASTResultColumn()
      column.expression = expression
      return column
    }
    select.from = source
    if let condition { select.where = condition }
    select.orderBy = orderBy.map { name in
      var term = ASTOrderingTerm()
      term.expression = column(name)
      return term
    }
    var statement = ASTStatement()
    statement.select = select
    return statement
  }

  // MARK: - Writes

  static func insert(into table: String, columns: [String], values: [ASTExpression]) -> ASTStatement {
    var insert = ASTInsert()
    insert.into.name = table
    insert.columns = columns
    var row = ASTTuple()
    row.elements = values
    insert.values.rows = [row]
    var statement = ASTStatement()
    statement.insert = insert
    return statement
  }

  /// Bulk rows: parameter 1 is a list with a column for each of `columns`.
  static func insertRows(
    into table: String, columns: [String], or resolution: ASTConflictResolution = .unspecified
  ) -> ASTStatement {
    var insert = ASTInsert()
    insert.into.name = table
    insert.columns = columns
    insert.or = resolution
    insert.rows.index = 1
    insert.rows.list = true
    insert.rows.columns = UInt32(clamping: columns.count)
    var statement = ASTStatement()
    statement.insert = insert
    return statement
  }

  static func delete(from table: String, where condition: ASTExpression? = nil) -> ASTStatement {
    var delete = ASTDelete()
    delete.from.name = table
    if let condition { delete.where = condition }
    var statement = ASTStatement()
    statement.delete = delete
    return statement
  }

  // MARK: - Schema

  static func createTable(
    _ name: String, columns: [(name: String, type: String, isPrimaryKey: Bool)], ifNotExists: Bool = false
  ) -> ASTStatement {
    var create = ASTCreateTable()
    create.name = name
    create.ifNotExists = ifNotExists
    create.columns = columns.map { column in
      var definition = ASTColumnDefinition()
      definition.name = column.name
      definition.type = column.type
      if column.isPrimaryKey {
        var constraint = ASTColumnConstraint()
        constraint.primaryKey = ASTColumnConstraint.PrimaryKey()
        definition.constraints = [constraint]
      }
      return definition
    }
    var statement = ASTStatement()
    statement.createTable = create
    return statement
  }

  static func drop(_ kind: ASTDrop.Kind, _ name: String, ifExists: Bool) -> ASTStatement {
    var drop = ASTDrop()
    drop.kind = kind
    drop.name = name
    drop.ifExists = ifExists
    var statement = ASTStatement()
    statement.drop = drop
    return statement
  }

  /// SQL text that a person wrote, or that a schema holds.
  static func raw(_ sql: String) -> ASTStatement {
    var part = ASTRaw.Part()
    part.sql = sql
    var raw = ASTRaw()
    raw.parts = [part]
    var statement = ASTStatement()
    statement.raw = raw
    return statement
  }
}
