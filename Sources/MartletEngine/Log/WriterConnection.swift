import MartletSQLite
import MartletValues

/// A connection that writes: its transactions, its savepoints, its checkpoints, and the setup that it is prepared with.
///
/// Always true: used on the writer's thread only; whether a transaction is open is what SQLite says after each
/// statement that may change it, never what was asked for; after a commit or a sync whose outcome is unknown it is
/// fenced and writes nothing more, not even when it is closed.
final class WriterConnection {
  enum CommitOutcome {
    case committed(sequence: UInt64)
    /// Nothing was committed, for certain. The transaction may still be open.
    case notCommitted(RequestError)
    case unknown(RequestError)
  }

  let connection: Connection
  let prepared: PreparedPlans
  /// Runs statements in its transactions.
  let runner: StatementRunner
  /// The error for writes since it is fenced; nil if it is not.
  private(set) var fenceError: RequestError?
  var isFenced: Bool { fenceError != nil }

  let files: DatabaseFiles
  private let time: @Sendable () -> MonotonicTime
  private let limitsInForce: LimitsInForce
  private var lookedAt = MonotonicTime(nanoseconds: 0)

  /// Collects what is written, and tells of the commits.
  private let recorder: CommitRecorder
  private let feed: CommitFeed
  private let counters: WriterCounters
  let busyTimeoutMs: Int
  let recoveries: Recoveries
  private let rescue: LogRescue
  private let script: SetupScript
  /// Statements of the setup that wait for their tables.
  private var left: [Int] = []
  private let commitFault: (@Sendable () -> SQLiteError?)?
  /// Why nothing is written to this file; nil if it may be.
  var refusal: SQLiteError?
  private let beginStatement: Statement
  private let commitStatement: Statement
  private let rollBackStatement: Statement
  private let setMemberStatement: Statement
  private let releaseMemberStatement: Statement
  private let rollBackToMemberStatement: Statement

  init(
    files: DatabaseFiles, label: String = "writer", script: SetupScript, configuration: EngineConfiguration,
    planCounters: PlanCacheCounters, counters: WriterCounters, feed: CommitFeed, logGauge: LogGauge = LogGauge(),
    recoveries: Recoveries, rescue: LogRescue
  ) throws(SQLiteError) {
    let time = configuration.clock
    self.time = time
    limitsInForce = configuration.limitsInForce
    self.files = files
    var setup = ConnectionSetup(limits: configuration.limits)
    setup.followsLinks = false
    setup.key = files.directory.key?.bytes
    setup.pageChecksums = configuration.makesPageChecksums ? .on : .off
    busyTimeoutMs = setup.busyTimeoutMs
    connection = try Connection(
      path: files.path, label: label, access: .writer, setup: setup, logGauge: logGauge, companion: files,
      check: files.confirm, clock: { time().nanoseconds })
    prepared = PreparedPlans(connection: connection, limits: configuration.limits, counters: planCounters)
    self.feed = feed
    self.counters = counters
    recorder = CommitRecorder(feed: feed, connection: connection, limits: configuration.limits)
    runner = StatementRunner(
      connection: connection, prepared: prepared, limits: configuration.limits, clock: time, counters: counters,
      recorder: recorder)
    self.script = script
    self.recoveries = recoveries
    self.rescue = rescue
    commitFault = configuration.commitFault
    // SQLite would begin all the same, and later has one code for a read-only file and for a read-only statement.
    refusal = connection.isFileReadOnly ? .fileReadOnly : nil
    beginStatement = try connection.prepare(TransactionSQL.beginImmediate, for: .engine)
    commitStatement = try connection.prepare(TransactionSQL.commit, for: .engine)
    rollBackStatement = try connection.prepare(TransactionSQL.rollBack, for: .engine)
    setMemberStatement = try connection.prepare(TransactionSQL.Savepoint.member.set, for: .engine)
    releaseMemberStatement = try connection.prepare(TransactionSQL.Savepoint.member.release, for: .engine)
    rollBackToMemberStatement = try connection.prepare(TransactionSQL.Savepoint.member.rollBackTo, for: .engine)
    recoveries.attach(to: connection)
    connection.commitOnlyForEngine()
  }

  // MARK: The setup

  /// Once, before the connection is used.
  func makeSetup() throws(RequestError) { left = try script.apply(to: connection) }

  /// Between transactions: makes what had no table before and may have one now.
  func completeSetup() throws(RequestError) {
    if !left.isEmpty { left = try script.apply(to: connection, only: left) }
  }

  /// A change of the schema came through this connection, and may have removed triggers of the setup.
  var isSetupStale: Bool { connection.mayHaveTemporaryChanges }

  // MARK: Transactions

  var isInTransaction: Bool { !connection.isAutocommit }

