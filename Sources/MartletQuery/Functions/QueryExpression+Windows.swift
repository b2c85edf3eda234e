/// `row_number()`: the row's place in its partition, counted from 1.
public func rowNumber() -> SQLQueryExpression<Int> { .function("row_number") }
/// `rank()`: the place of the first row that is equal in the order; it leaves gaps.
public func rank() -> SQLQueryExpression<Int> { .function("rank") }
/// `dense_rank()`: the place among different rows, without gaps.
public func denseRank() -> SQLQueryExpression<Int> { .function("dense_rank") }
/// `percent_rank()`: from 0 for the first row to 1 for the last.
public func percentRank() -> SQLQueryExpression<Double> { .function("percent_rank") }
/// `cume_dist()`: the share of rows that do not come later, above 0 and up to 1.
public func cumeDist() -> SQLQueryExpression<Double> { .function("cume_dist") }
/// `ntile(groups)`: the number, from 1, of the group that the row falls into when the partition is cut into `groups`
/// equal parts.
public func ntile(_ groups: Int) -> SQLQueryExpression<Int> { .function("ntile", groups.queryFragment) }

extension QueryExpression where QueryValue: QueryRepresentable {
  /// The value `offset` rows before.
  public func lag(_ offset: Int = 1) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .function("lag", queryFragment, offset.queryFragment)
  }

  /// The value `offset` rows before, or `value` if there is none.
  public func lag(_ offset: Int = 1, default value: QueryValue.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .function("lag", queryFragment, offset.queryFragment, QueryValue.fragment(of: value))
  }

  /// The value `offset` rows after.
  public func lead(_ offset: Int = 1) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .function("lead", queryFragment, offset.queryFragment)
  }

  /// The value `offset` rows after, or `value` if there is none.
  public func lead(_ offset: Int = 1, default value: QueryValue.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .function("lead", queryFragment, offset.queryFragment, QueryValue.fragment(of: value))
  }

  /// The value of the frame's first row; nil if the frame is empty.
  public func firstValue() -> SQLQueryExpression<QueryValue.QueryOptional> { .function("first_value", queryFragment) }
  /// The value of the frame's last row, which is the current row if the window has no frame; nil if the frame is empty.
  public func lastValue() -> SQLQueryExpression<QueryValue.QueryOptional> { .function("last_value", queryFragment) }

  /// The value of the frame's n-th row, counted from 1.
  public func nthValue(_ row: Int) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .function("nth_value", queryFragment, row.queryFragment)
  }
}
