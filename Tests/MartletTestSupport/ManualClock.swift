/// A clock that stands still until a test moves it.
package import MartletValues
import Synchronization

package final class ManualClock: Sendable {
  private let nanoseconds = Atomic<UInt64>(1_000_000_000)

  package init() {}

  package var now: MonotonicTime { MonotonicTime(nanoseconds: nanoseconds.load(ordering: .acquiring)) }

  package var read: @Sendable () -> MonotonicTime { { self.now } }

  package func advance(milliseconds: Int) { advance(microseconds: milliseconds &* 1_000) }

  package func advance(microseconds: Int) {
    nanoseconds.add(UInt64(max(0, microseconds)) &* 1_000, ordering: .acquiringAndReleasing)
  }
}
