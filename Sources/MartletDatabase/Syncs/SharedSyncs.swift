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
  /// Called with nil if the disk has the commit, or with the reason why nobody can say whether it has.
  typealias Told = @Sendable (RequestError?) -> Void

  private struct State {
    var schedule = SyncSchedule()
    /// A thread tells those whose commits are settled.
    var isTelling = false
    /// The log that the last commit was written to. SQLite syncs one before it goes over to another.
    var log: LogSync?
    var observers: [(commit: UInt64, tell: @Sendable () -> Void)] = []
    var waiting: [(commit: UInt64, told: Told)] = []

    /// The log of the sync that has begun with this call; nil if none may begin.
    mutating func begin() -> LogSync? { schedule.syncBegins() ? log : nil }

    /// Takes observers and waiters whom the caller has to tell now; nil if there are none, or another thread tells.
    mutating func takeSettled() -> Settled? {
      guard !isTelling else { return nil }
      let schedule = self.schedule
      let told = observers.prefix { schedule.verdict(on: $0.commit) != nil }
      let waiters = waiting.compactMap { waiter in
        schedule.verdict(on: waiter.commit).map { (told: waiter.told, verdict: $0) }
      }
      guard !told.isEmpty || !waiters.isEmpty else { return nil }
      isTelling = true
      observers.removeFirst(told.count)
      waiting.removeAll { schedule.verdict(on: $0.commit) != nil }
      return Settled(observers: told.map { $0.tell }, waiters: waiters)
    }
  }

  private struct Settled {
    let observers: [@Sendable () -> Void]
    let waiters: [(told: Told, verdict: SyncSchedule.Verdict)]
  }

  private let state = Mutex(State())
  private let begun = Atomic<UInt64>(0)
  private let durable = Atomic<UInt64>(0)

  private static let threads = ThreadPool(name: "martlet sync", most: DatabaseLimits.syncThreadsMax)

  /// The last commit that can be seen, for whoever has just begun to read.
  var lastSeen: UInt64 { begun.load(ordering: .acquiring) }

  /// A sync has failed, so what can be seen may not be on the disk.
  var hasFailed: Bool { state.withLock(\.schedule.hasFailed) }

  // MARK: - Commits of the one connection that writes

  /// A commit is about to be made. Returns its number, which is known before anybody can see the commit.
  func commitBegins() -> UInt64 {
    state.withLock { state in
      let number = state.schedule.commitBegins()
      begun.store(number, ordering: .releasing)
      return number
    }
  }

  /// The commit has been made, and its sync was left out; `tell` is called when the disk has it. `log` is nil if it
  /// cannot be synced any more: then nobody can say whether the disk has the commit.
  func commitMade(in log: LogSync?, tell: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.schedule.commitMade()
      if let log { state.log = log } else { state.schedule.syncIsImpossible() }
      state.observers.append((state.schedule.committed, tell))
    }
    if log == nil { tellSettled() }
  }

  /// The commit wrote nothing, or failed.
  func commitNeedsNoSync() {
    state.withLock { state in
      state.schedule.commitNeedsNoSync()
      durable.store(state.schedule.durable, ordering: .releasing)
    }
    tellSettled()
  }

  /// Calls `tell` after the observers of all commits before have been told: now, if they were.
  func afterAll(_ tell: @escaping @Sendable () -> Void) {
    state.withLock { $0.observers.append(($0.schedule.committed, tell)) }
    tellSettled()
  }

  // MARK: - Waiting

  /// Calls `told` when the disk has the commit, or when nobody can say. Syncs on the calling thread if nobody does,
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

  /// Syncs for as long as commits want it; leaves the rest to another thread if the caller `isOver`.
  private func lead(_ first: LogSync?, until isOver: () -> Bool) {
    var next = first
    while let log = next {
      var hasFailed = false
      do { try log.run() } catch { hasFailed = true }
      state.withLock { state in
        state.schedule.syncEnded(hasFailed: hasFailed)
        durable.store(state.schedule.durable, ordering: .releasing)
      }
      tellSettled()
      next = state.withLock { $0.begin() }
      if let next, isOver() {
        return Self.threads.run { [self] in lead(next) { false } }
      }
    }
  }

  /// Tells all whose commits the disk has, or that there will be no sync. Those whose commits are settled meanwhile are
  /// told by the same thread, so that observers hear of commits in their order.
  private func tellSettled() {
    while let settled = state.withLock({ $0.takeSettled() }) {
      // If the sync failed they learn by fetching that the database is out of order.
      for tell in settled.observers { tell() }
      for waiter in settled.waiters { waiter.told(waiter.verdict.error) }
      state.withLock { $0.isTelling = false }
    }
  }
}

extension SyncSchedule.Verdict {
  /// The error that those who wait are told; nil: all is well.
  fileprivate var error: RequestError? { self == .durable ? nil : .syncFailed }
}
