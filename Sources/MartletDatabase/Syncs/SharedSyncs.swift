import Dispatch
import MartletSQLite
import MartletThreads
import MartletValues
import Synchronization

/// Waits for the disk on behalf of the commits of one file, so that those which come together share a sync.
///
/// Always true: nobody is told of a commit before the disk has it: neither who made it, nor who read it, nor who
/// observes the database, who hears of commits in their order. After a sync that failed nothing is synced any more.
final class SharedSyncs: Sendable {
  /// Called with nil, or with why nobody can say whether the disk has it.
  typealias Told = @Sendable (RequestError?) -> Void

  private struct State {
    var schedule = SyncSchedule()
    /// Those that a sync was for are being told.
    var isTelling = false
    /// The log that the last commit was written to. SQLite syncs one before it goes over to another.
    var log: LogSync?
    var observers: [(commit: UInt64, tell: @Sendable () -> Void)] = []
    var waiting: [(commit: UInt64, told: Told)] = []

    /// The log of the sync that has begun with this call; nil where none may begin.
    mutating func begin() -> LogSync? { !isTelling && schedule.syncBegins() ? log : nil }
  }

  private let state = Mutex(State())
  private let committed = Atomic<UInt64>(0)
  private let durable = Atomic<UInt64>(0)

  private static let threads = ThreadPool(name: "martlet sync", most: 8)

  /// The last commit that can be seen, for whoever has just begun to read.
  var lastSeen: UInt64 { committed.load(ordering: .acquiring) }

  /// A sync has failed, so what can be seen may not be on the disk.
  var hasFailed: Bool { state.withLock(\.schedule.hasFailed) }

  /// The one connection that writes has made a commit and left out its sync. Returns its number; `tell` is called when
  /// the disk has it.
  func commitMade(in log: LogSync, tell: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { state in
      let number = state.schedule.commitMade()
      state.log = log
      state.observers.append((number, tell))
      committed.store(number, ordering: .releasing)
      return number
    }
  }

  /// Calls `tell` behind those of all commits before: now, where they have been told of.
  func afterAll(_ tell: @escaping @Sendable () -> Void) {
    let isNow = state.withLock { state in
      if state.observers.isEmpty, !state.isTelling { return true }
      state.observers.append((state.schedule.committed, tell))
      return false
    }
    if isNow { tell() }
  }

  // MARK: - Waiting

  /// Calls `told` when the disk has the commit, or when nobody can say. Syncs on the calling thread where nobody does,
  /// and goes on while others wait.
  func settle(_ commit: UInt64, _ told: @escaping Told) {
    if commit <= durable.load(ordering: .acquiring) { return told(nil) }
    wait(for: commit, told) { false }
  }

  /// Waits on the calling thread until the disk has the commit. Returns nil, or why nobody can say whether it has.
  func settle(_ commit: UInt64) -> RequestError? {
    if commit <= durable.load(ordering: .acquiring) { return nil }
    let answer = Mutex<RequestError??>(nil)
    let semaphore = DispatchSemaphore(value: 0)
    wait(for: commit) { error in
      answer.withLock { $0 = .some(error) }
      semaphore.signal()
    } isOver: {
      answer.withLock { $0 != nil }
    }
    semaphore.wait()
    return answer.withLock { $0 ?? nil }
  }

  private func wait(for commit: UInt64, _ told: @escaping Told, isOver: () -> Bool) {
    let (verdict, log) = state.withLock { state in
      let verdict = state.schedule.verdict(on: commit)
      guard verdict == nil else { return (verdict, LogSync?.none) }
      state.waiting.append((commit, told))
      return (nil, state.begin())
    }
    if let verdict { return told(verdict.error) }
    lead(log, until: isOver)
  }

  /// Syncs for as long as commits want it; leaves the rest to another thread where the caller `isOver`.
  private func lead(_ first: LogSync?, until isOver: () -> Bool) {
    var next = first
    while let log = next {
      var hasFailed = false
      do { try log.run() } catch { hasFailed = true }
      tell(afterFailure: hasFailed)
      next = state.withLock { state in
        state.isTelling = false
        return state.begin()
      }
      if let next, isOver() {
        return Self.threads.run { [self] in lead(next) { false } }
      }
    }
  }

  /// A sync has ended: tells those that it was for, or everybody that there will be none.
  private func tell(afterFailure hasFailed: Bool) {
    let (observers, waiting) = state.withLock { state in
      state.schedule.syncEnded(hasFailed: hasFailed)
      state.isTelling = true
      let schedule = state.schedule
      durable.store(schedule.durable, ordering: .releasing)
      let observers = state.observers.prefix { schedule.verdict(on: $0.commit) != nil }
      state.observers.removeFirst(observers.count)
      let waiting = state.waiting.compactMap { waiter in
        schedule.verdict(on: waiter.commit).map { (told: waiter.told, verdict: $0) }
      }
      state.waiting.removeAll { schedule.verdict(on: $0.commit) != nil }
      return (observers, waiting)
    }
    // Where the sync failed they learn by fetching that the database is out of order.
    for observer in observers { observer.tell() }
    for waiter in waiting { waiter.told(waiter.verdict.error) }
  }
}

extension SyncSchedule.Verdict {
  /// What whoever waits is told; nil: all is well.
  fileprivate var error: RequestError? { self == .durable ? nil : .syncFailed }
}

extension RequestError {
  /// A sync failed that should have covered what was written or read.
  fileprivate static let syncFailed = RequestError(
    .unknown, .fenced,
    "The disk failed while it took a commit, so what was written or read here may be gone after a loss of power. "
      + "Look at the disk, open the database again, and read before writing again.",
    isOutcomeUnknown: true)

  /// The database is asked for something after that.
  static let diskFailed = RequestError(
    .unavailable, .fenced,
    "The disk failed at a commit of this database, so nothing is read or written any more. Look at the disk, then open "
      + "the database again.")
}
