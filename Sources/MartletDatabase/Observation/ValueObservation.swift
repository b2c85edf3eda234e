/// A value that is made of a database's rows, now and whenever a commit may have changed it.
///
/// Always true: it is fetched when somebody asks for the next value, so nothing is queued: however many commits come
/// meanwhile, the next value is one, and it is of the last of them.
///
/// `for try await items in ValueObservation.tracking({ db in try Item.fetchAll(db) }).values(in: database)`.
public struct ValueObservation<Value: Sendable>: Sendable {
  let fetch: @Sendable (Database) throws -> Value
  /// Returns true if two values count as the same, so that the second is left out. Nil: every value comes.
  var isSame: (@Sendable (Value, Value) -> Bool)?

  /// Observes what `fetch` reads, from one snapshot each time. The tables are those that its statements read; they may
  /// be others each time.
  public static func tracking(
    _ fetch: @escaping @Sendable (Database) throws -> Value
  ) -> ValueObservation {
    ValueObservation(fetch: fetch)
  }

  /// Observes what a request fetches.
  public static func tracking<Request: FetchKeyRequest>(
    _ request: Request
  ) -> ValueObservation where Request.Value == Value {
    ValueObservation { try request.fetch($0) }
  }

  init(fetch: @escaping @Sendable (Database) throws -> Value) { self.fetch = fetch }

  /// The value now, and again after each commit that wrote to a table it was made of.
  ///
  /// The sequence throws what fetching throws, and ends then; it ends too if its task is cancelled. Of a remote
  /// database it knows the writes that were made through the same `RemoteDatabase`, and no others.
  public func values(in database: any DatabaseReader) -> AsyncValueObservation<Value> {
    AsyncValueObservation(observation: self, database: database)
  }
}

extension ValueObservation where Value: Equatable {
  /// The same without values that are equal to the one before: a commit may write to a table and leave the value as it
  /// is.
  public func removeDuplicates() -> ValueObservation { removeDuplicates(by: { $0 == $1 }) }
}

extension ValueObservation {
  /// The same without values of which `isSame` says that they are like the one before.
  public func removeDuplicates(by isSame: @escaping @Sendable (Value, Value) -> Bool) -> ValueObservation {
    var observation = self
    observation.isSame = isSame
    return observation
  }
}

/// The values of an observation, one after the other. Each iterator observes by itself, from its making on.
public struct AsyncValueObservation<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value

  let observation: ValueObservation<Value>
  let database: any DatabaseReader

  public func makeAsyncIterator() -> Iterator {
    Iterator(observation: observation, observer: DatabaseObserver(database))
  }

  /// Fetches when the next value is asked for and there is something to fetch.
  public struct Iterator: AsyncIteratorProtocol {
    private let observation: ValueObservation<Value>
    private var observer: DatabaseObserver?
    private var last: Value?

    init(observation: ValueObservation<Value>, observer: DatabaseObserver) {
      self.observation = observation
      self.observer = observer
    }

    /// Waits for a commit that concerns the value, except for the first, and fetches it. Nil if the task is
    /// cancelled.
    public mutating func next() async throws -> Value? {
      while let observer, await observer.change() {
        do {
          let value = try await observer.fetch(observation.fetch)
          guard let isSame = observation.isSame else { return value }
          if let last, isSame(last, value) { continue }
          last = value
          return value
        } catch {
          self.observer = nil
          if error is CancellationError, Task.isCancelled { return nil }
          throw error
        }
      }
      observer = nil
      return nil
    }
  }
}
