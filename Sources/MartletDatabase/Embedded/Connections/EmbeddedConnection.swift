import MartletEngine
import MartletQuery
import MartletSQLite
import MartletValues

/// One connection of this process to a database file, with its compiled statements.
///
/// Always true: used by whoever holds its lease, on one thread at a time; between two holders no statement is running
/// and no transaction is open.
// Unchecked because a connection goes from holder to holder through a lease, which a lock hands over.
final class EmbeddedConnection: @unchecked Sendable {
  let file: EmbeddedFile
  let connection: Connection
  let control: TransactionControl
  /// The lock of the database's own file; nil in memory.
  private let lock: InodeLock?
  /// What the aggregates in Swift collect.
  let groupMemory: GroupMemory
  private let prepared: PreparedPlans
  /// Set while a `read` runs: statements that write are refused.
  var isReading = false
  /// What the limiter is armed with.
  private var cancellation: CancellationFlag?
  private var deadline: MonotonicTime?
  var cursors: [EmbeddedRows] = []

  /// What the transaction has written, and the statement that was counted last.
  var tracker = WriteTracker()
  var lastWriter: MartletSQLite.Statement?
  var lastWriterVersion: UInt32 = 0
  /// The tables whose foreign keys may be violated when the transaction commits.
  var deferredKeys = DeferredKeys()
  /// The tables that were read, while somebody wants to know.
  var recordedReads: TableSet?
  /// The configuration has run what it wants; from then on commits are told of.
  private(set) var isPrepared = false
  /// The last commit that the running closure may have seen; the closure returns when the disk has that commit.
  private(set) var seen: UInt64 = 0
  /// The log that is open, for its syncs on other threads.
  private var log: (number: Int, sync: LogSync)?

  init(_ file: EmbeddedFile, access: Connection.Access, label: String) throws {
    self.file = file
    groupMemory = GroupMemory(bytesMax: file.limits.functionGroupBytesMax)
    var setup = ConnectionSetup(limits: file.limits)
    setup.authority = .owner
    setup.attachedMax = DatabaseLimits.attachedMax
    setup.enforcesForeignKeys = file.configuration.foreignKeysEnabled
    setup.keepsJournalMode = file.configuration.readonly
    setup.key = file.configuration.key?.bytes
    setup.migratesKey = file.configuration.migratesKey
    setup.pageChecksums = file.configuration.pageChecksums ? .on : .off
    setup.keeper = EmbeddedLock.keeper
    do {
      connection = try Connection(
        path: file.path, label: label, access: access, setup: setup, clock: { Deadline.now().nanoseconds })
      if access == .writer { try EmbeddedConnection.syncLog(of: connection) }
    } catch {
      if let refusal = RequestError(ofLock: error, path: file.path) { throw refusal }
      if [SQLiteCode.ioData, SQLiteCode.keysMissing].contains(error.extendedCode) { throw RequestError(error) }
      if error.code == SQLiteCode.notADatabase { throw RequestError(error) }
      throw RequestError.cannotOpen(file.path, error)
    }
    // Another database of this process may owe the log a sync. If it cannot be had, a statement says why.
    if file.configuration.readonly { try? EmbeddedConnection.syncLog(of: connection) }
    lock = connection.kept as? InodeLock
    lock?.join(file.syncs)
    control = TransactionControl(connection)
    prepared = PreparedPlans(connection: connection, limits: file.limits, counters: file.plans.counters)
    try prepare()
    forgetWrites()
    isPrepared = true
  }

  /// The log is opened by the first read.
  private static func syncLog(of connection: Connection) throws(SQLiteError) {
    _ = try connection.text(of: TransactionSQL.touch)
    try connection.syncLog()
  }

  /// Runs what the configuration asks for on each connection.
  private func prepare() throws {
    for preparation in file.configuration.preparations {
      let db = Database(home: self)
      do {
        try preparation(db)
      } catch {
        try? db.end()
        throw error
      }
      closeCursors()
      try db.end()
    }
  }

  // MARK: - Transactions

