internal import Logging
internal import MartletEngine
internal import MartletProtocol
internal import MartletValues
internal import MartletWire

/// Carries out what one session wants: on the engine, the encoder and its transport.
///
/// Always true: it decides nothing; whatever happens here goes to the session as an event, and what is done was asked
/// for. It knows no sockets.
final class SessionHost {
  let id: UInt64
  let shard: LoopShard
  let transport: any Transport
  // Unchecked because everything here runs on the loop's thread, and a session is a value that calls nobody: while one
  // of its functions changes it and appends actions, nobody else can look at either.
  @exclusivity(unchecked) var session: Session
  let output: ServerMessageEncoder
  var database: LoopDatabase?
  /// The session's database sleeps, and is being opened again: no frame is taken.
  var isWaking = false
  /// The database cannot be opened at this moment: requests that have come for it are told so.
  var wakeRefusal: RequestError?
  var executions: [UInt32: Started] = [:]
  var transactions: [UInt32: Transaction] = [:]

  /// Actions that wait their turn; carried out in order even if one leads to further events. Unchecked like `session`.
  @exclusivity(unchecked) var actions: [SessionAction] = []
  var isPerforming = false
  private var needsFlush = false
  /// The session reads again, and what waits in the transport has not been looked at since.
  var isOwedFrames = false
  private var writtenBytes: UInt64 = 0
  var closeReason: CloseReason?
  /// The request whose last answer is being delivered, and its error.
  var ending: (request: UInt32, error: RequestError?)?

  /// Bytes of the process's memory that the session holds, here and in the engine.
  let account = MemoryAccount()
  /// Tells those on other threads who do something for the session whether it is still there.
  let presence = Presence()
  /// Bytes of the session's requests in flight, as they were decoded.
  var requestBytes = 0
  /// Bytes that the session holds on this loop, as `account` has them.
  private var notedBytes = 0

  struct Started {
    let execution: Execution
    let bytes: Int
    let at: MonotonicTime
    let kind: RequestKind
    /// Kept if slow queries are logged.
    let sources: [StatementSource]
  }

  /// Where the session comes from, for the log.
  let peer: String
  /// Who the client is; nil before its hello, and if nobody asked.
  var identity: Identity?
  var note: SessionNote?
  /// Where the session is counted; nil if its role has no such quotas.
  var place: QuotaPlace?
  /// The session's requests that the ledger of quotas counts as in flight.
  var countedInFlight = 0
  /// Requests that are in flight, if the audit log wants them.
  var audited: [UInt32: AuditedRequest] = [:]
  /// Made anew when the session or its identity changes.
  var auditParty: AuditParty?
  var isRefusalAudited = false
  /// Begins and ends of transactions that are in flight, and since when.
  var timed: [UInt32: (at: MonotonicTime, kind: RequestKind)] = [:]

  init(
    id: UInt64, transport: any Transport, peer: String, subject: Subject, mustIdentify: Bool = false, shard: LoopShard
  ) {
    self.id = id
    self.peer = peer
    self.transport = transport
    self.shard = shard
    output = ServerMessageEncoder(shard.arena, spare: shard.spareOutput)
    session = Session(
      limits: shard.limits, greeting: shard.context.greeting, subject: subject,
      mustIdentify: mustIdentify, now: ServerClock.now)
  }
}

// MARK: - Events of the transport

extension SessionHost {
  /// Whether the session takes frames at this moment; otherwise they wait in the transport. Asked if some have come:
  /// a database that sleeps is woken.
  func takesFrames() -> Bool {
    guard session.takesFrames, !isWaking else { return false }
    guard let database, database.nap != nil, wakeRefusal == nil else { return true }
    wake(database)
    return false
  }

  /// What still arrives may be thrown away.
  var ignoresInput: Bool { session.ignoresInput }

  /// What the client has sent by now has not all come here.
  var hasInputUnderWay: Bool { transport.hasInputUnderWay(of: self) }

  /// Messages of more than `longFrameBytes` are passed over, because there is no memory for them.
  var isRefusingForMemory: Bool { session.memory.isRefusing }

  static let longFrameBytes = EngineLimits.memorySmallBytes / 2

