import MartletValues
import Synchronization

/// What the threads around one writer share: the queue, and how far it is from its end.
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

  var lanes: WriteLanes<WriteJob>
  var phase = Phase.open
  /// What writes are told since the database is fenced.
  var fenceError: RequestError?
  /// An interactive transaction holds the writer.
  var hasTransaction = false
  /// When the connections were used last; nil while their page caches are as good as empty.
  var usedAt: MonotonicTime?
  /// Setups whose sessions have all gone; their connections may close.
  var retiredSetups: [ShapeID] = []

  /// What keeps the writer for more than a slice, and since when others have waited for it.
  private(set) var hold = Hold.none
  private var contendedSince: MonotonicTime?

  enum Hold {
    case none
    case transaction
    case longWrite
  }

  /// Reads how many wait while it runs something.
  private let watch: WriteWatch

  init(limits: Limits, watch: WriteWatch) {
    lanes = WriteLanes(limits: limits)
    self.watch = watch
  }

  /// After each change of who waits.
  func publish() {
    watch.ordinaryWaiting.store(lanes.ordinaryCount, ordering: .relaxed)
    watch.longWaiting.store(lanes.longCount, ordering: .relaxed)
  }

  // MARK: Holding the writer

  mutating func holdBegan(_ hold: Hold, _ now: MonotonicTime) {
    self.hold = hold
    contendedSince = isContended ? now : nil
  }

  /// Whom it keeps waiting counts: ordinary writes always, transactions behind a long write.
  private var isContended: Bool {
    switch hold {
    case .none: false
    case .transaction: lanes.sharedCount > 0
    case .longWrite: lanes.ordinaryCount > 0
    }
  }

  mutating func jobArrived(_ clock: () -> MonotonicTime) {
    if hold != .none, contendedSince == nil, isContended { contendedSince = clock() }
  }

  /// For how many nanoseconds others have waited.
  mutating func holdEnded(_ now: MonotonicTime) -> UInt64 {
    defer {
      hold = .none
      contendedSince = nil
    }
    return contendedSince.map { now.nanoseconds &- min($0.nanoseconds, now.nanoseconds) } ?? 0
  }

  // MARK: Waiting

  /// Nobody has written for a while, so that the page caches are better given up.
  func isCacheIdle(now: MonotonicTime, afterMs ms: Int) -> Bool {
    guard let usedAt, lanes.isEmpty, !hasTransaction else { return false }
    return usedAt.advanced(milliseconds: ms) <= now
  }

  /// How long to wait for `moment` or the next deadline in the queue; nil where nothing is due.
  func nanoseconds(until moment: MonotonicTime, now: MonotonicTime) -> UInt64? {
    let due = min(moment, lanes.earliestDeadline)
    guard due != .distantFuture else { return nil }
    return due > now ? due.nanoseconds - now.nanoseconds : 0
  }
}
