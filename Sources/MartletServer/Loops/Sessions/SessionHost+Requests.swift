internal import Logging
internal import MartletEngine
internal import MartletProtocol
internal import MartletValues
internal import MartletWire

/// Each request of a session, carried out: on the loop, by the engine, or on the server itself.
///
/// Always true: what comes here was let in by the session, and an answer that is not the engine's goes through it too.
extension SessionHost {
  func start(
    _ id: UInt32, _ request: ClientMessage.Request, deadline: MonotonicTime, credit: Int, now: MonotonicTime
  ) {
    if let wakeRefusal, database?.nap != nil, request.needsDatabase {
      return refuse(id, request, wakeRefusal, now: now)
    }
    // Whether a statement is for the loop or for the engine turns out later, and only then it is audited.
    if !request.isExecute { auditStarted(id, request, now: now) }
    switch request {
    case .execute(let execute): self.execute(id, execute, deadline: deadline, credit: credit, now: now)
    case .batch(let batch): runBatch(id, batch, deadline: deadline, credit: credit, now: now)
    case .begin(let mode, _):
      time(id, .begin, now: now)
      transactions[id] = database?.database?.begin(
        mode, deadline: deadline, subject: session.subject, token: token(id), sink: shard.mailbox)
    case .savepoint(let transaction, let action, let number):
      transactions[transaction]?.savepoint(action, number: number, token: token(id), sink: shard.mailbox)
    case .finish(let transaction, let commit, let required):
      time(id, .finish, now: now)
      transactions[transaction]?.finish(
        commit: commit, required: Int(required), token: token(id), sink: shard.mailbox)
    // The session answers pings itself; one that came here has an answer too.
    case .ping(let payload): session.hostAnswered(id, .pong(payload), now: now, &actions)
    case .inspect(let shapes, let sessions):
      inspect(id, shapes: Int(shapes), sessions: Int(sessions), deadline: deadline)
    case .maintain(let task, _, _): maintain(id, task, deadline: deadline, credit: credit, now: now)
    case .administer(let task): administer(id, task, deadline: deadline)
    }
  }

  /// The session's database sleeps and cannot be opened now, so nothing of the request was done.
  private func refuse(_ id: UInt32, _ request: ClientMessage.Request, _ error: RequestError, now: MonotonicTime) {
    countRequest()
    auditStarted(id, request, now: now)
    auditAnswered(id, .error(error), now: now)
    session.engineDelivered(.failed(error), request: id, step: 0, now: now, &actions)
  }

  /// Keeps what the engine started, and counts the message that it came in.
  private func keep(
    _ execution: Execution?, _ request: UInt32, _ kind: RequestKind, since now: MonotonicTime,
    sources: @autoclosure () -> [StatementSource] = []
  ) {
    guard let execution else { return }
    let bytes = ServerLimits.requestBytesMin + shard.decoder.decodedBytes
    requestBytes += bytes
    executions[request] = Started(
      execution: execution, bytes: bytes, at: now, kind: kind,
      sources: shard.context.slowQueries.isOn ? sources() : [])
  }

  private func token(_ request: UInt32) -> RequestToken { RequestToken(session: id, request: request) }

  /// Answers a read on the spot if the loop's reader can; everything else goes to the engine's threads.
  private func execute(
    _ request: UInt32, _ execute: ClientMessage.Execute, deadline: MonotonicTime, credit: Int, now: MonotonicTime
  ) {
    countRequest()
    guard let database, let open = database.database else { return }
    var statement = StatementRequest(
      source: execute.source, parameters: execute.parameters, deadline: deadline,
      credit: credit, columnsVersion: execute.columnsVersion, account: account, subject: session.subject)
    statement.mayShortenDeadline = execute.mayShortenDeadline
    statement.isRequired = execute.isRequired
    if execute.transaction != 0 {
      auditStarted(request, .execute(execute), now: now)
      keep(
        transactions[execute.transaction]?.start(
          statement, token: token(request), sink: shard.mailbox, allowance: shard.allowance), request,
        .transaction, since: now, sources: [statement.source])
    } else if !answerInline(request, statement, database: database, now: now) {
      auditStarted(request, .execute(execute), now: now)
      keep(
        open.start(
          statement, token: token(request), sink: shard.mailbox, allowance: shard.allowance), request, .read,
        since: now,
        sources: [statement.source])
    }
  }

  private func answerInline(
    _ request: UInt32, _ statement: StatementRequest, database: LoopDatabase, now: MonotonicTime
  ) -> Bool {
    guard let reader = database.reader else {
      shard.readerIsMissed(database, for: self)
      return false
    }
    var (ended, failure): (Completion?, RequestError?)
    switch reader.execute(statement, rows: &shard.rows, columns: &shard.columns) {
    case .declined:
      if reader.isOutdated { shard.replaceReader(of: database) }
      return false
    case .failed(let error):
      let told = error.reason == .deadline ? session.explained(error, of: request, now: ServerClock.now) : error
      failure = told
      noteRefusal(told)
      output.encode(.error(told), to: request)
    case .completed(let completion):
      ended = completion
      // Rows beyond the client's credit have to wait for it, and that takes a stream.
      let bytes = shard.rows.byteCount
      guard bytes <= statement.credit else { return false }
      if bytes > EngineLimits.memorySmallBytes, !account.hasRoom(forBytes: bytes) {
        shard.counters.memoryRefusals.add()
        let refused = RequestError.noMemory("a row of this size")
        failure = refused
        output.encode(.error(refused), to: request)
        break
      }
      output.reply(to: request, columns: shard.columns, rows: shard.rows, completion: completion)
    }
    noteInlineAnswer(request, statement, completion: ended, error: failure, endedAt: reader.endedAt, now: now)
    return true
  }