  func begin() throws(SQLiteError) {
    if let refusal { throw refusal }
    settle(because: "a transaction was open between two turns and has been rolled back")
    for attempt in 1... {
      do throws(SQLiteError) {
        try run(beginStatement)
        guard isInTransaction else { throw .unexplained }
        recorder.transactionBegan()
        return
      } catch {
        // An interrupted BEGIN may have opened its transaction.
        settle(because: "a BEGIN failed after it had opened its transaction, which has been rolled back")
        guard error.code == SQLiteCode.interrupt, attempt < EngineLimits.statementAttemptsMax, !isFenced else {
          throw error
        }
      }
    }
  }

  /// Between two transactions: an open transaction belongs to nobody, and is rolled back.
  func settle(because deed: String) {
    guard isInTransaction else { return }
    rollBack()
    if !isFenced { recoveries.recovered(connection.label, deed) }
  }

  func setMember() throws(SQLiteError) {
    try bounded { () throws(SQLiteError) in try runAsArmed(setMemberStatement) }
    recorder.memberBegan()
  }

  /// The same of a member that needs no savepoint.
  func memberBegins() { recorder.memberBegan() }

  /// Such a member has run; `isUndone`: nothing of it is left.
  func memberEnds(isUndone: Bool) { isUndone ? recorder.memberUndone() : recorder.memberKept() }

  /// `now`: this moment, if the caller has just looked at the clock.
  func releaseMember(at now: MonotonicTime? = nil) throws(SQLiteError) {
    try bounded(from: now) { () throws(SQLiteError) in try runAsArmed(releaseMemberStatement) }
    recorder.memberKept()
  }

  /// Undoes what came after the member's savepoint, and releases it.
  func rollBackToMember() throws(SQLiteError) {
    try run(rollBackToMemberStatement)
    recorder.memberUndone()
    try bounded { () throws(SQLiteError) in try runAsArmed(releaseMemberStatement) }
  }

  func savepoint(_ action: SavepointAction, number: UInt32) throws(SQLiteError) {
    let savepoint = TransactionSQL.Savepoint.numbered(number)
    do throws(SQLiteError) {
      try bounded { () throws(SQLiteError) in
        switch action {
        case .set: try connection.execute(savepoint.set)
        case .release: try connection.execute(savepoint.release)
        case .rollBackTo: try connection.execute(savepoint.rollBackTo)
        }
      }
      if action == .rollBackTo { recorder.savepointUndone() }
    } catch {
      // Nobody knows whether the statement was carried out, so a later rollback might go to this savepoint or to
      // another one.
      if error.code == SQLiteCode.interrupt { rollBack() }
      throw error
    }
  }

  /// Ends the transaction without keeping anything. Does nothing if SQLite has rolled back already.
  func rollBack() {
    // A rollback in WAL mode writes nothing, so another attempt does no harm.
    for _ in 0..<EngineLimits.statementAttemptsMax where isInTransaction { try? run(rollBackStatement) }
    guard isInTransaction else { return }
    recoveries.fenced(connection.label, "a transaction could not be rolled back")
    fence(.fenced)
  }

  /// Commits, and says what is certain. The commit gets its number after SQLite returned and before anybody hears of
  /// it.
  ///
  /// The files are looked at between the commit and its acknowledgement: what is acknowledged was written to files that
  /// were there. They are looked at before the commit too, unless that has just been done. The log's length is always
  /// looked at before, because a commit makes a log that was cut long again.
  func commit() -> CommitOutcome {
    guard isInTransaction else { return .notCommitted(RequestError(.unexplained)) }
    let now = time()
    let isLookOld = now >= lookedAt.advanced(milliseconds: EngineLimits.commitLookMs)
    if let fault = isLookOld ? files.checkData() : files.checkLog() { return .notCommitted(fence(for: fault)) }
    do throws(RequestError) { try feed.clock.reserve() } catch { return .notCommitted(error) }
    for attempt in 1... {
      connection.wasRolledBack = false
      do throws(SQLiteError) {
        if let fault = commitFault?() { throw fault }
        try bounded { () throws(SQLiteError) in
          try ProcessMemory.withoutLimit { () throws(SQLiteError) in try runAsArmed(commitStatement) }
        }
        guard !isInTransaction else { throw .unexplained }
        return committed()
      } catch {
        guard error.code == SQLiteCode.interrupt else { return outcome(of: error) }
        if isInTransaction, attempt < EngineLimits.statementAttemptsMax { continue }
        guard !isInTransaction, !connection.wasRolledBack else { return outcome(of: error) }
        recoveries.recovered(connection.label, "a COMMIT was interrupted after it had committed")
        return committed()
      }
    }
    return .notCommitted(RequestError(.unexplained))
  }

  /// SQLite has committed; whether that may be acknowledged depends on the files.
  private func committed() -> CommitOutcome {
    files.logReaches(Int64(connection.walBytes))
    lookedAt = time()
    if let fault = files.checkData() {
      fence(for: fault)
      return .unknown(fault.outcomeUnknown(database: files.name))
    }
    return .committed(sequence: recorder.committed())
  }

