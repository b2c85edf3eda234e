/// Aggregates: one value of many rows, with `distinct:`, `filter:` and, where it matters, `order:`.
///
/// Always true: what is NULL where there are no rows is optional; counts never are. A filter may be an optional
/// Boolean.
import MartletAST

extension QueryExpression where QueryValue: QueryRepresentable {
  /// How many are not NULL.
  public func count(distinct: Bool = false) -> SQLQueryExpression<Int> {
    .aggregate("count", [queryFragment], distinct: distinct)
  }

  public func count<Filter: QueryExpression>(distinct: Bool = false, filter: Filter) -> SQLQueryExpression<Int>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("count", [queryFragment], distinct: distinct, filter: filter)
  }

  public func min() -> SQLQueryExpression<QueryValue.QueryOptional> {
    .aggregate("min", [queryFragment])
  }

  public func min<Filter: QueryExpression>(filter: Filter) -> SQLQueryExpression<QueryValue.QueryOptional>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("min", [queryFragment], filter: filter)
  }

  public func max() -> SQLQueryExpression<QueryValue.QueryOptional> {
    .aggregate("max", [queryFragment])
  }

  public func max<Filter: QueryExpression>(filter: Filter) -> SQLQueryExpression<QueryValue.QueryOptional>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("max", [queryFragment], filter: filter)
  }
}

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Numeric {
  public func sum(distinct: Bool = false) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .aggregate("sum", [queryFragment], distinct: distinct)
  }

  public func sum<Filter: QueryExpression>(distinct: Bool = false, filter: Filter) -> SQLQueryExpression<
    QueryValue.QueryOptional
  >
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("sum", [queryFragment], distinct: distinct, filter: filter)
  }

  public func avg(distinct: Bool = false) -> SQLQueryExpression<Double?> {
    .aggregate("avg", [queryFragment], distinct: distinct)
  }

  public func avg<Filter: QueryExpression>(distinct: Bool = false, filter: Filter) -> SQLQueryExpression<Double?>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("avg", [queryFragment], distinct: distinct, filter: filter)
  }

  /// The sum as a real number; 0 where there are no rows.
  public func total(distinct: Bool = false) -> SQLQueryExpression<Double> {
    .aggregate("total", [queryFragment], distinct: distinct)
  }

  public func total<Filter: QueryExpression>(distinct: Bool = false, filter: Filter) -> SQLQueryExpression<Double>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("total", [queryFragment], distinct: distinct, filter: filter)
  }
}

extension TableDefinition {
  /// `count(*)`, of rows that satisfy the filter: `$0.count(filter: $0.isFlagged)`.
  @_disfavoredOverload
  public func count() -> SQLQueryExpression<Int> {
    SQLQueryExpression(QueryFragment(.function(FunctionCall(name: "count", star: true))))
  }

  @_disfavoredOverload
  public func count<Filter: QueryExpression>(filter: Filter) -> SQLQueryExpression<Int>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    SQLQueryExpression(
      QueryFragment(.function(FunctionCall(name: "count", star: true, filter: filter.queryFragment))))
  }
}

// MARK: - Texts

extension QueryExpression where QueryValue: QueryRepresentable {
  /// The values with commas, or another separator, between them. SQLite takes `distinct` with commas only.
  public func groupConcat(
    _ separator: String? = nil, distinct: Bool = false, order: OrderingTerm? = nil
  ) -> SQLQueryExpression<String?> {
    .aggregate(
      "group_concat", [queryFragment] + (separator.map { [$0.queryFragment] } ?? []), distinct: distinct,
      order: order.map { [$0] } ?? [])
  }

  public func groupConcat<Filter: QueryExpression>(
    _ separator: String? = nil, distinct: Bool = false, order: OrderingTerm? = nil, filter: Filter
  ) -> SQLQueryExpression<String?>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate(
      "group_concat", [queryFragment] + (separator.map { [$0.queryFragment] } ?? []), distinct: distinct,
      order: order.map { [$0] } ?? [], filter: filter)
  }

  public func groupConcat(separator: String, order: OrderingTerm? = nil) -> SQLQueryExpression<String?> {
    groupConcat(separator, order: order)
  }

  /// The values in the order of another expression.
  @_disfavoredOverload
  public func groupConcat(
    _ separator: String? = nil, order: some QueryExpression
  ) -> SQLQueryExpression<String?> {
    groupConcat(separator, order: OrderingTerm(order.queryFragment))
  }
}

// MARK: - Any aggregate

/// A call of an aggregate by its name, such as one that the program registered.
public struct AggregateFunctionExpression<QueryValue>: ComputedExpression, Sendable {
  public let queryFragment: QueryFragment

  public init<each Argument: QueryExpression>(
    _ name: String, distinct: Bool = false, _ argument: repeat each Argument, order: [OrderingTerm] = [],
    filter: SQLQueryExpression<Bool>? = nil, as type: QueryValue.Type = QueryValue.self
  ) {
    var arguments: [QueryFragment] = []
    for value in repeat each argument { arguments += value.columnFragments }
    queryFragment = QueryFragment(
      .function(
        FunctionCall(
          name: name, arguments: arguments, distinct: distinct, order: order, filter: filter?.queryFragment)))
  }
}

/// A call of a scalar function by its name, such as one that the program registered.
public struct QueryFunction<QueryValue>: ComputedExpression, Sendable {
  public let queryFragment: QueryFragment

  public init<each Argument: QueryExpression>(
    _ name: String, _ argument: repeat each Argument, as type: QueryValue.Type = QueryValue.self
  ) {
    var arguments: [QueryFragment] = []
    for value in repeat each argument { arguments += value.columnFragments }
    queryFragment = .function(name, arguments)
  }
}
