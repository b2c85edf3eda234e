/// A clock that stands still until a test moves it.
public import MartletValues
import Synchronization

public final class ManualClock: Sendable {
  private let nanoseconds = Atomic<UInt64>(1_000_000_000)

  public init() {}

  public var now: MonotonicTime { MonotonicTime(nanoseconds: nanoseconds.load(ordering: .acquiring)) }

  public var read: @Sendable () -> MonotonicTime { { self.now } }

  public func advance(milliseconds: Int) { advance(microseconds: milliseconds &* 1_000) }

  public func advance(microseconds: Int) {
    nanoseconds.add(UInt64(max(0, microseconds)) &* 1_000, ordering: .acquiringAndReleasing)
  }
}
