internal import MartletValues

/// How much output waits for a peer that is slower than the server, and whether the peer still takes any.
///
/// Always true: above the pause mark no rows are pulled and no requests are read, until half of it has drained.
struct OutputGauge: Equatable, Sendable {
  private let limits: Limits
  private(set) var isPaused = false
  private(set) var queuedBytes = 0
  private var writtenBytes: UInt64 = 0
  /// When the current wait began, and what had been written by then.
  private var mark: (since: MonotonicTime, written: UInt64)?

  init(limits: Limits) { self.limits = limits }

  enum Change: Equatable, Sendable {
    case none
    case paused
    case resumed
  }

  /// The queue has another length; `writtenBytes` counts all that the socket ever took.
  mutating func changed(queuedBytes: Int, writtenBytes: UInt64, now: MonotonicTime) -> Change {
    self.queuedBytes = queuedBytes
    self.writtenBytes = writtenBytes
    if queuedBytes == 0 { mark = nil } else if mark == nil { mark = (now, writtenBytes) }
    if !isPaused, queuedBytes > limits.outputPauseBytes {
      isPaused = true
      return .paused
    }
    if isPaused, queuedBytes <= limits.outputPauseBytes / 2 {
      isPaused = false
      return .resumed
    }
    return .none
  }

  /// Whether the peer took less than one batch, or than what there was, in the time that it has for that.
  mutating func isStalled(now: MonotonicTime) -> Bool {
    guard let begun = mark, now >= begun.since.advanced(milliseconds: limits.outputStallMs) else { return false }
    if writtenBytes &- begun.written < UInt64(limits.rowBatchBytes) { return true }
    mark = (now, writtenBytes)
    return false
  }

  static func == (left: OutputGauge, right: OutputGauge) -> Bool {
    left.isPaused == right.isPaused && left.queuedBytes == right.queuedBytes && left.writtenBytes == right.writtenBytes
  }
}
