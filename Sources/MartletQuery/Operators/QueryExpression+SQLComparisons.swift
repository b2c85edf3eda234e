import MartletAST

/// Comparisons with raw SQL, and with what else is computed of the same type. `#sql("…")` takes its type from what
/// it is compared with.
///
/// Always true: a comparison reads as that of the same name with a value.
extension QueryExpression where QueryValue: QueryRepresentable {
  /// `self = value`, of SQL.
  public func eq(_ value: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.equal, to: value)
  }
  /// `self <> value`, of SQL.
  public func neq(_ value: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.notEqual, to: value)
  }
  /// `self < value`, of SQL.
  public func lt(_ value: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.less, to: value)
  }
  /// `self <= value`, of SQL.
  public func lte(_ value: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.lessOrEqual, to: value)
  }
  /// `self > value`, of SQL.
  public func gt(_ value: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.greater, to: value)
  }
  /// `self >= value`, of SQL.
  public func gte(_ value: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.greaterOrEqual, to: value)
  }
  /// `self IS value`: true if both are NULL, of SQL.
  public func `is`(_ value: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.is, to: value)
  }
  /// `self IS NOT value`: false if both are NULL, of SQL.
  public func isNot(_ value: SQLQueryExpression<QueryValue>) -> SQLQueryExpression<Bool> {
    compare(.isNot, to: value)
  }
  /// `self BETWEEN low AND high`, both included, of SQL.
  public func between(
    _ low: SQLQueryExpression<QueryValue>, and high: SQLQueryExpression<QueryValue>
  ) -> SQLQueryExpression<Bool> {
    .operation(
      .between, queryFragment, QueryValue.ordered(low.queryFragment), QueryValue.ordered(high.queryFragment))
  }
}
