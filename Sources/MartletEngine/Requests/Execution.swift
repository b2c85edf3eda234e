import MartletSQLite
import MartletValues
import Synchronization

/// The handle on one request that is being carried out: its credit, its cancellation, and the way to its sink.
///
/// Always true: once abandoned it delivers nothing; its flags only ever go from false to true.
package final class Execution: Sendable {
  let token: RequestToken
  let sink: any ReplySink
  private let dueNanoseconds: Atomic<UInt64>
  /// Counts the memory of its rows until they have left; nil: nobody counts it.
  let account: MemoryAccount?
  /// Who asks.
  let subject: Subject

  private let flags = Atomic<UInt8>(0)
  private let credit: Atomic<Int>
  private let driver = Mutex<(any ExecutionDriver)?>(nil)

  private let writes = Atomic<Bool>(false)

  /// The place in the write queue by which the request can be withdrawn; 0 if it has none yet.
  private let place = Atomic<UInt64>(0)
  private static let takenPlace = UInt64.max

  private static let cancelledFlag: UInt8 = 1
  private static let abandonedFlag: UInt8 = 2
  private static let shortenedFlag: UInt8 = 4
  private static let untakenFlag = shortenedFlag << 1

  init(
    token: RequestToken, sink: any ReplySink, deadline: MonotonicTime, credit: Int, account: MemoryAccount? = nil,
    subject: Subject = .program
  ) {
    self.subject = subject
    self.account = account
    self.token = token
    self.sink = sink
    dueNanoseconds = Atomic(deadline.nanoseconds)
    self.credit = Atomic(max(0, credit))
  }

  // MARK: What the owner of the request says

  /// Allows `bytes` more of rows. Rows that were waiting for it may be delivered before this returns.
  package func extendCredit(_ bytes: Int) {
    guard bytes > 0 else { return }
    // Saturates far below overflow, so that a client that grants credit without end does no harm.
    guard credit.load(ordering: .relaxed) < Int.max / 2 else { return }
    // The value that the addition itself met: one that was read before may miss what was spent in between, and a
    // stream that paused for it would never be told.
    let before = credit.add(min(bytes, Int.max / 4), ordering: .acquiringAndReleasing).oldValue
    if before <= 0 { currentDriver?.creditExtended(self) }
  }

  /// Ends the request soon with `failed(.cancelled)`, unless it has ended by then.
  package func cancel() { raise(Self.cancelledFlag) }

  /// Ends the request soon, without any event.
  package func abandon() { raise(Self.cancelledFlag | Self.abandonedFlag) }

  /// The owner takes no rows any more, long after it should have: those that are ready are dropped, and the request's
  /// end says so.
  package func dropUntakenRows() { raise(Self.cancelledFlag | Self.untakenFlag) }

  private func raise(_ raised: UInt8) {
    let before = flags.bitwiseOr(raised, ordering: .sequentiallyConsistent).oldValue
    if before & Self.cancelledFlag == 0 { currentDriver?.cancelled(self) }
  }

  /// Whether the writer has it, or had it.
  package var isWrite: Bool { writes.load(ordering: .relaxed) }

  // MARK: What the engine asks and says

  var deadline: MonotonicTime { MonotonicTime(nanoseconds: dueNanoseconds.load(ordering: .relaxed)) }

  /// Cuts a write's time to what a write may have. Called before anything else knows of the execution.
  func shorten(to moment: MonotonicTime) {
    dueNanoseconds.store(moment.nanoseconds, ordering: .relaxed)
    flags.bitwiseOr(Self.shortenedFlag, ordering: .relaxed)
  }

  // Place and flag are in one order: either the thread that cancels sees the new place, or the thread that sets the
  // place sees the flag.

  /// The request waits in the write queue at `place`; returns whether it had been cancelled by then.
  @discardableResult
  func queued(at place: UInt64) -> Bool {
    self.place.store(place, ordering: .sequentiallyConsistent)
    return flags.load(ordering: .sequentiallyConsistent) & Self.cancelledFlag != 0
  }

  /// The writer has taken it out of its queue and runs it; it hears of a cancellation from the flag.
  func taken() { place.store(Self.takenPlace, ordering: .sequentiallyConsistent) }

  /// The request's place in the write queue: 0 if it has none yet, nil if the writer has taken it.
  var placeInQueue: UInt64? {
    let place = place.load(ordering: .sequentiallyConsistent)
    return place == Self.takenPlace ? nil : place
  }

  /// Whose time the request takes on threads that are shared.
  var sessionShare: SessionShare { SessionShare(subject: subject.share, session: token.session) }

  func noteWrite() { writes.store(true, ordering: .relaxed) }

  /// Whether there is room for one more answer of ordinary size.
  var hasRoomForAnswer: Bool { account?.hasRoom(forBytes: 0) ?? true }

  /// Whether rows of `bytes` bytes may be delivered; small ones always may, because their number is bounded.
  @inline(__always)
  func hasRoom(forRowBytes bytes: Int) -> Bool {
    guard bytes > EngineLimits.memorySmallBytes, let account else { return true }
    return account.hasRoom(forBytes: bytes)
  }

  /// Cancelled or abandoned; a cheap load, asked while the statement runs.
  package var isCancelled: Bool { flags.load(ordering: .acquiring) & Self.cancelledFlag != 0 }

  var areRowsUntaken: Bool { flags.load(ordering: .acquiring) & Self.untakenFlag != 0 }

  var isAbandoned: Bool { flags.load(ordering: .acquiring) & Self.abandonedFlag != 0 }

  /// Rows may be delivered while this holds; a batch may overdraw the credit once.
  var hasCredit: Bool { credit.load(ordering: .acquiring) > 0 }

  /// Bytes; may be negative after an overdraft.
  var availableCredit: Int { credit.load(ordering: .acquiring) }

  func spendCredit(_ bytes: Int) { credit.subtract(bytes, ordering: .acquiringAndReleasing) }

  /// Who hears of credit and cancellation; nil when the request has ended. After setting it, the driver looks at
  /// `isCancelled` and `hasCredit` once, because either may have changed before.
  func setDriver(_ new: (any ExecutionDriver)?) { driver.withLock { $0 = new } }

  private var currentDriver: (any ExecutionDriver)? { driver.withLock { $0 } }

  /// Delivers for the request itself; silent once abandoned.
  func deliver(_ event: ReplyEvent) {
    if !isAbandoned { sink.deliver(event, to: token) }
  }

  /// Calls `heard` when all that the owner has sent by now has come to the engine; see `ReplySink`.
  func listen(_ heard: @escaping @Sendable () -> Void) { sink.listen(for: token, heard) }

  /// The engine has cut the deadline that came with the request.
  var isShortened: Bool { flags.load(ordering: .relaxed) & Self.shortenedFlag != 0 }
}

extension Execution: CancellationSource {}

/// Carries an execution out, and hears of its owner's credit and cancellation. Called on the owner's thread; must not
/// block.
protocol ExecutionDriver: AnyObject, Sendable {
  /// There is credit again after there was none.
  func creditExtended(_ execution: Execution)
  /// `isCancelled` has become true.
  func cancelled(_ execution: Execution)
}
