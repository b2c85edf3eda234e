import MartletAST

/// A row value, `(a, b)`.
///
/// Always true: the first pair that differs decides, as in SQL; both sides have as many values, which the compiler
/// checks.
public struct RowValue<each Element: QueryRepresentable>: QueryExpression {
  public typealias QueryValue = (repeat each Element)

  public let columnFragments: [QueryFragment]
  public var queryFragment: QueryFragment { QueryFragment(.tuple(columnFragments)) }

  /// `(a, b, ...)` of these expressions.
  @_disfavoredOverload
  public init<each E: QueryExpression>(_ expression: repeat each E) where repeat (each E).QueryValue == each Element {
    var fragments: [QueryFragment] = []
    for column in repeat each expression { fragments.append(column.queryFragment) }
    columnFragments = fragments
  }

  init(_ fragments: [QueryFragment]) { columnFragments = fragments }

  /// The values of one row, in the representations of the expressions.
  static func tuple(_ output: repeat (each Element).QueryOutput) -> QueryFragment {
    var fragments: [QueryFragment] = []
    repeat fragments.append((each Element).fragment(of: each output))
    return QueryFragment(.tuple(fragments))
  }

  func compare(_ symbol: ASTOperator, _ row: QueryFragment) -> SQLQueryExpression<Bool> {
    switch symbol {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: .operation(symbol, queryFragment, Self.ordered(row))
    default: .operation(symbol, queryFragment, row)
    }
  }

  func membership(_ symbol: ASTOperator, _ rows: [QueryFragment]) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(.membership(symbol, queryFragment, rows))
  }

  private func compare(_ symbol: ASTOperator, _ row: RowValue) -> SQLQueryExpression<Bool> {
    compare(symbol, row.queryFragment)
  }
}

extension RowValue {
  /// `(a, b) = (?1, ?2)`: never true if a pair has a NULL.
  @_disfavoredOverload
  public func eq(_ row: (repeat (each Element).QueryOutput)) -> SQLQueryExpression<Bool> {
    compare(.equal, Self.tuple(repeat each row))
  }
  /// `(a, b) <> (?1, ?2)`.
  @_disfavoredOverload
  public func neq(_ row: (repeat (each Element).QueryOutput)) -> SQLQueryExpression<Bool> {
    compare(.notEqual, Self.tuple(repeat each row))
  }
  /// `(a, b) IS (?1, ?2)`: NULL is NULL.
  @_disfavoredOverload
  public func `is`(_ row: (repeat (each Element).QueryOutput)) -> SQLQueryExpression<Bool> {
    compare(.is, Self.tuple(repeat each row))
  }
  /// `(a, b) IS NOT (?1, ?2)`.
  @_disfavoredOverload
  public func isNot(_ row: (repeat (each Element).QueryOutput)) -> SQLQueryExpression<Bool> {
    compare(.isNot, Self.tuple(repeat each row))
  }

  /// `(a, b) = (c, d)`: never true if a pair has a NULL.
  public func eq(_ row: RowValue) -> SQLQueryExpression<Bool> { compare(.equal, row) }
  /// `(a, b) <> (c, d)`.
  public func neq(_ row: RowValue) -> SQLQueryExpression<Bool> { compare(.notEqual, row) }
  /// `(a, b) IS (c, d)`: NULL is NULL.
  public func `is`(_ row: RowValue) -> SQLQueryExpression<Bool> { compare(.is, row) }
  /// `(a, b) IS NOT (c, d)`.
  public func isNot(_ row: RowValue) -> SQLQueryExpression<Bool> { compare(.isNot, row) }

  /// `(a, b) < (?1, ?2)`.
  @_disfavoredOverload
  public static func < (left: Self, right: (repeat (each Element).QueryOutput)) -> SQLQueryExpression<Bool> {
    left.compare(.less, tuple(repeat each right))
  }
  /// `(a, b) <= (?1, ?2)`.
  @_disfavoredOverload
  public static func <= (left: Self, right: (repeat (each Element).QueryOutput)) -> SQLQueryExpression<Bool> {
    left.compare(.lessOrEqual, tuple(repeat each right))
  }
  /// `(a, b) > (?1, ?2)`.
  @_disfavoredOverload
  public static func > (left: Self, right: (repeat (each Element).QueryOutput)) -> SQLQueryExpression<Bool> {
    left.compare(.greater, tuple(repeat each right))
  }
  /// `(a, b) >= (?1, ?2)`.
  @_disfavoredOverload
  public static func >= (left: Self, right: (repeat (each Element).QueryOutput)) -> SQLQueryExpression<Bool> {
    left.compare(.greaterOrEqual, tuple(repeat each right))
  }
  /// `(a, b) < (c, d)`.
  public static func < (left: Self, right: Self) -> SQLQueryExpression<Bool> { left.compare(.less, right) }
  /// `(a, b) <= (c, d)`.
  public static func <= (left: Self, right: Self) -> SQLQueryExpression<Bool> { left.compare(.lessOrEqual, right) }
  /// `(a, b) > (c, d)`.
  public static func > (left: Self, right: Self) -> SQLQueryExpression<Bool> { left.compare(.greater, right) }
  /// `(a, b) >= (c, d)`.
  public static func >= (left: Self, right: Self) -> SQLQueryExpression<Bool> { left.compare(.greaterOrEqual, right) }

  /// One of some rows, however many: they are one parameter.
  @_disfavoredOverload
  public func `in`(_ rows: [(repeat (each Element).QueryOutput)]) -> SQLQueryExpression<Bool> {
    membership(.in, rows.map { Self.tuple(repeat each $0) })
  }
  /// `(a, b) NOT IN (...)`: none of some rows, however many.
  @_disfavoredOverload
  public func notIn(_ rows: [(repeat (each Element).QueryOutput)]) -> SQLQueryExpression<Bool> {
    membership(.notIn, rows.map { Self.tuple(repeat each $0) })
  }

  // Generic by name, and behind the arrays: version 6.3 stops with a failed assertion where a literal of rows is
  // `some Sequence` of what it has to be converted to.

  /// One of the rows of any sequence.
  @_disfavoredOverload
  public func `in`<Rows: Sequence>(_ rows: Rows) -> SQLQueryExpression<Bool>
  where Rows.Element == (repeat (each Element).QueryOutput) {
    self.in(Array(rows))
  }
  /// `(a, b) NOT IN (...)`: none of the rows of any sequence.
  @_disfavoredOverload
  public func notIn<Rows: Sequence>(_ rows: Rows) -> SQLQueryExpression<Bool>
  where Rows.Element == (repeat (each Element).QueryOutput) {
    notIn(Array(rows))
  }

  /// One of a query's rows.
  public func `in`(_ query: some Statement<(repeat each Element)>) -> SQLQueryExpression<Bool> {
    .operation(.in, queryFragment, query.queryFragment)
  }
  /// `(a, b) NOT IN (SELECT ...)`: none of a query's rows.
  public func notIn(_ query: some Statement<(repeat each Element)>) -> SQLQueryExpression<Bool> {
    .operation(.notIn, queryFragment, query.queryFragment)
  }
}
