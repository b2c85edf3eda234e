package import MartletValues

/// The part of the time that something may take from others. What it does not use may be used later, up to a bound.
///
/// Always true: over any period no more is spent than that part of it, what was saved before, and the last piece.
package struct PartOfTime: Sendable {
  private let percent: UInt64
  private let savedMax: UInt64
  /// The moment from which some of the time is left.
  package private(set) var freeAt = MonotonicTime(nanoseconds: 0)

  /// `savedMicroseconds`: what may be used at once after nothing was used for long.
  package init(percent: Int, savedMicroseconds: Int) {
    self.percent = UInt64(min(max(percent, 1), 100))
    savedMax = UInt64(max(0, savedMicroseconds)) &* 100_000 / self.percent
  }

  package func isLeft(at now: MonotonicTime) -> Bool { now >= freeAt }

  /// Something took `nanoseconds` and ended `now`: nothing is left until `freeAt`.
  package mutating func spend(_ nanoseconds: UInt64, until now: MonotonicTime) {
    let (hundredfold, overflow) = nanoseconds.multipliedReportingOverflow(by: 100)
    let began = now.nanoseconds - min(now.nanoseconds, nanoseconds)
    let base = max(freeAt.nanoseconds, began - min(began, savedMax))
    let (sum, isBeyond) = base.addingReportingOverflow(hundredfold / percent)
    freeAt = overflow || isBeyond ? .distantFuture : MonotonicTime(nanoseconds: sum)
  }
}
