/// Statement trees in few words, for questions that are about results and not about the grammar.
import MartletAST

/// `"t.Name"` is a column of `t`, `"Name"` a column alone.
func col(_ path: String) -> ASTExpression {
  let parts = path.split(separator: ".")
  var expression = ASTExpression()
  expression.column.name = String(parts.last ?? "")
  if parts.count > 1 { expression.column.table = String(parts[0]) }
  return expression
}

func param(_ index: Int, isList: Bool = false) -> ASTExpression {
  var expression = ASTExpression()
  expression.parameter.index = UInt32(index)
  expression.parameter.list = isList
  return expression
}

func int(_ value: Int64) -> ASTExpression {
  var expression = ASTExpression()
  expression.literal.integer = value
  return expression
}

func text(_ value: String) -> ASTExpression {
  var expression = ASTExpression()
  expression.literal.text = value
  return expression
}

func op(_ symbol: ASTOperator, _ operands: ASTExpression...) -> ASTExpression {
  var expression = ASTExpression()
  expression.call.operator = symbol
  expression.call.arguments = operands
  return expression
}

func fn(_ name: String, _ arguments: ASTExpression..., distinct: Bool = false) -> ASTExpression {
  var expression = ASTExpression()
  expression.call.function = name
  expression.call.arguments = arguments
  expression.call.distinct = distinct
  return expression
}

var countAll: ASTExpression {
  var expression = fn("count")
  expression.call.star = true
  return expression
}

func cast(_ operand: ASTExpression, to type: String) -> ASTExpression {
  var expression = ASTExpression()
  expression.cast.operand = operand
  expression.cast.type = type
  return expression
}

func branch(_ branches: [(ASTExpression, ASTExpression)], otherwise: ASTExpression) -> ASTExpression {
  var expression = ASTExpression()
  expression.case.branches = branches.map { condition, value in
    var branch = ASTCase.Branch()
    branch.when = condition
    branch.then = value
    return branch
  }
  expression.case.else = otherwise
  return expression
}

func exists(_ query: Query) -> ASTExpression {
  var expression = ASTExpression()
  expression.exists = query.statement
  return expression
}

func subquery(_ query: Query) -> ASTExpression {
  var expression = ASTExpression()
  expression.subquery = query.statement
  return expression
}

extension ASTExpression {
  func over(partition: [ASTExpression] = [], order: [ASTOrderingTerm] = [], frame: ASTFrame? = nil) -> ASTExpression {
    var expression = self
    expression.call.over.window.partitionBy = partition
    expression.call.over.window.orderBy = order
    if let frame { expression.call.over.window.frame = frame }
    return expression
  }

  func filter(_ condition: ASTExpression) -> ASTExpression {
    var expression = self
    expression.call.filter = condition
    return expression
  }

  func named(_ alias: String) -> ASTResultColumn {
    var column = ASTResultColumn()
    column.expression = self
    column.alias = alias
    return column
  }

  var asc: ASTOrderingTerm { term(.ascending) }
  var desc: ASTOrderingTerm { term(.descending) }

  private func term(_ direction: ASTOrderingTerm.Direction) -> ASTOrderingTerm {
    var term = ASTOrderingTerm()
    term.expression = self
    term.direction = direction
    return term
  }
}

/// A select that is built call by call.
struct Query {
  var select = ASTSelect()

  init(from table: String, as alias: String = "") { select.from = Self.source(table, alias) }

  init(from query: Query, as alias: String) {
    select.from.subquery = query.statement
    select.from.alias = alias
  }

  private static func source(_ table: String, _ alias: String) -> ASTTableSource {
    var source = ASTTableSource()
    source.table.name = table
    source.alias = alias
    return source
  }

  private func with(_ change: (inout ASTSelect) -> Void) -> Query {
    var query = self
    change(&query.select)
    return query
  }

  func join(
    _ table: String, as alias: String = "", _ kind: ASTJoin.Kind = .inner, on condition: ASTExpression
  ) -> Query {
    with {
      var join = ASTJoin()
      join.kind = kind
      join.source = Self.source(table, alias)
      join.on = condition
      $0.joins.append(join)
    }
  }

  func columns(_ columns: ASTResultColumn...) -> Query { with { $0.columns = columns } }
  func distinct() -> Query { with { $0.distinct = true } }
  func filter(_ condition: ASTExpression) -> Query { with { $0.where = condition } }
  func group(_ expressions: ASTExpression...) -> Query { with { $0.groupBy = expressions } }
  func having(_ condition: ASTExpression) -> Query { with { $0.having = condition } }
  func order(_ terms: ASTOrderingTerm...) -> Query { with { $0.orderBy = terms } }
  func limit(_ count: ASTExpression) -> Query { with { $0.limit = count } }

  var statement: ASTStatement {
    var statement = ASTStatement()
    statement.select = select
    return statement
  }
}

/// `first` and the others, by one operator.
func compound(
  _ symbol: ASTCompound.Operator, _ queries: [Query], order: ASTOrderingTerm...
) -> ASTStatement {
  var statement = ASTStatement()
  guard let first = queries.first else { return statement }
  statement.compound.first = first.statement
  statement.compound.terms = queries.dropFirst().map { query in
    var term = ASTCompound.Term()
    term.operator = symbol
    term.query = query.statement
    return term
  }
  statement.compound.orderBy = order
  return statement
}

/// A query with one common table before it.
func with(
  _ name: String, columns: [String] = [], _ query: ASTStatement, recursive: Bool = false, _ body: ASTStatement
) -> ASTStatement {
  var table = ASTCommonTable()
  table.name = name
  table.columns = columns
  table.query = query
  var statement = ASTStatement()
  statement.with.tables = [table]
  statement.with.recursive = recursive
  statement.with.body = body
  return statement
}
