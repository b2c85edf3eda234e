/// What the threads around one writer share: the queue, and how far it is from its end.
import MartletAST

struct WriterState {
  /// Can only move forward.
  enum Phase: Int {
    case open
    /// Takes nothing more, and finishes what it has.
    case draining
    /// Has nothing to do any more; the connection is still open, so that readers may close first.
    case drained
    case closing
    case closed
  }

  var queue: WriteQueue<WriteJob>
  var phase = Phase.open
  /// What writes are told since the database is fenced.
  var fenceError: RequestError?
  /// An interactive transaction holds the writer.
  var hasTransaction = false
  /// When the connections were used last; nil while their page caches are as good as empty.
  var usedAt: MonotonicTime?
  /// Setups whose sessions have all gone; their connections may close.
  var retiredSetups: [ShapeID] = []

  init(limits: Limits) { queue = WriteQueue(capacity: limits.writeQueueMax) }

  /// Nobody has written for a while, so that the page caches are better given up.
  func isCacheIdle(now: MonotonicTime, afterMs ms: Int) -> Bool {
    guard let usedAt, queue.isEmpty, !hasTransaction else { return false }
    return usedAt.advanced(milliseconds: ms) <= now
  }

  /// How long to wait for `moment` or the next deadline in the queue; nil where nothing is due.
  func nanoseconds(until moment: MonotonicTime, now: MonotonicTime) -> UInt64? {
    let due = min(moment, queue.earliestDeadline)
    guard due != .distantFuture else { return nil }
    return due > now ? due.nanoseconds - now.nanoseconds : 0
  }
}
