import MartletAST

/// Remainders, bitwise operators and shifts of integers.
///
/// Always true: SQLite computes them with 64 bits.
extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: BinaryInteger {
  /// `left % right` with a plain value, which is not 0: the sign is the left side's.
  public static func % (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .operation(.modulo, left.queryFragment, QueryValue.divisor(right))
  }

  /// `left % right` of two expressions: NULL if the right side is 0.
  public static func % <Right: QueryExpression>(
    left: Self, right: Right
  ) -> SQLQueryExpression<QueryValue.QueryOptional> where Right.QueryValue == QueryValue {
    .operation(.modulo, left.queryFragment, right.queryFragment)
  }

  /// `left & right` with a plain value.
  public static func & (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .operation(.bitAnd, left.queryFragment, QueryValue.QueryUnwrapped.fragment(of: right))
  }

  /// `left & right` of two expressions.
  public static func & <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where Right.QueryValue == QueryValue {
    .operation(.bitAnd, left.queryFragment, right.queryFragment)
  }

  /// `left | right` with a plain value.
  public static func | (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .operation(.bitOr, left.queryFragment, QueryValue.QueryUnwrapped.fragment(of: right))
  }

  /// `left | right` of two expressions.
  public static func | <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where Right.QueryValue == QueryValue {
    .operation(.bitOr, left.queryFragment, right.queryFragment)
  }

  /// `left << right` with a number of bits; a negative one shifts to the right.
  public static func << (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .operation(.shiftLeft, left.queryFragment, QueryValue.QueryUnwrapped.fragment(of: right))
  }

  /// `left << right` of two expressions.
  public static func << <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where Right.QueryValue == QueryValue {
    .operation(.shiftLeft, left.queryFragment, right.queryFragment)
  }

  /// `left >> right` with a number of bits: the sign stays; a negative one shifts to the left.
  public static func >> (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .operation(.shiftRight, left.queryFragment, QueryValue.QueryUnwrapped.fragment(of: right))
  }

  /// `left >> right` of two expressions.
  public static func >> <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where Right.QueryValue == QueryValue {
    .operation(.shiftRight, left.queryFragment, right.queryFragment)
  }

  /// SQLite has no exclusive or: `(a | b) - (a & b)`.
  public static func ^ (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    let value = QueryValue.QueryUnwrapped.fragment(of: right)
    return .operation(
      .subtract, .operation(.bitOr, left.queryFragment, value), .operation(.bitAnd, left.queryFragment, value))
  }

  /// `left ^ right` of two expressions: `(a | b) - (a & b)`.
  public static func ^ <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where Right.QueryValue == QueryValue {
    .operation(
      .subtract, .operation(.bitOr, left.queryFragment, right.queryFragment),
      .operation(.bitAnd, left.queryFragment, right.queryFragment))
  }

  /// `~operand`: each bit inverted.
  public static prefix func ~ (operand: Self) -> SQLQueryExpression<QueryValue> {
    .operation(.bitNot, operand.queryFragment)
  }
}
