import MartletAST

/// IN and NOT IN of ranges.
///
/// Always true: a range is written by its bounds, never value by value, so that one without an end is a condition, too.
extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Comparable {
  /// Between the bounds of a range, both included.
  public func `in`(_ range: ClosedRange<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    .operation(
      .between, queryFragment, QueryValue.ordered(QueryValue.QueryUnwrapped.fragment(of: range.lowerBound)),
      QueryValue.ordered(QueryValue.QueryUnwrapped.fragment(of: range.upperBound)))
  }
}

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Comparable {
  /// From the lower bound up to the upper one, which is not included.
  public func `in`(_ range: Range<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    .operation(.and, bounded(.greaterOrEqual, range.lowerBound), bounded(.less, range.upperBound))
  }
  /// `self >= lowerBound`.
  public func `in`(_ range: PartialRangeFrom<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(bounded(.greaterOrEqual, range.lowerBound))
  }
  /// `self <= upperBound`.
  public func `in`(_ range: PartialRangeThrough<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(bounded(.lessOrEqual, range.upperBound))
  }
  /// `self < upperBound`.
  public func `in`(_ range: PartialRangeUpTo<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(bounded(.less, range.upperBound))
  }

  private func bounded(_ symbol: ASTOperator, _ bound: QueryValue.QueryUnwrapped.QueryOutput) -> QueryFragment {
    .operation(symbol, queryFragment, QueryValue.ordered(QueryValue.QueryUnwrapped.fragment(of: bound)))
  }
}

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Comparable {
  /// `self NOT BETWEEN lowerBound AND upperBound`. Never true if `self` is NULL, as with each of these.
  public func notIn(_ range: ClosedRange<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    .operation(
      .notBetween, queryFragment, QueryValue.ordered(QueryValue.QueryUnwrapped.fragment(of: range.lowerBound)),
      QueryValue.ordered(QueryValue.QueryUnwrapped.fragment(of: range.upperBound)))
  }
  /// `NOT (self >= lowerBound AND self < upperBound)`.
  public func notIn(_ range: Range<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    .operation(.not, .operation(.and, bounded(.greaterOrEqual, range.lowerBound), bounded(.less, range.upperBound)))
  }
  /// `self < lowerBound`.
  public func notIn(_ range: PartialRangeFrom<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(bounded(.less, range.lowerBound))
  }
  /// `self > upperBound`.
  public func notIn(_ range: PartialRangeThrough<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(bounded(.greater, range.upperBound))
  }
  /// `self >= upperBound`.
  public func notIn(_ range: PartialRangeUpTo<QueryValue.QueryUnwrapped.QueryOutput>) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(bounded(.greaterOrEqual, range.upperBound))
  }
}

extension Range where Bound: QueryBindable {
  /// `(10..<100).contains($0.price)`.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bound.QueryUnwrapped {
    .operation(
      .and, .operation(.greaterOrEqual, element.queryFragment, Bound.ordered(lowerBound.queryFragment)),
      .operation(.less, element.queryFragment, Bound.ordered(upperBound.queryFragment)))
  }
}

extension ClosedRange where Bound: QueryBindable {
  /// `(10...100).contains($0.price)`: both bounds included.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bound.QueryUnwrapped {
    .operation(
      .between, element.queryFragment, Bound.ordered(lowerBound.queryFragment),
      Bound.ordered(upperBound.queryFragment))
  }
}

extension PartialRangeFrom where Bound: QueryBindable {
  /// `(10...).contains($0.price)`: `price >= 10`.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bound.QueryUnwrapped {
    .operation(.greaterOrEqual, element.queryFragment, Bound.ordered(lowerBound.queryFragment))
  }
}

extension PartialRangeThrough where Bound: QueryBindable {
  /// `(...10).contains($0.price)`: `price <= 10`.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bound.QueryUnwrapped {
    .operation(.lessOrEqual, element.queryFragment, Bound.ordered(upperBound.queryFragment))
  }
}

extension PartialRangeUpTo where Bound: QueryBindable {
  /// `(..<10).contains($0.price)`: `price < 10`.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bound.QueryUnwrapped {
    .operation(.less, element.queryFragment, Bound.ordered(upperBound.queryFragment))
  }
}
