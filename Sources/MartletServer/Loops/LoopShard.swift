internal import Logging
internal import MartletEngine
internal import MartletLoop
internal import MartletProtocol
internal import MartletTLS
internal import MartletValues
internal import MartletWire
internal import Synchronization

/// One event loop of the server with everything that lives on it: sessions, readers, buffers, timers.
///
/// Always true: what is not locked itself is touched on the loop's thread.
// @unchecked because every mutable property is touched on the loop only: what other threads call posts to the loop, or
// reads `load`, `counters`, `sessions`, `latencyBoard`, `watch` and `mailbox`, which are atomics and mutexes.
final class LoopShard: @unchecked Sendable {
  let loop: EventLoop
  let context: ServerContext
  let counters = ServerCounters()
  let mailbox = ReplyMailbox()
  let sessions = SessionRegister()
  /// Touched on the loop; others read the board.
  var latencies = LatencyHistogram()
  let latencyBoard = LatencyBoard()
  private var hasNewLatencies = false
  /// What the loop's readers run, for the watchdog.
  let watch = StatementWatch()
  /// What new shapes may take of the loop's time.
  let allowance: LoopAllowance

  // Shared by the loop's connections, one after another.
  let decoder: ClientMessageDecoder
  let encoder = ServerMessageEncoder()
  var rows = RowBatch()
  var columns: ResultColumns?
  let scratch = TLSScratch()

  /// Connections that are open or on their way here; what placement balances.
  let load = Atomic<Int>(0)

  private var hosts: [UInt64: SessionHost] = [:]
  /// What new sessions begin with.
  private(set) var limits: Limits
  /// Nil only while the loop is being prepared.
  private var databases: LoopDatabases?
  private var replies: [Reply] = []
  private var unflushed: [SessionHost] = []
  private var nextSession: UInt64
  private var isShuttingDown = false
  private var ended: (@Sendable () -> Void)?
  private var listeners: [Listener] = []
  /// For one loop of many.
  private var housekeeping: Housekeeping?
  private let keepsHouse: Bool
  private var yielding: [NativeTransport] = []
  private var nextTurn: WakeUp?

  /// Returns when the loop runs with everything that it needs. Throws where the system refuses some of it; the loop
  /// has stopped then. `fault` stands in for such a refusal in tests.
  init(index: Int, context: ServerContext, fault: LoopError? = nil) throws(LoopError) {
    self.context = context
    keepsHouse = index == 0
    loop = try EventLoop(label: "loop.\(index)")
    limits = context.limits
    allowance = LoopAllowance(limits: context.limits) { ServerClock.now }
    decoder = ClientMessageDecoder(limits: context.limits)
    nextSession = UInt64(index) << 48 | 1
    let prepared = Promise<Result<Void, LoopError>>()
    loop.post { [self] in
      prepared.fulfil(Result { () throws(LoopError) in try prepare(fault) })
    }
    do throws(LoopError) {
      try prepared.wait().get()
    } catch {
      stop()
      throw error
    }
  }

  private func prepare(_ fault: LoopError?) throws(LoopError) {
    // `unowned`, here and below, because the shard owns its loop and stops it before it goes.
    mailbox.open(doorbell: try WakeUp(on: loop) { [unowned self] in drainReplies() })
    nextTurn = try WakeUp(on: loop) { [unowned self] in continueYielding() }
    databases = try LoopDatabases(loop: loop, context: context, watch: watch, allowance: allowance)
    let ticks = try LoopTimer(on: loop) { [unowned self] in tick() }
    if keepsHouse { housekeeping = try Housekeeping(loop: loop, context: context) }
    if let fault { throw fault }
    ticks.start(afterMs: context.limits.sessionTickMs, repeatMs: context.limits.sessionTickMs)
  }

  /// Ends the loop's thread; nothing of a connection is left by then, or may be dropped. Never on the loop itself.
  func stop() {
    loop.stop()
    loop.join()
  }
}

// MARK: - Connections

extension LoopShard {
  /// Accepts here what comes to the socket, and hands each connection to `place`. On the loop.
  func listen(on socket: ListeningSocket, _ place: @escaping (Int32) -> Void) throws(LoopError) {
    let listener = try Listener(on: socket, loop: loop, place) { [unowned self] error in
      listenLater(on: socket, place, because: error)
    }
    listeners.append(listener)
  }

