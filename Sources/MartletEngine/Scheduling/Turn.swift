import Dispatch
import MartletSQLite
import MartletValues
import Synchronization

/// One read's way over the threads of the pool: it runs, is parked while others run, and ends or comes again.
///
/// Always true: what it keeps beside atomics is touched by the thread that runs it, or before it was submitted.
// Unchecked because what is neither constant nor atomic is touched by the read's own thread only.
final class Turn: @unchecked Sendable {
  enum Next {
    case done
    /// The read goes on later, after others.
    case again
  }

  enum Displacement: UInt8 {
    case none
    /// The statement ends and begins again later.
    case putBack
    /// The statement ends for good, because there is no room for it.
    case givenUp
  }

  typealias Job = @Sendable (Turn) -> Next

  let share: TimeShares.Share
  let job: Job
  private let threads: WorkerThreads
  private let seat: (any ReadSeat)?
  /// On `clock`, which may be another than the threads'.
  private let deadline: MonotonicTime
  private let clock: @Sendable () -> MonotonicTime

  /// The number by which `TimeShares` knows it; 0 before it was submitted.
  let id = Atomic<UInt64>(0)
  /// Grows each time the statement asks whether to go on; the watchdog looks at it.
  let beats = Atomic<UInt64>(0)
  let isAstray = Atomic<Bool>(false)
  /// The read opens its connection, reads a schema that others changed, or is compiled. That takes as long as it takes,
  /// and the statement cannot ask meanwhile whether to go on.
  private let isPreparing = Atomic<Bool>(false)
  private let isFirm = Atomic<Bool>(false)
  private let displaced = Atomic<UInt8>(0)
  /// The statement that the read runs, for the watchdog.
  let watch = StatementWatch()

  /// Time that the read used in its earlier turns and slices, and whether it is heavy.
  private(set) var pace: TimeShares.Pace
  private var grantedAt: UInt64 = 0
  private var askedAt: UInt64 = 0
  private var worker: WorkerThreads.Worker? { holder.withLock { $0 } }
  /// The read's thread; the watchdog asks for it.
  private let holder = Mutex<WorkerThreads.Worker?>(nil)

  init(
    on threads: WorkerThreads, as share: TimeShares.Share, pace: TimeShares.Pace = TimeShares.Pace(),
    deadline: MonotonicTime = .distantFuture, clock: @escaping @Sendable () -> MonotonicTime,
    seat: (any ReadSeat)? = nil, _ job: @escaping Job
  ) {
    self.threads = threads
    self.share = share
    self.pace = pace
    self.deadline = deadline
    self.clock = clock
    self.seat = seat
    self.job = job
  }

  // MARK: - From any thread

  /// The watchdog found that the statement does not ask whether to go on, and gave its slot to other reads. Its thread
  /// runs behind all others, unless what takes long is what others have done to the schema: on a busy machine it would
  /// not come to an end behind them, and it may be a read of a moment.
  func wentAstray() {
    isAstray.store(true, ordering: .relaxed)
    if !isPreparing.load(ordering: .relaxed) { worker?.wentAstray() }
  }

  /// The read has a slot again: wakes its parked thread.
  func wake() { worker?.wake.signal() }

  // MARK: - On its thread

  func preparingBegan() { isPreparing.store(true, ordering: .relaxed) }

  func preparingEnded() { isPreparing.store(false, ordering: .relaxed) }

  var displacement: Displacement { Displacement(rawValue: displaced.load(ordering: .relaxed)) ?? .none }

  /// Something of the read was delivered, so it cannot begin again.
  func becomeFirm() { isFirm.store(true, ordering: .relaxed) }

  /// A turn that was put back begins anew, as a heavy one.
  func beginAgain() {
    displaced.store(Displacement.none.rawValue, ordering: .relaxed)
    pace.isHeavy = true
    pace.timesPutBack += 1
  }

  func granted(on worker: WorkerThreads.Worker) {
    holder.withLock { $0 = worker }
    isAstray.store(false, ordering: .relaxed)
    grantedAt = threads.clock()
    askedAt = grantedAt
  }

