/// Which commits the disk has, and which one sync is to cover: events in, decisions out.
///
/// Always true: commits are counted in the order in which they are made, one at a time; the disk has all up to
/// `durable` and none is said to be there before; one sync runs at a time; after one that failed there is never
/// another.
struct SyncSchedule {
  /// Commits that somebody may see: the last one may still be on its way.
  private(set) var begun: UInt64 = 0
  /// Commits that have been made.
  private(set) var committed: UInt64 = 0
  /// Commits that a loss of power cannot take.
  private(set) var durable: UInt64 = 0
  /// The last commit that the running sync covers; nil if none runs.
  private(set) var running: UInt64?
  private(set) var hasFailed = false

  /// A commit is about to be made. It has its number before anybody can see it. Returns that.
  mutating func commitBegins() -> UInt64 {
    assert(begun == committed, "two commits at once")
    begun += 1
    return begun
  }

  /// The commit was made without its sync.
  mutating func commitMade() {
    committed = begun
    invariant()
  }

  /// The commit wrote nothing, or failed: the disk has it when it has those before it.
  mutating func commitNeedsNoSync() {
    let before = committed
    committed = begun
    if durable == before {
      durable = committed
    } else if running == before {
      running = committed
    }
    invariant()
  }

  /// Nothing is synced any more.
  mutating func syncIsImpossible() { hasFailed = true }

  /// Whether a sync may begin, which then has begun and covers all commits so far.
  mutating func syncBegins() -> Bool {
    guard running == nil, !hasFailed, durable < committed else { return false }
    running = committed
    return true
  }

  /// The sync that ran has ended.
  mutating func syncEnded(hasFailed: Bool) {
    guard let covered = running else { return assertionFailure("No sync was running.") }
    running = nil
    if hasFailed { self.hasFailed = true } else { durable = covered }
    invariant()
  }

  /// What to tell now to those who saw this commit; nil: they have to wait.
  func verdict(on commit: UInt64) -> Verdict? {
    if commit <= durable { return .durable }
    return hasFailed ? .unknown : nil
  }

  enum Verdict: Equatable {
    case durable
    /// A sync failed that should have covered it.
    case unknown
  }

  private func invariant() {
    assert(durable <= committed && committed <= begun)
    assert(running.map { durable < $0 && $0 <= committed } ?? true)
  }
}
