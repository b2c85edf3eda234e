import MartletValues

/// When the writer copies the WAL back into the database, and how hard it tries.
///
///     small ──(WAL above the threshold)──▶ passive ──(all copied, yet it grew on)──▶ restart ──▶ small
///                                             └──(a reader pins it)──▶ wait for another threshold's worth
///
/// Always true: between two of its attempts the WAL has grown by at least a threshold, so a pinned WAL costs little.
/// (`LogKeeper` repeats one that was not complete after a while, whether it grew or not.)
struct CheckpointPolicy {
  enum Action: Equatable {
    case none
    /// Copy what no reader needs; waits for nobody.
    case passive
    /// Copy all and make the next commit start the file anew; waits briefly for readers.
    case restart
  }

  private let thresholdBytes: Int
  private let maxBytes: Int
  private var nextAttemptBytes: Int
  /// The last attempt copied everything, so only readers keep the file from starting anew.
  private var wasComplete = false

  init(limits: Limits) {
    thresholdBytes = max(1, limits.walCheckpointBytes)
    maxBytes = limits.walBytesMax
    nextAttemptBytes = thresholdBytes
  }

  /// After each commit, with the bytes of the WAL that are in use.
  mutating func committed(walBytes: Int) -> Action {
    if walBytes < thresholdBytes {
      nextAttemptBytes = thresholdBytes
      wasComplete = false
      return .none
    }
    guard walBytes >= nextAttemptBytes else { return .none }
    return wasComplete || walBytes > maxBytes ? .restart : .passive
  }

  /// `isComplete`: everything in the WAL has been copied. Failure counts as incomplete.
  mutating func attempted(_ action: Action, walBytes: Int, isComplete: Bool) {
    defer { assert(nextAttemptBytes >= thresholdBytes, "an attempt that comes too early") }
    assert(action != .none, "an attempt of nothing")
    wasComplete = isComplete
    if action == .restart && isComplete {
      nextAttemptBytes = thresholdBytes
      wasComplete = false
    } else {
      nextAttemptBytes = walBytes.addingReportingOverflow(thresholdBytes).partialValue
    }
  }

  /// Whether snapshots may have to go, because they keep a WAL of this size from starting anew.
  func isOverLimit(walBytes: Int) -> Bool { walBytes > maxBytes }
}
