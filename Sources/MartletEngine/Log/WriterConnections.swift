import MartletSQLite
import MartletValues

/// The connections of one writer: one for requests without a setup, and one for each setup that was used lately.
///
/// Always true: used on the writer's thread, which uses one at a time and leaves no transaction open on it; so no two
/// of them ever write, or write and checkpoint, at once. Beside the first there are at most
/// `limits.setupsPerDatabaseMax`.
struct WriterConnections {
  private struct Other {
    let connection: WriterConnection
    var usedAt: UInt64
  }

  /// For requests without a setup, and for checkpoints.
  let first: WriterConnection
  private let files: DatabaseFiles
  private let configuration: EngineConfiguration
  private let planCounters: PlanCacheCounters
  private let counters: WriterCounters
  private let feed: CommitFeed
  private let recoveries: Recoveries
  /// What all of them have for a log that loses its name.
  let rescue: LogRescue
  private var others: [ShapeID: Other] = [:]
  private var uses: UInt64 = 0

  /// Opens the first connection, which makes the file if it does not exist.
  init(
    files: DatabaseFiles, configuration: EngineConfiguration, planCounters: PlanCacheCounters,
    counters: WriterCounters, feed: CommitFeed, recoveries: Recoveries,
    endOldSnapshots: @escaping @Sendable (_ writtenBytes: UInt64) -> Void
  ) throws(RequestError) {
    self.files = files
    self.configuration = configuration
    self.planCounters = planCounters
    self.counters = counters
    self.feed = feed
    self.recoveries = recoveries
    rescue = LogRescue(files: files, configuration: configuration, endOldSnapshots: endOldSnapshots)
    let refusal: RequestError?
    do throws(SQLiteError) {
      first = try WriterConnection(
        files: files, script: .empty, configuration: configuration, planCounters: planCounters, counters: counters,
        feed: feed, recoveries: recoveries, rescue: rescue)
      // The log and the shared file are opened by the first read.
      _ = try first.connection.text(of: TransactionSQL.touch)
      try first.connection.syncLog()
      if let words = try first.connection.boundToShadow() { first.refusal = .boundToShadow(words) }
      refusal = try first.connection.refusalOfStatistics(configuration.limits)
    } catch {
      throw files.explained(error)
    }
    if let refusal { throw refusal }
    try files.opened()
  }

  /// The connection for a setup that is not empty, prepared with all of it that can be made now.
  ///
  /// Throws what SQLite says to the setup, which may not fit the schema any more.
  mutating func connection(for script: SetupScript) throws(RequestError) -> WriterConnection {
    if let error = first.fenceError { throw error }
    uses &+= 1
    if let known = others[script.id]?.connection, !known.isSetupStale {
      others[script.id]?.usedAt = uses
      try known.completeSetup()
      return known
    }
    others[script.id] = nil
    if others.count >= configuration.limits.setupsPerDatabaseMax,
      let oldest = others.min(by: { $0.value.usedAt < $1.value.usedAt })?.key
    {
      others[oldest] = nil
    }
    let made = try open(script)
    others[script.id] = Other(connection: made, usedAt: uses)
    return made
  }

  private func open(_ script: SetupScript) throws(RequestError) -> WriterConnection {
    let made: WriterConnection
    do throws(SQLiteError) {
      made = try WriterConnection(
        files: files, label: "writer.\(script.id.description.prefix(8))", script: script, configuration: configuration,
        planCounters: planCounters, counters: counters, feed: feed, logGauge: first.connection.logGauge,
        recoveries: recoveries, rescue: rescue)
      // Opens the log, by its name.
      _ = try made.connection.text(of: TransactionSQL.touch)
    } catch {
      throw files.explained(error)
    }
    // Now it is certain that it has opened the log that the others have.
    if let fault = files.checkLog() { throw fault.fencedError(database: files.name) }
    try made.makeSetup()
    made.refusal = first.refusal
    return made
  }

  /// Nothing is written any more, on whatever connection.
  func fence(_ error: RequestError) {
    for other in others.values where !other.connection.isFenced { other.connection.fence(error) }
    if !first.isFenced { first.fence(error) }
  }

  private var all: [WriterConnection] { [first] + others.values.map(\.connection) }

  /// Lets go of the pages and the statements that are kept for later.
  func releaseMemory() {
    for writer in all {
      writer.prepared.releaseMemory()
      writer.connection.releaseMemory()
    }
  }

  /// Lets go of statements that nobody has used for a while.
  func tick(now: MonotonicTime) {
    first.prepared.tick(now: now)
    for other in others.values { other.connection.prepared.tick(now: now) }
  }

  mutating func close(_ ids: [ShapeID]) { for id in ids { others[id] = nil } }

  /// All but the first, which closes last because it tidies the log away.
  mutating func closeOthers() { others = [:] }
}