  /// Nothing can be accepted for want of descriptors or memory: rests for a moment rather than asking again at once.
  private func listenLater(on socket: ListeningSocket, _ place: @escaping (Int32) -> Void, because error: LoopError) {
    context.logger.warning("No connection can be accepted for a moment", metadata: ["reason": "\(error)"])
    let tired = listeners.filter { $0.address == socket.address }
    listeners.removeAll { $0.address == socket.address }
    tired.forEach { $0.close() }
    retry(after: ServerLimits.acceptPauseMs) { [unowned self] in
      guard !isShuttingDown else { return }
      do throws(LoopError) { try listen(on: socket, place) } catch {
        listenLater(on: socket, place, because: error)
      }
    }
  }

  private func retry(after ms: Int, _ body: @escaping () -> Void) {
    var timer: LoopTimer?
    // A timer takes no descriptor, so it can be made where nothing else can.
    timer = try? LoopTimer(on: loop) {
      timer?.close()
      timer = nil
      body()
    }
    timer?.start(afterMs: ms)
  }

  /// Takes over a connection that some loop accepted; its load was counted when this loop was chosen. From any thread.
  func adopt(descriptor: Int32, kind: SocketKind) {
    if loop.isOnLoop { return open(descriptor, kind) }
    let isTaken = loop.post { [self] in open(descriptor, kind) }
    if !isTaken { Listener.refuse(descriptor: descriptor) }
  }

  private func open(_ descriptor: Int32, _ kind: SocketKind) {
    let peer = Peer(descriptor: descriptor, isPipe: kind == .unix)
    guard let stream = try? SocketStream.adopting(descriptor: descriptor, isPipe: kind == .unix, on: loop) else {
      load.subtract(1, ordering: .relaxed)
      return
    }
    let (subject, mustIdentify) = context.authenticator.greet(peer, isPipe: kind == .unix)
    let encryption = kind == .tls ? makeEncryption(for: subject) : nil
    if kind == .tls, encryption == nil {
      load.subtract(1, ordering: .relaxed)
      noteRefused(.handshakes, peer)
      return stream.close()
    }
    counters.connectionsAccepted.add()
    counters.connections.add()
    let transport = NativeTransport(stream, encryption: encryption, shard: self)
    let host = makeHost(on: transport, peer: peer.description, subject: subject, mustIdentify: mustIdentify)
    transport.attach(host)
    context.logger.debug(
      "Connection opened", metadata: ["session": .number(host.id), "loop": "\(loop.label)", "peer": "\(peer)"])
    if isShuttingDown { host.shutDown() }
  }

  /// Nil if too many handshakes run, or that address begins too many; also if a reload has taken the certificate away.
  private func makeEncryption(for subject: Subject) -> TransportEncryption? {
    let authenticator = context.authenticator
    guard let tls = authenticator.tls, authenticator.mayShakeHands(subject, now: ServerClock.now) else {
      return nil
    }
    if let encryption = try? TransportEncryption(tls, authenticator: authenticator, share: subject.share) {
      return encryption
    }
    authenticator.handshakeEnded(subject.share)
    return nil
  }

  /// A session of that subject, whose frames the transport carries. On the loop.
  func makeHost(
    on transport: any Transport, peer: String, subject: Subject, mustIdentify: Bool = false
  ) -> SessionHost {
    let host = SessionHost(
      id: nextSession, transport: transport, peer: peer, subject: subject, mustIdentify: mustIdentify, shard: self)
    nextSession += 1
    hosts[host.id] = host
    return host
  }

  /// Tells a connection beyond the limit why, and closes it.
  func refuse(descriptor: Int32, kind: SocketKind) {
    noteRefused(.connections, Peer(descriptor: descriptor, isPipe: kind == .unix))
    guard let stream = try? SocketStream.adopting(descriptor: descriptor, isPipe: kind == .unix, on: loop) else {
      return
    }
    // A sentence would cost a handshake, and there is no room for it.
    if kind == .tls { return stream.close() }
    let output = OutputBuffer()
    let error = RequestError(
      .resourceExhausted, .overloaded, "The server has no room for another connection. Try again later.",
      isRetryable: true)
    encoder.encode(.error(error), to: 0, into: output)
    stream.write(output.bytes)
    stream.close()
  }

  private func noteRefused(_ cause: RefusedConnections.Cause, _ peer: Peer) {
    counters.connectionsRefused.add()
    if context.audit.isOn { context.refusedConnections.note(cause, from: peer.description) }
  }

  /// The host of an open session of this loop. On the loop.
  func host(_ session: UInt64) -> SessionHost? { hosts[session] }

