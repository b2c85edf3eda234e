/// How long requests of one kind took, as counts of ranges of time.
///
/// Always true: the bounds ascend, there are as many counts as bounds, and each range begins where the one before it
/// ends; ranges that hold nothing may be left out.
public struct LatencyCounts: Sendable, Equatable {
  public var kind: String
  /// Where the ranges end, in microseconds; the first begins at 0.
  public var boundsUs: [UInt64]
  public var counts: [UInt64]
  /// What all requests took together.
  public var microseconds: UInt64

  public init(kind: String, boundsUs: [UInt64] = [], counts: [UInt64] = [], microseconds: UInt64 = 0) {
    self.kind = kind
    self.boundsUs = boundsUs
    self.counts = counts
    self.microseconds = microseconds
  }

  public var count: UInt64 { counts.reduce(0, &+) }

  /// The end of the range that holds the percentile `fraction`, such as 0.99; nil if nothing was counted.
  public func percentile(_ fraction: Double) -> UInt64? {
    let total = count
    guard total > 0 else { return nil }
    let wanted = max(1, UInt64(exactly: (Double(total) * min(max(fraction, 0), 1)).rounded(.up)) ?? total)
    var seen: UInt64 = 0
    for (bound, count) in zip(boundsUs, counts) {
      seen &+= count
      if seen >= wanted { return bound }
    }
    return boundsUs.last
  }

  /// What came since `earlier`, which is of the same server and kind.
  public func since(_ earlier: LatencyCounts) -> LatencyCounts {
    var known: [UInt64: UInt64] = [:]
    for (bound, count) in zip(earlier.boundsUs, earlier.counts) { known[bound] = count }
    var rest = LatencyCounts(kind: kind)
    for (bound, count) in zip(boundsUs, counts) {
      let former = known[bound] ?? 0
      guard count > former else { continue }
      rest.boundsUs.append(bound)
      rest.counts.append(count - former)
    }
    rest.microseconds = microseconds > earlier.microseconds ? microseconds - earlier.microseconds : 0
    return rest
  }
}