  /// Time that the read has used so far, this turn included, and whether it is heavy.
  var paceNow: TimeShares.Pace {
    var now = pace
    now.used &+= threads.clock() &- grantedAt
    now.isHeavy = now.isHeavy || now.used >= threads.rules.lightSliceNs
    return now
  }

  /// The read leaves its thread, and comes again later.
  func left() { pace = paceNow }

  /// Between two statements or batches: whether it should leave the thread to others.
  var shouldLeave: Bool {
    guard threads.pressure != .none else { return false }
    let now = threads.clock()
    return pace.isHeavy && threads.pressure == .light ? now >= askedAt &+ EngineLimits.turnAskNs : isSliceOver(now)
  }

  private func isSliceOver(_ now: UInt64) -> Bool {
    let ran = now &- grantedAt
    return pace.isHeavy ? ran >= threads.rules.heavySliceNs : ran &+ pace.used >= threads.rules.lightSliceNs
  }

  private func ask(_ now: UInt64) -> Bool {
    askedAt = now
    let isUndoable = !isFirm.load(ordering: .relaxed)
    if let seat, pace.used &+ (now &- grantedAt) >= threads.rules.lightSliceNs, !seat.becomeLong() {
      return displace(isUndoable ? .putBack : .givenUp)
    }
    let isWanted = seat.map { $0.isWanted && $0.isWantedByOthers } ?? false
    if isWanted, isUndoable, seat?.mustYield == true { return displace(.putBack) }
    switch threads.sliceEnded(self, isUndoable: isUndoable, isLeaseWanted: isWanted, now: now) {
    case .goOn: restart(at: now)
    case .park: park(since: now)
    case .putBack: return displace(.putBack)
    case .giveUp: return displace(.givenUp)
    }
    return false
  }

  private func displace(_ displacement: Displacement) -> Bool {
    displaced.store(displacement.rawValue, ordering: .relaxed)
    return true
  }

  private func restart(at now: UInt64) {
    pace.used &+= now &- grantedAt
    pace.isHeavy = pace.isHeavy || pace.used >= threads.rules.lightSliceNs
    grantedAt = now
  }

  /// Blocks until there is a slot for it again, or until it must end; the statement's limiter finds out which.
  private func park(since now: UInt64) {
    restart(at: now)
    pace.isHeavy = true
    guard let worker else { return }
    worker.yieldsToOthers()
    if deadline == .distantFuture {
      worker.wake.wait()
    } else {
      let present = clock()
      let left = deadline > present ? deadline.nanoseconds - present.nanoseconds : 0
      if !worker.wake.wait(by: .now() + .nanoseconds(Int(clamping: left))) {
        // Either this wakes it or somebody has done so meanwhile: one signal is on the way in any case.
        threads.stop(self)
        worker.wake.wait()
      }
    }
    grantedAt = threads.clock()
    askedAt = grantedAt
  }
}

/// A pool connection as its current reader sees it, including whether others wait for it.
protocol ReadSeat: AnyObject, Sendable {
  /// The read has turned out to be long. False if long reads use as many connections as they may already.
  func becomeLong() -> Bool
  /// A read waits for a connection; a cheap load.
  var isWanted: Bool { get }
  /// A read of another session waits for a connection.
  var isWantedByOthers: Bool { get }
  /// A read of somebody who has less waits for this connection; told once. For a read that can begin again.
  var mustYield: Bool { get }
}

extension Turn: StatementPacer {
  func compilesLong() {
    guard threads.pressure != .none, !isAstray.load(ordering: .relaxed) else { return }
    guard threads.compilesLong(self) else { return }
    // It goes on behind event loops and writers, as heavy reads do.
    isAstray.store(true, ordering: .relaxed)
    worker?.yieldsToOthers()
  }

  func mustEnd() -> Bool {
    beats.store(beats.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    if threads.pressure == .none, seat?.isWanted != true, !isAstray.load(ordering: .relaxed) { return false }
    if displacement != .none { return true }
    let now = threads.clock()
    if isAstray.exchange(false, ordering: .relaxed) { return ask(now) }
    if pace.isHeavy, threads.pressure == .light || seat?.isWanted == true {
      return now >= askedAt &+ EngineLimits.turnAskNs ? ask(now) : false
    }
    return isSliceOver(now) ? ask(now) : false
  }
}
