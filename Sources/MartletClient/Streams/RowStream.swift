internal import MartletProtocol
internal import MartletValues
internal import NIOCore
internal import Synchronization

/// Carries pages of rows from a connection's event loop to a consumer's task.
///
/// Always true: credit is extended for a page only when the consumer takes it, so what waits here is bounded by the
/// window; after the end (or a cancel) nothing more is delivered.
@usableFromInline
final class RowStream: ReplyReceiver {
  private struct State {
    var pages = CircularBuffer<RowPage>()
    var layout = ColumnLayout.empty
    var end: Result<Completion, ReplyError>?
    var hasStarted = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var request: InFlightRequest?

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }
  }

  private let state = Mutex(State())

  var layout: ColumnLayout { state.withLock(\.layout) }

  var completion: Completion? {
    state.withLock { state in
      guard state.pages.isEmpty else { return nil }
      return try? state.end?.get()
    }
  }

  func attach(_ request: InFlightRequest) {
    let isOver = state.withLock { state in
      state.request = request
      return state.end == .failure(.cancelled)
    }
    if isOver { request.cancel() }
  }

  func receive(_ part: ReplyPart) {
    let waiters = state.withLock { state in
      guard state.end == nil else { return state.takeWaiters() }
      switch part {
      case .rows(_, let batch, let layout):
        state.layout = layout
        state.pages.append(RowPage(batch: batch, layout: layout))
      case .completed(_, let completion, let layout):
        if let layout { state.layout = layout }
        state.end = .success(completion)
      case .failed(_, let error): state.end = .failure(error)
      case .answered: state.end = .success(Completion())
      }
      state.hasStarted = true
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when rows or the end have arrived; throws where the end is an error and no rows came before it.
  func start() async throws {
    while true {
      let isReady = try state.withLock { state in
        if state.pages.isEmpty, case .failure(let error) = state.end { throw error }
        return state.hasStarted
      }
      if isReady { return }
      await park()
    }
  }

  /// The next page, or nil after the last. An error comes after the pages that arrived before it. A task that is
  /// cancelled gets none that comes later, however fast they come.
  func next() async throws -> RowPage? {
    while true {
      if Task.isCancelled { cancel() }
      let (page, request, isOver) = try state.withLock { state in
        if let page = state.pages.popFirst() {
          return (page, state.request, false) as (RowPage?, InFlightRequest?, Bool)
        }
        if case .failure(let error) = state.end { throw error.thrown }
        return (nil, nil, state.end != nil)
      }
      if let page {
        request?.extendCredit(page.batch.byteCount)
        return page
      }
      if isOver { return nil }
      await park()
    }
  }

  /// Waits until something arrives, the end comes, or the task is cancelled (which is an end).
  private func park() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.pages.isEmpty || state.end != nil { return true }
          state.waiters.append(continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }

  private func cancel() {
    let (request, waiters) = state.withLock { state in
      guard state.end == nil else { return (nil, []) as (InFlightRequest?, [CheckedContinuation<Void, Never>]) }
      state.end = .failure(.cancelled)
      state.pages.removeAll()
      return (state.request, state.takeWaiters())
    }
    request?.cancel()
    for waiter in waiters { waiter.resume() }
  }

  /// Nobody reads the stream any more.
  func abandon() { cancel() }

  /// Lets the server send the rest, because a later statement of the same transaction waits behind it.
  func bufferRest() {
    let request = state.withLock { $0.end == nil ? $0.request : nil }
    request?.extendCredit(InFlightRequest.creditForAll)
  }
}
