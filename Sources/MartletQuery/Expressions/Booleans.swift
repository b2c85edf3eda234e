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

// Forms for one concrete type: they spare the type checker the general ones, and give raw SQL its type.

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == Bool {
  public func and(_ other: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(.chain(.and, queryFragment, other.queryFragment))
  }

  public func or(_ other: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(.chain(.or, queryFragment, other.queryFragment))
  }

  public static func && (left: Self, right: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> { left.and(right) }
  public static func || (left: Self, right: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> { left.or(right) }
}

extension SQLQueryExpression<Bool> {
  public static func && (left: Self, right: Self) -> Self { left.and(right) }
  public static func || (left: Self, right: Self) -> Self { left.or(right) }
  public static prefix func ! (operand: Self) -> Self { operand.not() }

  public static func && <Right: QueryExpression>(left: Self, right: Right) -> Self
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == Bool {
    left.and(right)
  }

  public static func || <Right: QueryExpression>(left: Self, right: Right) -> Self
  where Right.QueryValue: QueryRepresentable, Right.QueryValue.QueryUnwrapped == Bool {
    left.or(right)
  }
}
