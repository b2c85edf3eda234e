internal import Foundation
internal import Logging
internal import MartletEngine
internal import MartletLoop
internal import MartletProtocol
public import MartletValues
internal import Synchronization

/// A Martlet server in this process: an engine, event loops that serve it, and their beginning and end.
///
/// Always true: when `start` has returned, every address answers; when `stop` has returned, every acknowledged write is
/// on disk, and if it says so the directory is free for another server and nothing of this one runs.
public final class Server: Sendable {
  /// The server's name and version, as clients see it.
  public static let version = "martlet/0.1"

  public let configuration: ServerConfiguration
  /// The limits before they were made to fit what this machine has.
  let askedLimits: Limits
  let context: ServerContext
  let shards: [LoopShard]
  let loops: LoopSet

  private enum Phase: Equatable {
    case made
    case running
    case stopping
    case stopped(Ending)
  }

  /// What this server may use; a reload changes it.
  let memory: ProcessClaim
  private let temporaryFiles: ProcessClaim

  /// The limits of the last reload, or of the start.
  let limitsInForce: Mutex<ServingLimits>

  private let phase = Mutex(Phase.made)
  /// Open as soon as `start` has done what it can.
  let started = Gate()
  private let end = Gate()
  private let watchdog = Mutex<Watchdog?>(nil)
  /// Acts on signals, and closes the server. Both threads are there from the start on.
  private let signals = Mutex<ReactionThread?>(nil)
  private let closer = Mutex<ReactionThread?>(nil)

  /// Opens the data directory. Throws `ServerError` if the limits contradict each other, an address is not allowed,
  /// or another server has the directory.
  public init(configuration: ServerConfiguration) throws {
    var configuration = configuration
    if let contradiction = configuration.limits.check() { throw ServerError.unfitLimits(contradiction) }
    try Self.checkAddresses(configuration)
    let (rules, tls) = try Self.access(configuration)
    let audit = AuditLog(
      file: try AuditLog.file(of: configuration.audit), level: configuration.audit?.statements ?? .refused,
      parameters: configuration.audit?.parameters ?? [], logger: configuration.logger)
    askedLimits = configuration.limits
    ProcessSetup.ignoreSignalsOfWrites()
    Self.fitMemory(&configuration)
    memory = ProcessClaim(.memory, bytes: configuration.limits.memoryBudgetBytes)
    configuration.limits.fit(freeForTemporaryFiles: TemporaryFileRoom.freeBytes)
    temporaryFiles = ProcessClaim(.temporaryFiles, bytes: configuration.limits.temporaryBytesMax)
    let count = configuration.loops > 0 ? configuration.loops : ProcessSetup.cores
    try Self.fitDescriptors(&configuration, loops: count)
    self.configuration = configuration
    limitsInForce = Mutex(ServingLimits(configuration.limits))
    do throws(RequestError) {
      var settings = EngineConfiguration(
        directory: configuration.directory, limits: configuration.limits,
        clock: { ServerClock.now })
      settings.makesPageChecksums = configuration.makesPageChecksums
      settings.key = try configuration.keyFile.map { path throws(RequestError) in try DatabaseKey(file: path) }
      let logger = configuration.logger
      let notices = ClientNotices(logger: logger)
      settings.report = { notice in
        // Clients drop and rename databases as often as they like; what is worse than that is not theirs to do.
        if notice.level == .notice { return notices.note(.engine, saying: notice.text, notice.metadata) }
        logger.log(level: notice.level.logLevel, "\(notice.text)", metadata: notice.metadata)
      }
      let engine = try Engine(configuration: settings)
      loops = LoopSet(engine: engine, limits: configuration.limits, audit: audit)
      context = ServerContext(
        version: Self.version, limits: configuration.limits, engine: engine, logger: configuration.logger, work: loops,
        authenticator: Authenticator(rules: rules, tls: tls, limits: configuration.limits),
        slowQueryMs: configuration.slowQueryMs, audit: audit, notices: notices)
    } catch {
      throw ServerError(error.message)
    }
    shards = try Self.startLoops(count, context)
    loops.set(shards)
  }

  /// Makes the limits fit the budget of memory, says in the log if the page cache does not, and makes the allocator
  /// give back what is freed.
  private static func fitMemory(_ configuration: inout ServerConfiguration) {
    let machine = MachineMemory.current
    ProcessSetup.tuneAllocator(hasFewAddresses: machine.addressBytes != nil)
    let budget = configuration.limits.memoryBudgetBytes
    let asked = configuration.limits
    configuration.limits.fit(memoryBudgetBytes: budget > 0 ? budget : machine.budgetBytes)
    guard let cut = PageCacheCut(asked: asked, fitted: configuration.limits) else { return }
    configuration.logger.log(level: cut.level, PageCacheCut.message, metadata: cut.metadata)
  }

