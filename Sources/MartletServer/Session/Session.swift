internal import MartletProtocol
internal import MartletValues

/// One session's protocol: hello, requests, transactions, credit, deadlines and the way to its end. No sockets.
///
/// Always true: every request is answered exactly once or its connection is closed; what closed stays closed; time and
/// bytes come in as events only.
///
///     awaitingHello ──hello──▶ opening ──databaseOpened──▶ open ──▶ draining (the server or the identity ends)
///        │  ▲  │                ▲  │                        │           │
///        │  │  └─▶ awaitingSetup ┘  │                        │           │
///        │  └──── databaseRefused ──┘                        │           │
///        └──────────────────────────────────────────────────┴───────────┴──▶ lingering ──▶ closed
///
/// Between hello and opening or awaitingSetup the session may be identifying: see `Session+Identity`.
struct Session: Sendable {
  enum Phase: Equatable, Sendable {
    case awaitingHello
    /// The hello said that more of its setup follows. Can move to opening.
    case awaitingSetup(ClientMessage.Hello, helloID: UInt32)
    /// The client that says this hello is looked up; no frame is taken.
    case identifying(ClientMessage.Hello, helloID: UInt32)
    /// The client is not known here, and is told so at this time; no frame is taken.
    case refusing(helloID: UInt32, at: MonotonicTime)
    /// The database is being opened for this hello; no frame is taken.
    case opening(helloID: UInt32)
    case open
    /// Open transactions may finish; nothing new is taken. Closes when nothing is in flight.
    case draining(until: MonotonicTime)
    /// A last message is on its way; input is ignored. Can move to closed.
    case lingering(CloseReason, until: MonotonicTime)
    case closed
  }

  private(set) var limits: Limits
  let greeting: HelloReply
  /// Who sends the requests, and what it may do. Before the hello: what the transport tells of it.
  var subject: Subject
  /// Whether the hello has to say who the client is, or only may.
  var mustIdentify: Bool
  /// When what the client has shown of itself ends; nil: it does not.
  var identityEnds: MonotonicTime?
  /// Why the session drains.
  var drainCause = DrainCause.shutdown
  /// The server ends, and waits for its sessions.
  private var isServerEnding = false
  var phase = Phase.awaitingHello

  /// Which the hello named; empty if the session is for the server as a whole.
  private(set) var database = ""
  private(set) var client = ""
  /// By when the database that a hello named must be open.
  var openDue = MonotonicTime.distantFuture
  /// Bytes of the setup that a hello brought, until the database is open or the hello was in vain.
  var setupBytes = 0
  var requests = RequestTable()
  var transactions = TransactionTable()
  var output: OutputGauge
  var memory: MemoryGauge
  private let connectedAt: MonotonicTime
  private var lastActivity: MonotonicTime
  /// Since when an incomplete frame has been waiting for its rest.
  private var partialSince: MonotonicTime?

  init(limits: Limits, greeting: HelloReply, subject: Subject, mustIdentify: Bool = false, now: MonotonicTime) {
    self.limits = limits
    self.subject = subject
    self.mustIdentify = mustIdentify
    self.greeting = greeting
    connectedAt = now
    lastActivity = now
    output = OutputGauge(limits: limits)
    memory = MemoryGauge(limits: limits)
  }

  /// The operator has changed them. A deadline or an end that is set stays.
  mutating func limitsChanged(_ serving: ServingLimits) { limits.take(serving) }

  /// Whether frames are taken at this moment; otherwise they wait in the decoder.
  var takesFrames: Bool {
    switch phase {
    case .awaitingHello, .awaitingSetup, .open, .draining: !output.isPaused && !memory.isPaused
    case .identifying, .refusing, .opening, .lingering, .closed: false
    }
  }

  /// Whether requests are taken, or at least answered.
  var takesRequests: Bool {
    switch phase {
    case .open, .draining: true
    default: false
    }
  }

  mutating func noteHello(_ hello: ClientMessage.Hello) {
    database = hello.database
    client = hello.client
  }

  var isOpening: Bool { if case .opening = phase { true } else { false } }

  /// Something that no loop does is done for it, and nothing that the peer sends is read meanwhile, its end neither.
  var isWaitingForOthers: Bool {
    switch phase {
    case .identifying, .opening: true
    default: false
    }
  }

