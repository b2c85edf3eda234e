import Synchronization

/// Counts the holders of something that may be closed only while nobody holds it.
///
/// Always true: the first of several leases is taken with the lock held under which closing is decided, so what is free
/// there stays free until that lock is let go; each lease is given back once.
final class LeaseCount: Sendable {
  private let count = Atomic<Int>(0)

  /// Whether nobody has a lease. With the lock held.
  var isFree: Bool { count.load(ordering: .acquiring) == 0 }

  /// With the lock held, or by somebody who has a lease already.
  func take() { count.add(1, ordering: .acquiringAndReleasing) }

  /// On any thread.
  func giveBack() {
    let left = count.subtract(1, ordering: .acquiringAndReleasing).newValue
    assert(left >= 0, "a lease that was given back twice")
  }
}
