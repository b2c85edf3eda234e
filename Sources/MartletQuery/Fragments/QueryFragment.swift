import Foundation
import MartletAST
import MartletValues

/// A part of a query without a type: what expressions are made of, and what raw SQL is.
///
/// Always true: it holds no parameter numbers, so it may stand in any statement, any number of times; values become
/// numbered parameters when the statement is built.
public struct QueryFragment: Sendable {
  /// Values are in the node itself: rows have nothing else, and memory for each would cost more than the value.
  enum Node: Sendable {
    indirect case column(schema: String, table: String, name: String, place: ColumnPlace = ColumnPlace())
    /// Every column that the table has in the database; only a result column.
    indirect case star(table: String, place: ColumnPlace = ColumnPlace())
    /// A condition that a join may write as USING, because both sides call the column so.
    indirect case sharedColumn(name: String, condition: QueryFragment)
    case bind(QueryBinding)
    indirect case list(RowBatch, QueryBindingFailure?)
    indirect case literal(ASTLiteral)
    indirect case operation(ASTOperator, [QueryFragment])
    indirect case function(FunctionCall)
    indirect case choice(
      base: QueryFragment?, branches: [(when: QueryFragment, then: QueryFragment)], otherwise: QueryFragment?)
    indirect case cast(QueryFragment, type: String)
    indirect case collate(QueryFragment, collation: String)
    indirect case tuple([QueryFragment])
    indirect case elements([QueryFragment])
    indirect case subquery(StatementFragment)
    indirect case exists(StatementFragment)
    indirect case raise(ASTRaise)
    /// A result column with a name; anywhere else the name is left out.
    indirect case aliased(QueryFragment, name: String)
    indirect case raw([RawPart])
  }

  /// One piece of raw SQL.
  enum RawPart: Sendable {
    case sql(String)
    case expression(QueryFragment)
    case statement(StatementFragment)
    case identifier(String)
  }

  let node: Node
  /// Levels of expressions below it.
  let depth: Int32

  init(_ node: Node) { self.init(node, depth: node.depth) }

  /// For who knows the depth without a look at all operands.
  private init(_ node: Node, depth: Int32) {
    self.node = node.bounded(depth)
    self.depth = depth <= QueryLimits.depthMax ? depth : 0
  }

  /// One fragment as itself, several as a row value.
  public init(row columns: [QueryFragment]) { self = .row(columns) }

  static let empty = QueryFragment(.raw([]))

  /// Raw SQL. Only text that the program itself holds belongs here, never a user's.
  public init(_ sql: String = "") { self.init(.raw(sql.isEmpty ? [] : [.sql(sql)])) }
}

/// A call of a function with the clauses that it may carry.
struct FunctionCall: Sendable {
  var name: String
  var arguments: [QueryFragment] = []
  var star = false
  var distinct = false
  var order: [OrderingTerm] = []
  var filter: QueryFragment?
  var over: WindowReference?
  /// It makes one value of many rows.
  var isAggregate = false
  /// It takes the values of one row, whatever function SQLite has under its name.
  var isScalar = false
}

// MARK: - Making fragments

extension QueryFragment {
  static func column(_ name: String, table: String, in place: ColumnPlace = ColumnPlace()) -> QueryFragment {
    QueryFragment(.column(schema: "", table: table, name: name, place: place))
  }

  /// A value that the statement binds.
  public static func bind(_ binding: QueryBinding) -> QueryFragment { QueryFragment(.bind(binding)) }

  static func operation(_ symbol: ASTOperator, _ operands: QueryFragment...) -> QueryFragment {
    QueryFragment(.operation(symbol, operands))
  }

  static func function(_ name: String, _ arguments: [QueryFragment]) -> QueryFragment {
    QueryFragment(.function(FunctionCall(name: name, arguments: arguments)))
  }

  private static func literal(_ set: (inout ASTLiteral) -> Void) -> QueryFragment {
    var literal = ASTLiteral()
    set(&literal)
    return QueryFragment(.literal(literal))
  }

  static func literal(integer: Int64) -> QueryFragment {
    literal { $0.integer = integer }
  }

  static func literal(real: Double) -> QueryFragment {
    literal { $0.real = real }
  }

  static func literal(text: String) -> QueryFragment {
    literal { $0.text = text }
  }

  static func literal(blob: [UInt8]) -> QueryFragment {
    literal { $0.blob = blob }
  }

  static var null: QueryFragment { literal { $0.keyword = .null } }
  // SQLite knows these words behind IS only; anywhere else they are 1 and 0.
  static var `true`: QueryFragment { literal { $0.keyword = .true } }
  static var `false`: QueryFragment { literal { $0.keyword = .false } }

  /// An operator of any number of operands: chains of one operator become one wide node, not a deep one.
  static func chain(_ symbol: ASTOperator, _ left: QueryFragment, _ right: QueryFragment) -> QueryFragment {
    if case .operation(symbol, var operands) = left.node {
      operands.append(right)
      return QueryFragment(.operation(symbol, operands), depth: max(left.depth, 1 + right.depth))
    }
    return QueryFragment(.operation(symbol, [left, right]))
  }

  /// All of `predicates`; nil if there are none.
  static func all(of predicates: [QueryFragment]) -> QueryFragment? {
    switch predicates.count {
    case 0: nil
    case 1: predicates[0]
    default: QueryFragment(.operation(.and, predicates))
    }
  }

  /// The condition, if there is one, and all others.
  static func all(of condition: QueryFragment?, _ others: [QueryFragment]) -> QueryFragment? {
    guard let condition else { return all(of: others) }
    return others.isEmpty ? condition : all(of: [condition] + others)
  }

  /// True if one of the columns is not NULL.
  static func isPresent(_ columns: [QueryFragment]) -> QueryFragment {
    let tests = columns.map { QueryFragment.operation(.isNot, $0, .null) }
    return tests.count == 1 ? tests[0] : QueryFragment(.operation(.or, tests))
  }

  /// One fragment is itself, several are a row value.
  static func row(_ columns: [QueryFragment]) -> QueryFragment {
    columns.count == 1 ? columns[0] : QueryFragment(.tuple(columns))
  }

  func named(_ name: String) -> QueryFragment {
    if case .aliased(let inner, _) = node { return inner.named(name) }
    return QueryFragment(.aliased(self, name: name))
  }

  /// The value, if it is a plain one, which can travel in a list parameter.
  var binding: QueryBinding? {
    switch node {
    case .bind(let binding): binding
    case .literal(let literal) where literal.keyword == .null: .null
    default: nil
    }
  }

  /// Its name as a column of a result; empty if it has none.
  var resultName: String {
    switch node {
    case .column(_, _, let name, _), .aliased(_, let name): name
    default: ""
    }
  }

  var columnName: String? {
    if case .column(_, _, let name, _) = node { name } else { nil }
  }

  /// The column if it can be written. Binary JSON is selected as text, but the column itself is written.
  var writtenColumn: QueryFragment? {
    switch node {
    case .column: self
    case .aliased(let column, _): column.writtenColumn
    case .function(let call) where call.name == "json" && call.arguments.count == 1: call.arguments[0].writtenColumn
    default: nil
    }
  }
}
