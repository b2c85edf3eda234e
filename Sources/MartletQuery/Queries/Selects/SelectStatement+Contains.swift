import MartletAST

/// A query as a set of values, in the spelling of Swift's sequences.
///
/// Always true: it looks among all of the query's values. A query of one column is an expression too, but a part of a
/// text in one is looked for with `like`.
extension SelectStatement where QueryValue: QueryRepresentable {
  /// `Category.select(\.id).contains($0.categoryID)`.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    SQLQueryExpression(QueryValue.membership(.in, element.queryFragment, self))
  }
}

extension SelectStatement where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == String {
  /// `Category.select(\.title).contains("home")`: one of the texts, and not a part of one.
  public func contains(_ text: String) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(QueryValue.membership(.in, text.queryFragment, self))
  }
  /// `Category.select(\.title).contains(line.prefix(4))`: one of the texts, and not a part of one.
  public func contains(_ text: some StringProtocol) -> SQLQueryExpression<Bool> { contains(String(text)) }
}

extension WholeQuery where QueryValue: QueryRepresentable {
  /// `a.select(\.id).union(b.select(\.id)).contains($0.categoryID)`.
  @_disfavoredOverload
  public func contains<E: QueryExpression>(_ element: E) -> SQLQueryExpression<Bool>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped {
    SQLQueryExpression(QueryValue.membership(.in, element.queryFragment, self))
  }
}

extension WholeQuery where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == String {
  /// `a.select(\.title).union(b.select(\.title)).contains("home")`: one of the texts, and not a part of one.
  public func contains(_ text: String) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(QueryValue.membership(.in, text.queryFragment, self))
  }
  /// The same of a part of another text.
  public func contains(_ text: some StringProtocol) -> SQLQueryExpression<Bool> { contains(String(text)) }
}
