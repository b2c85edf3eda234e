import MartletEngine
import MartletSQLite
import Synchronization

/// The observers of one database: who is told of which commit, and who waits for one.
///
/// Always true: telling them takes a lock and wakes tasks, and never waits for an observer. Each waits once at a time.
final class CommitObservers: Sendable {
  typealias ID = ObservationSchedule.ObserverID

  private struct State {
    var schedule = ObservationSchedule()
    var waiting: [ID: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())
  private let subscription = Mutex<CommitSubscription?>(nil)

  /// Without a feed: observers hear of the calls of `committed` only.
  init() {}

  /// Is told of commits by `feed`, on the thread that commits: when a write returns, its observers are due.
  init(following feed: CommitFeed) {
    let subscription = feed.subscribe(queueMax: DatabaseLimits.observedCommitsMax) { [weak self] in self?.takeNews() }
    self.subscription.withLock { $0 = subscription }
  }

  private func takeNews() {
    guard let news = subscription.withLock({ $0 })?.take() else { return }
    if let gap = news.gap { committed(gap.tables) }
    for commit in news.commits { committed(commit.tables) }
    if news.end != nil { committed(.everything) }
  }

  func add() -> ID { state.withLock { $0.schedule.observerCame() } }

  func remove(_ id: ID) {
    let waiting = state.withLock { state in
      state.schedule.observerLeft(id)
      return state.waiting.removeValue(forKey: id)
    }
    waiting?.resume()
  }

  /// A transaction that wrote to `tables` can be seen by readers now.
  func committed(_ tables: TableSet) {
    let woken: [CheckedContinuation<Void, Never>] = state.withLock { state in
      if state.schedule.isEmpty || tables.isEmpty { return [] }
      return state.schedule.committed(tables).compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for continuation in woken { continuation.resume() }
  }

  func fetchBegan(_ id: ID) { state.withLock { $0.schedule.fetchBegan(id) } }

  func fetchEnded(_ id: ID, region: TableSet) { state.withLock { $0.schedule.fetchEnded(id, region: region) } }

  func isDue(_ id: ID) -> Bool { state.withLock { $0.schedule.isDue(id) } }

  /// Suspends until the observer has to fetch; also if the task is cancelled.
  func change(for id: ID) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // A cancellation before this found no one to wake.
          if Task.isCancelled || state.schedule.isDue(id) { return true }
          state.waiting[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
  }
}

/// A database that tells of its commits.
protocol ObservableDatabase: DatabaseReader {
  var observers: CommitObservers { get }
  /// Whether a read takes a connection of this process, and no round trip.
  var isEmbedded: Bool { get }
}
