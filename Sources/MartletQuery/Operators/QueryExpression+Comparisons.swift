import MartletAST

/// Equality, order, NULL-safe comparison and ranges.
///
/// Always true: both sides have the same representation, apart from `Optional`. A plain value takes the representation
/// of the column that it is compared with. Each comparison has one form for values and one for expressions; the second
/// is disfavoured so that a literal never makes the type checker look at every expression there is.
extension QueryExpression where QueryValue: QueryRepresentable {
  func compare(_ symbol: ASTOperator, _ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(QueryValue.comparison(symbol, queryFragment, QueryValue.fragment(of: value)))
  }

  func compare(_ symbol: ASTOperator, to other: some QueryExpression) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(QueryValue.comparison(symbol, queryFragment, other.queryFragment))
  }
}

// MARK: - Values

extension QueryExpression where QueryValue: QueryRepresentable {
  /// `self = value`: never true if one of them is NULL. A group, a row or an enum of which a member may be NULL is
  /// compared as a whole, as `is` does.
  public func eq(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> { compare(.equal, value) }
  /// `self <> value`: never true if one of them is NULL. A group, a row or an enum of which a member may be NULL is
  /// compared as a whole, as `isNot` does.
  public func neq(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> { compare(.notEqual, value) }
  /// `self < value`: never true if one of them is NULL.
  public func lt(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> { compare(.less, value) }
  /// `self <= value`: never true if one of them is NULL.
  public func lte(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> { compare(.lessOrEqual, value) }
  /// `self > value`: never true if one of them is NULL.
  public func gt(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> { compare(.greater, value) }
  /// `self >= value`: never true if one of them is NULL.
  public func gte(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> { compare(.greaterOrEqual, value) }

  /// `IS`: true if both are NULL.
  public func `is`(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    .operation(.is, queryFragment, QueryValue.fragment(of: value).nullLiteral)
  }
  /// `IS NOT`: false if both are NULL, true if one of them is.
  public func isNot(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    .operation(.isNot, queryFragment, QueryValue.fragment(of: value).nullLiteral)
  }

  /// `IS NULL`.
  @_disfavoredOverload
  public func `is`(_ null: NullLiteral) -> SQLQueryExpression<Bool> {
    .operation(.is, queryFragment, queryFragment.nullOfItsWidth)
  }
  /// `IS NOT NULL`.
  @_disfavoredOverload
  public func isNot(_ null: NullLiteral) -> SQLQueryExpression<Bool> {
    .operation(.isNot, queryFragment, queryFragment.nullOfItsWidth)
  }

  /// `self BETWEEN low AND high`, both included.
  public func between(_ low: QueryValue.QueryOutput, and high: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    .operation(
      .between, queryFragment, QueryValue.ordered(QueryValue.fragment(of: low)),
      QueryValue.ordered(QueryValue.fragment(of: high)))
  }

  /// `value NOT BETWEEN low AND high`.
  public func notBetween(_ low: QueryValue.QueryOutput, and high: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    .operation(
      .notBetween, queryFragment, QueryValue.ordered(QueryValue.fragment(of: low)),
      QueryValue.ordered(QueryValue.fragment(of: high)))
  }
}

extension QueryFragment {
  /// A bound NULL becomes a literal, so that SQLite plans for `IS NULL`.
  var nullLiteral: QueryFragment {
    switch node {
    case .bind(.null): .null
    case .tuple(let elements): QueryFragment(.tuple(elements.map(\.nullLiteral)))
    default: self
    }
  }

  /// NULL for each value of a row.
  fileprivate var nullOfItsWidth: QueryFragment {
    if case .tuple(let elements) = node { QueryFragment(.tuple(elements.map { _ in .null })) } else { .null }
  }
}

extension QueryExpression where QueryValue: QueryRepresentable {
  @_disfavoredOverload
  @available(*, unavailable, message: "This is never NULL. Where it may be, make the property optional.")
  public func eq(_ null: NullLiteral) -> SQLQueryExpression<Bool> { self.is(null) }

  @_disfavoredOverload
  @available(*, unavailable, message: "This is never NULL. Where it may be, make the property optional.")
  public func neq(_ null: NullLiteral) -> SQLQueryExpression<Bool> { isNot(null) }
}

/// The `nil` of `.is(nil)`.
public struct NullLiteral: ExpressibleByNilLiteral, Sendable {
  /// What the compiler makes of `nil`.
  public init(nilLiteral: ()) {}
}

// MARK: - Expressions

extension QueryExpression where QueryValue: QueryRepresentable {
  /// `self = other` of two expressions.
  @_disfavoredOverload
  public func eq<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    compare(.equal, to: other)
  }

  /// `self <> other` of two expressions.
  @_disfavoredOverload
  public func neq<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    compare(.notEqual, to: other)
  }

  /// `self < other` of two expressions.
  @_disfavoredOverload
  public func lt<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    compare(.less, to: other)
  }

  /// `self <= other` of two expressions.
  @_disfavoredOverload
  public func lte<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    compare(.lessOrEqual, to: other)
  }

  /// `self > other` of two expressions.
  @_disfavoredOverload
  public func gt<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    compare(.greater, to: other)
  }

  /// `self >= other` of two expressions.
  @_disfavoredOverload
  public func gte<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    compare(.greaterOrEqual, to: other)
  }

  /// `self IS other` of two expressions: true if both are NULL.
  @_disfavoredOverload
  public func `is`<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    compare(.is, to: other)
  }

  /// `self IS NOT other` of two expressions: false if both are NULL.
  @_disfavoredOverload
  public func isNot<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    compare(.isNot, to: other)
  }

  /// `self BETWEEN low AND high` of expressions, both included.
  @_disfavoredOverload
  public func between<Low: QueryExpression, High: QueryExpression>(
    _ low: Low, and high: High
  ) -> SQLQueryExpression<Bool>
  where
    Low.QueryValue: QueryRepresentable, High.QueryValue: QueryRepresentable,
    Low.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped,
    High.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped
  {
    .operation(
      .between, queryFragment, QueryValue.ordered(low.queryFragment), QueryValue.ordered(high.queryFragment))
  }
}

// MARK: - Bound values

// `#bind(.done)` takes its type from the column that it is compared with.
extension QueryExpression where QueryValue: QueryBindable {
  /// `self = value`.
  public func eq(_ value: BindQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> { compare(.equal, to: value) }
  /// `self <> value`.
  public func neq(_ value: BindQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.notEqual, to: value)
  }
  /// `self < value`.
  public func lt(_ value: BindQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> { compare(.less, to: value) }
  /// `self <= value`.
  public func lte(_ value: BindQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.lessOrEqual, to: value)
  }
  /// `self > value`.
  public func gt(_ value: BindQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> { compare(.greater, to: value) }
  /// `self >= value`.
  public func gte(_ value: BindQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.greaterOrEqual, to: value)
  }
  /// `self IS value`: true if both are NULL.
  public func `is`(_ value: BindQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> { compare(.is, to: value) }
  /// `self IS NOT value`: false if both are NULL.
  public func isNot(_ value: BindQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.isNot, to: value)
  }
  /// `self BETWEEN low AND high`, both included.
  @_disfavoredOverload
  public func between(
    _ low: BindQueryExpression<QueryValue>, and high: BindQueryExpression<QueryValue>
  ) -> SQLQueryExpression<Bool> {
    .operation(
      .between, queryFragment, QueryValue.ordered(low.queryFragment), QueryValue.ordered(high.queryFragment))
  }
}
