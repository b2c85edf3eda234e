import MartletAST

/// Aggregates: one value of many rows, with `distinct:`, `filter:` and, if it matters, `order:`.
///
/// Always true: an aggregate that is NULL without rows is optional; counts never are. A filter may be an optional
/// Boolean. They are of values in one column: the columns of a table are an expression too, and must keep the names
/// that its columns have, such as `total`.
extension QueryExpression where QueryValue: QueryBindable {
  /// How many are not NULL.
  public func count<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Int>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("count", [queryFragment], distinct, Unordered(), filter)
  }

  /// `min(self)`: the smallest that is not NULL; nil if there is none.
  public func min<Filter: QueryExpression>(
    filter: Filter = Unfiltered()
  ) -> AggregateExpression<QueryValue.QueryOptional>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("min", [QueryValue.ordered(queryFragment)], false, Unordered(), filter)
  }

  /// `max(self)`: the greatest that is not NULL; nil if there is none.
  public func max<Filter: QueryExpression>(
    filter: Filter = Unfiltered()
  ) -> AggregateExpression<QueryValue.QueryOptional>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("max", [QueryValue.ordered(queryFragment)], false, Unordered(), filter)
  }
}

extension QueryExpression where QueryValue: QueryBindable, QueryValue.QueryUnwrapped.QueryOutput: Numeric {
  /// `sum(self)`: nil if no value is not NULL. SQLite throws if a sum of integers overflows 64 bits.
  public func sum<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<QueryValue.QueryOptional>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    // Whole numbers of a document would be added as integers, whose sum may not fit.
    let value = QueryValue.sqlType == "REAL" ? queryFragment.asReal : queryFragment
    return .aggregate("sum", [QueryValue.calculated(value)], distinct, Unordered(), filter)
  }

  /// `avg(self)`: the mean of those that are not NULL, as a real number; nil if there is none.
  public func avg<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Double?>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("avg", [queryFragment], distinct, Unordered(), filter)
  }

  /// The sum as a real number; 0 if there are no rows.
  public func total<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Double>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("total", [queryFragment], distinct, Unordered(), filter)
  }
}

// Durations are REALs in seconds, and no numbers to Swift.
extension QueryExpression where QueryValue: QueryBindable, QueryValue.QueryUnwrapped == Duration {
  /// `sum(self)`: all of the durations together; nil if none is not NULL.
  public func sum<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Duration?>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("sum", [queryFragment], distinct, Unordered(), filter)
  }

  /// `avg(self)`: the mean duration of those that are not NULL; nil if there is none.
  public func avg<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Duration?>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("avg", [queryFragment], distinct, Unordered(), filter)
  }

  /// `total(self)`: all of the durations together; zero if there are no rows.
  public func total<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Duration>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("total", [queryFragment], distinct, Unordered(), filter)
  }
}

extension QueryExpression where QueryValue: QueryBindable {
  /// Says what has one.
  @_disfavoredOverload
  @available(*, unavailable, message: "Numbers and durations have 'sum', and other values have not.")
  public func sum<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Double?> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what has one.
  @_disfavoredOverload
  @available(*, unavailable, message: "Numbers and durations have 'avg', and other values have not.")
  public func avg<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Double?> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what has one.
  @_disfavoredOverload
  @available(*, unavailable, message: "Numbers and durations have 'total', and other values have not.")
  public func total<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Double?> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

extension TableDefinition {
  /// `count(*)`, of rows that satisfy the filter: `$0.count(filter: $0.isFlagged)`.
  @_disfavoredOverload
  public func count<Filter: QueryExpression>(filter: Filter = Unfiltered()) -> AggregateExpression<Int>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    var call = FunctionCall(name: "count", star: true)
    if !(filter is Unfiltered) { call.filter = filter.queryFragment }
    return AggregateExpression(QueryFragment(.function(call)))
  }
}

extension PrimaryKeyedTableDefinition {
  /// `count("table"."id")`: how many rows have a key, which on the optional side of a join is how many were found.
  public func count<Filter: QueryExpression>(
    distinct: Bool = false, filter: Filter = Unfiltered()
  ) -> AggregateExpression<Int>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    .aggregate("count", [keyMark(distinct: distinct)], distinct, Unordered(), filter)
  }

  /// An expression that is NULL only if there is no row. Of several key columns, one that is never NULL is enough.
  private func keyMark(distinct: Bool) -> QueryFragment {
    let columns = primaryKey.columnFragments
    guard columns.count > 1 else { return columns[0] }
    if distinct {
      let reason =
        "SQLite counts distinct values of one column only. Count the rows of a query: select(\\.id).distinct().count()."
      return .bind(.invalid(QueryBindingFailure(reason)))
    }
    let key = zip(columns, Self.allColumns.filter(\.isPrimaryKey))
    if let column = key.first(where: { !$0.1.isOptional }) { return column.0 }
    let isPresent = QueryFragment.isPresent(columns)
    return QueryFragment(.choice(base: nil, branches: [(when: isPresent, then: .literal(integer: 1))], otherwise: nil))
  }
}

