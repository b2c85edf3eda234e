/// What an aggregate returns: one value for a group of rows.
///
/// Always true: an aggregate of an aggregate does not compile. With OVER it is a value of each row again.
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

/// What an aggregate has in the place of an aggregate of its own: whoever reads it is refused.
public struct AggregateOfAggregate: Sendable {
  /// It takes what an aggregate takes, so that the sentence about it is the only one.
  public func callAsFunction<Order: QueryExpression, Filter: QueryExpression>(
    _ separator: String? = nil, distinct: Bool = false, order: Order = Unordered(), filter: Filter = Unfiltered()
  ) -> AggregateExpression<Double?> {
    fatalError("because what it is read from is unavailable, nothing calls this")
  }
}

// Not methods: the compiler would take those of every expression before one that is unavailable. A property of its own
// comes before them, and only its getter is unavailable.
extension AggregateExpression {
  /// Says what to write.
  public var count: AggregateOfAggregate {
    @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
    get { fatalError("because it is unavailable, nothing calls this") }
  }

  /// Says what to write.
  public var min: AggregateOfAggregate {
    @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
    get { fatalError("because it is unavailable, nothing calls this") }
  }

  /// Says what to write.
  public var max: AggregateOfAggregate {
    @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
    get { fatalError("because it is unavailable, nothing calls this") }
  }

  /// Says what to write.
  public var sum: AggregateOfAggregate {
    @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
    get { fatalError("because it is unavailable, nothing calls this") }
  }

  /// Says what to write.
  public var avg: AggregateOfAggregate {
    @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
    get { fatalError("because it is unavailable, nothing calls this") }
  }

  /// Says what to write.
  public var total: AggregateOfAggregate {
    @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
    get { fatalError("because it is unavailable, nothing calls this") }
  }

  /// Says what to write.
  public var groupConcat: AggregateOfAggregate {
    @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
    get { fatalError("because it is unavailable, nothing calls this") }
  }

  /// Says what to write.
  public var jsonGroupArray: AggregateOfAggregate {
    @available(*, unavailable, message: "An aggregate of an aggregate needs a subquery, or a common table.")
    get { fatalError("because it is unavailable, nothing calls this") }
  }
}
