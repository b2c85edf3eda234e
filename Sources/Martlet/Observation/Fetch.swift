public import MartletDatabase

/// What a request fetches, up to date: now, and after each commit that wrote to a table which its queries read.
///
/// When it fetches, and how it tells of changes, is as for `FetchAll`.
///
/// Always true: copies share one value. All queries of the request see one snapshot.
@propertyWrapper
public struct Fetch<Value: Sendable>: Sendable {
  private let fetched: FetchedValue<Value>

  /// The value.
  public var wrappedValue: Value { fetched.value }

  /// The wrapper itself: `$response.load()`, `$response.isLoading`, `$response.loadError`.
  public var projectedValue: Fetch { self }

  /// Why the last fetch failed; nil after one that did not. The value stays what it was, and the next commit tries
  /// again.
  public var loadError: (any Error)? { fetched.loadError }

  /// Whether a load is under way.
  public var isLoading: Bool { fetched.isLoading }

  /// The value until a request is loaded: `@Fetch var results = Search.Value()`, and then `$results.load(Search())`.
  public init(wrappedValue: Value) {
    fetched = FetchedValue(wrappedValue, request: nil, database: nil)
  }

  /// What a request fetches, from the default database unless another is named. `wrappedValue` is shown if nothing
  /// could be fetched yet.
  public init(
    wrappedValue: Value, _ request: some FetchKeyRequest<Value>, database: (any DatabaseReader)? = nil
  ) {
    fetched = FetchedValue(wrappedValue, request: { try request.fetch($0) }, database: database)
  }

  /// Fetches now: what is read after it is no older than the call. Throws what fetching throws.
  public func load() async throws { _ = try await fetched.load() }

  /// Another request from now on, of another database if one is named. Throws what fetching throws; the new request
  /// stays even then, and the next commit tries it again. If the task is cancelled meanwhile, nothing changes.
  @discardableResult
  public func load(
    _ request: some FetchKeyRequest<Value>, database: (any DatabaseReader)? = nil
  ) async throws -> FetchSubscription {
    try await fetched.load({ try request.fetch($0) }, from: database)
  }
}

/// Equal if they show the same value, as where a program's state is compared.
extension Fetch: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}
