/// One socket and its session: carries the session's actions out on the stream, the engine and the output.
///
/// Always true: it decides nothing; whatever happens here goes to the session as an event, and what is done was asked
/// for.
internal import Logging
internal import MartletAST
internal import MartletEngine
internal import MartletLoop
internal import MartletWire

final class Connection: StreamHandler {
  let id: UInt64
  // `unowned` because the shard owns its connections and closes them before it goes.
  unowned let shard: LoopShard
  private let stream: SocketStream
  var session: Session
  private var frames: FrameDecoder
  private let output = OutputBuffer()
  var database: LoopDatabase?
  var executions: [UInt32: Started] = [:]
  private var transactions: [UInt32: Transaction] = [:]

  /// Actions that wait their turn; carried out in order even where one leads to further events.
  var actions: [SessionAction] = []
  private var isPerforming = false
  private var isTakingFrames = false
  private var needsFlush = false
  private var writtenBytes: UInt64 = 0
  private var closeReason: CloseReason?
  private var hasYielded = false

  /// What the connection holds of the process's memory, here and in the engine.
  private let account = MemoryAccount()
  /// Of its requests that are in flight, as they were decoded.
  private var requestBytes = 0
  /// What of it is on this loop, as far as the account knows.
  private var notedBytes = 0

  struct Started {
    let execution: Execution
    let bytes: Int
    let at: MonotonicTime
    let kind: RequestKind
    /// Kept where slow queries are logged.
    let sources: [StatementRequest.Source]
  }

  /// Where it comes from, for the log.
  let peer: String
  var note: SessionNote?
  /// Begins and ends of transactions that are in flight, and since when.
  var timed: [UInt32: (at: MonotonicTime, kind: RequestKind)] = [:]

  /// So many frames of one connection are taken before the others have their turn.
  private static let framesPerTurnMax = 256

  init(id: UInt64, stream: SocketStream, peer: String, shard: LoopShard) {
    self.id = id
    self.peer = peer
    self.stream = stream
    self.shard = shard
    session = Session(
      limits: shard.context.limits, greeting: shard.context.greeting, permissions: shard.context.permissions,
      now: LoopShard.now)
    frames = FrameDecoder(frameBytesMax: shard.context.limits.frameBeforeHelloBytesMax)
  }

  // MARK: Events of the stream

  func streamRead(_ bytes: UnsafeRawBufferPointer, from stream: SocketStream) {
    shard.counters.bytesReceived.add(bytes.count)
    if session.ignoresInput { return }
    let now = LoopShard.now
    frames.feed(bytes)
    takeFrames(now: now)
    flush(now: now)
  }

  func streamEnded(_ error: LoopError?, _ stream: SocketStream) {
    session.peerClosed(failed: error != nil, &actions)
    perform(now: LoopShard.now)
  }

  func streamWrote(_ stream: SocketStream) {
    let now = LoopShard.now
    noteOutput(now: now)
    resumeIfAsked(now: now)
    flush(now: now)
  }

  func streamClosed(_ stream: SocketStream) {
    // The loop closes streams by itself when it stops.
    finish(.shuttingDown)
  }

  // MARK: Events of the loop

  /// True where this is the first output since the last flush, so that the connection must be flushed.
  func deliver(_ reply: Reply, now: MonotonicTime) -> Bool {
    if reply.token.step == 0 { noteEnd(of: reply, now: now) }
    session.engineDelivered(
      reply.event, request: reply.token.request, step: reply.token.step, now: now, &actions)
    perform(now: now)
    defer { needsFlush = true }
    return !needsFlush
  }

  func tick(now: MonotonicTime) {
    session.ticked(now: now, &actions)
    // What others hold decides too, and changes without an event here.
    if session.memory.isTight || notedBytes > MemoryShares.smallBytes { noteMemory(now: now) }
    guard !actions.isEmpty else { return }
    perform(now: now)
    resumeIfAsked(now: now)
    flush(now: now)
  }

  func shutDown() {
    let now = LoopShard.now
    session.shutdownBegan(now: now, &actions)
    perform(now: now)
    flush(now: now)
  }

  // MARK: Input