  /// Makes the limits fit the descriptors that the system grants, and says in the log what came of it.
  private static func fitDescriptors(_ configuration: inout ServerConfiguration, loops: Int) throws(ServerError) {
    let limits = configuration.limits
    let addresses = configuration.listen.count
    let wanted = DescriptorPlan.wanted(by: limits, loops: loops, addresses: addresses)
    guard let (former, granted) = ProcessSetup.raiseDescriptorLimit(to: wanted) else { return }
    guard let plan = DescriptorPlan(granted: granted, limits: limits, loops: loops, addresses: addresses) else {
      let least = DescriptorPlan.least(limits: limits, loops: loops, addresses: addresses)
      throw .tooFewOpenFiles(granted: granted, least: least)
    }
    plan.apply(to: &configuration.limits)
    configuration.logger.log(
      level: plan.isReduced ? .warning : .info,
      plan.isReduced
        ? "The limit on open files allows less than was configured: raise it with `ulimit -n`"
        : "Open files suffice for what is configured",
      metadata: [
        "limit": .number(granted), "former": .number(former), "wanted": .number(wanted),
        "connections": .number(plan.connections),
        "databases": .number(plan.databases), "readers": .number(plan.readers),
      ])
  }

  /// Starts all loops. If one fails, stops those that were started and throws the reason.
  private static func startLoops(_ count: Int, _ context: ServerContext) throws(ServerError) -> [LoopShard] {
    var shards: [LoopShard] = []
    for index in 0..<count {
      do throws(LoopError) {
        shards.append(try LoopShard(index: index, context: context))
      } catch {
        for shard in shards { shard.stop() }
        context.engine.shutdown()
        throw .cannotStartLoop(index + 1, of: count, error)
      }
    }
    return shards
  }

  /// A file that was copied into the directory under a name that no URL can say is in no list of databases either.
  private func noteUnservableFiles() {
    let files = context.engine.unservableFiles
    guard !files.isEmpty else { return }
    context.logger.warning(
      "Files of the data directory are not served, because no database can have their names; rename them",
      metadata: [
        "files": "\(PrintableText.line(files.joined(separator: ", "), lengthMax: ServerLimits.loggedCharactersMax))",
        "count": .number(files.count), "rule": "\(SimpleName.rule("A database's name"))",
      ])
  }

  /// Listens, writes the ready file, and gives the URLs with the ports that the system chose. Reacts to signals of the
  /// process from before it listens.
  public func start(reactions: [SignalReaction] = []) throws -> [MartletURL] {
    let isFirst = phase.withLock { phase in
      guard phase == .made else { return false }
      phase = .running
      return true
    }
    guard isFirst else { throw ServerError.startedAlready }
    defer { started.open() }
    do {
      let dog = try startWatchdog()
      try startThread(in: closer)
      try watch(reactions, on: dog.loop)
      noteAudit(.serverStarted)
      let urls = try configuration.listen.map { try listen(at: $0) }
      if let readyFile = configuration.readyFile {
        try ProcessSetup.writeAtomically(urls.map { "\($0)\n" }.joined(), to: readyFile)
      }
      noteWhoMayCome()
      noteUnfitRules()
      noteUnservableFiles()
      for note in Engine.startupNotes {
        context.logger.log(level: note.isWarning ? .warning : .info, "\(note.text)")
      }
      context.logger.info(
        "Serving",
        metadata: [
          "urls": "\(urls.map(\.description).joined(separator: " "))", "loops": .number(shards.count),
          "sqlite": "\(context.greeting.sqlite)",
          "memory_mib": .number(configuration.limits.memoryBudgetBytes >> 20),
          "temporary_mib": .number(configuration.limits.temporaryBytesMax >> 20),
        ])
      return urls
    } catch {
      stop()
      throw error
    }
  }

  private func startWatchdog() throws(ServerError) -> Watchdog {
    let started = Promise<Void>()
    do throws(LoopError) {
      let dog = try Watchdog(context: context, loops: loops, shards: shards)
      watchdog.withLock { $0 = dog }
      try dog.loop.startWorkers { started.fulfil(()) }
      started.wait()
      return dog
    } catch {
      throw .tooFewThreads("\(error)")
    }
  }

  /// Returns the thread that acts on signals, which is started now.
  func startSignals() throws(ServerError) -> ReactionThread { try startThread(in: signals) }

