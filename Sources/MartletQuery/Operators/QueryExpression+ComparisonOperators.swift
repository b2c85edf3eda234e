import MartletAST

/// Comparison operators.
///
/// Always true: they make the same nodes as `lt`, `lte`, `gt` and `gte`. `==` and `!=` do not compile, because they
/// would hide that NULL is equal to nothing.
extension QueryExpression where QueryValue: QueryRepresentable {
  /// `left < right` with a plain value, as `lt`.
  public static func < (left: Self, right: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    left.compare(.less, right)
  }

  /// `left < right` of two expressions, as `lt`.
  public static func < <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Bool>
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    left.compare(.less, to: right)
  }

  /// `left <= right` with a plain value, as `lte`.
  public static func <= (left: Self, right: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// `left <= right` of two expressions, as `lte`.
  public static func <= <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Bool>
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    left.compare(.lessOrEqual, to: right)
  }

  /// `left > right` with a plain value, as `gt`.
  public static func > (left: Self, right: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    left.compare(.greater, right)
  }

  /// `left > right` of two expressions, as `gt`.
  public static func > <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Bool>
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    left.compare(.greater, to: right)
  }

  /// `left >= right` with a plain value, as `gte`.
  public static func >= (left: Self, right: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    left.compare(.greaterOrEqual, right)
  }

  /// `left >= right` of two expressions, as `gte`.
  public static func >= <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Bool>
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    left.compare(.greaterOrEqual, to: right)
  }

  @available(*, unavailable, message: "Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.")
  public static func == (left: Self, right: some QueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    left.compare(.equal, to: right)
  }

  @available(*, unavailable, message: "Use 'neq' (never true for NULL) or 'isNot' instead of '!='.")
  public static func != (left: Self, right: some QueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    left.compare(.notEqual, to: right)
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.")
  public static func == (left: Self, right: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    left.compare(.equal, right)
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Use 'neq' (never true for NULL) or 'isNot' instead of '!='.")
  public static func != (left: Self, right: QueryValue.QueryOutput) -> SQLQueryExpression<Bool> {
    left.compare(.notEqual, right)
  }
}

// Swift's own `==` takes any value and `nil`, and returns false: a condition that no row satisfies. An unavailable
// function would lose against it, so these work, as IS NULL, and warn.
extension ComputedExpression where QueryValue: QueryRepresentable {
  @available(*, deprecated, message: "Use 'is(nil)' instead of '== nil'.")
  public static func == (left: Self, right: NullLiteral) -> SQLQueryExpression<Bool> { left.is(right) }

  @available(*, deprecated, message: "Use 'isNot(nil)' instead of '!= nil'.")
  public static func != (left: Self, right: NullLiteral) -> SQLQueryExpression<Bool> { left.isNot(right) }
}
