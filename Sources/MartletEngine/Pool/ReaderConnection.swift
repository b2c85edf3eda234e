import MartletSQLite
import MartletValues
import Synchronization

/// One read-only connection of the pool, with its compiled plans and the statements of its own.
///
/// Always true: used by the holder of its lease only, whichever thread that is on; opened by the first one, and anew by
/// one with another setup. Whether a snapshot is open is what SQLite says; one that cannot be ended is closed with its
/// connection.
// Unchecked because a lease has one holder, and its locks order what its threads do with the connection.
final class ReaderConnection: @unchecked Sendable {
  /// What there is once the file is open.
  final class Session {
    let connection: Connection
    let plans: PreparedPlans
    private let begin: Statement
    private let commit: Statement
    private let rollBack: Statement
    private let touch: Statement
    private let recoveries: Recoveries
    /// Changes of the schema that the connection has met.
    private var schemaCount: UInt64

    init(
      connection: Connection, plans: PreparedPlans, recoveries: Recoveries, schemaCount: UInt64
    ) throws(SQLiteError) {
      self.schemaCount = schemaCount
      self.connection = connection
      self.recoveries = recoveries
      self.plans = plans
      begin = try connection.prepare(TransactionSQL.begin, for: .engine)
      commit = try connection.prepare(TransactionSQL.commit, for: .engine)
      rollBack = try connection.prepare(TransactionSQL.rollBack, for: .engine)
      touch = try connection.prepare(TransactionSQL.touch, for: .engine)
    }

    /// Nothing is open between two holders, and nothing watches.
    var isSettled: Bool { connection.isAutocommit }

    /// Takes a snapshot that stays until `endSnapshot`.
    func takeSnapshot() throws(SQLiteError) {
      for attempt in 1... {
        if !isSettled {
          endSnapshot()
          recoveries.recovered(connection.label, "a snapshot was open before one was to be taken, and has been ended")
        }
        do throws(SQLiteError) {
          try run(begin)
          try run(touch)
          return
        } catch {
          endSnapshot()
          // Nobody can have asked to end these two statements.
          guard error.code == SQLiteCode.interrupt, attempt < EngineLimits.statementAttemptsMax, isSettled else {
            throw error
          }
        }
      }
    }

    /// Whether the connection has read the schema since that changed last.
    func knows(_ schema: SchemaChanges) -> Bool { schema.count == schemaCount }

    /// Takes a snapshot, and reads the schema in it if that has changed since the connection read it, at the cost of
    /// those who change it. Without a snapshot it could change again while it is read, and SQLite would read it time
    /// after time.
    func takeSnapshot(
      following schema: SchemaChanges, for session: UInt64, at now: MonotonicTime
    ) throws(SQLiteError) {
      // What was counted before is in the snapshot.
      let count = schema.count
      try takeSnapshot()
      guard count != schemaCount else { return }
      // If it cannot be read, the statement that follows fails in the same way, and says why.
      guard let nanoseconds = try? connection.readSchemaTimed() else { return }
      schemaCount = count
      plans.removeAll()
      schema.wasRead(nanoseconds, by: session, at: now)
    }

    private func run(_ statement: Statement) throws(SQLiteError) {
      let wasArmed = connection.limiter.suspend()
      defer {
        statement.reset()
        connection.limiter.resume(wasArmed)
      }
      _ = try statement.step()
    }

    /// Ends the snapshot. If `isSettled` is false afterwards, the connection cannot be used any more.
    func endSnapshot() {
      guard !isSettled else { return }
      try? run(commit)
      for _ in 0..<EngineLimits.statementAttemptsMax where !isSettled { try? run(rollBack) }
    }
  }

  let number: Int
  // `unowned` because whoever has the connection keeps the pool alive until it is given back.
  unowned let pool: ReaderPool
  private let path: String
  private let files: DatabaseFiles?
  private let limits: Limits
  private let clock: @Sendable () -> MonotonicTime
  private let counters: PlanCacheCounters
  /// What the connection is to be prepared with, and what it is; the first is set before it is leased.
  var script = SetupScript.empty
  private var openedScript = SetupScript.empty
  private let recoveries: Recoveries
  private var opened: Session?
  private let interrupter = Mutex<Interrupter?>(nil)

  /// The plan that runs, between its first step and its end.
  var running: PreparedPlan?

  init(
    number: Int, of pool: ReaderPool, path: String, files: DatabaseFiles?, limits: Limits,
    clock: @escaping @Sendable () -> MonotonicTime, counters: PlanCacheCounters, recoveries: Recoveries
  ) {
    self.recoveries = recoveries
    self.number = number
    self.pool = pool
    self.path = path
    self.files = files
    self.limits = limits
    self.clock = clock
    self.counters = counters
  }

  /// The open connection; opens it the first time, and if it is prepared with another setup.
  func session() throws(RequestError) -> Session {
    if let opened {
      if openedScript.id == script.id { return opened }
      close()
    }
    let clock = clock
    let schemaCount = pool.context.commits.schema.count
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(
        reading: path, files: files, label: "reader.\(number)", setup: ConnectionSetup(limits: limits),
        clock: { clock().nanoseconds })
    } catch {
      throw files?.explainedReading(error) ?? RequestError(error)
    }
    try script.apply(to: connection)
    do throws(SQLiteError) {
      let plans = PreparedPlans(connection: connection, limits: limits, counters: counters)
      let session = try Session(
        connection: connection, plans: plans, recoveries: recoveries, schemaCount: schemaCount)
      recoveries.attach(to: connection)
      opened = session
      openedScript = script
      interrupter.withLock { $0 = connection.interrupter }
      return session
    } catch {
      throw RequestError(error)
    }
  }

  /// A snapshot is open. SQLite itself ends one if a statement in it runs out of memory or cannot read the file.
  var hasSnapshot: Bool { opened.map { !$0.isSettled } ?? false }

  /// Ends the statement that runs, if one does, and what watches it.
  func endStatement() {
    running?.finish()
    running = nil
    opened?.connection.limiter.disarm()
  }

  func endSnapshot() {
    guard let opened else { return }
    opened.endSnapshot()
    guard !opened.isSettled else { return }
    // The next holder opens it anew.
    recoveries.recovered(opened.connection.label, "its snapshot could not be ended, so it has been closed")
    self.opened = nil
  }

  /// When the connection was given back last.
  var idleSince: MonotonicTime? { didSet { keepsPages = true } }
  /// The page cache may hold something since the connection was used last.
  private(set) var keepsPages = false
  /// Whether the file is open. For whoever may use the connection.
  var isOpen: Bool { opened != nil }

  /// Whether nobody has used the connection for `ms` milliseconds. For whoever may use it.
  func isIdle(for ms: Int, now: MonotonicTime) -> Bool {
    idleSince.map { $0.advanced(milliseconds: ms) <= now } ?? false
  }

  /// Lets go of the pages that it keeps for later. For whoever may use it.
  func releaseMemory() {
    opened?.plans.releaseMemory()
    opened?.connection.releaseMemory()
    keepsPages = false
  }

  /// Lets go of statements that nobody has used for a while. For its holder, between two requests.
  func tick(now: MonotonicTime) { opened?.plans.tick(now: now) }

  /// Ends what runs, from any thread.
  func interrupt() { interrupter.withLock { $0?.interrupt() } }

  func close() {
    interrupter.withLock { $0 = nil }
    running = nil
    opened = nil
  }
}
