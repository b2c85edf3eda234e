public import MartletDatabase
public import MartletQuery

/// The rows of a query, up to date: now, and after each commit that wrote to a table of the query.
///
/// On an embedded database the first look fetches, on the calling thread. On a remote one it begins to fetch in a task
/// and shows the initial value meanwhile. Later values are shown as they come, from a task of no actor, and
/// `withObservationTracking` tells of them.
///
/// Always true: copies share one value. The rows are fetched when somebody first looks at them.
@propertyWrapper
public struct FetchAll<Element: Sendable>: Sendable {
  let fetched: FetchedValue<ResultsSectionCollection<Element>>

  /// The rows.
  public var wrappedValue: [Element] { fetched.value.elements }

  /// The wrapper itself: `$items.load()`, `$items.isLoading`, `$items.loadError`.
  public var projectedValue: FetchAll { self }

  /// The rows in sections, if the wrapper has `sectionBy:`; otherwise none.
  public var sections: ResultsSectionCollection<Element> { fetched.value }

  /// Why the last fetch failed; nil after one that did not. The rows stay what they were, and the next commit tries
  /// again.
  public var loadError: (any Error)? { fetched.loadError }

  /// Whether a load is under way.
  public var isLoading: Bool { fetched.isLoading }

  /// Nothing until a query is loaded: `@FetchAll var rows: [ReminderRow]`, and then `$rows.load(query)`.
  @_disfavoredOverload
  public init(wrappedValue: [Element] = [], database: (any DatabaseReader)? = nil) {
    fetched = FetchedValue(ResultsSectionCollection(elements: wrappedValue), request: nil, database: database)
  }

  /// All rows of the table's default scope, of the default database unless another is named.
  public init(wrappedValue: [Element] = [], database: (any DatabaseReader)? = nil)
  where Element: Table, Element.QueryOutput == Element {
    self.init(wrappedValue, Element.all.allRowsRequest(), database)
  }

  /// The rows of a query, of the default database unless another is named.
  public init<S: Statement>(wrappedValue: [Element] = [], _ statement: S, database: (any DatabaseReader)? = nil)
  where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Element {
    self.init(wrappedValue, statement.allRowsRequest(), database)
  }

  /// The rows of a query of several values, as tuples.
  public init<
    S: Statement, First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable
  >(wrappedValue: [Element] = [], _ statement: S, database: (any DatabaseReader)? = nil)
  where
    S.QueryValue == (First, Second, repeat each Other),
    Element == (First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)
  {
    self.init(wrappedValue, statement.allRowsRequest(), database)
  }

  private init(
    _ value: [Element], _ request: @escaping @Sendable (Database) throws -> [Element], _ database: (any DatabaseReader)?
  ) {
    fetched = FetchedValue(
      ResultsSectionCollection(elements: value), request: Self.unsectioned(request), database: database)
  }

  private static func unsectioned(
    _ request: @escaping @Sendable (Database) throws -> [Element]
  ) -> @Sendable (Database) throws -> ResultsSectionCollection<Element> {
    { ResultsSectionCollection(elements: try request($0)) }
  }

  /// Fetches now: what is read after it is no older than the call. Throws what fetching throws.
  public func load() async throws { _ = try await fetched.load() }

  /// Another query from now on, of another database if one is named. Throws what fetching throws; the new query stays
  /// even then, and the next commit tries it again. If the task is cancelled meanwhile, nothing changes.
  @discardableResult
  public func load<S: Statement>(
    _ statement: S, database: (any DatabaseReader)? = nil
  ) async throws -> FetchSubscription
  where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Element {
    return try await fetched.load(Self.unsectioned(statement.allRowsRequest()), from: database)
  }

  /// Another query of several values from now on.
  @discardableResult
  public func load<
    S: Statement, First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable
  >(_ statement: S, database: (any DatabaseReader)? = nil) async throws -> FetchSubscription
  where
    S.QueryValue == (First, Second, repeat each Other),
    Element == (First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)
  {
    return try await fetched.load(Self.unsectioned(statement.allRowsRequest()), from: database)
  }
}

/// Equal if they show the same rows in the same sections, as where a program's state is compared.
extension FetchAll: Equatable where Element: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.sections == right.sections }
}
