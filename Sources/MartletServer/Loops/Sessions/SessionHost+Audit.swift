internal import MartletEngine
internal import MartletProtocol
internal import MartletValues

/// What the audit log is told of a session and its requests.
///
/// Always true: if no request can stand in the log, a request costs a look at one flag and at one empty table.
extension SessionHost {
  private var audit: AuditLog { shard.context.audit }

  /// Who the session is for, as far as it is known by now.
  private var party: AuditParty {
    if let auditParty { return auditParty }
    let party = AuditParty(
      session: id, who: identity?.name ?? "", role: identity?.role?.name ?? "", from: peer,
      client: note?.client ?? PrintableText.of(session.client, lengthMax: ServerLimits.shownNameCharactersMax),
      database: session.database)
    // Before the session is open, more of it comes to be known.
    if note != nil { auditParty = party }
    return party
  }

  // MARK: The session

  func auditOpened() {
    auditParty = nil
    guard audit.isOn else { return }
    audit.note(AuditEvent(.sessionOpened, party))
  }

  /// The client may not come, or may not have that database.
  func auditRefused(_ outcome: String, shown: String? = nil) {
    guard audit.isOn, note == nil else { return }
    isRefusalAudited = true
    var event = AuditEvent(.sessionRefused, party)
    event.shown = shown
    event.outcome = outcome
    audit.note(event)
  }

  /// Requests that were in flight are left behind, and nobody will tell how they ended.
  func auditEnded(_ reason: CloseReason) {
    for (request, entry) in audited.sorted(by: { $0.key < $1.key }) {
      auditEnd(request, entry, completion: nil, outcome: "ABANDONED", isRefused: false, now: ServerClock.now)
    }
    audited = [:]
    guard audit.isOn else { return }
    guard let note else {
      let isNoRefusal = isRefusalAudited || [.peerClosed, .connectionFailed, .shuttingDown].contains(reason)
      return isNoRefusal ? () : auditRefused(reason.rawValue.uppercased())
    }
    var event = AuditEvent(.sessionEnded, party)
    event.requests = note.requests.total
    event.outcome = reason.rawValue.uppercased()
    event.nanoseconds = ServerClock.now.nanoseconds &- note.since.nanoseconds
    audit.note(event)
  }

  // MARK: A request

  /// A request is begun, and not on the loop. One that changes the server is noted at every level.
  @inline(__always)
  func auditStarted(_ id: UInt32, _ request: @autoclosure () -> ClientMessage.Request, now: MonotonicTime) {
    if audit.isOn { auditKept(id, request(), now: now) }
  }

  private func auditKept(_ id: UInt32, _ request: ClientMessage.Request, now: MonotonicTime) {
    if let entry = entry(of: request, now: now) { audited[id] = entry }
  }

  private func entry(of request: ClientMessage.Request, now: MonotonicTime) -> AuditedRequest? {
    AuditedRequest(request, at: now, keepsValues: !audit.parameters.isEmpty, mode: { transactions[$0]?.mode })
  }

  /// A read was answered on the loop.
  func auditInline(
    _ request: UInt32, _ statement: StatementRequest, completion: Completion?, error: RequestError?,
    nanoseconds: UInt64
  ) {
    let isRefused = error?.isRefusal ?? false
    guard audit.wants(writes: false, isRefused: isRefused) else { return }
    var event = AuditEvent(.statement, party)
    event.request = request
    describe(statement.source, StepEnd(completion: completion, error: error), &event)
    if !audit.parameters.isEmpty { show(statement.parameters.map { .value($0) }, of: statement.source, &event) }
    if completion != nil, event.kind == nil { event.kind = "select" }
    event.writes = event.writes ?? false
    event.outcome = error?.reason.rawValue ?? AuditEvent.ok
    event.nanoseconds = nanoseconds
    audit.note(event)
  }

  private typealias StepEnd = AuditedRequest.StepEnd

  /// The engine says how a request that is in the table, or a step of it, has ended.
  func auditDelivered(_ reply: Reply, now: MonotonicTime) {
    let token = reply.token
    switch reply.event {
    case .columns, .rows, .transactionEnded: return
    case .completed(let completion):
      guard token.step == 0 else { return end(step: token.step, StepEnd(completion: completion), of: token.request) }
      guard let entry = audited.removeValue(forKey: token.request) else { return }
      auditEnd(token.request, entry, completion: completion, outcome: AuditEvent.ok, isRefused: false, now: now)
    case .failed(let error):
      guard token.step == 0 else { return end(step: token.step, StepEnd(error: error), of: token.request) }
      guard let entry = audited.removeValue(forKey: token.request) else { return }
      auditEnd(
        token.request, entry, completion: nil, outcome: error.reason.rawValue, isRefused: error.isRefusal, now: now)
    }
  }

  private func end(step: UInt32, _ end: StepEnd, of request: UInt32) { audited[request]?.ends[step] = end }

  /// The engine ended a transaction that was open.
  func auditTransactionEnded(_ transaction: UInt32, _ error: RequestError, ageMs: Int) {
    let writes = transactions[transaction]?.mode != .read
    guard audit.wants(writes: writes, isRefused: false) else { return }
    var event = AuditEvent(.transaction, party)
    event.transaction = transaction
    event.kind = "ended"
    event.writes = writes
    event.outcome = error.reason.rawValue
    event.nanoseconds = UInt64(max(0, ageMs)) * 1_000_000
    audit.note(event)
  }

