import MartletSQLite
import MartletValues

/// One connection of the writer, with what carries requests out on it.
///
/// Always true: used on the writer's thread, which uses one at a time and leaves no transaction open on it; so no two
/// of them ever write, or write and checkpoint, at once. Beside the first there are at most
/// `limits.setupsPerDatabaseMax`.
final class PreparedWriter {
  let connection: WriterConnection
  let runner: StatementRunner
  let diskGuard: DiskGuard
  var group: GroupRunner
  fileprivate let script: SetupScript
  /// Statements of the setup that wait for their tables.
  private var left: [Int] = []
  fileprivate var usedAt: UInt64 = 0

  init(_ connection: WriterConnection, script: SetupScript, shared: PreparedWriters.Shared) throws(RequestError) {
    self.connection = connection
    self.script = script
    diskGuard = shared.diskGuard
    let configuration = shared.configuration
    runner = StatementRunner(
      connection: connection.connection, prepared: connection.prepared, limits: configuration.limits,
      clock: configuration.clock, counters: shared.counters, recorder: connection.recorder)
    group = GroupRunner(
      writer: connection, runner: runner, configuration: configuration, counters: shared.counters,
      commitClock: shared.feed.clock, diskGuard: shared.diskGuard, recoveries: shared.recoveries, watch: shared.watch)
    left = try script.apply(to: connection.connection)
  }

  /// A change of the schema came through this connection, and may have removed triggers of the setup.
  fileprivate var isStale: Bool { connection.connection.mayHaveTemporaryChanges }

  /// Between transactions: makes what had no table before and may have one now.
  fileprivate func completeSetup() throws(RequestError) {
    if !left.isEmpty { left = try script.apply(to: connection.connection, only: left) }
  }
}

struct PreparedWriters {
  /// What all writers here are made with.
  struct Shared {
    let files: DatabaseFiles
    let configuration: EngineConfiguration
    let planCounters: PlanCacheCounters
    let counters: WriterCounters
    let feed: CommitFeed
    let recoveries: Recoveries
    let watch: WriteWatch
    let diskGuard: DiskGuard
  }

  /// For requests without a setup, and for checkpoints.
  let first: PreparedWriter
  private let shared: Shared
  private var others: [ShapeID: PreparedWriter] = [:]
  private var uses: UInt64 = 0

  /// Opens the first connection, which makes the file if it does not exist.
  init(_ shared: Shared) throws(RequestError) {
    self.shared = shared
    let connection: WriterConnection
    do throws(SQLiteError) {
      connection = try WriterConnection(
        files: shared.files, configuration: shared.configuration, planCounters: shared.planCounters,
        feed: shared.feed, recoveries: shared.recoveries)
      // The log and the shared file are opened by the first read.
      _ = try connection.connection.text(of: TransactionSQL.touch)
      try connection.connection.syncLog()
    } catch {
      throw shared.files.explained(error)
    }
    try shared.files.opened()
    first = try PreparedWriter(connection, script: .empty, shared: shared)
  }

  /// The writer for a setup, prepared with all of it that can be made now.
  ///
  /// Throws what SQLite says to the setup, which may not fit the schema any more.
  mutating func writer(for script: SetupScript) throws(RequestError) -> PreparedWriter {
    if script.isEmpty { return first }
    if let error = first.connection.fenceError { throw error }
    uses &+= 1
    if let known = others[script.id], !known.isStale {
      known.usedAt = uses
      try known.completeSetup()
      return known
    }
    others[script.id] = nil
    if others.count >= shared.configuration.limits.setupsPerDatabaseMax,
      let oldest = others.min(by: { $0.value.usedAt < $1.value.usedAt })?.key
    {
      others[oldest] = nil
    }
    let made = try open(script)
    made.usedAt = uses
    others[script.id] = made
    return made
  }

  private func open(_ script: SetupScript) throws(RequestError) -> PreparedWriter {
    let connection: WriterConnection
    do throws(SQLiteError) {
      connection = try WriterConnection(
        files: shared.files, label: "writer.\(script.id.description.prefix(8))", configuration: shared.configuration,
        planCounters: shared.planCounters, feed: shared.feed, logGauge: first.connection.connection.logGauge,
        recoveries: shared.recoveries)
    } catch {
      throw shared.files.explained(error)
    }
    return try PreparedWriter(connection, script: script, shared: shared)
  }

  /// Nothing is written any more, on whatever connection.
  func fence(_ error: RequestError) {
    for writer in others.values where !writer.connection.isFenced { writer.connection.fence(error) }
    if !first.connection.isFenced { first.connection.fence(error) }
  }

  private var all: [PreparedWriter] { [first] + others.values }

  /// Lets go of the pages and the statements that are kept for later.
  func releaseMemory() {
    for writer in all {
      writer.connection.prepared.releaseMemory()
      writer.connection.connection.releaseMemory()
    }
  }

  /// Lets go of statements that nobody has used for a while.
  func tick(now: MonotonicTime) {
    first.connection.prepared.tick(now: now)
    for writer in others.values { writer.connection.prepared.tick(now: now) }
  }

  mutating func close(_ ids: [ShapeID]) { for id in ids { others[id] = nil } }

  /// All but the first, which closes last because it tidies the log away.
  mutating func closeOthers() { others = [:] }
}
