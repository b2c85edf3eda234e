import MartletAST

/// AND, OR and NOT.
///
/// Always true: chains of one operator become one node with many operands. An optional Boolean may stand anywhere;
/// NULL is neither true nor false.
extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == Bool {
  /// `left AND right`: false if one side is false, even if the other is NULL.
  public func and<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == Bool {
    SQLQueryExpression(.chain(.and, queryFragment, other.queryFragment))
  }

  /// `left OR right`: true if one side is true, even if the other is NULL.
  public func or<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == Bool {
    SQLQueryExpression(.chain(.or, queryFragment, other.queryFragment))
  }

  /// `NOT operand`: NULL stays NULL.
  public func not() -> SQLQueryExpression<Bool> { .operation(.not, queryFragment) }

  /// `left AND right`.
  public static func && <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Bool>
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == Bool {
    left.and(right)
  }

  /// `left OR right`.
  public static func || <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Bool>
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == Bool {
    left.or(right)
  }

  /// `NOT operand`.
  public static prefix func ! (operand: Self) -> SQLQueryExpression<Bool> { operand.not() }
}

// MARK: - Truth

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == Bool {
  /// `self IS TRUE`: false if it is false or NULL. It is never NULL, so NOT is its opposite.
  public func isTrue() -> SQLQueryExpression<Bool> { .operation(.is, queryFragment, .true) }

  /// `self IS NOT TRUE`: true if it is false or NULL.
  public func isNotTrue() -> SQLQueryExpression<Bool> { .operation(.isNot, queryFragment, .true) }

  /// `self IS FALSE`: false if it is true or NULL.
  public func isFalse() -> SQLQueryExpression<Bool> { .operation(.is, queryFragment, .false) }

  /// `self IS NOT FALSE`: true if it is true or NULL.
  public func isNotFalse() -> SQLQueryExpression<Bool> { .operation(.isNot, queryFragment, .false) }
}

// Forms for one concrete type. With them the type checker need not try the general ones, and raw SQL gets its type.

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == Bool {
  /// `left AND right`, of which the right side may be raw SQL.
  public func and(_ other: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(.chain(.and, queryFragment, other.queryFragment))
  }

  /// `left OR right`, of which the right side may be raw SQL.
  public func or(_ other: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(.chain(.or, queryFragment, other.queryFragment))
  }

  /// `left AND right`, of which the right side may be raw SQL.
  public static func && (left: Self, right: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> { left.and(right) }
  /// `left OR right`, of which the right side may be raw SQL.
  public static func || (left: Self, right: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> { left.or(right) }
}

extension SQLQueryExpression<Bool> {
  /// `left AND right` of two conditions.
  public static func && (left: Self, right: Self) -> Self { left.and(right) }
  /// `left OR right` of two conditions.
  public static func || (left: Self, right: Self) -> Self { left.or(right) }
  /// `NOT operand` of a condition.
  public static prefix func ! (operand: Self) -> Self { operand.not() }

  /// `left AND right` of a condition and anything Boolean.
  public static func && <Right: QueryExpression>(left: Self, right: Right) -> Self
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == Bool {
    left.and(right)
  }

  /// `left OR right` of a condition and anything Boolean.
  public static func || <Right: QueryExpression>(left: Self, right: Right) -> Self
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == Bool {
    left.or(right)
  }
}