  /// Counts what was answered on the spot, and tells the logs of it.
  @inline(__always)
  private func noteInlineAnswer(
    _ request: UInt32, _ statement: StatementRequest, completion: Completion?, error: RequestError?,
    endedAt: MonotonicTime, now: MonotonicTime
  ) {
    shard.counters.requestsInline.add()
    shard.counters.rowsSent.add(shard.rows.rowCount)
    let nanoseconds = endedAt >= now ? endedAt.nanoseconds &- now.nanoseconds : 0
    if shard.context.audit.isOn {
      auditInline(request, statement, completion: completion, error: error, nanoseconds: nanoseconds)
    }
    if endedAt >= now {
      shard.noteLatency(.read, nanoseconds: nanoseconds)
      if nanoseconds >= shard.context.slowQueries.thresholdNanoseconds {
        noteSlow(.read, nanoseconds: nanoseconds, sources: [statement.source], error: nil)
      }
    }
    session.answeredInline(request, now: now, &actions)
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
          wholeFile: task == .checkWhole, deadline: deadline, credit: credit, account: account, token: token,
          sink: mailbox), request, .read, since: now)
    case .unfence: shard.context.work.unfence(database.name, deadline: deadline, token: token, sink: mailbox)
    }
  }

  private func runBatch(
    _ request: UInt32, _ batch: ClientMessage.Batch, deadline: MonotonicTime, credit: Int, now: MonotonicTime
  ) {
    countRequest()
    guard let database = database?.database else { return }
    var steps = BatchRequest(
      steps: batch.steps, isAtomic: batch.isAtomic, deadline: deadline, credit: credit)
    steps.account = account
    steps.subject = session.subject
    steps.mayShortenDeadline = batch.mayShortenDeadline
    if batch.transaction != 0 {
      keep(
        transactions[batch.transaction]?.start(
          steps, token: token(request), sink: shard.mailbox, allowance: shard.allowance), request,
        .transaction, since: now, sources: steps.steps.map(\.source))
    } else {
      keep(
        database.start(
          steps, token: token(request), sink: shard.mailbox, allowance: shard.allowance), request, .batch, since: now,
        sources: steps.steps.map(\.source))
    }
  }

  func asker(deadline: MonotonicTime = .distantFuture) -> Asker {
    Asker(
      share: SessionShare(subject: session.subject.share, session: id), deadline: deadline, presence: presence)
  }

  private func inspect(_ request: UInt32, shapes: Int, sessions: Int, deadline: MonotonicTime) {
    let (shard, session) = (shard, id)
    shard.context.work.inspect(
      shapes: shapes, sessions: sessions, for: asker(deadline: deadline), seenBy: identity
    ) { result, taken in
      let answer: ServerMessage.Part =
        switch result {
        case .success(let inspection): .inspection(inspection)
        case .failure(let error): .error(error)
        }
      shard.hostAnswered(session: session, request: request, answer, taken)
    }
  }

  private func administer(_ request: UInt32, _ task: Administration, deadline: MonotonicTime) {
    countRequest()
    let (shard, session, identity) = (shard, id, identity)
    let needed = ClientMessage.Request.administer(task).permissions
    do throws(RequestError) { try identity?.check(needed, in: task.changedDatabases) } catch {
      auditAnswered(request, .error(error), now: ServerClock.now)
      return self.session.hostAnswered(request, .error(error), now: ServerClock.now, &actions)
    }
    let note = task == .list(after: task.database) ? nil : metadata.merging(["task": "\(task.words)"]) { $1 }
    shard.context.work.run(
      task, of: self.session.subject, for: asker(deadline: deadline), isListed: { identity?.mayOpen($0) ?? true }
    ) { result in
      if let note, case .success = result { shard.context.notices.note(.databasesChanged, note) }
      let answer: ServerMessage.Part =
        switch result {
        case .success(nil): .completion(Completion())
        case .success(let list?): .databases(list)
        case .failure(let error): .error(error)
        }
      shard.hostAnswered(session: session, request: request, answer)
    }
  }
}

extension ClientMessage.Request {
  fileprivate var isExecute: Bool { if case .execute = self { true } else { false } }
}

// MARK: - Answers that are not the engine's

extension SessionHost {
  /// A request to the server itself has been carried out, or not.
  func hostAnswered(_ request: UInt32, _ answer: ServerMessage.Part) {
    let now = ServerClock.now
    let part = fitting(answer)
    auditAnswered(request, part, now: now)
    session.hostAnswered(request, part, now: now, &actions)
    perform(now: now)
    flush(now: now)
  }

  /// Many answers that nobody reads are memory, too.
  private func fitting(_ part: ServerMessage.Part) -> ServerMessage.Part {
    guard case .inspection(let inspection) = part, !account.hasRoom(forBytes: inspection.byteCount) else { return part }
    shard.counters.memoryRefusals.add()
    return .error(.noMemory("what it tells of itself"))
  }
}
