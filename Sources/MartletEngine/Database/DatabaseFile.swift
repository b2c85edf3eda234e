import MartletSQLite
import MartletValues
import Synchronization

/// One open database file: its writer, its plans, and the readers of each setup.
///
/// Always true: it is open as long as anybody has a `Database` of it, whatever setup that is for, unless it is made to
/// close (to be renamed, dropped or opened anew, or because the engine ends).
final class DatabaseFile: Sendable {
  let name: String
  let configuration: EngineConfiguration
  let parts: DatabaseParts
  let scopes: SetupScopes
  let writer: Writer
  /// Tells of the database's commits.
  let feed: CommitFeed
  let maintenance = MaintenanceTurn()
  /// Counts who has the database. Whether it closes is decided with the engine's lock held.
  let leases = LeaseCount()
  /// The subject that the database was opened for, as of `Subject.share`; nil for the program itself.
  let owner: UInt64?
  /// The database is being renamed or dropped: nobody new may have it.
  private let leaving = Atomic<Bool>(false)
  private let closing = Atomic<Bool>(false)
  /// The file was made when it was opened, and nobody has told of it.
  private let isUntold: Atomic<Bool>
  /// When the database was last asked for something, in the clock's nanoseconds.
  private let usedAt: Atomic<UInt64>
  /// Since when it was asked for something without a pause; see `SteadyUse`.
  private let usedSince: Atomic<UInt64>

  /// Opens the files, which are locked.
  init(
    files: DatabaseFiles, configuration: EngineConfiguration, workers: WorkerThreads, planner: Planner,
    setupRoom: SetupRoom, owner: UInt64? = nil
  ) throws(RequestError) {
    name = files.name
    self.owner = owner
    isUntold = Atomic(files.isNew)
    self.configuration = configuration
    let now = configuration.clock().nanoseconds
    usedAt = Atomic(now)
    usedSince = Atomic(now)
    let recoveries = Recoveries(database: name, configuration: configuration)
    let plans = PlanCache(
      path: files.path, files: files, limits: configuration.limits, clock: configuration.clock)
    let commitClock = CommitClock(recorded: files.recordedSequence() ?? 0, wallClock: configuration.wallClock) {
      (through) throws(RequestError) in try files.recordSequence(through: through)
    }
    let feed = CommitFeed(clock: commitClock)
    self.feed = feed
    let parts = DatabaseParts(
      files: files, limits: configuration.limits, limitsInForce: configuration.limitsInForce,
      clock: configuration.clock, commitClock: commitClock, plans: plans, workers: workers, planner: planner,
      readCounters: ReadCounters(recoveries: recoveries), setupRoom: setupRoom, log: LogMeter())
    self.parts = parts
    // The connections of its first scope open when they are first needed, so after the writer has made the file.
    let scopes = SetupScopes(parts: parts)
    self.scopes = scopes
    writer = try WriterThread.start(
      files: files, configuration: configuration, planCounters: plans.counters, feed: feed,
      recoveries: recoveries, log: parts.log, endSnapshots: { scopes.logGrew(to: $0) },
      endOldSnapshots: { scopes.logLost(writtenBytes: $0) })
  }

  /// The database as sessions of that setup have it. The caller has a lease.
  func database(for setup: DatabaseSetup, subject: Subject) throws(RequestError) -> Database {
    let (scope, closed) = try scopes.scope(for: setup, subject: subject)
    defer { scope.leases.giveBack() }
    writer.close(setups: closed)
    return Database(file: self, scope: scope)
  }

  var isLeaving: Bool { leaving.load(ordering: .acquiring) }

  /// It is being closed, or was.
  var isClosed: Bool { closing.load(ordering: .acquiring) }

  func leave() { leaving.store(true, ordering: .releasing) }

  func takeNews() -> Bool { isUntold.exchange(false, ordering: .relaxed) }

  func noteUse() { noteUse(at: configuration.clock()) }

  func noteUse(at now: MonotonicTime) {
    let before = MonotonicTime(nanoseconds: usedAt.exchange(now.nanoseconds, ordering: .relaxed))
    if SteadyUse.isPause(from: before, to: now) { usedSince.store(now.nanoseconds, ordering: .relaxed) }
  }

  /// Not counting what event loops answered.
  var use: SteadyUse {
    SteadyUse(since: MonotonicTime(nanoseconds: usedSince.load(ordering: .relaxed)), last: idleSince)
  }

  var idleSince: MonotonicTime { MonotonicTime(nanoseconds: usedAt.load(ordering: .relaxed)) }

  /// Answers what was taken, then closes: readers first, the writer last, since the last connection that closes removes
  /// the log.
  func close() {
    closing.store(true, ordering: .releasing)
    writer.drain()
    scopes.close()
    maintenance.close()
    parts.plans.shutdown()
    writer.close()
    feed.ended(.closed)
    parts.files.release()
  }
}