  /// Runs a closure of the program. `cancellation` ends its statements, but not the end of its transaction.
  func perform<T>(_ mode: ClosureMode, cancellation: CancellationFlag?, _ body: (Database) throws -> T) throws -> T {
    seen = 0
    try begin(mode)
    let db = Database(home: self)
    self.cancellation = cancellation
    arm(until: Deadline.current)
    do {
      let result = try body(db)
      stop()
      try db.end()
      try end(mode)
      return result
    } catch {
      stop()
      try? db.end()
      control.rollBack()
      forgetWrites()
      isReading = false
      throw cancellation?.isCancelled == true && Self.isCancel(error) ? CancellationError() : error
    }
  }

  /// Runs statements of a program that keeps the connection: neither what they leave open nor an error ends anything.
  func standing<T>(cancellation: CancellationFlag, _ body: () throws -> T) throws -> T {
    self.cancellation = cancellation
    arm(until: Deadline.current)
    defer {
      connection.limiter.disarm()
      self.cancellation = nil
      if connection.isAutocommit { checkpoint() }
    }
    return try body()
  }

  /// The program that kept the connection has closed it.
  func endStanding() {
    closeCursors()
    control.rollBack()
    forgetWrites()
    releaseFiles()
    file.feed.ended(.closed)
  }

  /// The database is closed, and nothing writes here any more: a server may have its files, while a statement that
  /// somebody still has keeps them open.
  func releaseFiles() { for lock in fileLocks { lock.release() } }

  /// The locks of the database's own file and of those that are attached.
  var fileLocks: [InodeLock] { connection.keptOfAll.compactMap { $0 as? InodeLock } }

  /// What SQLite says of a statement, which is compiled and does not run.
  func description(of statement: SerializedStatement) throws -> StatementDescription {
    let prepared = try prepare(statement)
    defer { prepared.finish() }
    let columns = prepared.statement.columnMetadata().map { ResultColumns.Column(name: $0.name) }
    return StatementDescription(columns: columns, isReadonly: prepared.statement.isReadOnly)
  }

  /// Statements end at `deadline` from here on.
  private func arm(until deadline: MonotonicTime?) {
    self.deadline = deadline
    connection.limiter.arm(deadlineNanoseconds: deadline?.nanoseconds ?? .max, cancellation: cancellation)
  }

  /// A statement begins: none does in a task that was cancelled, and one under a `withDeadline` of its own has that
  /// deadline. SQLite asks for neither before a statement has taken a thousand steps, which many never take.
  ///
  /// But a PRAGMA outside of a transaction begins all the same: what a closure has set, such as `foreign_keys`, it must
  /// be able to put back, or the next closure would have it.
  func followTask(toRun sql: String) throws {
    let current = Deadline.current
    if current != deadline { arm(until: current) }
    do {
      try checkCancellation()
      if let current, Deadline.now() >= current { throw RequestError.deadlinePassed }
    } catch {
      guard connection.isAutocommit, SQLTokens.firstWord(of: sql) == "PRAGMA" else { throw error }
    }
  }

  /// Throws if the task is cancelled for which the closure runs.
  func checkCancellation() throws {
    if cancellation?.isCancelled == true { throw RequestError.cancelledByOwner }
  }

  private func begin(_ mode: ClosureMode) throws {
    // What a former holder could not end, if that ever happens, must not become this one's.
    if !connection.isAutocommit { control.rollBack() }
    let deadline = Deadline.current
    if let deadline {
      let now = Deadline.now()
      guard now < deadline else { throw RequestError.deadlinePassed }
      // Another process may hold the file's lock.
      connection.setBusyTimeout(ms: min(file.limits.busyTimeoutMs, deadline.milliseconds(since: now) + 1))
    }
    defer { if deadline != nil { connection.setBusyTimeout(ms: file.limits.busyTimeoutMs) } }
    if file.syncs.hasFailed {
      connection.keepLogOnClose()
      throw RequestError.diskFailed
    }
    do throws(SQLiteError) {
      if mode != .withoutTransaction { try control.begin(immediate: mode == .write) }
      if mode == .read { try control.takeSnapshot() }
    } catch {
      control.rollBack()
      if let deadline, Deadline.now() >= deadline { throw RequestError.deadlinePassed }
      throw explain(error, of: nil)
    }
    isReading = mode == .read
    seen = file.syncs.lastSeen
  }

  private func stop() {
    closeCursors()
    connection.limiter.disarm()
  }