  /// A whole frame, valid for this call only. Comes only while `takesFrames`; `inputRested` follows.
  @inline(__always)
  func frameReceived(_ frame: UnsafeRawBufferPointer, now: MonotonicTime) {
    do throws(MessageError) {
      let message = try shard.decoder.decode(frame)
      let refusal = place == nil ? nil : quotaExceeded(by: message, now: now)
      session.messageDecoded(message, refusal: refusal, now: now, &actions)
      if shard.context.audit.isOn { auditRefusal(of: message, now: now) }
    } catch {
      shard.counters.framesRefused.add()
      session.decodingFailed(error, now: now, &actions)
    }
    perform(now: now)
    // Answers leave before they fill memory, and that is when the session learns that nobody takes them.
    if output.count > shard.context.limits.outputPauseBytes { flush(now: now) }
  }

  /// A message too long for the memory that is left has been passed over; `id` is its request.
  func framePassedOver(_ id: UInt32, now: MonotonicTime) {
    shard.counters.memoryRefusals.add()
    session.framePassedOver(id, now: now, &actions)
    perform(now: now)
  }

  /// Bytes came that are no frames.
  func framingFailed(_ error: FrameError, now: MonotonicTime) {
    shard.counters.framesRefused.add()
    shard.context.notices.note(.noFrame, now: now, metadata.merging(["reason": "\(error.message)"]) { $1 })
    session.framingFailed(error, now: now, &actions)
    perform(now: now)
  }

  /// For the moment no more frames are given: how many were, and how many bytes wait for the rest of theirs.
  func inputRested(partialBytes: Int, framesTaken: Int, now: MonotonicTime) {
    noteMemory(now: now)
    shard.counters.framesReceived.add(framesTaken)
    // What waits for a database to wake is not waiting for its rest.
    session.inputRested(partialBytes: isWaking ? 0 : partialBytes, framesTaken: framesTaken, now: now)
  }

  /// The peer sent its end, or the way to it broke.
  func peerClosed(failed: Bool, now: MonotonicTime) {
    session.peerClosed(failed: failed, &actions)
    perform(now: now)
  }

  /// Nothing more can be said or understood, and the peer has been told why.
  func transportFailed(now: MonotonicTime) {
    session.transportFailed(now: now, &actions)
    perform(now: now)
  }

  /// The peer has taken some of what was queued.
  func outputMoved(now: MonotonicTime) {
    noteOutput(now: now)
    transport.takeWaitingFrames(of: self, now: now)
    flush(now: now)
  }

  /// The transport is gone without having been asked.
  func transportClosed() { finish(.shuttingDown) }
}

// MARK: - Events of the loop

extension SessionHost {
  /// True if this is the first output since the last flush, so that the host must be flushed.
  func deliver(_ reply: Reply, now: MonotonicTime) -> Bool {
    var reply = reply
    if case .failed(let error) = reply.event {
      if error.reason == .deadline {
        reply.event = .failed(session.explained(error, of: reply.token.request, now: now))
      }
      if error.reason == .memory { shard.context.engine.memoryIsShort() }
    }
    if reply.token.step == 0 { noteEnding(of: reply, now: now) }
    if !audited.isEmpty { auditDelivered(reply, now: now) }
    session.engineDelivered(
      reply.event, request: reply.token.request, step: reply.token.step, now: now, &actions)
    perform(now: now)
    ending = nil
    defer { needsFlush = true }
    return !needsFlush
  }

  func tick(now: MonotonicTime) {
    session.ticked(now: now, &actions)
    // What a client has left behind would keep others waiting for as long as it was to wait itself.
    if session.memory.isPaused || session.isWaitingForOthers, transport.hasPeerLeft(of: self) {
      return peerClosed(failed: false, now: now)
    }
    // What others hold decides too, and changes without an event here.
    if session.memory.isTight || notedBytes > EngineLimits.memorySmallBytes { noteMemory(now: now) }
    // What came before a pause is no reason for the peer to send more: without a look at it, both would wait.
    guard !actions.isEmpty || isOwedFrames else { return }
    perform(now: now)
    goOn(now: now)
  }

  func shutDown() {
    let now = ServerClock.now
    session.shutdownBegan(now: now, &actions)
    perform(now: now)
    flush(now: now)
  }

  /// Takes what waited for the session, and sends what came of it.
  func goOn(now: MonotonicTime) {
    isOwedFrames = false
    transport.takeWaitingFrames(of: self, now: now)
    flush(now: now)
  }
}

// MARK: - Actions of the session

