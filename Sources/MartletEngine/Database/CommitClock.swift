/// Numbers the commits of one database, and tells any thread the number of the last one with one load.
///
/// Always true: it grows by one per commit, after the commit is durable and before any reply to it leaves; so a
/// snapshot begun after reading a number holds that commit.
import Synchronization

final class CommitClock: Sendable {
  private let count = Atomic<UInt64>(0)

  var sequence: UInt64 { count.load(ordering: .acquiring) }

  /// A commit has become durable; gives its number.
  @discardableResult
  func advance() -> UInt64 { count.add(1, ordering: .acquiringAndReleasing).newValue }
}
