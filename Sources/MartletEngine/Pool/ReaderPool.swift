import MartletValues
import Synchronization

/// Where reads of one database begin that take longer than a loop may: streams and read transactions, each on a
/// connection that is leased to it.
///
/// Always true: it starts reads and lets their time be watched, and no read calls it back: what they need later they
/// ask of `ReaderLeases`. None waits for a connection for longer than its deadline.
final class ReaderPool: Sendable {
  let context: ReadContext
  private let leases: ReaderLeases

  init(
    path: String, files: DatabaseFiles? = nil, limits: Limits, limitsInForce: LimitsInForce? = nil,
    clock: @escaping @Sendable () -> MonotonicTime, commits: CommitClock, plans: PlanCache, workers: WorkerThreads,
    counters: ReadCounters = ReadCounters(),
    log: LogMeter = LogMeter(), connectionsMax: Int? = nil
  ) {
    context = ReadContext(
      limits: limits, limitsInForce: limitsInForce ?? LimitsInForce(limits), clock: clock, commits: commits,
      snapshots: SnapshotRegistry(limits: limits, clock: clock, log: log), workers: workers, counters: counters,
      database: path.hashValue)
    leases = ReaderLeases(
      path: path, files: files, context: context, plans: plans,
      connectionsMax: connectionsMax ?? limits.readerConnectionsMax)
  }

  // MARK: - Reads

  /// Runs one read in a snapshot of its own.
  func start(_ request: StatementRequest, plan: Plan, execution: Execution, script: SetupScript = .empty) {
    let stream = ReadStream(
      request, plan: plan, execution: execution, context: context, home: leases, script: script)
    context.counters.poolReads.wrappingAdd(1, ordering: .relaxed)
    stream.enter()
    let isLong = plan.isPresumedLong()
    if isLong { stream.presumeHeavy() }
    if let refusal = leases.lease(to: stream, kind: isLong ? .long : .brief) { stream.stop(refusal) }
  }

  /// Begins a read transaction: its token's completion comes when it has its snapshot. `kind` is what it holds a
  /// connection as.
  func begin(
    deadline: MonotonicTime, subject: Subject, token: RequestToken, sink: any ReplySink,
    kind: LeaseQueue.Kind = .transaction, pace: TimeShares.Pace = TimeShares.Pace(), script: SetupScript = .empty
  ) -> ReadTransaction {
    let transaction = ReadTransaction(
      context: context, leases: leases, script: script, kind: kind, pace: pace, deadline: deadline, subject: subject,
      token: token, sink: sink)
    context.counters.readTransactions.wrappingAdd(1, ordering: .relaxed)
    transaction.enter()
    if let refusal = leases.lease(to: transaction, kind: kind) { transaction.end(refusal) }
    return transaction
  }

  // MARK: - Limits

  /// Ends reads that are over their deadline, or idle. Called every 50 to 100 ms while the database is open.
  func tick(now: MonotonicTime) {
    context.snapshots.expire(now: now)
    leases.reclaim()
    leases.releaseIdleMemory(now: now)
    leases.closeIdleReader(now: now)
  }

  /// Nobody has these setups any more: connections that are prepared with them close.
  func close(setups: [ShapeID]) { leases.close(setups: setups) }

  /// Ends all reads and closes the connections. Blocks until that is done; not to be called on a worker's thread.
  func shutdown() { leases.shutdown { context.snapshots.shutDown() } }

  /// Ends what runs by SQLite's own means, if its limits did not.
  func interrupt() { leases.interrupt() }

  // MARK: - Gauges

  var leasedCount: Int { leases.leasedCount }
  /// Connections that are open and that nobody holds.
  var idleCount: Int { leases.idleCount }
  var waitingCount: Int { leases.waitingCount }
  /// Streams that hold a connection while they wait for their clients.
  var pausedCount: Int { leases.pausedCount }

  /// Reads that run, stream, are paused or wait.
  var openReads: Int { context.snapshots.count }

  func oldestSnapshotAgeMs(now: MonotonicTime) -> Int { context.snapshots.oldestAgeMs(now: now) }
}
