internal import Logging
internal import MartletEngine
internal import MartletLoop
internal import MartletValues

/// What is known of a session and of its requests for those who look after the server: names, times, slow queries.
///
/// Always true: a request costs two additions here and no look at the clock; more only if it was slow.
extension SessionHost {
  /// The session has said hello, and has what it asked for.
  func opened() {
    let note = SessionNote(
      id: id, peer: peer, client: session.client, database: session.database, since: ServerClock.now)
    self.note = note
    shard.sessions.opened(note)
    auditOpened()
    shard.context.logger.debug("Session opened", metadata: metadata)
  }

  /// A hello makes a database if it asks for that, which changes the server as much as a request to make one.
  func tellOfNewDatabase(now: MonotonicTime) {
    let task = Administration.create(session.database)
    auditCarriedOut(task, now: now)
    shard.context.notices.note(.databasesChanged, metadata.merging(["task": "\(task.words)"]) { $1 })
  }

  /// For the log: which session, from where, of whom, with which database.
  var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = ["session": .number(id), "loop": "\(shard.loop.label)", "peer": "\(peer)"]
    if let identity, !identity.name.isEmpty { metadata["identity"] = "\(identity.name)" }
    guard let note else { return metadata }
    metadata["client"] = "\(note.client)"
    if !note.database.isEmpty { metadata["database"] = "\(note.database)" }
    return metadata
  }

  func countRequest() {
    shard.counters.requests.add()
    note?.requests.add()
  }

  // MARK: Databases that come and go

  /// The database of that name is dropped or renamed.
  func databaseEnded(named name: String, because error: RequestError) {
    guard session.database == name, database != nil else { return }
    let now = ServerClock.now
    session.databaseEnded(error, now: now, &actions)
    perform(now: now)
    flush(now: now)
  }

  // MARK: Times

  func time(_ request: UInt32, _ kind: RequestKind, now: MonotonicTime) {
    countRequest()
    timed[request] = (now, kind)
  }

  /// An answer from the engine: the last one of a request ends its time.
  @inline(__always)
  func noteEnding(of reply: Reply, now: MonotonicTime) {
    switch reply.event {
    case .completed: ending = (reply.token.request, nil)
    case .failed(let error): ending = (reply.token.request, error)
    case .transactionEnded(let error, let ageMs):
      return auditTransactionEnded(reply.token.request, error, ageMs: ageMs)
    case .columns, .rows: return
    }
    if !timed.isEmpty, let began = timed.removeValue(forKey: reply.token.request) {
      let nanoseconds = now.nanoseconds &- began.at.nanoseconds
      shard.noteLatency(began.kind, nanoseconds: nanoseconds)
      if nanoseconds >= shard.context.slowQueries.thresholdNanoseconds {
        noteSlow(began.kind, nanoseconds: nanoseconds, sources: [], error: ending?.error)
      }
    }
  }

  func noteEnd(of started: Started, error: RequestError?, now: MonotonicTime) {
    let kind = started.kind == .read && started.execution.isWrite ? .write : started.kind
    let nanoseconds = now.nanoseconds &- started.at.nanoseconds
    shard.noteLatency(kind, nanoseconds: nanoseconds)
    if nanoseconds >= shard.context.slowQueries.thresholdNanoseconds, !started.sources.isEmpty {
      noteSlow(kind, nanoseconds: nanoseconds, sources: started.sources, error: error)
    }
  }

  func noteSlow(
    _ kind: RequestKind, nanoseconds: UInt64, sources: [StatementSource], error: RequestError?
  ) {
    shard.context.slowQueries.note(
      SlowQueries.Query(
        kind: kind, nanoseconds: nanoseconds, shapes: sources.prefix(SlowQueryLimits.shapesMax).map(\.shape),
        statements: sources.count, error: error?.reason.rawValue, database: database?.database,
        rules: session.subject.restriction?.rules, metadata: metadata))
  }
}

extension StatementSource {
  fileprivate var shape: ShapeID {
    switch self {
    case .shape(let shape): shape
    case .statement(let bytes): bytes.withUnsafeBytes { ShapeID(hashing: $0) }
    }
  }
}

extension Administration {
  /// For the log. Names that are not valid are refused later, so nothing of them is shown.
  var words: String {
    let name = PrintableText.of(database, lengthMax: ServerLimits.shownNameCharactersMax)
    return switch self {
    case .list: "list"
    case .create: "create \(name)"
    case .rename: "rename \(name) to \(PrintableText.of(newName, lengthMax: ServerLimits.shownNameCharactersMax))"
    case .drop: "drop \(name)"
    }
  }
}
