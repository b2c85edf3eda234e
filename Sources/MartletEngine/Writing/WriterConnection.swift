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
    case notCommitted(RequestError)
    case unknown(RequestError)
  }

  let connection: Connection
  let prepared: PreparedPlans
  /// What writes are told since it is fenced; nil where it is not.
  private(set) var fenceError: RequestError?
  var isFenced: Bool { fenceError != nil }

  private let files: DatabaseFiles
  private let time: @Sendable () -> MonotonicTime
  private var lookedAt = MonotonicTime(nanoseconds: 0)
  /// A look at the files that is older says nothing about a commit that is about to begin.
  private static let lookMs = 5

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
    files: DatabaseFiles, label: String = "writer", configuration: EngineConfiguration, planCounters: PlanCacheCounters,
    clock: CommitClock, logGauge: LogGauge = LogGauge()
  ) throws(SQLiteError) {
    let time = configuration.clock
    self.time = time
    self.files = files
    var setup = ConnectionSetup(limits: configuration.limits)
    setup.followsLinks = false
    setup.allowsSchemaChanges = configuration.permissions.contains(.schema)
    busyTimeoutMs = setup.busyTimeoutMs
    connection = try Connection(
      path: files.path, label: label, access: .writer, setup: setup, logGauge: logGauge, companion: files,
      check: files.confirm, clock: { time().nanoseconds })
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

  func begin() throws(SQLiteError) {
    do throws(SQLiteError) {
      try run(beginStatement)
    } catch {
      guard error.extendedCode == SQLiteCode.readOnly else { throw error }
      // It is not the statement that may only read here but the file, and SQLite has one code for both.
      throw SQLiteError(extendedCode: SQLiteCode.readOnlyFile, message: error.message)
    }
  }

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
      if isInTransaction { fence(.fenced) }
    }
  }

  /// Commits, and says what is certain. The commit's number is taken after SQLite returned and before anybody hears.
  ///
  /// The files are looked at between the commit and its acknowledgement: what is acknowledged was written to files that
  /// were there. Before it, too, unless that has just been done; but the log's length always, because a commit after a
  /// log that was cut makes it long again.
  func commit() -> CommitOutcome {
    connection.limiter.disarm()
    let isLookOld = time() >= lookedAt.advanced(milliseconds: Self.lookMs)
    if let fault = isLookOld ? files.checkData() : files.checkLog() {
      let error = fault.fencedError(database: files.name)
      fence(error)
      return .notCommitted(error)
    }
    do throws(SQLiteError) {
      if let fault = commitFault?() { throw fault }
      try run(commitStatement)
      files.logReaches(Int64(connection.walBytes))
      lookedAt = time()
      if let fault = files.checkData() {
        fence(fault.fencedError(database: files.name))
        return .unknown(fault.outcomeUnknown(database: files.name))
      }
      return .committed(sequence: clock.advance())
    } catch {
      switch error.code {
      case SQLiteCode.busy, SQLiteCode.constraint, SQLiteCode.full, SQLiteCode.interrupt, SQLiteCode.locked:
        // None of these comes after the frame that commits has been written.
        return .notCommitted(RequestError(error))
      default:
        fence(.fenced)
        return .unknown(.commitUnknown(sqliteCode: error.extendedCode))
      }
    }
  }

  private func run(_ statement: Statement) throws(SQLiteError) {
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// From now on nothing is written to the file, so that what the disk holds is not changed under a later recovery.
  func fence(_ error: RequestError) {
    if fenceError == nil { fenceError = error }
    connection.keepLogOnClose()
  }

  // MARK: Checkpoints

  /// Copies the log into the database file. False where something was left; a failed sync fences.
  func checkpoint(_ action: CheckpointPolicy.Action, waitMs: Int) -> (isComplete: Bool, isFailed: Bool) {
    precondition(connection.isAutocommit, "A checkpoint runs between transactions.")
    let isWaiting = action == .restart
    if isWaiting { connection.setBusyTimeout(ms: waitMs) }
    files.bytesMayShrink()
    defer {
      if isWaiting { connection.setBusyTimeout(ms: busyTimeoutMs) }
      files.settleBytes(log: Int64(connection.walBytes))
    }
    do {
      return (try connection.checkpoint(isWaiting ? .restart : .passive).isComplete, false)
    } catch {
      if SQLiteCode.isFailedSync(error.extendedCode) { fence(.fenced) }
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
