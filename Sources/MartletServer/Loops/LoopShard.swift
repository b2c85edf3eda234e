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
  private var tickedAt = ServerClock.now
  /// Lets clients be heard before a tick that comes late judges them.
  private let lateTick = LoopRound()
  /// What the loop's readers run, for the watchdog.
  let watch = StatementWatch()
  /// What new shapes may take of the loop's time.
  let allowance: LoopAllowance

  // Shared by the loop's connections, one after another.
  let decoder: ClientMessageDecoder
  let arena = Arena()
  let spareOutput = SpareOutput()
  var rows = RowBatch()
  var columns: ResultColumns?
  let scratch = TLSScratch()

  let listeners: LoopListeners
  let gate: ConnectionGate
  let turns: TransportTurns
  let handshakes: HandshakeTurns

  /// Connections that are open or on their way here; what placement balances.
  let load = Atomic<Int>(0)

  var hosts: [UInt64: SessionHost] = [:]
  /// What new sessions begin with.
  private(set) var limits: Limits
  /// Nil only while the loop is being prepared.
  private(set) var databases: LoopDatabases?
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
    handshakes = HandshakeTurns(limits: context.limits)
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
    turns.open(bell: try WakeUp(on: loop) { [unowned self] in turns.goOn() }) { [unowned self] in loop.readCapacity }
    try handshakes.begin(on: loop) { [unowned self] in
      open($0, .tls)
    } refuse: { [unowned self] in
      load.subtract(1, ordering: .relaxed)
      gate.refuse(descriptor: $0, kind: .tls, .handshakes)
    }
    databases = try LoopDatabases(loop: loop, context: context, watch: watch, allowance: allowance)
    let ticks = try LoopTimer(on: loop) { [unowned self] in timeCame() }
    try lateTick.open(on: loop) { [unowned self] in tick() }
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
    if loop.isOnLoop { return take(descriptor, kind) }
    let isTaken = loop.post { [self] in take(descriptor, kind) }
    if !isTaken { Listener.refuse(descriptor: descriptor) }
  }

  private func take(_ descriptor: Int32, _ kind: SocketKind) {
    guard kind == .tls, !isShuttingDown else { return open(descriptor, kind) }
    let (subject, _) = context.authenticator.greet(Peer(descriptor: descriptor, isPipe: false), isPipe: false)
    handshakes.arrived(descriptor, of: subject.share)
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
    if encryption != nil { handshakes.began(of: subject.share) }
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

// MARK: - The operator

extension LoopShard {
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

  /// A connection had to be paused: the others bring less at a time, until there is room again, and what is kept for
  /// clients who have left, or for answers that may come, goes.
  func memoryIsShort() {
    counters.memoryPauses.add()
    spareOutput.removeAll()
    context.engine.memoryIsShort()
    if MemoryBudget.isTight { loop.readBytesMax = ServerLimits.shortReadBytes }
  }

  private func timeCame() {
    let now = ServerClock.now
    let isLate = now >= tickedAt.advanced(milliseconds: 2 * context.limits.sessionTickMs)
    tickedAt = now
    if isLate { lateTick.begin() } else { tick() }
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
    if MemoryBudget.isTight { spareOutput.removeAll() } else { spareOutput.tick() }
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
      handshakes.close()
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
