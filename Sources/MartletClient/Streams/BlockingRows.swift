internal import Dispatch
internal import MartletProtocol
package import MartletValues
internal import Synchronization

/// The rows of one statement, batch by batch.
package final class BlockingRows: ReplyReceiver {
  private struct State {
    var batches: [RowBatch] = []
    var layout = ColumnLayout.empty
    var taken = 0
    /// How many rows have come.
    var rowsCome: Int64 = 0
    var end: Result<Completion, ReplyError>?
    var isWaiting = false
    /// Nobody asks for rows any more.
    var isAbandoned = false
    var request: InFlightRequest?
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)
  private let isQuery: Bool
  private let dropsRows: Bool
  /// The statement may write, and is no part of a transaction.
  private let mayBeCommitted: Bool
  private let canceller: RequestCanceller

  init(isQuery: Bool, dropsRows: Bool = false, mayBeCommitted: Bool = false, canceller: RequestCanceller) {
    self.isQuery = isQuery
    self.dropsRows = dropsRows
    self.mayBeCommitted = mayBeCommitted
    self.canceller = canceller
  }

  func attach(_ request: InFlightRequest, isCancellable: Bool = true) {
    if isCancellable { canceller.add(request) }
    let isOver = state.withLock { state in
      state.request = request
      return state.end != nil
    }
    if isOver { canceller.remove(request) }
  }

  func receive(_ part: ReplyPart) {
    let (wakes, ended) = state.withLock { state -> (Bool, InFlightRequest?) in
      guard state.end == nil else { return (false, nil) }
      switch part {
      case .rows(_, let batch, let layout):
        if dropsRows { return (false, nil) }
        state.batches.append(batch)
        state.rowsCome += Int64(batch.rowCount)
        state.layout = layout
      case .completed(_, let completion, _):
        let isWhole = dropsRows || state.isAbandoned || completion.rowsReturned <= state.rowsCome
        state.end = isWhole ? .success(completion) : .failure(.rowsDropped(mayBeCommitted: mayBeCommitted))
      case .failed(_, let error): state.end = .failure(error)
      case .answered: state.end = .success(Completion())
      }
      defer { state.isWaiting = false }
      return (state.isWaiting, state.end == nil ? nil : state.request)
    }
    if let ended { canceller.remove(ended) }
    if wakes { arrival.signal() }
  }

  /// What the statement did; nil before its end.
  package var completion: Completion? { state.withLock { try? $0.end?.get() } }

  /// What the server says of the result's columns; none before the first batch.
  package var columns: ResultColumns { state.withLock { $0.layout.columns } }

  /// The next batch, or nil after the last. An error comes after the batches that arrived before it.
  package func next() throws -> RowBatch? {
    while true {
      let (batch, request, end) = state.withLock { state in
        var batch: RowBatch?
        if state.taken < state.batches.count {
          batch = state.batches[state.taken]
          // The array lets go of what was taken, so that a long result does not stay in memory.
          state.batches[state.taken] = RowBatch()
          state.taken += 1
        } else {
          state.batches.removeAll(keepingCapacity: true)
          state.taken = 0
          state.isWaiting = state.end == nil
        }
        return (batch, state.request, state.end)
      }
      if let batch {
        if end == nil { request?.extendCredit(batch.byteCount) }
        return batch
      }
      if let end {
        if case .failure(let error) = end { throw error.thrown }
        return nil
      }
      arrival.wait()
    }
  }

  /// Nobody wants the statement's effects any more, because its transaction is undone.
  func cancel() { state.withLock(\.request)?.cancel() }

  /// Nobody wants the rest: a query is stopped, a write runs to its end. Once the rows of a write have begun, its end
  /// is near, because the server drops the rest of them.
  package func abandon() {
    let (request, isOver, hasBegun) = state.withLock { state in
      state.isAbandoned = true
      return (state.request, state.end != nil, state.rowsCome > 0)
    }
    guard !isOver else { return }
    if isQuery || hasBegun { request?.cancel() }
    guard !isQuery else { return }
    while (try? next()) != nil {}
  }

  /// Lets the server send the rest, because a later statement waits behind it.
  func bufferRest() {
    let request = state.withLock { $0.end == nil ? $0.request : nil }
    request?.extendCredit(InFlightRequest.creditForAll)
  }
}
