import MartletAST

/// A query as a set of values, in the spelling of Swift's sequences.
extension SelectStatement where QueryValue: QueryRepresentable {
  /// `Category.select(\.id).contains($0.categoryID)`.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    SQLQueryExpression(QueryValue.membership(.in, element.queryFragment, self))
  }
}