  /// A sentence for the first thing that must be true after an event and is not; nil if all is well.
  var contradiction: String? {
    if requests.count > limits.requestsPerConnectionMax { return "more requests are in flight than may be" }
    if transactions.count > limits.transactionsPerConnectionMax { return "more transactions are open than may be" }
    if !takesRequests, !requests.isEmpty || !transactions.isEmpty { return "something is in flight in \(phase)" }
    return nil
  }

  /// After an event of a debug build.
  func invariant() { assert(contradiction == nil, contradiction ?? "") }

  /// The hello is still awaited: nothing was begun, so any failure ends the session.
  private var isGreeting: Bool {
    switch phase {
    case .awaitingHello, .awaitingSetup: true
    default: false
    }
  }

  /// What still arrives is thrown away.
  var ignoresInput: Bool {
    switch phase {
    case .refusing, .lingering, .closed: true
    default: false
    }
  }
}

// MARK: - The connection

extension Session {
  /// After the bytes of one read: how many wait for the rest of their frame, and how many frames were whole.
  mutating func inputRested(partialBytes: Int, framesTaken: Int, now: MonotonicTime) {
    guard partialBytes > 0, takesFrames else {
      partialSince = nil
      return
    }
    if framesTaken > 0 || partialSince == nil { partialSince = now }
  }

  /// Bytes that are no frames: nothing that follows could be understood.
  mutating func framingFailed(_ error: FrameError, now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    refuse(.unreadable(error.message), to: 0, now: now, &actions)
  }

  /// A frame whose message was not taken.
  mutating func decodingFailed(_ failure: MessageError, now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    lastActivity = now
    if failure.isFatal || isGreeting {
      refuse(failure.error, to: failure.requestID, now: now, &actions)
    } else {
      actions.append(.send(.error(failure.error), to: failure.requestID, step: 0))
    }
  }

  /// The peer sent its end, or the connection broke.
  mutating func peerClosed(failed: Bool, _ actions: inout [SessionAction]) {
    defer { invariant() }
    if case .lingering(let reason, _) = phase { return close(reason, &actions) }
    close(failed ? .connectionFailed : .peerClosed, &actions)
  }

  /// The transport cannot carry anything more, and has told the peer why, who needs a moment to read it.
  mutating func transportFailed(now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    if !ignoresInput { linger(.connectionFailed, now: now, &actions) }
  }

  /// The server goes away: what is in flight may finish, nothing new is taken.
  mutating func shutdownBegan(now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    isServerEnding = true
    switch phase {
    case .closed, .draining: return
    case .lingering(let reason, let until):
      phase = .lingering(reason, until: min(until, now.advanced(milliseconds: lingerMs)))
    case .awaitingHello, .awaitingSetup, .identifying, .refusing, .opening:
      actions.append(.send(.closing(DrainCause.shutdown.sentence), to: 0, step: 0))
      linger(.shuttingDown, now: now, &actions)
    case .open: drain(.shutdown, now: now, &actions)
    }
  }

  /// What is in flight may finish; nothing new is taken.
  mutating func drain(_ cause: DrainCause, now: MonotonicTime, _ actions: inout [SessionAction]) {
    drainCause = cause
    // What has begun may finish, and nothing more may be done.
    if cause != .shutdown { subject.permissions = [] }
    phase = .draining(until: now.advanced(milliseconds: limits.shutdownDrainMs))
    actions.append(.send(.closing(cause.sentence), to: 0, step: 0))
    finishDraining(now: now, &actions)
  }