// MARK: - Texts

extension QueryExpression where QueryValue: QueryBindable {
  /// The values with commas, or another separator, between them.
  ///
  /// SQLite joins distinct values with commas only; with another separator they go through a JSON array:
  /// `(SELECT group_concat("value", ?1) FROM json_each(json_group_array(DISTINCT x)))`. A text that holds a NUL ends
  /// there then, and it is no call that could have a window.
  public func groupConcat<Order: QueryExpression, Filter: QueryExpression>(
    _ separator: String? = nil, distinct: Bool = false, order: Order = Unordered(), filter: Filter = Unfiltered()
  ) -> AggregateExpression<String?>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    guard let separator else { return .aggregate("group_concat", [queryFragment], distinct, order, filter) }
    guard distinct else {
      return .aggregate("group_concat", [queryFragment, separator.queryFragment], false, order, filter)
    }
    let distinctValues = AggregateExpression<String>.aggregate(
      "json_group_array", [queryFragment], true, order, filter)
    var parts = SelectParts()
    parts.source = SourceFragment(name: "json_each", arguments: [distinctValues.queryFragment])
    parts.columns = [.function("group_concat", [.column("value", table: ""), separator.queryFragment])]
    return AggregateExpression(QueryFragment(.subquery(StatementFragment(parts))))
  }

  /// With a separator that is an expression, of which SQLite takes each row's before that row's value.
  @_disfavoredOverload
  public func groupConcat<Separator: QueryExpression, Order: QueryExpression, Filter: QueryExpression>(
    _ separator: Separator, order: Order = Unordered(), filter: Filter = Unfiltered()
  ) -> AggregateExpression<String?>
  where
    Separator.QueryValue: QueryRepresentable, Separator.QueryValue.QueryUnwrapped == String,
    Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool
  {
    .aggregate("group_concat", [queryFragment, separator.queryFragment], false, order, filter)
  }

  /// The same with `distinct` before the separator.
  public func groupConcat<Order: QueryExpression, Filter: QueryExpression>(
    distinct: Bool = false, separator: String, order: Order = Unordered(), filter: Filter = Unfiltered()
  ) -> AggregateExpression<String?>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    groupConcat(separator, distinct: distinct, order: order, filter: filter)
  }

  /// In an order of its own values: `groupConcat(separator: ", ", order: { $0.asc() })`.
  public func groupConcat<Filter: QueryExpression>(
    distinct: Bool = false, separator: String? = nil, filter: Filter = Unfiltered(), order: (Self) -> OrderingTerm
  ) -> AggregateExpression<String?>
  where Filter.QueryValue: QueryRepresentable, Filter.QueryValue.QueryUnwrapped == Bool {
    groupConcat(separator, distinct: distinct, order: order(self), filter: filter)
  }
}

// MARK: - Any function

/// A call of an aggregate by its name, such as one that the program registered.
public struct AggregateFunctionExpression<QueryValue>: ComputedExpression, Sendable {
  public let queryFragment: QueryFragment

  /// `name(argument, ...)` with what an aggregate may carry. That the value has the type is the caller's promise.
  public init<each Argument: QueryExpression>(
    _ name: String, distinct: Bool = false, _ argument: repeat each Argument, order: [OrderingTerm] = [],
    filter: some QueryExpression<Bool> = Unfiltered(), as type: QueryValue.Type = QueryValue.self
  ) {
    var arguments: [QueryFragment] = []
    for value in repeat each argument { arguments += value.undirectedColumns }
    var call = FunctionCall(
      name: name, arguments: arguments, distinct: distinct, order: order,
      filter: filter is Unfiltered ? nil : filter.queryFragment)
    call.isAggregate = true
    queryFragment = QueryFragment(.function(call))
  }
}

/// A call of a scalar function by its name, such as one that the program registered.
public struct QueryFunction<QueryValue>: ComputedExpression, Sendable {
  public let queryFragment: QueryFragment

  /// `name(argument, ...)`. That the value has the type is the caller's promise.
  public init<each Argument: QueryExpression>(
    _ name: String, _ argument: repeat each Argument, as type: QueryValue.Type = QueryValue.self
  ) {
    var arguments: [QueryFragment] = []
    for value in repeat each argument { arguments += value.undirectedColumns }
    queryFragment = .function(name, arguments)
  }
}
