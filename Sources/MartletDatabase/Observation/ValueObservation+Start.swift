/// An observation that calls back, for those who have no task of their own.
///
/// Always true: the callbacks run on the main actor, and none runs after the observation was cancelled there.
extension ValueObservation {
  /// Fetches the value now, and again after each commit that wrote to a table it was made of, and gives it to
  /// `onChange`; until what it returns is cancelled or released. What goes wrong is given to `onError`, and ends it.
  ///
  /// Of a remote database it knows what `values(in:)` knows.
  public func start(
    in database: any DatabaseReader, onError: @escaping @MainActor (any Error) -> Void,
    onChange: @escaping @MainActor (Value) -> Void
  ) -> AnyDatabaseCancellable {
    let values = values(in: database)
    let task = Task { @MainActor in
      do {
        for try await value in values {
          if Task.isCancelled { return }
          onChange(value)
        }
      } catch {
        if !Task.isCancelled { onError(error) }
      }
    }
    return AnyDatabaseCancellable { task.cancel() }
  }

  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "Leave 'scheduling:' out: values come on the main actor. Elsewhere, 'for try await' goes over 'values(in:)'."
  )
  /// Says what is not there.
  public func start<Scheduling>(
    in database: any DatabaseReader, scheduling: Scheduling, onError: @escaping (any Error) -> Void,
    onChange: @escaping (Value) -> Void
  ) -> AnyDatabaseCancellable {
    AnyDatabaseCancellable {}
  }
}

/// An observation that is under way. It ends when this is cancelled, and when nobody has it any more.
public final class AnyDatabaseCancellable: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the observation. Calling it again does nothing.
  public func cancel() { end() }

  deinit { end() }
}
