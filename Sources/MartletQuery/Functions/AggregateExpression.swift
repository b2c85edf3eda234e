/// What an aggregate returns: one value for a group of rows.
///
/// Always true: it is no `ComputedExpression`, so that an aggregate of an aggregate does not compile. With OVER it is a
/// value of each row again.
public struct AggregateExpression<QueryValue>: QueryExpression, Sendable {
  public let queryFragment: QueryFragment

  init(_ fragment: QueryFragment) { queryFragment = fragment }

  static func aggregate(
    _ name: String, _ arguments: [QueryFragment], _ distinct: Bool, _ order: some QueryExpression,
    _ filter: some QueryExpression
  ) -> Self {
    Self(SQLQueryExpression<QueryValue>.aggregate(name, arguments, distinct, order, filter).queryFragment)
  }

  /// The aggregate of each row's window; of all rows if there is no `window`.
  public func over(_ window: Window = Window()) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(queryFragment).over(window)
  }

  /// The same with a window of the query, which it names with `window(_:as:)`.
  public func over(_ name: String) -> SQLQueryExpression<QueryValue> { SQLQueryExpression(queryFragment).over(name) }
}

// MARK: - Aggregates of aggregates

extension AggregateExpression {
  @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
  public func count(distinct: Bool = false) -> AggregateExpression<Int> { AggregateExpression<Int>(queryFragment) }

  @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
  public func min() -> AggregateExpression { self }

  @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
  public func max() -> AggregateExpression { self }

  @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
  public func sum(distinct: Bool = false) -> AggregateExpression { self }

  @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
  public func avg(distinct: Bool = false) -> AggregateExpression<Double?> {
    AggregateExpression<Double?>(queryFragment)
  }

  @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
  public func total(distinct: Bool = false) -> AggregateExpression<Double> {
    AggregateExpression<Double>(queryFragment)
  }

  @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
  public func groupConcat(_ separator: String? = nil) -> AggregateExpression<String?> {
    AggregateExpression<String?>(queryFragment)
  }
}