  /// Takes frames for as long as the session wants any, and keeps what is left.
  private func takeFrames(now: MonotonicTime) {
    guard !isTakingFrames else { return }
    isTakingFrames = true
    defer { isTakingFrames = false }
    var taken = 0
    do throws(FrameError) {
      while session.takesFrames {
        if session.memory.isRefusing { try passOverLongFrame(now: now) }
        guard let frame = try frames.next() else { break }
        taken += 1
        take(frame, now: now)
        // Answers leave before they fill memory, and that is when the session learns that nobody takes them.
        if output.count > shard.context.limits.outputPauseBytes { flush(now: now) }
        if taken >= Self.framesPerTurnMax { break }
      }
    } catch {
      shard.counters.framesRefused.add()
      shard.context.logger.notice(
        "A connection sent no Martlet frame", metadata: metadata.merging(["reason": "\(error.message)"]) { $1 })
      session.framingFailed(error, now: now, &actions)
      perform(now: now)
    }
    if session.ignoresInput { frames = FrameDecoder(frameBytesMax: 0) }
    frames.keepRest()
    noteMemory(now: now)
    if taken >= Self.framesPerTurnMax, frames.keptBytes > 0 { yieldTurn() }
    shard.counters.framesReceived.add(taken)
    session.inputRested(partialBytes: frames.keptBytes, framesTaken: taken, now: now)
  }

  private func passOverLongFrame(now: MonotonicTime) throws(FrameError) {
    guard let id = try frames.passOver(framesLongerThan: MemoryShares.smallBytes / 2) else { return }
    shard.counters.memoryRefusals.add()
    session.framePassedOver(id, now: now, &actions)
    perform(now: now)
  }

  /// Lets the loop's other connections have their turn before this one goes on.
  private func yieldTurn() {
    hasYielded = true
    stream.pauseReading()
    shard.continueSoon(self)
  }

  func continueAfterYield() {
    guard hasYielded else { return }
    hasYielded = false
    let now = LoopShard.now
    if session.takesFrames { stream.startReading() }
    resumeIfAsked(now: now)
    flush(now: now)
  }

  @inline(__always)
  private func take(_ frame: UnsafeRawBufferPointer, now: MonotonicTime) {
    do throws(MessageError) {
      let message = try shard.decoder.decode(frame)
      session.messageDecoded(message, now: now, &actions)
    } catch {
      shard.counters.framesRefused.add()
      session.decodingFailed(error, now: now, &actions)
    }
    perform(now: now)
  }

  /// Goes on with frames that waited while the session took none.
  func resumeIfAsked(now: MonotonicTime) {
    guard session.takesFrames, frames.keptBytes > 0, !isTakingFrames, !hasYielded else { return }
    frames.feed(UnsafeRawBufferPointer(start: nil, count: 0))
    takeFrames(now: now)
  }

  // MARK: Output

  /// Writes what has gathered: one call for all answers of a turn.
  func flush(now: MonotonicTime) {
    needsFlush = false
    if let database { shard.noteSnapshot(of: database) }
    guard !output.isEmpty else { return noteMemory(now: now) }
    stream.write(output.bytes)
    shard.counters.bytesSent.add(output.count)
    writtenBytes &+= UInt64(output.count)
    output.removeAll()
    noteOutput(now: now)
  }

  private func noteOutput(now: MonotonicTime) {
    let queued = stream.queuedBytes
    session.outputChanged(
      queuedBytes: queued, writtenBytes: writtenBytes &- UInt64(queued), now: now, &actions)
    if !actions.isEmpty { perform(now: now) }
    noteMemory(now: now)
  }

  /// Tells account and session what is held here: parts of frames, requests in flight, output that nobody takes. A
  /// connection whose requests are answered on the spot holds nothing of these.
  @inline(__always)
  private func noteMemory(now: MonotonicTime) {
    let held = frames.keptBytes + requestBytes + stream.queuedBytes
    if held != notedBytes || session.memory.isTight { noteMemory(heldBytes: held, now: now) }
  }

  @inline(never)
  private func noteMemory(heldBytes held: Int, now: MonotonicTime) {
    guard closeReason == nil else { return }
    account.add(held - notedBytes)
    notedBytes = held
    let total = account.usedBytes
    guard total > MemoryShares.smallBytes || session.memory.isTight else { return }
    let wasPaused = session.memory.isPaused
    session.memoryChanged(heldBytes: total, allowedBytes: MemoryBudget.allowanceBytes, now: now, &actions)
    if session.memory.isPaused, !wasPaused { shard.memoryIsShort() }
    if !actions.isEmpty { perform(now: now) }
  }
}

// MARK: - Actions