  func closed(_ host: SessionHost, reason: CloseReason) {
    guard hosts.removeValue(forKey: host.id) != nil else { return }
    counters.connections.add(-1)
    counters.noteClosed(reason)
    sessions.closed(host.id)
    load.subtract(1, ordering: .relaxed)
    context.logger.debug(
      "Connection closed",
      metadata: host.metadata.merging(["reason": "\(reason.rawValue)"]) { $1 })
    if isShuttingDown && hosts.isEmpty { finishShutdown() }
  }
}

// MARK: - Databases

extension LoopShard {
  /// The database for one more session, where the loop has it open. Otherwise nil, and `databaseOpened` of the host
  /// follows.
  func openDatabase(
    named name: String, create: Bool, setup: DatabaseSetup, for host: SessionHost
  ) -> LoopDatabase? {
    let session = host.id
    return databases?.open(
      named: name, create: create, setup: setup, subject: host.session.subject, for: host.asker(),
      isWanted: { [self] in hosts[session] != nil },
      opened: { [self] result in hosts[session]?.databaseOpened(result) })
  }

  func release(_ database: LoopDatabase) { databases?.release(database) }

  func noteSnapshot(of database: LoopDatabase) { databases?.noteSnapshot(of: database) }

  /// A database is about to be closed and opened anew: the loop's readers of it close. Gives the setups for which the
  /// loop has it. From another thread; blocks.
  func detach(databaseNamed name: String) -> [DatabaseSetup] {
    guard let (setups, remains) = ask({ $0.detach(named: name) }) else { return [] }
    remains.close()
    return setups
  }

  /// Asks the loop's databases for something, from another thread; blocks. Nil where the loop has ended.
  private func ask<Answer: Sendable>(_ question: @escaping @Sendable (LoopDatabases) -> Answer) -> Answer? {
    let answer = Promise<Answer?>()
    let isRunning = loop.post { [self] in answer.fulfil(databases.map(question)) }
    return isRunning ? answer.wait() : nil
  }

  /// What came of a question to the loop.
  private enum Asked<Answer> {
    case answered(Answer)
    case ended
    /// It has not answered in time. If it has not begun to answer by then, it never does.
    case silent
  }

  /// Asks as `ask` does, and waits for `WorkLimits.letGoMsMax` at most, because a loop may be stuck.
  private func askBriefly<Answer: Sendable>(
    _ question: @escaping @Sendable (LoopDatabases) -> Answer
  ) -> Asked<Answer> {
    let answer = Promise<Answer?>()
    let asker = Presence()
    let isRunning = loop.post { [self] in answer.fulfil(asker.isGone ? nil : databases.map(question)) }
    guard isRunning else { return .ended }
    guard let result = answer.wait(ms: WorkLimits.letGoMsMax) else {
      asker.leave()
      return .silent
    }
    guard let given = result else { return .ended }
    return .answered(given)
  }

  /// When each database of the loop was used last that nobody uses now; nil for those that somebody uses. Nil in all
  /// where the loop does not say so in time. From another thread; blocks.
  func restingDatabases() -> [String: MonotonicTime?]? {
    let answer = askBriefly { [self] databases in
      let busy = busyDatabases
      return databases.resting { busy.contains(ObjectIdentifier($0)) }
    }
    switch answer {
    case .answered(let resting): return resting
    case .ended: return [:]
    case .silent: return nil
    }
  }

  /// Lets go of a database until one of its sessions uses it again. False where one does now; nil where the loop does
  /// not answer in time. From another thread; blocks.
  func sleep(databaseNamed name: String) -> Bool? {
    let answer = askBriefly { [self] databases in
      let busy = busyDatabases
      return databases.sleep(named: name) { busy.contains(ObjectIdentifier($0)) }
    }
    switch answer {
    case .answered(let remains):
      remains?.close()
      return remains != nil
    case .ended: return true
    case .silent: return nil
    }
  }

  /// Those whose sessions have asked for something that has not ended.
  private var busyDatabases: Set<ObjectIdentifier> {
    Set(hosts.values.lazy.filter(\.usesDatabase).compactMap { $0.database.map { ObjectIdentifier($0) } })
  }

  /// Opens a database that sleeps. On the loop; `woken` as well.
  func wake(_ database: LoopDatabase, for host: SessionHost, woken: @escaping (RequestError?) -> Void) {
    databases?.wake(database, subject: host.session.subject, for: host.asker(), woken: woken)
  }

  func replaceReader(of database: LoopDatabase) { databases?.replaceReader(of: database) }

  func readerIsMissed(_ database: LoopDatabase, for host: SessionHost) {
    databases?.readerIsMissed(database, for: host.asker())
  }