extension SessionHost {
  /// Carries out what the session wants, in its order, also if one action leads to further events.
  func perform(now: MonotonicTime) {
    guard !isPerforming else { return }
    isPerforming = true
    var next = 0
    while next < actions.count {
      let action = actions[next]
      next += 1
      perform(action, now: now)
    }
    actions.removeAll(keepingCapacity: true)
    isPerforming = false
    if place != nil { noteInFlight() }
  }

  private func perform(_ action: SessionAction, now: MonotonicTime) {
    switch action {
    case .start(let id, let request, let deadline, let credit):
      start(id, request, deadline: deadline, credit: credit, now: now)
    case .send(let part, let request, let step): send(part, to: request, step: step)
    case .forgetRequest(let request): forget(request, now: now)
    case .extendCredit(let request, let bytes): executions[request]?.execution.extendCredit(bytes)
    case .cancel(let request):
      executions[request]?.execution.cancel()
      // In flight under its own id is only a transaction that has still to begin.
      transactions[request]?.cancelBegin()
    case .dropUntakenRows(let request): executions[request]?.execution.dropUntakenRows()
    case .forgetTransaction(let transaction): transactions.removeValue(forKey: transaction)?.abandon()
    case .identify(let credential): identify(credential, now: now)
    case .openServer:
      opened()
      session.databaseOpened(&actions)
    case .openDatabase(let name, let create, let setup):
      openDatabase(name, create: create, setup: DatabaseSetup(setup))
    case .setFrameLimit(let bytes): transport.setFrameLimit(bytes, of: self)
    case .pauseReading: transport.pauseReading(of: self)
    case .resumeReading:
      isOwedFrames = true
      transport.resumeReading(of: self)
    case .finishWriting:
      flush(now: now)
      transport.finishWriting(of: self)
    case .close(let reason):
      flush(now: now)
      finish(reason)
      transport.close(self)
    }
  }
}

// MARK: - Output and memory

extension SessionHost {
  /// Puts a part of an answer into the output.
  func send(_ part: ServerMessage.Part, to request: UInt32, step: UInt32) {
    switch part {
    case .rows(let rows): shard.counters.rowsSent.add(rows.rowCount)
    case .error(let error), .transactionEnded(_, let error, _): noteRefusal(error)
    default: break
    }
    output.encode(part, to: request, step: step)
  }

  /// Counts what a quota refused or ended.
  func noteRefusal(_ error: RequestError) { if error.reason == .quota { shard.counters.quotaRefusals.add() } }

  /// Sends what has gathered: one call for all answers of a turn.
  func flush(now: MonotonicTime) {
    needsFlush = false
    if let database { shard.noteSnapshot(of: database) }
    guard !output.isEmpty else { return noteMemory(now: now) }
    writtenBytes &+= UInt64(transport.send(output.bytes, of: self))
    output.removeAll()
    noteOutput(now: now)
  }

  private func noteOutput(now: MonotonicTime) {
    let queued = transport.queuedBytes(of: self)
    session.outputChanged(
      queuedBytes: queued, writtenBytes: writtenBytes &- UInt64(queued), now: now, &actions)
    if !actions.isEmpty { perform(now: now) }
    noteMemory(now: now)
  }

  /// Tells account and session what is held here: parts of frames, requests in flight, output that nobody takes. A
  /// session whose requests are answered on the spot holds nothing of these.
  @inline(__always)
  private func noteMemory(now: MonotonicTime) {
    let held =
      transport.waitingBytes(of: self) + requestBytes + session.setupBytes + transport.queuedBytes(of: self)
    if abs(held - notedBytes) >= ServerLimits.notedStepBytes || session.memory.isTight {
      noteMemory(heldBytes: held, now: now)
    }
  }

  @inline(never)
  private func noteMemory(heldBytes held: Int, now: MonotonicTime) {
    guard closeReason == nil else { return }
    account.add(held - notedBytes)
    notedBytes = held
    let total = account.usedBytes
    guard total > EngineLimits.memorySmallBytes || session.memory.isTight else { return }
    let wasPaused = session.memory.isPaused
    session.memoryChanged(heldBytes: total, allowedBytes: MemoryBudget.allowanceBytes, now: now, &actions)
    if session.memory.isPaused, !wasPaused { shard.memoryIsShort() }
    if !actions.isEmpty { perform(now: now) }
  }
}
