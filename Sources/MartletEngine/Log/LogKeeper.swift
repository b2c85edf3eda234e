import MartletSQLite
import MartletValues
import Synchronization

/// Keeps the write-ahead log small: carries out the checkpoint policy between transactions.
///
/// Always true: runs on the writer's thread and connection only; a checkpoint that fails harms no write, unless its
/// sync failed, which fences.
struct LogKeeper {
  let writer: WriterConnection
  let rescue: LogRescue
  let limits: Limits
  let counters: WriterCounters
  /// Ends the snapshots during which the log has grown too much; `logBytes` is its size now.
  let endSnapshots: @Sendable (_ logBytes: Int) -> Void
  let meter: LogMeter
  let pace: CopyPace
  let clock: @Sendable () -> MonotonicTime
  /// Hears once when copies begin to fail, and once when one works again.
  let report: @Sendable (EngineNotice) -> Void
  private var isFailing = false
  private var policy: CheckpointPolicy

  /// When to look again although nothing was written, because something was left in a log that should be small.
  private(set) var nextLook = MonotonicTime.distantFuture
  /// The log is to be copied when a group has had its turn, and before anything else.
  private(set) var owesCopy = false
  /// The log's bytes at the last look, and by how many it had grown in the turn before, if a copy is owed for that.
  private var seenBytes = 0
  private var owedGrowth = 0

  init(
    writer: WriterConnection, rescue: LogRescue, limits: Limits, counters: WriterCounters, meter: LogMeter,
    pace: CopyPace, endSnapshots: @escaping @Sendable (_ logBytes: Int) -> Void,
    report: @escaping @Sendable (EngineNotice) -> Void, clock: @escaping @Sendable () -> MonotonicTime
  ) {
    self.report = report
    self.writer = writer
    self.rescue = rescue
    self.limits = limits
    self.counters = counters
    self.meter = meter
    self.pace = pace
    self.endSnapshots = endSnapshots
    self.clock = clock
    policy = CheckpointPolicy(limits: limits)
  }

  /// Looks after each turn, and when `nextLook` has come; returns for how many nanoseconds of a copy the turn is to
  /// blame: for as much as it made of what was copied. `isOthersTurn`: ordinary writes have waited for the turn, so
  /// they come before the copy, for which that turn stays to blame.
  @discardableResult
  mutating func turnEnded(isOthersTurn: Bool = false) -> UInt64 {
    guard !writer.isFenced else {
      lookWhileFenced()
      return 0
    }
    let bytes = writer.connection.walBytes
    counters.walBytes.store(Int64(bytes), ordering: .relaxed)
    meter.set(writtenBytes: writer.connection.walWrittenBytes)
    // Before the log is copied, so that these snapshots are gone when the log is to start anew.
    if policy.isOverLimit(walBytes: bytes) { endSnapshots(bytes) }
    let isOverdue = nextLook != .distantFuture && clock() >= nextLook
    var action = policy.committed(walBytes: bytes)
    if action == .none, isOverdue { action = .restart }
    let growth = owesCopy ? owedGrowth : bytes - (bytes >= seenBytes ? seenBytes : 0)
    seenBytes = bytes
    owesCopy = action != .none && isOthersTurn && !owesCopy
    if owesCopy { (nextLook, owedGrowth) = (clock(), growth) }
    guard action != .none, !owesCopy else { return 0 }
    return copy(action, bytes: bytes, growth: growth)
  }

  /// A fenced database copies nothing; what it was about to save of its log is tried again in time.
  private mutating func lookWhileFenced() {
    if rescue.isOwed, nextLook != .distantFuture, clock() >= nextLook {
      rescue.goOn(on: writer)
      nextLook = .distantFuture
    }
    if !rescue.isOwed {
      nextLook = .distantFuture
    } else if nextLook == .distantFuture {
      nextLook = clock().advanced(milliseconds: EngineLimits.checkpointRetryMs)
    }
  }

  /// Copies the log, of `bytes`, of which the turn to blame wrote `growth`; returns that turn's part of the time.
  private mutating func copy(_ action: CheckpointPolicy.Action, bytes: Int, growth: Int) -> UInt64 {
    let began = clock()
    let copy = writer.checkpoint(
      action, waitMs: 2 * limits.inlineSnapshotMs, keptBytes: limits.logBytesKept)
    let ended = clock()
    let took = ended.nanoseconds &- min(began.nanoseconds, ended.nanoseconds)
    // The other kind also waits for readers, which is much of the time of a short copy.
    if copy.isComplete, action == .passive || policy.isOverLimit(walBytes: bytes) {
      pace.copied(bytes: bytes, nanoseconds: took)
    }
    policy.attempted(copy.isCut ? .restart : action, walBytes: bytes, isComplete: copy.isComplete)
    WriterCounters.add(1, to: counters.checkpoints)
    if copy.isFailed { WriterCounters.add(1, to: counters.checkpointFailures) }
    tell(of: copy)
    counters.walBytes.store(Int64(writer.connection.walBytes), ordering: .relaxed)
    let retryMs =
      policy.isOverLimit(walBytes: bytes) ? EngineLimits.checkpointUrgentRetryMs : EngineLimits.checkpointRetryMs
    nextLook = copy.isComplete ? .distantFuture : clock().advanced(milliseconds: retryMs)
    if copy.isComplete { seenBytes = writer.connection.walBytes }
    // One that was not complete has mostly waited, and is tried again.
    return copy.isComplete && bytes > 0 ? UInt64(Double(took) * Double(growth) / Double(bytes)) : 0
  }

  /// Without it a log that only grows would show in a counter alone. A fenced database is told of elsewhere.
  private mutating func tell(of copy: WriterConnection.Copy) {
    if let failure = copy.failure, failure.code != SQLiteCode.busy, !writer.isFenced {
      guard !isFailing else { return }
      isFailing = true
      report(
        EngineNotice(
          .error, database: writer.files.name,
          "The log could not be copied into the database's file, so it grows: \(SQLiteLibrary.words(of: failure.code))")
      )
    } else if copy.isComplete, isFailing {
      isFailing = false
      report(EngineNotice(.notice, database: writer.files.name, "The log is copied into the database's file again"))
    }
  }
}
