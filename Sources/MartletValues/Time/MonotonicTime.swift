/// A moment on a clock that only goes forward; says nothing about the time of day.
///
/// Always true: arithmetic saturates, so a deadline that a client made absurd is merely far away.
public struct MonotonicTime: Sendable, Hashable, Comparable {
  public var nanoseconds: UInt64

  @inlinable
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  public static let distantFuture = MonotonicTime(nanoseconds: .max)

  @inlinable
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

  @inlinable
  public func advanced(milliseconds: Int) -> MonotonicTime {
    let (product, overflow) = UInt64(max(0, milliseconds)).multipliedReportingOverflow(by: 1_000_000)
    let (sum, carried) = nanoseconds.addingReportingOverflow(product)
    return overflow || carried ? .distantFuture : MonotonicTime(nanoseconds: sum)
  }

  /// Whole milliseconds since `earlier`; 0 if that is later.
  @inlinable
  public func milliseconds(since earlier: MonotonicTime) -> Int {
    nanoseconds > earlier.nanoseconds ? Int((nanoseconds - earlier.nanoseconds) / 1_000_000) : 0
  }
}