  /// The server itself has carried a request out, or not.
  func auditAnswered(_ request: UInt32, _ part: ServerMessage.Part, now: MonotonicTime) {
    guard let entry = audited.removeValue(forKey: request) else { return }
    var failure: RequestError?
    if case .error(let error) = part { failure = error }
    auditEnd(
      request, entry, completion: nil, outcome: failure?.reason.rawValue ?? AuditEvent.ok,
      isRefused: failure?.isRefusal ?? false, now: now)
  }

  /// What a hello carries out stands in the log like a request.
  func auditCarriedOut(_ task: Administration, now: MonotonicTime) {
    guard audit.isOn, let entry = entry(of: .administer(task), now: now) else { return }
    auditEnd(0, entry, completion: nil, outcome: AuditEvent.ok, isRefused: false, now: now)
  }

  /// The session may have refused a request without starting it.
  func auditRefusal(of message: ClientMessage, now: MonotonicTime) {
    guard case .request(let request) = message.kind else { return }
    for case .send(.error(let error), to: message.requestID, step: 0) in actions {
      guard let entry = entry(of: request, now: now) else { return }
      return auditEnd(
        message.requestID, entry, completion: nil, outcome: error.reason.rawValue, isRefused: error.isRefusal, now: now)
    }
  }

  // MARK: Lines

  private func auditEnd(
    _ request: UInt32, _ entry: AuditedRequest, completion: Completion?, outcome: String, isRefused: Bool,
    now: MonotonicTime
  ) {
    // What cannot be wanted is not described.
    let mayHoldRefusal = isRefused || entry.event == .batch
    guard entry.changesServer || audit.wants(writes: true, isRefused: mayHoldRefusal) else { return }
    var event = AuditEvent(entry.event, party)
    if request != 0 { event.request = request }
    if entry.transaction != 0 { event.transaction = entry.transaction }
    event.outcome = outcome
    var lines: [AuditEvent] = []
    if entry.event == .batch {
      lines = steps(of: entry, event, isRefused: isRefused)
      event.steps = entry.sources.count
      event.writes = lines.contains { $0.writes ?? true }
    } else if let source = entry.sources.first {
      describe(source, StepEnd(completion: completion), &event)
      event.writes = writes(event, hasEnded: completion != nil || outcome == "ABANDONED")
      if let values = entry.values.first { show(values, of: source, &event) }
    } else {
      event.writes = entry.writes
    }
    event.kind = entry.kind ?? event.kind
    event.newName = entry.newName
    event.nanoseconds = now.nanoseconds &- entry.at.nanoseconds
    if let database = entry.database { event.party = party(naming: database) }
    // A batch stands there as a whole or not at all.
    let areWanted = entry.ends.values.contains { $0.error?.isRefusal ?? false }
    guard
      entry.changesServer
        || audit.wants(writes: event.writes ?? true, isRefused: isRefused || areWanted)
    else { return }
    audit.note(lines + [event])
  }

  private func steps(of entry: AuditedRequest, _ batch: AuditEvent, isRefused: Bool) -> [AuditEvent] {
    entry.sources.enumerated().map { index, source in
      let step = UInt32(index + 1)
      var event = batch
      event.name = .statement
      event.step = step
      let end = entry.ends[step]
      describe(source, end ?? StepEnd(), &event)
      event.writes = writes(event, hasEnded: end?.completion.map { !$0.isSkipped } ?? false)
      event.outcome =
        end.map { $0.error?.reason.rawValue ?? ($0.completion?.isSkipped == true ? "SKIPPED" : AuditEvent.ok) }
        ?? "NOT_RUN"
      if index < entry.values.count { show(entry.values[index], of: source, &event) }
      return event
    }
  }

  /// Shape, kind and rows.
  private func describe(_ source: StatementSource, _ end: StepEnd, _ event: inout AuditEvent) {
    let known = end.completion?.shape.map { StatementSource.shape($0) } ?? source
    let deed = database?.database?.deed(of: known, for: session.subject)
    if let deed {
      event.shape = deed.shape
      event.kind = deed.kind
      event.writes = deed.writes
    } else if case .shape(let shape) = source {
      event.shape = shape
    } else {
      event.shape = end.completion?.shape
    }
    guard let completion = end.completion, !completion.isSkipped else { return }
    event.rows = completion.rowsReturned
    if event.writes ?? true { event.changed = completion.rowsChanged }
  }

  /// The values of the columns that the operator asks for, and no others.
  private func show(_ values: [StepParameter], of source: StatementSource, _ event: inout AuditEvent) {
    let asked = audit.parameters
    guard !asked.isEmpty, !values.isEmpty, let database = database?.database else { return }
    // A claim's parameters come behind those of the request, and stand for nothing that it sent.
    event.parameters = AuditedValues.of(
      values, standingFor: database.parameterColumns(of: source, for: session.subject), asked: asked)
  }

  /// A request of which nobody knows any more, and that may have run, may have written.
  private func writes(_ event: AuditEvent, hasEnded: Bool) -> Bool {
    event.writes ?? hasEnded
  }

  /// The session as a party to a database that is not its own.
  private func party(naming database: String) -> AuditParty {
    AuditParty(
      session: id, who: identity?.name ?? "", role: identity?.role?.name ?? "", from: peer,
      client: note?.client ?? "", database: database)
  }
}
