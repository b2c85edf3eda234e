/// A connection that writes: its transactions, its savepoints, its checkpoints.
///
/// Always true: used on the writer's thread only; after a commit or a sync whose outcome is unknown it is fenced and
/// writes nothing more, not even when it is closed.
import MartletAST
import MartletSQLite

final class WriterConnection {
  enum CommitOutcome {
    case committed(sequence: UInt64)
    /// Nothing was committed, for certain. The transaction may still be open.
    case notCommitted(SQLiteError)
    case unknown(SQLiteError)
  }

  let connection: Connection
  let prepared: PreparedPlans
  private(set) var isFenced = false

  private let clock: CommitClock
  private let busyTimeoutMs: Int
  private let commitFault: (@Sendable () -> SQLiteError?)?
  private let beginStatement: Statement
  private let commitStatement: Statement
  private let rollBackStatement: Statement
  private let setMemberStatement: Statement
  private let releaseMemberStatement: Statement
  private let rollBackToMemberStatement: Statement

  init(
    path: String, label: String = "writer", configuration: EngineConfiguration, planCounters: PlanCacheCounters,
    clock: CommitClock, logGauge: LogGauge = LogGauge()
  ) throws(SQLiteError) {
    let time = configuration.clock
    var setup = ConnectionSetup(limits: configuration.limits)
    setup.allowsSchemaChanges = configuration.permissions.contains(.schema)
    busyTimeoutMs = setup.busyTimeoutMs
    connection = try Connection(path: path, label: label, access: .writer, setup: setup, logGauge: logGauge) {
      time().nanoseconds
    }
    prepared = PreparedPlans(connection: connection, limits: configuration.limits, counters: planCounters)
    self.clock = clock
    commitFault = configuration.commitFault
    beginStatement = try connection.prepare(WriteSQL.begin, for: .engine)
    commitStatement = try connection.prepare(WriteSQL.commit, for: .engine)
    rollBackStatement = try connection.prepare(WriteSQL.rollBack, for: .engine)
    setMemberStatement = try connection.prepare(WriteSQL.setMember, for: .engine)
    releaseMemberStatement = try connection.prepare(WriteSQL.releaseMember, for: .engine)
    rollBackToMemberStatement = try connection.prepare(WriteSQL.rollBackToMember, for: .engine)
  }

  // MARK: Transactions

  var isInTransaction: Bool { !connection.isAutocommit }

  func begin() throws(SQLiteError) { try run(beginStatement) }

  func setMember() throws(SQLiteError) { try run(setMemberStatement) }

  func releaseMember() throws(SQLiteError) { try run(releaseMemberStatement) }

  /// Undoes what came after the member's savepoint, and releases it.
  func rollBackToMember() throws(SQLiteError) {
    try run(rollBackToMemberStatement)
    try run(releaseMemberStatement)
  }

  func savepoint(_ action: SavepointAction, number: UInt32) throws(SQLiteError) {
    try connection.execute(WriteSQL.savepoint(action, number: number))
  }

  /// Ends the transaction without keeping anything. Nothing is left to undo where SQLite has done it already.
  func rollBack() {
    guard isInTransaction else { return }
    do {
      try run(rollBackStatement)
    } catch {
      // A rollback in WAL mode only forgets; should it fail, the state of the connection is not to be trusted.
      if isInTransaction { fence() }
    }
  }

  /// Commits, and says what is certain. The commit's number is taken after SQLite returned and before anybody hears.
  func commit() -> CommitOutcome {
    connection.limiter.disarm()
    do throws(SQLiteError) {
      if let fault = commitFault?() { throw fault }
      try run(commitStatement)
      return .committed(sequence: clock.advance())
    } catch {
      switch error.code {
      case SQLiteCode.busy, SQLiteCode.constraint, SQLiteCode.full, SQLiteCode.interrupt, SQLiteCode.locked:
        // None of these comes after the frame that commits has been written.
        return .notCommitted(error)
      default:
        fence()
        return .unknown(error)
      }
    }
  }

  private func run(_ statement: Statement) throws(SQLiteError) {
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// From now on nothing is written to the file, so that what the disk holds is not changed under a later recovery.
  func fence() {
    isFenced = true
    connection.keepLogOnClose()
  }

  // MARK: Checkpoints

  /// Copies the log into the database file. False where something was left; a failed sync fences.
  func checkpoint(_ action: CheckpointPolicy.Action, waitMs: Int) -> (isComplete: Bool, isFailed: Bool) {
    precondition(connection.isAutocommit, "A checkpoint runs between transactions.")
    let isWaiting = action == .restart
    if isWaiting { connection.setBusyTimeout(ms: waitMs) }
    defer { if isWaiting { connection.setBusyTimeout(ms: busyTimeoutMs) } }
    do {
      return (try connection.checkpoint(isWaiting ? .restart : .passive).isComplete, false)
    } catch {
      if SQLiteCode.isFailedSync(error.extendedCode) { fence() }
      return (false, true)
    }
  }
}

extension SQLiteError {
  /// What SQLite would say at the commit about a deferred foreign key that does not hold.
  static let deferredForeignKey = SQLiteError(
    extendedCode: SQLiteCode.constraintForeignKey, message: "FOREIGN KEY constraint failed")
}

extension SQLiteCode {
  /// After a failed sync nobody knows what the disk holds, and asking again would only seem to help.
  static func isFailedSync(_ extendedCode: Int32) -> Bool {
    extendedCode == io | (4 << 8) || extendedCode == io | (5 << 8)
  }
}
