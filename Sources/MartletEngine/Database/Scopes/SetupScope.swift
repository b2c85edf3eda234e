import MartletSQLite
import MartletValues
import Synchronization

/// What sessions of one setup share in one database.
///
/// Always true: every connection that is leased for it is prepared with the setup before it runs a program's statement;
/// what it takes is counted for the subject that brought it for as long as it is there.
final class SetupScope: Sendable {
  let script: SetupScript
  let pool: ReaderPool
  /// Tells raw text that reads from raw text that writes; nil if the plan cache's own does.
  let classifier: RawClassifier?
  /// Counts who has the scope. Whether it closes is decided with the scopes' lock held.
  let leases = LeaseCount()
  private let usedAt: Atomic<UInt64>
  /// Nil without a setup, which takes nothing.
  let place: SetupPlace?

  /// For sessions without a setup.
  init(pool: ReaderPool, parts: DatabaseParts) {
    script = .empty
    self.pool = pool
    classifier = nil
    place = nil
    usedAt = Atomic(parts.clock().nanoseconds)
  }

  /// A connection is opened, so that what is wrong with the setup shows here. Throws MEMORY if there is no room for
  /// one more of the subject's.
  init(
    _ script: SetupScript, of subject: Subject, pool: ReaderPool, classifiers: OpenClassifiers, parts: DatabaseParts
  ) throws(RequestError) {
    guard let place = parts.setupRoom.place(forBytes: script.byteCount, of: subject.share) else {
      throw .noMemory("one more setup")
    }
    self.place = place
    self.script = script
    self.pool = pool
    usedAt = Atomic(parts.clock().nanoseconds)
    let classifier = RawClassifier(
      path: parts.path, files: parts.files, limits: parts.limits, clock: parts.clock, script: script,
      others: classifiers)
    try classifier.open()
    self.classifier = classifier
  }

  func noteUse(at now: MonotonicTime) { usedAt.store(now.nanoseconds, ordering: .relaxed) }

  var idleSince: MonotonicTime { MonotonicTime(nanoseconds: usedAt.load(ordering: .relaxed)) }

  /// Nobody has the scope any more.
  func close() { classifier?.close() }
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
  /// For the setups of all databases of the engine.
  var setupRoom: SetupRoom
  var log: LogMeter

  var path: String { files.path }
}
