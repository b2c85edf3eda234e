package import MartletSQLite
import Synchronization

/// Tells of the commits of one database, on the thread that commits, after each commit and before any reply to it.
///
/// Always true: telling takes a lock, puts a value into each subscriber's queue and calls its `wake`, and waits for
/// nobody; without a subscriber it is the lock. A commit's number is given with that lock held, so a subscriber hears
/// of every commit above `since` and of no other.
package final class CommitFeed: Sendable {
  fileprivate struct State {
    var audience = CommitAudience()
    var wakes: [CommitAudience.ID: @Sendable () -> Void] = [:]
  }

  package let clock: CommitClock
  fileprivate let state = Mutex(State())
  private let watched = Atomic<Bool>(false)
  private let logWatched = Atomic<Bool>(false)

  package init(clock: CommitClock) { self.clock = clock }

  /// Whether anybody wants to know which tables are written. A subscriber that comes later hears that all were.
  var isWatched: Bool { watched.load(ordering: .relaxed) }
  var isLogWatched: Bool { logWatched.load(ordering: .relaxed) }

  /// Tells of the commits from now on, at most `queueMax` at a time; more than that become a gap.
  ///
  /// `wake` is called on the thread that commits when there is something to take and was nothing before; it must return
  /// at once, and not hold the subscription. It may be called before this returns, if the end has come already, and
  /// once more after `cancel`.
  package func subscribe(
    queueMax: Int, wantsLog: Bool = false, wake: @escaping @Sendable () -> Void
  ) -> CommitSubscription {
    subscribe(queueMax: queueMax, wantsLog: wantsLog, keeping: nil, wake: wake)
  }

  func subscribe(
    queueMax: Int, wantsLog: Bool, keeping: (any AnyObject & Sendable)?, wake: @escaping @Sendable () -> Void
  ) -> CommitSubscription {
    let (subscription, isWoken) = state.withLock { state in
      let came = state.audience.came(queueMax: queueMax, wantsLog: wantsLog)
      state.wakes[came.id] = wake
      publish(state)
      let subscription = CommitSubscription(came.id, feed: self, since: clock.sequence, keeping: keeping)
      return (subscription, came.isWoken)
    }
    if isWoken { wake() }
    return subscription
  }

  /// A commit has become durable; returns its number.
  @discardableResult
  package func committed(_ tables: TableSet, log: LogSpan?) -> UInt64 {
    let (sequence, wakes) = state.withLock { state -> (UInt64, [@Sendable () -> Void]) in
      let sequence = clock.advance()
      if state.audience.isEmpty { return (sequence, []) }
      let woken = state.audience.committed(Commit(sequence: sequence, tables: tables, log: log))
      return (sequence, woken.compactMap { state.wakes[$0] })
    }
    for wake in wakes { wake() }
    return sequence
  }

  /// Nothing more will be told. The first end counts.
  package func ended(_ end: CommitEnd) {
    let (woken, wakes) = state.withLock { state in
      let woken = state.audience.ended(end)
      // No `wake` is called again.
      defer { state.wakes = [:] }
      return (woken, state.wakes)
    }
    for id in woken { wakes[id]?() }
  }

  fileprivate func left(_ id: CommitAudience.ID) {
    // Let go of outside of the lock, because it may hold the last reference to something.
    let wake = state.withLock { state in
      state.audience.left(id)
      publish(state)
      return state.wakes.removeValue(forKey: id)
    }
    _ = wake
  }

  private func publish(_ state: State) {
    watched.store(!state.audience.isEmpty, ordering: .relaxed)
    logWatched.store(state.audience.wantsLog, ordering: .relaxed)
  }
}

/// A subscriber to the commits of a database. It keeps the database open, and ends with the last reference to it.
package final class CommitSubscription: Sendable {
  /// Commits with larger numbers are told of.
  package let since: UInt64
  private let id: CommitAudience.ID
  private let feed: CommitFeed
  private let kept: (any AnyObject & Sendable)?

  fileprivate init(_ id: CommitAudience.ID, feed: CommitFeed, since: UInt64, keeping: (any AnyObject & Sendable)?) {
    self.id = id
    self.feed = feed
    self.since = since
    kept = keeping
  }

  deinit { cancel() }

  /// What has happened since it was asked last; may be called on any thread, by `wake` too.
  package func take() -> CommitNews { feed.state.withLock { $0.audience.taken(by: id) } }

  /// Hears of nothing more.
  package func cancel() { feed.left(id) }
}
