public import MartletDatabase
public import MartletQuery

/// The first row of a query, up to date: now, and after each commit that wrote to a table of the query.
///
/// When it fetches, and how it tells of changes, is as for `FetchAll`.
///
/// Always true: copies share one value. While there is no row, an optional value is nil; any other value stays what it
/// was, and `loadError` is `NotFound`.
@propertyWrapper
public struct FetchOne<Value: Sendable>: Sendable {
  private let fetched: FetchedValue<Value>

  /// The value.
  public var wrappedValue: Value { fetched.value }

  /// The wrapper itself: `$count.load()`, `$count.isLoading`, `$count.loadError`.
  public var projectedValue: FetchOne { self }

  /// Why the last fetch failed; nil after one that did not. The value stays what it was, and the next commit tries
  /// again.
  public var loadError: (any Error)? { fetched.loadError }

  /// Whether a load is under way.
  public var isLoading: Bool { fetched.isLoading }

  /// The value until a query is loaded: `@FetchOne var count = 0`, and then `$count.load(query)`. A table's row stands
  /// for a query, as below.
  @_disfavoredOverload
  public init(wrappedValue: Value, database: (any DatabaseReader)? = nil) {
    fetched = FetchedValue(wrappedValue, request: nil, database: database)
  }

  /// The row that has the key of the initial value: `@FetchOne var list = list`.
  public init(wrappedValue: Value, database: (any DatabaseReader)? = nil)
  where Value: PrimaryKeyedTable, Value.QueryOutput == Value, Value.QueryOptional == Value? {
    let request = Self.found(
      Value.find(keyOf: wrappedValue).firstRowRequest(), otherwise: NotFound(table: Value.tableName))
    fetched = FetchedValue(wrappedValue, request: request, database: database)
  }

  /// The first row of the default scope of a table without a key: `@FetchOne var log = Log()`.
  public init(wrappedValue: Value, database: (any DatabaseReader)? = nil)
  where Value: Table, Value.QueryOutput == Value, Value.QueryOptional == Value? {
    let request = Self.found(Value.all.firstRowRequest())
    fetched = FetchedValue(wrappedValue, request: request, database: database)
  }

  /// The first row of the default scope, or nil if it has none; until it is fetched, the initial value.
  public init<Row: Table>(wrappedValue: Value = nil, database: (any DatabaseReader)? = nil)
  where Value == Row?, Row.QueryOutput == Row {
    fetched = FetchedValue(wrappedValue, request: Row.all.firstRowRequest(), database: database)
  }

  /// The first row of a query, which has one.
  public init<S: Statement>(wrappedValue: Value, _ statement: S, database: (any DatabaseReader)? = nil)
  where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Value {
    fetched = FetchedValue(wrappedValue, request: Self.found(statement.firstRowRequest()), database: database)
  }

  /// The first row of a query, or nil if it has none.
  @_disfavoredOverload
  public init<S: Statement>(wrappedValue: Value = nil, _ statement: S, database: (any DatabaseReader)? = nil)
  where S.QueryValue: QueryRepresentable, Value == S.QueryValue.QueryOutput? {
    fetched = FetchedValue(wrappedValue, request: statement.firstRowRequest(), database: database)
  }

  /// The first row of a query whose value may be NULL; nil if it is, and if there is no row.
  public init<S: Statement, Wrapped>(wrappedValue: Value = nil, _ statement: S, database: (any DatabaseReader)? = nil)
  where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Wrapped?, Value == Wrapped? {
    let request = statement.firstRowRequest()
    fetched = FetchedValue(wrappedValue, request: { try request($0) ?? nil }, database: database)
  }

  /// The first row of a query of several values, as a tuple.
  public init<
    S: Statement, First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable
  >(wrappedValue: Value, _ statement: S, database: (any DatabaseReader)? = nil)
  where
    S.QueryValue == (First, Second, repeat each Other),
    Value == (First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)
  {
    fetched = FetchedValue(wrappedValue, request: Self.found(statement.firstRowRequest()), database: database)
  }

  private static func found(
    _ request: @escaping @Sendable (Database) throws -> Value?, otherwise error: NotFound = NotFound()
  ) -> @Sendable (Database) throws -> Value {
    { db in
      guard let value = try request(db) else { throw error }
      return value
    }
  }
}

// MARK: - Loading

extension FetchOne {
  /// Fetches now: what is read after it is no older than the call. Throws what fetching throws.
  public func load() async throws { _ = try await fetched.load() }

  /// Another query from now on, of another database if one is named. Throws what fetching throws, and `NotFound` if it
  /// has no row; the new query stays even then, and the next commit tries it again. If the task is cancelled meanwhile,
  /// nothing changes.
  @discardableResult
  public func load<S: Statement>(
    _ statement: S, database: (any DatabaseReader)? = nil
  ) async throws -> FetchSubscription
  where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Value {
    let request = Self.found(statement.firstRowRequest())
    return try await fetched.load(request, from: database)
  }

  /// Another query from now on, which may have no row.
  @_disfavoredOverload
  @discardableResult
  public func load<S: Statement>(
    _ statement: S, database: (any DatabaseReader)? = nil
  ) async throws -> FetchSubscription
  where S.QueryValue: QueryRepresentable, Value == S.QueryValue.QueryOutput? {
    let request = statement.firstRowRequest()
    return try await fetched.load(request, from: database)
  }

  /// Another query from now on, whose value may be NULL.
  @discardableResult
  public func load<S: Statement, Wrapped>(
    _ statement: S, database: (any DatabaseReader)? = nil
  ) async throws -> FetchSubscription
  where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Wrapped?, Value == Wrapped? {
    let request = statement.firstRowRequest()
    return try await fetched.load({ try request($0) ?? nil }, from: database)
  }

  /// Another query of several values from now on.
  @discardableResult
  public func load<
    S: Statement, First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable
  >(_ statement: S, database: (any DatabaseReader)? = nil) async throws -> FetchSubscription
  where
    S.QueryValue == (First, Second, repeat each Other),
    Value == (First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)
  {
    let request = Self.found(statement.firstRowRequest())
    return try await fetched.load(request, from: database)
  }
}

/// Equal if they show the same value, as where a program's state is compared.
extension FetchOne: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}
