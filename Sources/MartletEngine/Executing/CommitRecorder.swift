import MartletSQLite
import MartletValues

/// Collects what the transaction that is open on one of the writer's connections writes, and tells of its commit.
///
/// Always true: used on the writer's thread only; while nobody follows the database it collects nothing, and what began
/// then is told of as everything; what a member of a group wrote goes with the member when that is undone.
final class CommitRecorder {
  private let feed: CommitFeed
  private let connection: Connection
  private let tablesMax: Int
  private var isWatching = false
  private var tracker = WriteTracker()
  private var versionAtBegin: UInt32 = 0
  /// The transaction may have changed the schema.
  private var changesSchema = false
  /// SQLite may have let go of the schema, and would read it while it compiles the next statement.
  private var lacksSchema = true
  private var schemaCount: UInt64 = 0
  /// The log as it was when the transaction began.
  private var logBefore: (generation: UInt64?, frames: Int?)?

  init(feed: CommitFeed, connection: Connection, limits: Limits) {
    self.feed = feed
    self.connection = connection
    tablesMax = limits.commitTablesMax
  }

  // MARK: Transactions

  func transactionBegan() {
    // The last one may have been rolled back, and others may have changed the schema.
    if changesSchema || schemaCount != feed.clock.schema.count { lacksSchema = true }
    changesSchema = false
    isWatching = feed.isWatched
    guard isWatching else { return }
    tracker.rolledBack()
    logBefore = feed.isLogWatched ? (connection.logGeneration, connection.logGauge.lastFrames) : nil
  }

  func memberBegan() {
    if isWatching { tracker.memberBegan() }
  }

  func memberKept() {
    if isWatching { tracker.memberKept() }
  }

  func memberUndone() {
    savepointUndone()
    if isWatching { tracker.memberUndone() }
  }

  func savepointUndone() {
    if changesSchema { lacksSchema = true }
  }

  /// Called in a transaction, before a statement is compiled: reads the schema if need be, without the bound that
  /// compiling has. SQLite gives a transaction up if that bound ends the reading. What it takes counts for those who
  /// change the schema. Whether it was read: it may be another one than before.
  func readSchema(at now: MonotonicTime) -> Bool {
    guard lacksSchema else { return false }
    // If it cannot be read, the statement that follows fails in the same way, and says why.
    guard let nanoseconds = try? connection.readSchemaTimed() else { return true }
    lacksSchema = false
    schemaCount = feed.clock.schema.count
    feed.clock.schema.wasRead(nanoseconds, by: nil, at: now)
    return true
  }

  /// Called before the statement runs, because one that fails may have written all the same (`INSERT OR FAIL`).
  func statementBegins(_ prepared: PreparedPlan) {
    if prepared.plan.changesSchema { changesSchema = true }
    guard isWatching else { return }
    versionAtBegin = prepared.statement.accessVersion
    tracker.statementWrote(to: prepared.writes)
  }

  /// The statement has run, and SQLite may have compiled it anew.
  func statementEnded(_ prepared: PreparedPlan) {
    if prepared.plan.changesSchema { lacksSchema = true }
    guard isWatching else { return }
    prepared.noteRecompilation()
    if prepared.statement.accessVersion != versionAtBegin { tracker.statementWrote(to: prepared.writes) }
  }

  /// The transaction is durable; returns its number.
  func committed() -> UInt64 {
    if changesSchema { feed.clock.schema.committed() }
    guard isWatching else { return feed.committed(.everything, log: nil) }
    isWatching = false
    return feed.committed(written(), log: logSpan())
  }

  /// The file has been written anew.
  func vacuumed() -> UInt64 {
    feed.clock.schema.committed()
    guard isWatching else { return feed.committed(.everything, log: nil) }
    isWatching = false
    return feed.committed(.everything, log: logSpan())
  }

  private func written() -> TableSet {
    let written = tracker.committed()
    if written.isEverything || written.names.count > tablesMax { return .everything }
    guard written.names.contains(where: { $0.schema == "temp" }) else { return written }
    return TableSet(written.names.filter { $0.schema != "temp" })
  }

  private func logSpan() -> LogSpan? {
    guard let before = logBefore, let generation = connection.logGeneration,
      let after = connection.logGauge.lastFrames
    else { return nil }
    return LogSpan(
      generation: generation, framesBefore: before.generation == generation ? before.frames : 0, framesAfter: after)
  }
}
