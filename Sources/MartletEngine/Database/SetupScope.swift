import MartletSQLite
import MartletValues
import Synchronization

/// The readers of one database for the sessions of one setup.
///
/// Always true: every connection in it was prepared with the setup before it ran a program's statement.
final class SetupScope: Sendable {
  let script: SetupScript
  let pool: ReaderPool
  /// Tells raw text that reads from raw text that writes; nil where the plan cache's own does.
  let classifier: RawClassifier?
  /// Who has it. The lock of the scopes decides about closing.
  let leases = LeaseCount()
  private let usedAt: Atomic<UInt64>

  /// For a setup that is not empty a connection is opened, so that what is wrong with it shows here.
  init(_ script: SetupScript, parts: DatabaseParts) throws(RequestError) {
    self.script = script
    pool = ReaderPool(
      path: parts.path, files: parts.files, limits: parts.limits, limitsInForce: parts.limitsInForce,
      clock: parts.clock, commits: parts.commitClock, plans: parts.plans, workers: parts.workers,
      counters: parts.readCounters, log: parts.log, script: script)
    usedAt = Atomic(parts.clock().nanoseconds)
    guard !script.isEmpty else {
      classifier = nil
      return
    }
    let classifier = RawClassifier(
      path: parts.path, files: parts.files, limits: parts.limits, clock: parts.clock, script: script)
    try classifier.open()
    self.classifier = classifier
  }

  func noteUse(at now: MonotonicTime) { usedAt.store(now.nanoseconds, ordering: .relaxed) }

  var idleSince: MonotonicTime { MonotonicTime(nanoseconds: usedAt.load(ordering: .relaxed)) }

  /// Ends its reads and closes its connections. Blocks while reads run.
  func close() {
    pool.shutdown()
    classifier?.close()
  }
}

/// What all scopes of one database share.
struct DatabaseParts: Sendable {
  var files: DatabaseFiles
  var limits: Limits
  var limitsInForce: LimitsInForce
  var clock: @Sendable () -> MonotonicTime
  var commitClock: CommitClock
  var plans: PlanCache
  var workers: WorkerThreads
  var planner: Planner
  var readCounters: ReadCounters
  var log: LogMeter

  var path: String { files.path }
}