extension Connection {
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
  }

  private func perform(_ action: SessionAction, now: MonotonicTime) {
    switch action {
    case .execute(let request, let execute, let deadline, let credit):
      self.execute(request, execute, deadline: deadline, credit: credit, now: now)
    case .send(let part, let request, let step): send(part, to: request, step: step)
    case .forgetRequest(let request): forget(request)
    case .extendCredit(let request, let bytes): executions[request]?.execution.extendCredit(bytes)
    case .cancel(let request): executions[request]?.execution.cancel()
    case .runBatch(let request, let batch, let deadline, let credit):
      runBatch(request, batch, deadline: deadline, credit: credit, now: now)
    case .begin(let request, let kind, let deadline):
      time(request, .begin, now: now)
      transactions[request] = database?.database.begin(
        kind == .read ? .read : .write, deadline: deadline, token: token(request), sink: shard.mailbox)
    case .savepoint(let request, let transaction, let verb, let number):
      guard let action = SavepointAction(rawValue: verb.rawValue) else { return }
      transactions[transaction]?.savepoint(action, number: number, token: token(request), sink: shard.mailbox)
    case .finish(let request, let transaction, let commit):
      time(request, .finish, now: now)
      transactions[transaction]?.finish(commit: commit, token: token(request), sink: shard.mailbox)
    case .forgetTransaction(let transaction): transactions.removeValue(forKey: transaction)?.abandon()
    case .inspect(let request, let shapes, let sessions):
      shard.encoder.inspection(
        shard.context.inspection(shapes: shapes, sessions: sessions), to: request, into: output)
    case .maintain(let request, let task, let deadline, let credit):
      maintain(request, task, deadline: deadline, credit: credit, now: now)
    case .administer(let request, let task): administer(request, task)
    case .openServer:
      opened()
      session.databaseOpened(&actions)
    case .openDatabase(let name, let create, let setup):
      openDatabase(name, create: create, setup: DatabaseSetup(setup))
    case .setFrameLimit(let bytes): frames.frameBytesMax = bytes
    case .pauseReading: stream.pauseReading()
    case .resumeReading: if !hasYielded { stream.startReading() }
    case .finishWriting:
      flush(now: now)
      stream.startReading()
      stream.finishWriting()
    case .close(let reason):
      flush(now: now)
      finish(reason)
      stream.close()
    }
  }

  private func send(_ part: SessionAction.Part, to request: UInt32, step: UInt32) {
    let encoder = shard.encoder
    switch part {
    case .completion(let completion): encoder.completion(completion, to: request, step: step, into: output)
    case .rows(let rows):
      shard.counters.rowsSent.add(rows.rowCount)
      encoder.reply(to: request, step: step, rows: rows, into: output)
    case .columns(let columns): encoder.columns(columns, to: request, step: step, into: output)
    case .error(let error): encoder.error(error, to: request, step: step, into: output)
    case .pong(let payload): encoder.pong(payload, to: request, into: output)
    case .hello(let greeting): encoder.hello(greeting, to: request, into: output)
    case .transactionEnded(let error, let ageMs):
      encoder.transactionEnded(request, error, ageMs: ageMs, into: output)
    case .closing(let sentence): encoder.closing(sentence, into: output)
    case .databases(let list): encoder.databases(list, to: request, into: output)
    }
  }

  private func forget(_ request: UInt32) {
    guard let started = executions.removeValue(forKey: request) else { return }
    requestBytes -= started.bytes
    started.execution.abandon()
  }

  /// Keeps what the engine started, and counts the message that it came in.
  private func keep(
    _ execution: Execution?, _ request: UInt32, _ kind: RequestKind, since now: MonotonicTime,
    sources: @autoclosure () -> [StatementRequest.Source] = []
  ) {
    guard let execution else { return }
    let bytes = Self.requestBytesMin + shard.decoder.decodedBytes
    requestBytes += bytes
    executions[request] = Started(
      execution: execution, bytes: bytes, at: now, kind: kind,
      sources: shard.context.slowQueries == nil ? [] : sources())
  }

  /// What a request takes beside its values, here and in the engine.
  private static let requestBytesMin = 512

  private func token(_ request: UInt32) -> RequestToken { RequestToken(session: id, request: request) }

  private func openDatabase(_ name: String, create: Bool, setup: DatabaseSetup) {
    guard let open = shard.openDatabase(named: name, create: create, setup: setup, for: self) else { return }
    database = open
    opened()
    session.databaseOpened(&actions)
  }

  /// The database that was being opened on another thread is open, or is not.
  func databaseOpened(_ result: Result<LoopDatabase, RequestError>) {
    let now = LoopShard.now
    switch result {
    case .failure(let error): session.databaseRefused(error, &actions)
    case .success(let open):
      guard session.isOpening else { return shard.release(open) }
      database = open
      opened()
      session.databaseOpened(&actions)
    }
    perform(now: now)
    resumeIfAsked(now: now)
    flush(now: now)
  }

  /// Lets go of everything; nothing comes after it.
  private func finish(_ reason: CloseReason) {
    guard closeReason == nil else { return }
    closeReason = reason
    for started in executions.values { started.execution.abandon() }
    for transaction in transactions.values { transaction.abandon() }
    executions = [:]
    transactions = [:]
    account.close()
    if let database { shard.release(database) }
    database = nil
    shard.closed(self, reason: reason)
  }
}

