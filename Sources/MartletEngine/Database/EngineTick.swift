import MartletValues
import Synchronization

/// What an engine does again and again: it looks at limits of time, and lets go of what nobody has.
///
/// Always true: it knows the databases and not the engine, so that its thread does not keep the engine alive.
final class EngineTick: Sendable {
  private let monitor: Monitor<EngineState>
  private let configuration: EngineConfiguration
  private let workers: WorkerThreads
  private let setupRoom: SetupRoom
  private let seen = Mutex<[UInt64: UInt64]>([:])
  /// Until when memory counts as short, in the clock's nanoseconds.
  private let shortUntil = Atomic<UInt64>(0)

  init(
    _ monitor: Monitor<EngineState>, configuration: EngineConfiguration, workers: WorkerThreads, setupRoom: SetupRoom
  ) {
    self.monitor = monitor
    self.configuration = configuration
    self.workers = workers
    self.setupRoom = setupRoom
  }

  /// Somebody waits for memory or was refused some: for as long as one waits before a refusal, nothing is kept for
  /// those who may come back. On any thread.
  func memoryIsShort() {
    let until = configuration.clock().advanced(milliseconds: configuration.limits.memoryPauseMs)
    shortUntil.store(until.nanoseconds, ordering: .relaxed)
  }

  private func isMemoryShort(at now: MonotonicTime) -> Bool {
    now.nanoseconds < shortUntil.load(ordering: .relaxed) || MemoryBudget.isTight
  }

  /// One look, on the ticker's thread.
  func look() {
    seen.withLock { workers.look(at: &$0) }
    let now = configuration.clock()
    let isShort = isMemoryShort(at: now)
    let open = monitor.withLock { $0.open }
    for database in open {
      let files = database.parts.files
      if files.isLookDue(at: now) {
        if files.checkAll() != nil, !database.writer.isFenced { database.writer.wake() }
        if let notice = files.foreignProcessNotice() { configuration.report(notice) }
      }
      database.scopes.tick(now: now, isMemoryShort: isShort)
      database.writer.tick()
      database.parts.plans.tick(now: now)
    }
    let limits = configuration.limits
    Self.closeIdleSetups(
      of: open, now: now, idleMs: limits.setupIdleMs, keptBytes: isShort ? 0 : setupRoom.freeBytes)
    while Engine.closeOneIdle(monitor, configuration, unusedFor: limits.databaseIdleMs) {}
    // One at a time, because closing may take a while and what there is may suffice by then.
    if isShort { _ = Engine.closeOneIdle(monitor, configuration, unusedFor: limits.idleCacheMs) }
  }

  /// Closes the setups of all these databases that nobody has: those that have been idle for `idleMs`, and of the
  /// others the ones used longest ago, until they come to no more than `keptBytes`.
  static func closeIdleSetups(of databases: [DatabaseFile], now: MonotonicTime, idleMs: Int, keptBytes: Int) {
    var idle = IdleSetups()
    for database in databases { database.scopes.addIdle(to: &idle) }
    guard let since = idle.goingSince(now: now, idleMs: idleMs, keptBytes: keptBytes) else { return }
    for database in databases { database.writer.close(setups: database.scopes.closeIdle(since: since)) }
  }
}
