/// One read-only connection of the pool, with its compiled plans and the statements of its own.
///
/// Always true: used by the holder of its lease only, whichever thread that is on; opened by the first one.
import MartletAST
import MartletSQLite
import Synchronization

// Unchecked because a lease has one holder, and its locks order what its threads do with the connection.
final class ReaderConnection: @unchecked Sendable {
  /// What there is once the file is open.
  final class Session {
    let connection: Connection
    let plans: PreparedPlans
    private let begin: Statement
    private let commit: Statement
    private let touch: Statement

    init(connection: Connection, plans: PreparedPlans) throws(SQLiteError) {
      self.connection = connection
      self.plans = plans
      begin = try connection.prepare(EngineStatements.begin, for: .engine)
      commit = try connection.prepare(EngineStatements.commit, for: .engine)
      touch = try connection.prepare(EngineStatements.touch, for: .engine)
    }

    /// Takes a snapshot that stays until `endSnapshot`.
    func takeSnapshot() throws(SQLiteError) {
      try run(begin)
      try run(touch)
    }

    private func run(_ statement: Statement) throws(SQLiteError) {
      defer { statement.reset() }
      _ = try statement.step()
    }

    func endSnapshot() {
      // Ending a read transaction has nothing to write and so nothing to fail with that a retry could mend.
      if !connection.isAutocommit { _ = try? commit.step() }
      commit.reset()
    }
  }

  let number: Int
  let seat: ReaderSeat
  private let path: String
  private let files: DatabaseFiles?
  private let limits: Limits
  private let clock: @Sendable () -> MonotonicTime
  private let counters: PlanCacheCounters
  private let script: SetupScript
  private var opened: Session?
  private let interrupter = Mutex<Interrupter?>(nil)

  /// The plan that runs, between its first step and its end.
  var running: PreparedPlan?

  init(
    number: Int, seat: ReaderSeat, path: String, files: DatabaseFiles?, limits: Limits,
    clock: @escaping @Sendable () -> MonotonicTime,
    counters: PlanCacheCounters, script: SetupScript
  ) {
    self.number = number
    self.seat = seat
    self.path = path
    self.files = files
    self.limits = limits
    self.clock = clock
    self.counters = counters
    self.script = script
  }

  /// The open connection; opens it the first time.
  func session() throws(RequestError) -> Session {
    if let opened { return opened }
    let clock = clock
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(
        reading: path, files: files, label: "reader.\(number)", setup: ConnectionSetup(limits: limits),
        clock: { clock().nanoseconds })
    } catch {
      throw files?.explained(error) ?? RequestError(error)
    }
    try script.apply(to: connection)
    do throws(SQLiteError) {
      let plans = PreparedPlans(connection: connection, limits: limits, counters: counters)
      let session = try Session(connection: connection, plans: plans)
      opened = session
      interrupter.withLock { $0 = connection.interrupter }
      return session
    } catch {
      throw RequestError(error)
    }
  }

  /// Ends the statement that runs, if one does, and what watches it.
  func endStatement() {
    running?.finish()
    running = nil
    opened?.connection.limiter.disarm()
  }

  func endSnapshot() { opened?.endSnapshot() }

  /// Ends what runs, from any thread.
  func interrupt() { interrupter.withLock { $0?.interrupt() } }

  func close() {
    interrupter.withLock { $0 = nil }
    running = nil
    opened = nil
  }
}
