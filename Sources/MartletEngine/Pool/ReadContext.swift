import MartletValues

/// What every read of one database's pool needs to know.
///
/// Always true: made once with the pool, and the same for all its reads.
struct ReadContext: Sendable {
  var limits: Limits
  var limitsInForce: LimitsInForce
  var clock: @Sendable () -> MonotonicTime
  var commits: CommitClock
  var snapshots: SnapshotRegistry
  var workers: WorkerThreads
  var counters: ReadCounters
  /// The database whose time reads take, beside that of their sessions.
  var database: Int
}
