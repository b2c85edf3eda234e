internal import MartletProtocol
internal import MartletValues

/// What a client asks: each message is started, answered or refused.
///
/// Always true: a request that is started is in the table until its end is sent; ids in flight are unique.
extension Session {
  /// A whole, checked message. Only called while `takesFrames`.
  /// `refusal`: the quota that a request would exceed, which it is told if nothing else is wrong with it.
  mutating func messageDecoded(
    _ message: ClientMessage, refusal: RequestError? = nil, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    defer { invariant() }
    noteActivity(now)
    let id = message.requestID
    switch phase {
    case .identifying, .refusing, .opening, .lingering, .closed: return
    case .awaitingHello:
      guard case .hello(let hello) = message.kind else {
        return refuse(.helloMissing, to: id, now: now, &actions)
      }
      return helloReceived(hello, id: id, now: now, &actions)
    case .awaitingSetup(let hello, let helloID):
      return setupReceived(message, after: hello, helloID: helloID, now: now, &actions)
    case .open, .draining: break
    }
    switch message.kind {
    case .hello:
      refuse(.helloAgain, to: id, now: now, &actions)
    case .setup:
      refuse(.setupUnannounced, to: id, now: now, &actions)
    case .credit(let bytes): creditReceived(bytes: Int(bytes), id: id, now: now, &actions)
    case .cancel: if requests.contains(id) { actions.append(.cancel(id)) }
    // Also answered if no other request would be: it asks whether the session is there.
    case .request(.ping(let payload)):
      actions.append(.send(refusal.map { .error($0) } ?? .pong(payload), to: id, step: 0))
    case .request(let request): requestReceived(request, id: id, refusal: refusal, now: now, &actions)
    }
  }

  // MARK: Hello

  private mutating func helloReceived(
    _ hello: ClientMessage.Hello, id: UInt32, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    guard hello.protocolVersion == greeting.protocolVersion else {
      return refuse(.otherProtocol(ours: greeting.protocolVersion), to: id, now: now, &actions)
    }
    do throws(InvalidMartletURL) {
      if !hello.database.isEmpty { try MartletURL.check(database: hello.database) }
    } catch {
      return refuse(.unreadable(error.message), to: id, reason: .refused, now: now, &actions)
    }
    if let error = excess(of: hello.setup) {
      return refuse(error, to: id, reason: .refused, now: now, &actions)
    }
    waits(for: hello, since: now)
    identify(hello, id: id, now: now, &actions)
  }

  private mutating func waits(for hello: ClientMessage.Hello, since now: MonotonicTime) {
    openDue = now.advanced(milliseconds: limits.openDeadlineMs)
    setupBytes = Self.bytes(of: hello.setup)
  }

  /// The hello is taken, from somebody who is known.
  mutating func goOn(after hello: ClientMessage.Hello, id: UInt32, _ actions: inout [SessionAction]) {
    if hello.setupFollows {
      phase = .awaitingSetup(hello, helloID: id)
      actions.append(.setFrameLimit(bytes: limits.setupFrameBytesMax))
    } else {
      openDatabase(for: hello, id: id, &actions)
    }
  }

  private mutating func openDatabase(for hello: ClientMessage.Hello, id: UInt32, _ actions: inout [SessionAction]) {
    phase = .opening(helloID: id)
    noteHello(hello)
    actions.append(.pauseReading)
    if hello.database.isEmpty { return actions.append(.openServer) }
    actions.append(.openDatabase(name: hello.database, create: hello.create, setup: hello.setup))
  }

  /// The message after a hello that announced a setup.
  private mutating func setupReceived(
    _ message: ClientMessage, after hello: ClientMessage.Hello, helloID: UInt32, now: MonotonicTime,
    _ actions: inout [SessionAction]
  ) {
    guard case .setup(let statements) = message.kind, message.requestID == helloID else {
      return refuse(.setupMissing, to: message.requestID, now: now, &actions)
    }
    var hello = hello
    hello.setup += statements
    if let error = excess(of: hello.setup) {
      return refuse(error, to: helloID, reason: .refused, now: now, &actions)
    }
    waits(for: hello, since: now)
    openDatabase(for: hello, id: helloID, &actions)
  }