  /// Time has passed. Called every `limits.sessionTickMs` or so.
  mutating func ticked(now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    switch phase {
    case .closed: return
    case .lingering(let reason, let until):
      if now >= until { close(reason, &actions) }
      return
    case .draining(let until):
      if now >= until { return endDraining(now: now, &actions) }
    case .awaitingHello:
      if isHelloDue(now) { return refuse(.helloTooLate(limits), to: 0, reason: .helloTooLate, now: now, &actions) }
    case .awaitingSetup(_, let id):
      if isHelloDue(now) { return refuse(.setupTooLate(limits), to: id, reason: .helloTooLate, now: now, &actions) }
    case .refusing(let id, let at):
      guard now >= at else { return }
      actions.append(.send(.error(.unknownIdentity), to: id, step: 0))
      return linger(.unidentified, now: now, &actions)
    case .identifying(_, let id), .opening(let id):
      if now >= openDue { return refuse(.openedTooLate(limits), to: id, reason: .refused, now: now, &actions) }
    case .open:
      if let identityEnds, now >= identityEnds { return drain(.identityEnded, now: now, &actions) }
    }
    for id in requests.takeUntaken(now: now) { actions.append(.dropUntakenRows(id)) }
    // A client that takes nothing would not take an error either.
    if output.isStalled(now: now) { return close(.outputStalled, &actions) }
    if let since = partialSince, now >= since.advanced(milliseconds: limits.frameCompletionDeadlineMs) {
      return refuse(.frameTooSlow(limits), to: 0, reason: .frameTooSlow, now: now, &actions)
    }
    if requests.isEmpty, transactions.isEmpty, phase == .open,
      now >= lastActivity.advanced(milliseconds: limits.connectionIdleMs)
    {
      actions.append(.send(.closing("The connection was idle for too long. Connect again."), to: 0, step: 0))
      linger(.idleTooLong, now: now, &actions)
    }
  }

  private func isHelloDue(_ now: MonotonicTime) -> Bool {
    now >= connectedAt.advanced(milliseconds: limits.helloDeadlineMs)
  }

  mutating func noteActivity(_ now: MonotonicTime) { lastActivity = now }
}

// MARK: - Ways to the end

extension Session {
  /// Says what is wrong and ends the connection.
  mutating func refuse(
    _ error: RequestError, to id: UInt32, reason: CloseReason = .protocolViolation, now: MonotonicTime,
    _ actions: inout [SessionAction]
  ) {
    guard !ignoresInput else { return }
    actions.append(.send(.error(error), to: id, step: 0))
    linger(reason, now: now, &actions)
  }

  /// Gives the peer a moment to read the last message: closing at once could take it back.
  mutating func linger(_ reason: CloseReason, now: MonotonicTime, _ actions: inout [SessionAction]) {
    phase = .lingering(reason, until: now.advanced(milliseconds: lingerMs))
    abandonAll(&actions)
    actions.append(.finishWriting)
  }

  /// A server that ends leaves its sessions behind after `shutdownCloseMs`, so they end well before.
  private var lingerMs: Int {
    isServerEnding ? min(limits.lingerMs, limits.shutdownCloseMs / 4) : limits.lingerMs
  }

  mutating func close(_ reason: CloseReason, _ actions: inout [SessionAction]) {
    guard phase != .closed else { return }
    phase = .closed
    abandonAll(&actions)
    actions.append(.close(reason))
  }

  /// Ends a drain that has nothing left to wait for.
  mutating func finishDraining(now: MonotonicTime, _ actions: inout [SessionAction]) {
    guard case .draining = phase, requests.isEmpty, transactions.isEmpty else { return }
    linger(drainCause.closeReason, now: now, &actions)
  }

  /// The session's database goes away under it: whoever still waits is told.
  mutating func databaseEnded(_ cause: RequestError, now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    guard !ignoresInput else { return }
    tellUnanswered(cause, &actions)
    refuse(cause, to: 0, reason: .databaseGone, now: now, &actions)
  }

  /// The time for draining is over: whoever still waits is told.
  private mutating func endDraining(now: MonotonicTime, _ actions: inout [SessionAction]) {
    tellUnanswered(drainCause.error, &actions)
    linger(drainCause.closeReason, now: now, &actions)
  }

  /// Tells each request in flight why it gets no other answer, and whether it may have happened all the same.
  private func tellUnanswered(_ cause: RequestError, _ actions: inout [SessionAction]) {
    for entry in requests.entries {
      var error = cause
      error.isOutcomeUnknown = entry.mayOutliveSession
      actions.append(.send(.error(error), to: entry.id, step: 0))
    }
  }

  private mutating func abandonAll(_ actions: inout [SessionAction]) {
    setupBytes = 0
    for entry in requests.entries { actions.append(.forgetRequest(entry.id)) }
    for id in transactions.ids { actions.append(.forgetTransaction(id)) }
    requests.removeAll()
    transactions.removeAll()
  }
}
