/// AND, OR and NOT.
///
/// Always true: chains of one operator become one node with many operands. An optional Boolean may stand anywhere;
/// NULL is
/// neither true nor false.
import MartletAST

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == Bool {
  public func and<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == Bool {
    SQLQueryExpression(.chain(.and, queryFragment, other.queryFragment))
  }

  public func or<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Bool>
  where Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == Bool {
    SQLQueryExpression(.chain(.or, queryFragment, other.queryFragment))
  }

  public func not() -> SQLQueryExpression<Bool> { .operation(.not, queryFragment) }

  public static func && <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Bool>
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == Bool {
    left.and(right)
  }

  public static func || <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Bool>
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == Bool {
    left.or(right)
  }

  public static prefix func ! (operand: Self) -> SQLQueryExpression<Bool> { operand.not() }
}
