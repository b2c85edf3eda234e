internal import MartletProtocol
internal import MartletValues
internal import NIOCore
internal import Synchronization

/// Carries pages of rows from a connection's event loop to a consumer's task.
///
/// Always true: credit is extended for a page only when the consumer takes it, so what waits here is bounded by the
/// window; after the end nothing more is delivered. A cancel is the end of a query. A statement that may write ends
/// with the server's last word, because it may have happened, and returns all of its rows or an error.
@usableFromInline
final class RowStream: ReplyReceiver {
  private struct State {
    var pages = CircularBuffer<RowPage>()
    var layout = ColumnLayout.empty
    var end: Result<Completion, ReplyError>?
    var hasStarted = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var request: InFlightRequest?
    /// How many rows have come.
    var rowsCome: Int64 = 0
    /// The server was asked to stop, and its last word is waited for.
    var isStopping = false
    /// Nobody takes rows any more.
    var isAbandoned = false

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }
  }

  private let state = Mutex(State())
  let isQuery: Bool
  private let isInTransaction: Bool

  init(isQuery: Bool, isInTransaction: Bool = false) {
    self.isQuery = isQuery
    self.isInTransaction = isInTransaction
  }

  var layout: ColumnLayout { state.withLock(\.layout) }

  var completion: Completion? {
    state.withLock { state in
      guard state.pages.isEmpty else { return nil }
      return try? state.end?.get()
    }
  }

  var hasEndedWell: Bool { state.withLock { if case .success = $0.end { true } else { false } } }

  /// The server's word on a statement that failed.
  var failure: RequestError? {
    state.withLock { if case .failure(.request(let error)) = $0.end { error } else { nil } }
  }

  func attach(_ request: InFlightRequest) {
    let isUnwanted = state.withLock { state in
      state.request = request
      return state.isStopping || state.end == .failure(.cancelled)
    }
    if isUnwanted { request.cancel() }
  }

  func receive(_ part: ReplyPart) {
    let waiters = state.withLock { state in
      guard state.end == nil else { return state.takeWaiters() }
      switch part {
      case .rows(_, let batch, let layout):
        state.rowsCome += Int64(batch.rowCount)
        guard !state.isAbandoned else { break }
        state.layout = layout
        state.pages.append(RowPage(batch: batch, layout: layout))
      case .completed(_, let completion, let layout):
        if let layout { state.layout = layout }
        state.end =
          completion.rowsReturned > state.rowsCome && !state.isAbandoned
          ? .failure(.rowsDropped(mayBeCommitted: !isQuery && !isInTransaction)) : .success(completion)
      case .failed(_, let error): state.end = .failure(error)
      case .answered: state.end = .success(Completion())
      }
      state.hasStarted = true
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when rows or the end have arrived; throws if the end is an error and no rows came before it.
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
  /// cancelled gets none of a query that comes later, however fast they come.
  func next() async throws -> RowPage? {
    while true {
      if Task.isCancelled { cancel() }
      let (page, request, isOver) = try state.withLock { state in
        if let page = state.pages.popFirst() {
          return (page, state.request, false) as (RowPage?, InFlightRequest?, Bool)
        }
        if case .failure(let error) = state.end { throw error.thrownToTask }
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

  /// Waits until something arrives, the end comes, or the task of a query is cancelled (which is an end).
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
      guard state.end == nil, !state.isStopping else {
        return (nil, []) as (InFlightRequest?, [CheckedContinuation<Void, Never>])
      }
      guard isQuery else {
        state.isStopping = true
        return (state.request, [])
      }
      state.end = .failure(.cancelled)
      state.pages.removeAll()
      return (state.request, state.takeWaiters())
    }
    request?.cancel()
    for waiter in waiters { waiter.resume() }
  }

  /// Nobody reads the stream any more. Of a write whose rows have begun the server drops the rest; what it did stays.
  func abandon() {
    cancel()
    state.withLock { state in
      state.isAbandoned = true
      state.pages.removeAll()
    }
  }

  /// Lets the server send the rest, because a later statement of the same transaction waits behind it.
  func bufferRest() {
    let request = state.withLock { $0.end == nil ? $0.request : nil }
    request?.extendCredit(InFlightRequest.creditForAll)
  }
}