  private static func bytes(of setup: [[UInt8]]) -> Int { setup.reduce(0) { $0 + $1.count } }

  private func excess(of setup: [[UInt8]]) -> RequestError? {
    guard setup.count > limits.setupStatementsMax || Self.bytes(of: setup) > limits.setupBytesMax else { return nil }
    return .setupTooLarge(limits)
  }

  /// The database is there: the session is open.
  mutating func databaseOpened(_ actions: inout [SessionAction]) {
    defer { invariant() }
    guard case .opening(let id) = phase else { return }
    phase = .open
    setupBytes = 0
    actions.append(.setFrameLimit(bytes: limits.frameBytesMax))
    actions.append(.send(.hello(greeting), to: id, step: 0))
    if !memory.isPaused { actions.append(.resumeReading) }
  }

  /// The database is not there or cannot be opened; the client may try another.
  mutating func databaseRefused(_ error: RequestError, _ actions: inout [SessionAction]) {
    defer { invariant() }
    guard case .opening(let id) = phase else { return }
    phase = .awaitingHello
    setupBytes = 0
    actions.append(.setFrameLimit(bytes: limits.frameBeforeHelloBytesMax))
    actions.append(.send(.error(error), to: id, step: 0))
    if !memory.isPaused { actions.append(.resumeReading) }
  }

  // MARK: Requests

  private mutating func requestReceived(
    _ request: ClientMessage.Request, id: UInt32, refusal: RequestError?, now: MonotonicTime,
    _ actions: inout [SessionAction]
  ) {
    if requests.contains(id) || transactions.contains(id) {
      // Nobody could tell which of the two requests an answer is for, so the peer's numbering is broken.
      return refuse(.requestIDInFlight, to: id, now: now, &actions)
    }
    guard requests.count < limits.requestsPerConnectionMax else {
      return fail(id, .tooManyRequests(limits), &actions)
    }
    do throws(RequestError) {
      if database.isEmpty, request.needsDatabase { throw .noDatabaseNamed }
      if let refusal { throw refusal }
      try subject.check(request.permissions)
      let kind = try admit(request, id: id)
      let (deadlineMs, bound) = deadline(request.deadlineMs)
      let due = now.advanced(milliseconds: deadlineMs)
      var credit = 0
      if let wanted = request.credit {
        credit = insert(id, credit: wanted, mayOutliveSession: request.mayOutliveSession, due: due)
      } else {
        requests.insert(
          RequestEntry(
            id: id, kind: kind, mayOutliveSession: request.mayOutliveSession, clientCredit: 0, engineCredit: 0,
            patienceEnds: .distantFuture))
      }
      if let bound, let index = requests.index(of: id) { requests[index].boundDeadline = (bound, deadlineMs, due) }
      actions.append(.start(id, request, deadline: due, credit: credit))
    } catch {
      fail(id, error, &actions)
    }
  }

  /// A request was answered on the loop itself; its answer is in the output already.
  mutating func answeredInline(_ id: UInt32, now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    requests.remove(id)
    if case .draining = phase { finishDraining(now: now, &actions) }
  }

  /// Throws if the request may not start now. What has no rule here is let in, in its transaction or on its own.
  private mutating func admit(
    _ request: ClientMessage.Request, id: UInt32
  ) throws(RequestError) -> RequestEntry.Kind {
    switch request {
    case .begin(let mode, _):
      if mode == .write { try checkMayWrite() }
      try begin(id)
      return .begin
    case .finish(let transaction, _, _):
      try admit(existing: transaction)
      transactions.finishing(transaction)
      return .finish(transaction: transaction)
    case .savepoint(let transaction, _, _): try admit(existing: transaction)
    // A server that is going away still says how it is.
    case .inspect: break
    case .administer(let task):
      try admit(transaction: 0)
      if !database.isEmpty, task.database == database, task.needsItClosed {
        throw .databaseOpenHere(database)
      }
    default: try admit(transaction: request.transaction)
    }
    return .plain
  }

