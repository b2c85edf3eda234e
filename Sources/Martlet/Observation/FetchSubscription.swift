/// What `load` returns: `try await $items.load(query).task` follows the database until the task around it is cancelled.
///
/// Always true: a subscription belongs to one load; a later load of the same value has one of its own and ends this.
public struct FetchSubscription: Sendable {
  let follower: Task<Void, Never>?

  /// Waits until the value does not follow the database any more: another query was loaded, `cancel` was called, or the
  /// task that waits was cancelled, which ends it. Throws `CancellationError` in the last case.
  public var task: Void {
    get async throws {
      let follower = follower
      await withTaskCancellationHandler {
        await follower?.value
      } onCancel: {
        follower?.cancel()
      }
      try Task.checkCancellation()
    }
  }

  /// The value stays as it is, until something is loaded again.
  public func cancel() { follower?.cancel() }
}