  /// The loop's sessions of that name and setup go on with the database that was opened anew. From another thread;
  /// blocks.
  func reattach(_ database: Database) {
    let attached = Gate()
    let isRunning = loop.post { [self] in
      databases?.reattach(database)
      attached.open()
    }
    if isRunning { attached.wait() }
  }

  /// The database is dropped or renamed: its sessions end with that sentence, and the loop's readers of it close. From
  /// another thread; blocks.
  func endSessions(ofDatabase name: String, because error: RequestError) {
    let ended = Gate()
    let isRunning = loop.post { [self] in
      databases?.remove(named: name)
      for host in Array(hosts.values) { host.databaseEnded(named: name, because: error) }
      ended.open()
    }
    if isRunning { ended.wait() }
  }

  /// The operator has changed limits, and who may do what: every session is told, and asked again. From any thread.
  func reloaded(_ serving: ServingLimits, _ told: Gate) {
    let isRunning = loop.post { [self] in
      limits.take(serving)
      for host in Array(hosts.values) {
        host.session.limitsChanged(serving)
        host.identifyAgain()
      }
      told.open()
    }
    if !isRunning { told.open() }
  }

  /// What a session asked of the server itself has been done, or not; `taken` opens when it has been told so. From any
  /// thread.
  func hostAnswered(session: UInt64, request: UInt32, _ part: ServerMessage.Part, _ taken: Gate? = nil) {
    let isRunning = loop.post { [self] in
      hosts[session]?.hostAnswered(request, part)
      taken?.open()
    }
    if !isRunning { taken?.open() }
  }
}

// MARK: - Turns of the loop

extension LoopShard {
  private func drainReplies() {
    mailbox.take(into: &replies)
    guard !replies.isEmpty else { return }
    let now = ServerClock.now
    var last: SessionHost?
    for reply in replies {
      // Replies of one session tend to come together.
      if last?.id != reply.token.session { last = hosts[reply.token.session] }
      guard let host = last else { continue }
      if host.deliver(reply, now: now) { unflushed.append(host) }
    }
    replies.removeAll(keepingCapacity: true)
    for host in unflushed { host.flush(now: now) }
    unflushed.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  func noteLatency(_ kind: RequestKind, nanoseconds: UInt64) {
    latencies.note(kind, nanoseconds: nanoseconds)
    hasNewLatencies = true
  }

  /// Goes on with a socket after the others had their turn.
  func continueSoon(_ transport: NativeTransport) {
    yielding.append(transport)
    nextTurn?.signal()
  }

  /// As many as there is time for; the others wait until the sockets that have something to read had their turn.
  private func continueYielding() {
    let turn = yielding
    yielding = []
    let end = turnEnds(from: ServerClock.now)
    var next = 0
    while next < turn.count, next == 0 || ServerClock.now < end {
      turn[next].continueAfterYield()
      next += 1
    }
    guard next < turn.count else { return }
    yielding = turn[next...] + yielding
    nextTurn?.signal()
  }

  /// When whoever begins now makes room for others.
  func turnEnds(from now: MonotonicTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: now.nanoseconds &+ UInt64(context.limits.loopTurnMicroseconds) &* 1_000)
  }

  /// A connection had to be paused: the others bring less at a time, until there is room again.
  func memoryIsShort() {
    counters.memoryPauses.add()
    if MemoryBudget.isTight { loop.readBytesMax = Self.shortReadBytes }
  }

  private static let shortReadBytes = 16 << 10

  private func tick() {
    let now = ServerClock.now
    loop.readBytesMax = MemoryBudget.isTight ? Self.shortReadBytes : .max
    for host in hosts.values { host.tick(now: now) }
    if hasNewLatencies {
      hasNewLatencies = false
      latencyBoard.publish(latencies)
    }
    databases?.releaseIdleMemory(now: now)
    // What the last row of megabytes left.
    if rows.byteCount > MemoryShares.smallBytes { rows = RowBatch() }
  }
}

// MARK: - The end

extension LoopShard {
  /// Stops listening and lets connections finish; `ended` is called when the last has gone. From any thread.
  func shutDown(_ ended: @escaping @Sendable () -> Void) {
    loop.post { [self] in
      isShuttingDown = true
      self.ended = ended
      listeners.forEach { $0.close() }
      listeners = []
      for host in hosts.values { host.shutDown() }
      if hosts.isEmpty { finishShutdown() }
    }
  }

  private func finishShutdown() {
    databases?.removeAll()
    let ended = self.ended
    self.ended = nil
    ended?()
  }
}