// MARK: - Statements

extension Connection {
  /// Answers a read on the spot where the loop's reader can; everything else goes to the engine's threads.
  private func execute(
    _ request: UInt32, _ execute: ClientMessage.Execute, deadline: MonotonicTime, credit: Int, now: MonotonicTime
  ) {
    countRequest()
    guard let database else { return }
    var statement = StatementRequest(
      source: StatementRequest.Source(execute.source), parameters: execute.parameters, deadline: deadline,
      credit: credit, columnsVersion: execute.columnsVersion, account: account)
    statement.mayShortenDeadline = execute.mayShortenDeadline
    if execute.transaction != 0 {
      keep(
        transactions[execute.transaction]?.start(statement, token: token(request), sink: shard.mailbox), request,
        .transaction, since: now, sources: [statement.source])
    } else if !answerInline(request, statement, database: database, now: now) {
      keep(
        database.database.start(statement, token: token(request), sink: shard.mailbox), request, .read, since: now,
        sources: [statement.source])
    }
  }

  private func answerInline(
    _ request: UInt32, _ statement: StatementRequest, database: LoopDatabase, now: MonotonicTime
  ) -> Bool {
    guard let reader = database.reader else { return false }
    switch reader.execute(statement, rows: &shard.rows, columns: &shard.columns) {
    case .declined: return false
    case .failed(let error): shard.encoder.error(error, to: request, into: output)
    case .completed(let completion):
      // Rows beyond the client's credit have to wait for it, and that takes a stream.
      let bytes = shard.rows.byteCount
      guard bytes <= statement.credit else { return false }
      if bytes > MemoryShares.smallBytes, !account.hasRoom(forBytes: bytes) {
        shard.counters.memoryRefusals.add()
        shard.encoder.error(.noMemory("a row of this size"), to: request, into: output)
        break
      }
      shard.encoder.reply(
        to: request, columns: shard.columns, rows: shard.rows, completion: completion, into: output)
    }
    shard.counters.requestsInline.add()
    shard.counters.rowsSent.add(shard.rows.rowCount)
    if reader.endedAt >= now {
      let nanoseconds = reader.endedAt.nanoseconds &- now.nanoseconds
      shard.noteLatency(.read, nanoseconds: nanoseconds)
      if let slow = shard.context.slowQueries, nanoseconds >= slow.thresholdNanoseconds {
        noteSlow(.read, nanoseconds: nanoseconds, sources: [statement.source], error: nil)
      }
    }
    session.answeredInline(request, now: now, &actions)
    return true
  }

  private func maintain(
    _ request: UInt32, _ task: MaintenanceTask, deadline: MonotonicTime, credit: Int, now: MonotonicTime
  ) {
    countRequest()
    guard let database = database?.database else { return }
    let (token, mailbox) = (token(request), shard.mailbox)
    switch task {
    case .check, .checkWhole:
      keep(
        database.check(
          wholeFile: task == .checkWhole, deadline: deadline, credit: credit, token: token, sink: mailbox), request,
        .read, since: now)
    case .unfence: shard.context.unfence(database.name, deadline: deadline, token: token, sink: mailbox)
    }
  }

  private func runBatch(
    _ request: UInt32, _ batch: ClientMessage.Batch, deadline: MonotonicTime, credit: Int, now: MonotonicTime
  ) {
    countRequest()
    guard let database else { return }
    var steps = BatchRequest(batch, deadline: deadline, credit: credit)
    steps.account = account
    steps.mayShortenDeadline = batch.mayShortenDeadline
    if batch.transaction != 0 {
      keep(
        transactions[batch.transaction]?.start(steps, token: token(request), sink: shard.mailbox), request,
        .transaction, since: now, sources: steps.steps.map(\.source))
    } else {
      keep(
        database.database.start(steps, token: token(request), sink: shard.mailbox), request, .batch, since: now,
        sources: steps.steps.map(\.source))
    }
  }
}