  private func end(_ mode: ClosureMode) throws {
    isReading = false
    switch mode {
    case .read: control.rollBack()
    case .write:
      guard !connection.isAutocommit else { throw RequestError.transactionUndone }
      // The closure may have gone on without what was refused.
      try checkCancellation()
      do { try commit() } catch { throw explain(error, of: nil) }
      checkpoint()
    case .withoutTransaction:
      guard connection.isAutocommit else {
        throw RequestError.transactionLeftOpen
      }
      checkpoint()
    }
  }

  /// Commits. The sync is left for later, to be shared with other commits, if nobody beside this database, in this
  /// process or another one, could see the commit before the disk has it.
  private func commit() throws(SQLiteError) {
    guard file.configuration.sharesSyncs, let lock, !lock.hasOthers, let log = sharedLog() else {
      try control.commit()
      return tellOfWrites()
    }
    let number = file.syncs.commitBegins()
    let owesSync: Bool
    do {
      owesSync = try connection.leavingSync { () throws(SQLiteError) in try control.commit() }
    } catch {
      file.syncs.commitNeedsNoSync()
      throw error
    }
    guard owesSync else {
      file.syncs.commitNeedsNoSync()
      return tellOfWrites()
    }
    seen = number
    let tell = takeWrites()
    // The commit is made, whatever comes now. If it went to another log that cannot be synced, nobody can say whether
    // the disk has it.
    file.syncs.commitMade(in: log.number == connection.logNumber ? log.sync : sharedLog()?.sync) { tell?() }
  }

  /// The log that this connection writes, open for syncs beside it; nil if there is none or it cannot be opened.
  private func sharedLog() -> (number: Int, sync: LogSync)? {
    let number = connection.logNumber
    if log?.number != number {
      log = number > 0 ? (try? connection.logSync()).map { (number: number, sync: $0) } : nil
    }
    return log
  }

  /// The writer moves the log into the file, since no one else may, and those of attached files.
  private func checkpoint() {
    if connection.walBytes > file.limits.walCheckpointBytes { _ = try? connection.checkpoint(.passive) }
    connection.checkpointAttached(over: file.limits.walCheckpointBytes)
  }

  private static func isCancel(_ error: any Error) -> Bool { (error as? RequestError)?.code == .cancelled }

  func closeCursors() {
    for rows in cursors { rows.finish() }
    cursors.removeAll()
  }

  // MARK: - Statements

  /// The compiled statement with its values bound.
  func prepare(_ statement: SerializedStatement) throws -> PreparedPlan {
    if let failure = statement.failure { throw failure }
    if control.isActive, connection.isAutocommit { throw RequestError.transactionUndone }
    let plan = try file.plans.plan(for: .statement(statement.bytes))
    try followTask(toRun: plan.sql)
    let prepared: PreparedPlan
    do {
      prepared = try self.prepared.prepared(for: plan)
    } catch {
      throw nameOtherSpelling(error)
    }
    if isReading, !prepared.statement.isReadOnly {
      throw RequestError.writeInRead
    }
    do {
      try prepared.bind(statement.parameters, limits: file.limits)
    } catch {
      prepared.finish()
      throw error
    }
    began(prepared.statement)
    return prepared
  }

  /// What SQLite reported as what a program is told; an error of a function in Swift keeps its words.
  func explain(_ error: SQLiteError, of plan: Plan?) -> any Error {
    defer { connection.functionFailure = nil }
    if let failure = connection.functionFailure, error.code == SQLiteCode.error {
      if failure is CancellationError || failure is RequestError { return failure }
      return RequestError.functionThrew(failure, error)
    }
    if let refusal = RequestError(ofLock: error, path: file.path) { return refusal }
    // A statement that was compiled before is compiled again while it runs, with the triggers that were made since.
    return nameOtherSpelling(
      RequestError(
        error, plan: plan, limits: file.limits, stop: connection.limiter.stop,
        isCompiling: error.offset != nil, writing: tables(writtenBy: plan?.sql)))
  }

  /// The tables whose foreign keys may be violated: those that a statement writes to or, for a COMMIT, those that the
  /// statements before it wrote to.
  func tables(writtenBy sql: String?) -> [String] {
    let written = sql.map { WrittenTable.names(in: $0) } ?? []
    return written.isEmpty ? deferredKeys.tables : written
  }
}
