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
  let arena = Arena()
  var rows = RowBatch()
  var columns: ResultColumns?
  let scratch = TLSScratch()

  let listeners: LoopListeners
  let gate: ConnectionGate
  let turns: TransportTurns

  /// Connections that are open or on their way here; what placement balances.
  let load = Atomic<Int>(0)

  var hosts: [UInt64: SessionHost] = [:]
  /// What new sessions begin with.
  private(set) var limits: Limits
  /// Nil only while the loop is being prepared.
  private var databases: LoopDatabases?
  var replies: [Reply] = []
  var unflushed: [SessionHost] = []
  private var nextSession: UInt64
  private var isShuttingDown = false
  private var ended: (@Sendable () -> Void)?
  /// Only one loop of many has it.
  private var housekeeping: Housekeeping?
  private let keepsHouse: Bool

  /// Returns when the loop runs with everything that it needs. Throws if the system refuses some of it; the loop
  /// has stopped then. `fault` stands in for such a refusal in tests.
  init(index: Int, context: ServerContext, fault: LoopError? = nil) throws(LoopError) {
    self.context = context
    keepsHouse = index == 0
    loop = try EventLoop(label: "loop.\(index)")
    limits = context.limits
    allowance = LoopAllowance(limits: context.limits) { ServerClock.now }
    decoder = ClientMessageDecoder(limits: context.limits)
    listeners = LoopListeners(loop: loop, notices: context.notices)
    gate = ConnectionGate(loop: loop, context: context, counters: counters, arena: arena)
    turns = TransportTurns(limits: context.limits)
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
    try mailbox.open(on: loop) { [unowned self] in drainReplies() }
    turns.open(bell: try WakeUp(on: loop) { [unowned self] in turns.goOn() })
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
    // The session that is about to be made.
    let session = nextSession
    let encryption = kind == .tls ? gate.makeEncryption(for: subject) { [weak self] in self?.giveWay(session) } : nil
    if kind == .tls, encryption == nil {
      load.subtract(1, ordering: .relaxed)
      gate.noteRefused(.handshakes, peer)
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
  /// The database for one more session, if the loop has it open. Otherwise nil, and `databaseOpened` of the host
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

  /// A database is about to be closed and opened anew: the loop's readers of it close. Returns the setups for which the
  /// loop has it. From another thread; blocks.
  func detach(databaseNamed name: String) -> [DatabaseSetup] {
    guard let (setups, remains) = inquiry.ask({ [self] in databases?.detach(named: name) }) else { return [] }
    remains.close()
    return setups
  }

  private var inquiry: LoopInquiry { LoopInquiry(loop: loop) }

  /// When each database of the loop was used last that nobody uses now; nil for those that somebody uses. Nil in all
  /// if the loop does not say so in time. From another thread; blocks.
  func restingDatabases() -> [String: MonotonicTime?]? {
    let answer = inquiry.askBriefly { [self] () -> [String: MonotonicTime?]? in
      let busy = busyDatabases
      return databases?.resting { busy.contains(ObjectIdentifier($0)) }
    }
    switch answer {
    case .answered(let resting): return resting
    case .ended: return [:]
    case .silent: return nil
    }
  }

  /// Lets go of a database until one of its sessions uses it again. False if one does now; nil if the loop does
  /// not answer in time. From another thread; blocks.
  func sleep(databaseNamed name: String) -> Bool? {
    let answer = inquiry.askBriefly { [self] () -> DatabaseRemains?? in
      let busy = busyDatabases
      return databases.map { $0.sleep(named: name) { busy.contains(ObjectIdentifier($0)) } }
    }
    switch answer {
    case .answered(let remains):
      remains?.close()
      return remains != nil
    case .ended: return true
    case .silent: return nil
    }
  }

  /// The databases whose sessions have asked for something that has not ended.
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
    inquiry.ask { [self] in databases?.reattach(database) }
  }

  /// The database is dropped or renamed: its sessions end with that sentence, and the loop's readers of it close. From
  /// another thread; blocks.
  func endSessions(ofDatabase name: String, because error: RequestError) {
    inquiry.ask { [self] in
      databases?.remove(named: name)
      for host in Array(hosts.values) { host.databaseEnded(named: name, because: error) }
    }
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
  @inline(__always)
  func noteLatency(_ kind: RequestKind, nanoseconds: UInt64) {
    latencies.note(kind, nanoseconds: nanoseconds)
    hasNewLatencies = true
  }

  /// A connection had to be paused: the others bring less at a time, until there is room again, and the engine keeps
  /// nothing for clients who have left.
  func memoryIsShort() {
    counters.memoryPauses.add()
    context.engine.memoryIsShort()
    if MemoryBudget.isTight { loop.readBytesMax = ServerLimits.shortReadBytes }
  }

  private func tick() {
    let now = ServerClock.now
    loop.readBytesMax = MemoryBudget.isTight ? ServerLimits.shortReadBytes : .max
    for host in hosts.values { host.tick(now: now) }
    if hasNewLatencies {
      hasNewLatencies = false
      latencyBoard.publish(latencies)
    }
    databases?.releaseIdleMemory(now: now)
    // What the last row of megabytes left.
    if rows.byteCount > EngineLimits.memorySmallBytes { rows = RowBatch() }
  }
}

// MARK: - The end

extension LoopShard {
  /// Stops listening and lets connections finish; `ended` is called when the last has gone. From any thread.
  func shutDown(_ ended: @escaping @Sendable () -> Void) {
    loop.post { [self] in
      isShuttingDown = true
      self.ended = ended
      listeners.close()
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