  private func outcome(of error: SQLiteError) -> CommitOutcome {
    // A page that is damaged is found while the commit still reads, so before its frame is written.
    if error.extendedCode == SQLiteCode.ioData { return .notCommitted(RequestError(error)) }
    if error.code == SQLiteCode.interrupt, connection.limiter.stop == .deadline {
      return .notCommitted(.commitTooLong(mostMs: limitsInForce.writeTimeMaxMs))
    }
    switch error.code {
    case SQLiteCode.busy, SQLiteCode.constraint, SQLiteCode.full, SQLiteCode.interrupt, SQLiteCode.locked:
      // None of these comes after the frame that commits has been written.
      return .notCommitted(RequestError(error))
    case _ where error.isOfVirtualTable:
      // Virtual tables write before the transaction does.
      return .notCommitted(RequestError(error))
    default:
      recoveries.fenced(connection.label, "the outcome of a commit is unknown")
      fence(.fenced)
      return .unknown(.commitUnknown(sqliteCode: error.extendedCode))
    }
  }

  /// VACUUM, which is a commit of its own and is handled like one. The limiter, if it is armed, may end it.
  func vacuum() -> CommitOutcome {
    if let fault = files.checkData() { return .notCommitted(fence(for: fault)) }
    do throws(RequestError) { try feed.clock.reserve() } catch { return .notCommitted(error) }
    recorder.transactionBegan()
    do throws(SQLiteError) {
      try connection.boundFile(toBytes: nil)
      try connection.vacuum()
    } catch {
      // The copy back is a commit; if the disk failed during it, nobody knows what is there.
      guard error.code == SQLiteCode.io else {
        return .notCommitted(RequestError(error, stop: connection.limiter.stop))
      }
      fence(.fenced)
      return .unknown(.commitUnknown(sqliteCode: error.extendedCode))
    }
    files.logReaches(Int64(connection.walBytes))
    lookedAt = time()
    if let fault = files.checkData() {
      fence(for: fault)
      return .unknown(fault.outcomeUnknown(database: files.name))
    }
    return .committed(sequence: recorder.vacuumed())
  }

  private func run(_ statement: Statement) throws(SQLiteError) {
    let wasArmed = connection.limiter.suspend()
    defer { connection.limiter.resume(wasArmed) }
    try runAsArmed(statement)
  }

  private func runAsArmed(_ statement: Statement) throws(SQLiteError) {
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// COMMIT, SAVEPOINT and RELEASE make virtual tables write what they have kept back, and with it runs whatever is
  /// bound to their tables. It may take as long as a write, from `now` on. Between two statements, so nothing is armed.
  private func bounded(
    from now: MonotonicTime? = nil, _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let until = (now ?? time()).advanced(milliseconds: limitsInForce.writeTimeMaxMs)
    connection.limiter.arm(deadlineNanoseconds: until.nanoseconds)
    defer { connection.limiter.disarm() }
    try body()
  }

  /// From now on nothing is written to the file, so that what the disk holds is not changed under a later recovery.
  func fence(_ error: RequestError) {
    if fenceError == nil { fenceError = error }
    // Before anybody hears of it: whoever does may ask for the fence to be lifted at once.
    counters.fenceBegan()
    feed.ended(.fenced)
    connection.keepLogOnClose()
  }

  /// The files are not what they were. What is open is rolled back, nothing is written any more, and if the log has
  /// lost its name, what it holds is copied into the database's file while it can still be read. Returns the error for
  /// writes. Does nothing more if it is fenced already.
  @discardableResult func fence(for fault: FileFault) -> RequestError {
    let error = fault.fencedError(database: files.name)
    guard !isFenced else { return error }
    rollBack()
    fence(error)
    rescue.begin(on: self)
    return error
  }
}

extension SQLiteError {
  /// A file never fails a commit in such a way; a virtual table, or what is bound to its tables, does.
  fileprivate var isOfVirtualTable: Bool {
    let codes = [
      SQLiteCode.error, SQLiteCode.abort, SQLiteCode.authorization, SQLiteCode.mismatch, SQLiteCode.range,
      SQLiteCode.tooBig,
    ]
    return codes.contains(code) || extendedCode == SQLiteCode.corruptVirtualTable
  }

  /// What SQLite would say to the first statement that writes.
  static let fileReadOnly = SQLiteError(
    extendedCode: SQLiteCode.readOnlyFile, message: "attempt to write a readonly database")

  /// `words`: what the file came with.
  static func boundToShadow(_ words: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLiteCode.boundToShadow, message: words)
  }

  /// SQLite said that it had done something, and its state says that it has not.
  static let unexplained = SQLiteError(
    extendedCode: SQLiteCode.interrupt, message: "the transaction is not in the state that it should be in")

  /// What SQLite would say at the commit about a deferred foreign key that does not hold.
  static let deferredForeignKey = SQLiteError(
    extendedCode: SQLiteCode.constraintForeignKey, message: RequestError.foreignKeyWords)
}

extension SQLiteCode {
  /// After a failed sync nobody knows what the disk holds, and another sync could succeed without having written
  /// anything.
  static func isFailedSync(_ extendedCode: Int32) -> Bool {
    extendedCode == io | (4 << 8) || extendedCode == io | (5 << 8)
  }
}