  private func fail(_ id: UInt32, _ error: RequestError, _ actions: inout [SessionAction]) {
    actions.append(.send(.error(error), to: id, step: 0))
  }

  /// A subject that may not write may not hold the writer either.
  private func checkMayWrite() throws(RequestError) {
    let writes: Permissions = [.insert, .update, .delete, .schema, .raw]
    if subject.permissions.isDisjoint(with: writes) { throw .mayNotWrite }
  }

  private mutating func begin(_ id: UInt32) throws(RequestError) {
    if case .draining = phase { throw drainCause.error }
    guard transactions.count < limits.transactionsPerConnectionMax else {
      throw .tooManyTransactions(limits)
    }
    transactions.began(id)
  }

  private func admit(transaction: UInt32) throws(RequestError) {
    if transaction != 0 { return try admit(existing: transaction) }
    if case .draining = phase { throw drainCause.error }
  }

  private func admit(existing transaction: UInt32) throws(RequestError) {
    switch transactions.state(of: transaction) {
    case .open: return
    case .over(let cause?): throw .transactionOver(because: cause)
    case .over(nil): throw .transactionOver
    case .unknown: throw .noTransaction
    }
  }

  /// Puts a statement or batch into the table and gives the credit that the engine gets at first.
  private mutating func insert(
    _ id: UInt32, credit: UInt32, mayOutliveSession: Bool, due: MonotonicTime
  ) -> Int {
    let client = min(credit == 0 ? limits.creditDefaultBytes : Int(credit), limits.creditMaxBytes)
    let engine = min(client, creditWindow(inFlight: requests.count + 1))
    requests.insert(
      RequestEntry(
        id: id, kind: .rows, mayOutliveSession: mayOutliveSession, clientCredit: client, engineCredit: engine,
        patienceEnds: due.advanced(milliseconds: limits.outputStallMs)))
    return engine
  }

  /// How long the request may take, and what made that shorter than it asked for.
  private func deadline(_ milliseconds: UInt32) -> (ms: Int, bound: RequestEntry.Bound?) {
    let asked = milliseconds == 0 ? limits.deadlineDefaultMs : Int(milliseconds)
    let wanted = min(asked, limits.deadlineMaxMs)
    if let quota = subject.quotas?.deadlineMs, quota < wanted { return (quota, .quota) }
    return (wanted, wanted < asked ? .limit : nil)
  }

  /// The error for a request that was too late; it names the quota or the limit that made the deadline so short, if one
  /// did.
  func explained(_ error: RequestError, of id: UInt32, now: MonotonicTime) -> RequestError {
    guard let index = requests.index(of: id), let deadline = requests[index].boundDeadline, now >= deadline.due else {
      return error
    }
    if deadline.bound == .limit {
      var named = error
      named.message += " The server's limit deadline-max-ms allows \(deadline.ms) ms at most."
      return named
    }
    var named = RequestError.quotaExceeded(.deadlineMs, deadline.ms)
    named.sqliteCode = error.sqliteCode
    named.isOutcomeUnknown = error.isOutcomeUnknown
    return named
  }

  private mutating func creditReceived(
    bytes: Int, id: UInt32, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    guard let index = requests.index(of: id) else { return }
    let patience = now.advanced(milliseconds: limits.outputStallMs)
    requests[index].patienceEnds = max(requests[index].patienceEnds, patience)
    // Neither trap nor wrap: the account holds at most `creditMaxBytes`, and a message brings at most 4 GiB.
    requests[index].clientCredit = min(requests[index].clientCredit + bytes, limits.creditMaxBytes)
    extendCredit(at: index, &actions)
  }
}
