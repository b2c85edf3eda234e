internal import MartletEngine
internal import MartletProtocol
internal import MartletValues

/// What the engine and the socket say: answers go out, credit comes back, ends are noted.
///
/// Always true: rows in memory for one connection stay within its credit windows and one batch per request beyond them,
/// whatever credit the client gave, because the engine gets credit in pieces and none while the output is full.
extension Session {
  /// An event of a request that this session started.
  mutating func engineDelivered(
    _ event: ReplyEvent, request id: UInt32, step: UInt32, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    defer { invariant() }
    if case .transactionEnded(let error, let ageMs) = event {
      return transactionEnded(id, error, ageMs: ageMs, now: now, &actions)
    }
    // An answer that nobody waits for any more: the request was answered or abandoned.
    guard let index = requests.index(of: id) else { return }
    switch event {
    case .columns(let columns): actions.append(.send(.columns(columns), to: id, step: step))
    case .rows(let rows):
      let bytes = rows.byteCount
      requests[index].clientCredit -= bytes
      requests[index].engineCredit -= bytes
      actions.append(.send(.rows(rows), to: id, step: step))
      extendCredit(at: index, &actions)
    case .completed(let completion):
      actions.append(.send(.completion(completion), to: id, step: step))
      if step == 0 { requestEnded(id, failed: false, now: now, &actions) }
    case .failed(let error):
      actions.append(.send(.error(error), to: id, step: step))
      if step == 0 { requestEnded(id, failed: true, now: now, &actions) }
    case .transactionEnded: break
    }
  }

  /// A request that the host carried out itself, without the engine's events, is answered with one part.
  mutating func hostAnswered(
    _ id: UInt32, _ part: ServerMessage.Part, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    defer { invariant() }
    guard requests.contains(id) else { return }
    actions.append(.send(part, to: id, step: 0))
    if part.isEnd { requestEnded(id, failed: false, now: now, &actions) }
  }

  private mutating func requestEnded(
    _ id: UInt32, failed: Bool, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    guard let entry = requests.remove(id) else { return }
    noteActivity(now)
    switch entry.kind {
    case .rows: actions.append(.forgetRequest(id))
    case .begin: if failed || transactions.isOver(id) { forget(transaction: id, &actions) }
    // A commit that failed has ended the transaction too: what may be left of it is rolled back. The begin, if it was
    // cancelled, has still to be answered: nothing is heard of a transaction that was forgotten.
    case .finish(let transaction) where requests.contains(transaction): transactions.endedBeforeBegun(transaction)
    case .finish(let transaction): forget(transaction: transaction, &actions)
    case .plain: break
    }
    finishDraining(now: now, &actions)
  }

  private mutating func transactionEnded(
    _ id: UInt32, _ error: RequestError, ageMs: Int, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    guard transactions.contains(id) else { return }
    actions.append(.send(.transactionEnded(transaction: id, error, ageMs: ageMs), to: id, step: 0))
    forget(transaction: id, because: error, &actions)
    finishDraining(now: now, &actions)
  }

  private mutating func forget(
    transaction: UInt32, because cause: RequestError? = nil, _ actions: inout [SessionAction]
  ) {
    guard transactions.remove(transaction, because: cause) else { return }
    requests.transactionForgotten(transaction)
    actions.append(.forgetTransaction(transaction))
  }
}

// MARK: - Flow control

extension Session {
  /// The connection holds another amount of the server's memory, or may; also told from time to time while either is
  /// much.
  mutating func memoryChanged(
    heldBytes: Int, allowedBytes: Int, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    defer { invariant() }
    let wasTight = memory.isTight
    let change = memory.changed(heldBytes: heldBytes, allowedBytes: allowedBytes, now: now)
    guard !ignoresInput, !isOpening else { return }
    switch change {
    case .none: break
    case .paused: actions.append(.pauseReading)
    case .resumed: if !output.isPaused { actions.append(.resumeReading) }
    }
    if wasTight, !memory.isTight || output.queuedBytes == 0 {
      for index in requests.entries.indices { extendCredit(at: index, &actions) }
    }
  }

  /// A frame was not taken, because there is no room for it.
  mutating func framePassedOver(_ id: UInt32, now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    noteActivity(now)
    let error = RequestError.noMemory("a request of this size")
    guard id != 0 else { return refuse(error, to: 0, reason: .refused, now: now, &actions) }
    actions.append(.send(.error(error), to: id, step: 0))
  }

  /// The socket took bytes, or bytes were queued.
  mutating func outputChanged(
    queuedBytes: Int, writtenBytes: UInt64, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    defer { invariant() }
    switch output.changed(queuedBytes: queuedBytes, writtenBytes: writtenBytes, now: now) {
    case .none: break
    case .paused: if !ignoresInput { actions.append(.pauseReading) }
    case .resumed:
      guard !ignoresInput else { return }
      if !memory.isPaused { actions.append(.resumeReading) }
      for index in requests.entries.indices { extendCredit(at: index, &actions) }
    }
  }

  /// How much credit one request's engine may hold while this many are in flight.
  func creditWindow(inFlight: Int) -> Int {
    max(limits.rowBatchBytes, limits.outputPauseBytes / max(1, inFlight))
  }

  /// Tops the engine's credit up to the window, as far as the client's credit reaches; not while the output is full.
  func creditToExtend(_ entry: RequestEntry) -> Int {
    guard !output.isPaused, entry.kind == .rows else { return 0 }
    // If memory is short, more is fetched only when the peer has taken all that there was.
    guard !memory.isTight || output.queuedBytes == 0 else { return 0 }
    let window = creditWindow(inFlight: requests.count)
    guard entry.engineCredit <= window / 2 else { return 0 }
    return min(entry.clientCredit, window) - entry.engineCredit
  }

  mutating func extendCredit(at index: Int, _ actions: inout [SessionAction]) {
    let bytes = creditToExtend(requests[index])
    guard bytes > 0 else { return }
    requests[index].engineCredit += bytes
    actions.append(.extendCredit(requests[index].id, bytes: bytes))
  }
}
