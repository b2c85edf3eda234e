internal import MartletEngine
internal import MartletValues
internal import MartletWire

/// What a session wants, carried out on the engine, the encoder and the transport.
///
/// Always true: actions are carried out in their order, also when one leads to further events; a request is kept until
/// the session forgets it.
extension SessionHost {
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
    case .forgetRequest(let request): forget(request, now: now)
    case .extendCredit(let request, let bytes): executions[request]?.execution.extendCredit(bytes)
    case .cancel(let request): executions[request]?.execution.cancel()
    case .runBatch(let request, let batch, let deadline, let credit):
      runBatch(request, batch, deadline: deadline, credit: credit, now: now)
    case .begin(let request, let kind, let deadline):
      time(request, .begin, now: now)
      transactions[request] = database?.database.begin(
        kind == .read ? .read : .write, deadline: deadline, subject: session.subject, token: token(request),
        sink: shard.mailbox)
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
    case .setFrameLimit(let bytes): transport.setFrameLimit(bytes, of: self)
    case .pauseReading: transport.pauseReading(of: self)
    case .resumeReading: transport.resumeReading(of: self)
    case .finishWriting:
      flush(now: now)
      transport.finishWriting(of: self)
    case .close(let reason):
      flush(now: now)
      finish(reason)
      transport.close(self)
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

  private func forget(_ request: UInt32, now: MonotonicTime) {
    guard let started = executions.removeValue(forKey: request) else { return }
    if let ending, ending.request == request { noteEnd(of: started, error: ending.error, now: now) }
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
    goOn(now: now)
  }

  /// Lets go of everything; nothing comes after it.
  func finish(_ reason: CloseReason) {
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

extension SessionHost {
  /// Answers a read on the spot where the loop's reader can; everything else goes to the engine's threads.
  private func execute(
    _ request: UInt32, _ execute: ClientMessage.Execute, deadline: MonotonicTime, credit: Int, now: MonotonicTime
  ) {
    countRequest()
    guard let database else { return }
    var statement = StatementRequest(
      source: StatementRequest.Source(execute.source), parameters: execute.parameters, deadline: deadline,
      credit: credit, columnsVersion: execute.columnsVersion, account: account, subject: session.subject)
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
    steps.subject = session.subject
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
