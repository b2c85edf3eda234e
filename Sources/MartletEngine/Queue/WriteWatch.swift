import MartletSQLite
import MartletValues
import Synchronization

/// Ends what the writer runs when its owner has gone, or when it has had its time and others wait.
///
/// Always true: it never ends anything for others' sake while nobody waits; `hasYielded` tells which of the two it was;
/// a statement that has written everything is not ended because its owner wants no more rows.
// Unchecked because all but the counts is touched on the writer's thread only, which also runs the statements.
final class WriteWatch: CancellationSource, @unchecked Sendable {
  /// Who waits for the watched work.
  struct Others {
    /// Other members of the work's own group wait.
    var hasCompany = false
    /// Waiting long writes count too, except for this many, which are of the work's own session; nil: they do not
    /// count.
    var longBeyond: Int?
    /// The moment from which the work gives way to long writes.
    var longTurnEnds = MonotonicTime(nanoseconds: 0)
  }

  /// Ordinary writes and begins that wait; changed with the writer's lock held.
  let ordinaryWaiting = Atomic<Int>(0)
  let longWaiting = Atomic<Int>(0)

  private let clock: @Sendable () -> MonotonicTime
  private var execution: Execution?
  private var others = Others()
  private var turnEnds = MonotonicTime.distantFuture
  private var patienceMs: () -> Int = { 0 }
  private var contendedSince: MonotonicTime?
  private(set) var hasYielded = false
  private var hasWritten = false
  /// The owner was given rows of the statement, or wants no more of them: it may not look at the statement's end.
  private(set) var hasGivenRows = false
  /// Replies that leave when the watched statement first asks whether it may go on, because it takes longer than a
  /// moment.
  var quietReplies: QuietReplies?

  init(clock: @escaping @Sendable () -> MonotonicTime) { self.clock = clock }

  /// Watches a member of a group, which gives way from `turnEnds` on.
  func watch(_ execution: Execution, turnEnds: MonotonicTime, others: Others) {
    self.execution = execution
    self.others = others
    self.turnEnds = turnEnds
    patienceMs = { 0 }
    contendedSince = nil
    hasYielded = false
    hasWritten = false
    hasGivenRows = false
  }

  /// Watches a statement of an interactive transaction, which gives way when others have waited for `patienceMs`. That
  /// is asked again and again, because what the statement writes makes it less.
  func watch(_ execution: Execution, contendedSince: MonotonicTime?, patienceMs: @escaping () -> Int) {
    watch(execution, turnEnds: MonotonicTime(nanoseconds: 0), others: Others(longBeyond: 0))
    self.patienceMs = patienceMs
    self.contendedSince = contendedSince
  }

  /// The first row is here: SQLite makes all changes of a statement before it returns a row. Interrupted now, it would
  /// undo them, and the transaction with them.
  func rowsBegan() { hasWritten = true }

  func rowsLeft() { hasGivenRows = true }

  /// The client cancelled the write after its first row: the write stays, and its other rows are dropped.
  var dropsRows: Bool { hasWritten && execution?.isCancelled == true && execution?.isAbandoned == false }

  func unwatch() {
    execution = nil
    patienceMs = { 0 }
    turnEnds = .distantFuture
  }

  private var ordinaryWait: Bool { others.hasCompany || ordinaryWaiting.load(ordering: .relaxed) > 0 }

  private var longWait: Bool {
    guard let own = others.longBeyond else { return false }
    return longWaiting.load(ordering: .relaxed) > own
  }

  /// The statement ran past its slice, and another write waits.
  func mustGiveWay(at now: MonotonicTime) -> Bool {
    (now >= turnEnds && ordinaryWait) || (now >= others.longTurnEnds && longWait)
  }

  var isCancelled: Bool {
    quietReplies?.leave()
    if hasYielded { return true }
    if let execution, execution.isCancelled, !dropsRows { return true }
    guard turnEnds != .distantFuture else { return false }
    guard ordinaryWait || longWait else {
      contendedSince = nil
      return false
    }
    let now = clock()
    let since = contendedSince ?? now
    contendedSince = since
    hasYielded = mustGiveWay(at: now) && now.milliseconds(since: since) >= patienceMs()
    return hasYielded
  }
}
