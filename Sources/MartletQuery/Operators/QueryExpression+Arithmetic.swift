import Foundation
import MartletAST

/// Arithmetic and bitwise operators, and `+` for texts.
///
/// Always true: `+` and `*` of many operands are one node. A side that may be NULL makes the result optional.
extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Numeric {
  /// `left + right` with a plain value.
  public static func + (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      QueryValue.calculated(.chain(.add, left.queryFragment, QueryValue.QueryUnwrapped.fragment(of: right))))
  }

  /// `left + right` of two expressions.
  public static func + <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where Right.QueryValue == QueryValue {
    SQLQueryExpression(QueryValue.calculated(.chain(.add, left.queryFragment, right.queryFragment)))
  }

  /// `left + right`: NULL if the right side is NULL.
  @_disfavoredOverload
  public static func + <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Right.QueryValue>
  where Right.QueryValue == QueryValue? {
    SQLQueryExpression(QueryValue.calculated(.chain(.add, left.queryFragment, right.queryFragment)))
  }

  /// `left + right`: NULL if the left side is NULL.
  @_disfavoredOverload
  public static func + <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where QueryValue == Right.QueryValue? {
    SQLQueryExpression(QueryValue.calculated(.chain(.add, left.queryFragment, right.queryFragment)))
  }

  /// `left - right` with a plain value.
  public static func - (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      QueryValue.calculated(.operation(.subtract, left.queryFragment, QueryValue.QueryUnwrapped.fragment(of: right))))
  }

  /// `left - right` of two expressions.
  public static func - <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where Right.QueryValue == QueryValue {
    SQLQueryExpression(QueryValue.calculated(.operation(.subtract, left.queryFragment, right.queryFragment)))
  }

  /// `left - right`: NULL if the right side is NULL.
  @_disfavoredOverload
  public static func - <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Right.QueryValue>
  where Right.QueryValue == QueryValue? {
    SQLQueryExpression(QueryValue.calculated(.operation(.subtract, left.queryFragment, right.queryFragment)))
  }

  /// `left - right`: NULL if the left side is NULL.
  @_disfavoredOverload
  public static func - <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where QueryValue == Right.QueryValue? {
    SQLQueryExpression(QueryValue.calculated(.operation(.subtract, left.queryFragment, right.queryFragment)))
  }

  /// `left * right` with a plain value.
  public static func * (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      QueryValue.calculated(.chain(.multiply, left.queryFragment, QueryValue.QueryUnwrapped.fragment(of: right))))
  }

  /// `left * right` of two expressions.
  public static func * <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where Right.QueryValue == QueryValue {
    SQLQueryExpression(QueryValue.calculated(.chain(.multiply, left.queryFragment, right.queryFragment)))
  }

  /// `left * right`: NULL if the right side is NULL.
  @_disfavoredOverload
  public static func * <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Right.QueryValue>
  where Right.QueryValue == QueryValue? {
    SQLQueryExpression(QueryValue.calculated(.chain(.multiply, left.queryFragment, right.queryFragment)))
  }

  /// `left * right`: NULL if the left side is NULL.
  @_disfavoredOverload
  public static func * <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where QueryValue == Right.QueryValue? {
    SQLQueryExpression(QueryValue.calculated(.chain(.multiply, left.queryFragment, right.queryFragment)))
  }

  /// `left / right` with a plain value, which is not 0. Integers are cut off towards 0.
  public static func / (left: Self, right: QueryValue.QueryUnwrapped.QueryOutput) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(QueryValue.quotient(left.queryFragment, QueryValue.divisor(right)))
  }

  /// `left / right` of two expressions: NULL if the right side is 0.
  public static func / <Right: QueryExpression>(
    left: Self, right: Right
  ) -> SQLQueryExpression<QueryValue.QueryOptional> where Right.QueryValue == QueryValue {
    SQLQueryExpression(QueryValue.quotient(left.queryFragment, right.queryFragment))
  }

  /// `left / right`: NULL if the right side is NULL or 0.
  @_disfavoredOverload
  public static func / <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Right.QueryValue>
  where Right.QueryValue == QueryValue? {
    SQLQueryExpression(QueryValue.quotient(left.queryFragment, right.queryFragment))
  }

  /// `left / right`: NULL if the left side is NULL, or the right side is 0.
  @_disfavoredOverload
  public static func / <Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<QueryValue>
  where QueryValue == Right.QueryValue? {
    SQLQueryExpression(QueryValue.quotient(left.queryFragment, right.queryFragment))
  }

  /// `-operand`.
  public static prefix func - (operand: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(QueryValue.calculated(.operation(.negate, operand.queryFragment)))
  }

  // Disfavoured because a number is an expression too, and `+2` is Swift's.
  /// `+operand`, which changes nothing, and keeps SQLite from using an index of the column.
  @_disfavoredOverload
  public static prefix func + (operand: Self) -> SQLQueryExpression<QueryValue> {
    .operation(.plus, operand.queryFragment)
  }
}

