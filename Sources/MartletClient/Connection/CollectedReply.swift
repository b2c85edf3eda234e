internal import MartletProtocol
internal import MartletValues
internal import Synchronization

/// Collects all parts of one reply and hands them over at the end.
///
/// Always true: a cancelled task waits for the server's last word, which comes soon, so a write that happened is never
/// reported as cancelled, and a reply that lacks rows never as whole.
final class CollectedReply: ReplyReceiver {
  /// What one request, or each step of a batch, returned.
  struct Contents: Sendable {
    var completion = Completion()
    var pages: [RowPage] = []
    var layout = ColumnLayout.empty
    var steps: [StepResult] = []
    /// The answer to a request that is not a statement, unless it is a completion.
    var answer: ServerMessage.Part?

    /// All rows in order.
    var rows: [Row] {
      var rows: [Row] = []
      // Room is made for one batch at a time: their number is what the server says.
      for page in pages {
        for index in 0..<page.batch.rowCount { rows.append(Row(page: page, index: index)) }
      }
      return rows
    }

    /// The server counts more rows than have come.
    fileprivate var missesRows: Bool {
      guard steps.isEmpty else {
        return steps.contains { $0.completion.map { $0.rowsReturned } ?? 0 > Int64($0.rows.count) }
      }
      return completion.rowsReturned > pages.reduce(0) { $0 + Int64($1.batch.rowCount) }
    }
  }

  private struct State {
    var contents = Contents()
    var end: Result<Void, ReplyError>?
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state: Mutex<State>

  /// `keepsRows` is false if nobody will look at them.
  private let keepsRows: Bool

  /// The request may write, and is no part of a transaction.
  private let mayBeCommitted: Bool

  init(steps: Int = 0, keepsRows: Bool = true, mayBeCommitted: Bool = false) {
    var contents = Contents()
    contents.steps = Array(repeating: StepResult(), count: steps)
    state = Mutex(State(contents: contents))
    self.keepsRows = keepsRows
    self.mayBeCommitted = mayBeCommitted
  }

  func receive(_ part: ReplyPart) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.end == nil else { return nil }
      state.contents.add(part, keepsRows: keepsRows)
      guard part.isEnd else { return nil }
      if case .failed(_, let error) = part { state.end = .failure(error) } else { state.end = .success(()) }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// The last part has arrived.
  var isOver: Bool { state.withLock { $0.end != nil } }

  /// The contents, once the reply is complete; throws `ReplyError`.
  ///
  /// `isCancellable` is false for what must be done whatever becomes of the task, such as a rollback.
  func wait(for request: InFlightRequest, isCancellable: Bool) async throws(ReplyError) -> Contents {
    if isCancellable {
      await withTaskCancellationHandler {
        await park()
      } onCancel: {
        request.cancel()
      }
    } else {
      await park()
    }
    let (contents, end) = state.withLock { ($0.contents, $0.end) }
    if case .failure(var error) = end {
      error.attribute(to: contents.steps)
      throw error
    }
    if let loss = loss(of: contents) { throw loss }
    return contents
  }

  /// The error for a reply that ended well but lacks rows that were asked for, because the server dropped them.
  private func loss(of contents: Contents) -> ReplyError? {
    guard keepsRows, contents.missesRows else { return nil }
    return .rowsDropped(mayBeCommitted: mayBeCommitted)
  }

  private func park() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.end != nil { return true }
        state.waiter = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}

extension CollectedReply.Contents {
  fileprivate mutating func add(_ part: ReplyPart, keepsRows: Bool) {
    switch part {
    case .rows(let step, let batch, let layout):
      let page = RowPage(batch: batch, layout: layout)
      guard step > 0 else {
        self.layout = layout
        if keepsRows { pages.append(page) }
        return
      }
      guard steps.indices.contains(step - 1) else { return }
      for index in 0..<batch.rowCount { steps[step - 1].rows.append(Row(page: page, index: index)) }
    case .completed(0, let completion, let layout):
      self.completion = completion
      if let layout { self.layout = layout }
    case .completed(let step, let completion, _):
      if steps.indices.contains(step - 1) { steps[step - 1].completion = completion }
    case .failed(let step, .request(let error)):
      if steps.indices.contains(step - 1) { steps[step - 1].error = error }
    case .failed: break
    case .answered(let part): answer = part
    }
  }
}

extension ReplyError {
  /// A batch that ended because of a step says which, and why.
  fileprivate mutating func attribute(to steps: [StepResult]) {
    guard case .request(let error) = self,
      let step = steps.firstIndex(where: { $0.error != nil && $0.error?.reason != .batchAborted }),
      var cause = steps[step].error, error == cause || error.reason == .batchAborted
    else { return }
    cause.path = "steps[\(step)]" + (cause.path.isEmpty ? "" : "." + cause.path)
    self = .request(cause)
  }
}