  /// Starts a thread that ends with the server.
  @discardableResult
  private func startThread(in place: borrowing Mutex<ReactionThread?>) throws(ServerError) -> ReactionThread {
    let thread = ReactionThread()
    guard thread.start() else { throw .tooFewThreads("there is none for signals and for the end") }
    let isKept = phase.withLock { phase in
      if phase == .running { place.withLock { $0 = thread } }
      return phase == .running
    }
    guard isKept else {
      thread.end()
      throw .stoppedWhileStarting
    }
    return thread
  }

  /// How a server has ended.
  public enum Ending: Sendable, Equatable {
    /// Nothing of the server runs any more, and its directory is free.
    case complete
    /// These threads did not come back from what SQLite does for them, and cannot be ended. Every acknowledged write
    /// is on disk. What is left ends by itself when they come back, and keeps the directory locked until then; a
    /// process that has nothing else to do exits.
    case abandoned(threads: [String])
  }

  /// Stops gracefully: no new connections and requests; what is in flight has `limits.shutdownDrainMs` to finish, and
  /// then reads are interrupted. Returns when everything has ended, or `limits.shutdownCloseMs` after that time
  /// whatever is left. Never call it on a loop's own thread.
  @discardableResult
  public func stop() -> Ending {
    let isFirst = phase.withLock { phase in
      guard phase == .running || phase == .made else { return false }
      phase = .stopping
      return true
    }
    guard isFirst else { return wait() }
    context.logger.info("Stopping")
    context.audit.note(context.refusedConnections)
    noteAudit(.serverStopping)
    var limits = configuration.limits
    limits.take(limitsInForce.withLock { $0 })
    let (drainMs, closeMs) = (limits.shutdownDrainMs, limits.shutdownCloseMs)
    let closed = TimedSemaphore()
    let start = DispatchTime.now()
    // Copies of logs that have not begun when reads are interrupted do not begin.
    close(logsDue: ServerClock.now.advanced(milliseconds: drainMs + closeMs / 2)) { closed.signal() }
    var isClosed = closed.wait(by: start + .milliseconds(drainMs + closeMs / 2))
    if !isClosed {
      context.engine.interruptReads()
      isClosed = closed.wait(by: start + .milliseconds(drainMs + closeMs))
    }
    context.notices.ended()
    context.slowQueries.ended()
    let ending = isClosed ? Ending.complete : .abandoned(threads: watchdog.withLock { $0?.stuck ?? [] })
    if case .abandoned(let threads) = ending {
      let left = threads.isEmpty ? "what had not closed in time" : "threads that do not come back"
      context.logger.critical(
        "Stopped without \(left); every acknowledged write is on disk",
        metadata: ["threads": "\(threads.joined(separator: ", "))"])
    } else {
      context.logger.info("Stopped")
    }
    watchdog.withLock { watchdog in
      defer { watchdog = nil }
      return watchdog
    }?.stop()
    context.audit.close()
    signals.withLock { $0 }?.end()
    phase.withLock { $0 = .stopped(ending) }
    end.open()
    return ending
  }

  /// Closes on another thread, because any part of it may wait for a thread that never comes back. A server that has
  /// not started has nothing to wait for.
  private func close(logsDue: MonotonicTime, _ closed: @escaping @Sendable () -> Void) {
    guard let closer = closer.withLock({ $0 }) else {
      close(logsDue: logsDue)
      return closed()
    }
    closer.act { [self] in
      close(logsDue: logsDue)
      closed()
    }
    closer.end()
  }

  private func close(logsDue: MonotonicTime) {
    let drained = Gate(count: shards.count)
    for shard in shards { shard.shutDown { drained.open() } }
    drained.wait()
    context.engine.shutdown(copyingLogsUntil: logsDue)
    for shard in shards { shard.loop.stop() }
    for shard in shards { shard.loop.join() }
    loops.set([])
  }

  /// Waits until the server has stopped.
  @discardableResult
  public func wait() -> Ending {
    end.wait()
    return phase.withLock { if case .stopped(let ending) = $0 { ending } else { .complete } }
  }

  /// Named totals and gauges of the server and its engine; what `Inspect` shows over the wire.
  public var counters: [(name: String, value: Int64)] { loops.counters }

  /// How long requests took since the start, by kind; at most `limits.sessionTickMs` old.
  public var latencies: [LatencyCounts] { loops.latencies }

  /// Whether the server serves: it has started, is not asked to end, and no thread of it is stuck.
  public var isReady: Bool {
    phase.withLock { $0 == .running } && loops.stuckThreads.load(ordering: .relaxed) == 0
  }
}

extension EngineNotice {
  fileprivate var metadata: Logger.Metadata { database.isEmpty ? [:] : ["database": "\(database)"] }
}

extension EngineNotice.Level {
  fileprivate var logLevel: Logger.Level {
    switch self {
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    }
  }
}