// A plain value on the left needs a right side that is no plain value: with two plain values, Swift's own operator is
// meant. Before an expression of unknown type the plain value is an expression itself, which the operators above take.
extension ComputedExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Numeric {
  /// `left + right` that begins with a plain value.
  public static func + (left: QueryValue.QueryUnwrapped.QueryOutput, right: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      QueryValue.calculated(.chain(.add, QueryValue.QueryUnwrapped.fragment(of: left), right.queryFragment)))
  }

  /// `left - right` that begins with a plain value.
  public static func - (left: QueryValue.QueryUnwrapped.QueryOutput, right: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      QueryValue.calculated(.operation(.subtract, QueryValue.QueryUnwrapped.fragment(of: left), right.queryFragment)))
  }

  /// `left * right` that begins with a plain value.
  public static func * (left: QueryValue.QueryUnwrapped.QueryOutput, right: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(
      QueryValue.calculated(.chain(.multiply, QueryValue.QueryUnwrapped.fragment(of: left), right.queryFragment)))
  }

  /// `left / right` that begins with a plain value: NULL if the right side is 0.
  public static func / (
    left: QueryValue.QueryUnwrapped.QueryOutput, right: Self
  ) -> SQLQueryExpression<QueryValue.QueryOptional> {
    SQLQueryExpression(QueryValue.quotient(QueryValue.QueryUnwrapped.fragment(of: left), right.queryFragment))
  }
}

// Of one concrete type: the compiler tries these first, and then need not try all the others for each operator of a
// long expression.
extension SQLQueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Numeric {
  /// `left + right` of two expressions that were computed.
  public static func + (left: Self, right: Self) -> Self {
    Self(QueryValue.calculated(.chain(.add, left.queryFragment, right.queryFragment)))
  }

  /// `left - right` of two expressions that were computed.
  public static func - (left: Self, right: Self) -> Self {
    Self(QueryValue.calculated(.operation(.subtract, left.queryFragment, right.queryFragment)))
  }

  /// `left * right` of two expressions that were computed.
  public static func * (left: Self, right: Self) -> Self {
    Self(QueryValue.calculated(.chain(.multiply, left.queryFragment, right.queryFragment)))
  }
}

extension QueryRepresentable where QueryUnwrapped.QueryOutput: Numeric {
  /// The divisor for a plain value. For 0 SQLite returns NULL, which the type of the result does not allow.
  static func divisor(_ value: QueryUnwrapped.QueryOutput) -> QueryFragment {
    guard value == 0 else { return QueryUnwrapped.fragment(of: value) }
    return .bind(.invalid(QueryBindingFailure("Divide by something else than 0, of which SQLite makes NULL.")))
  }

  /// What an operator makes of numbers. Texts of numbers are none to SQLite: it would take them for integers or for
  /// REALs, and lose digits.
  static func calculated(_ result: QueryFragment) -> QueryFragment {
    guard QueryUnwrapped.self == Decimal.TextRepresentation.self else { return result }
    let reason =
      "SQLite does not calculate with 'Decimal.TextRepresentation', which is stored as a text. Calculate in Swift, or "
      + "with cast(as: Double.self)."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }

  /// `left / right`. A whole number in a document is an INTEGER, of whatever type the member is, and SQLite cuts what
  /// two of these make.
  static func quotient(_ left: QueryFragment, _ right: QueryFragment) -> QueryFragment {
    calculated(.operation(.divide, QueryUnwrapped.sqlType == "REAL" ? left.asDividend : left, right))
  }
}
