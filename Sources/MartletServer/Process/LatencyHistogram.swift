internal import MartletValues
internal import Synchronization

/// How long requests took, by kind: counts of ranges of time. Written by one loop, and read by whoever asks.
///
/// Always true: bounded, whatever it is told. For a request between 4 microseconds and a minute, the time that it
/// reports is at most a quarter too long.
struct LatencyHistogram: Sendable {
  private var counts: [Int]
  private var microseconds: [UInt64]

  /// Four ranges for each power of two of 1.024 microseconds, up to about 70 seconds; the last holds what is longer.
  static let rangeCount = 104

  init() {
    counts = Array(repeating: 0, count: Self.rangeCount * RequestKind.allCases.count)
    microseconds = Array(repeating: 0, count: RequestKind.allCases.count)
  }

  mutating func note(_ kind: RequestKind, nanoseconds: UInt64) {
    counts[kind.rawValue &* Self.rangeCount &+ Self.range(of: nanoseconds)] &+= 1
    microseconds[kind.rawValue] &+= nanoseconds / 1_000
  }

  static func range(of nanoseconds: UInt64) -> Int {
    let units = nanoseconds >> 10
    guard units >= 4 else { return Int(units) }
    let exponent = 63 - units.leadingZeroBitCount
    let quarter = Int(truncatingIfNeeded: units >> UInt64(exponent - 2)) & 3
    return min((exponent - 1) * 4 + quarter, Self.rangeCount - 1)
  }

  /// Where a range ends, in microseconds.
  static func boundUs(_ range: Int) -> UInt64 {
    let units: UInt64
    if range < 4 {
      units = UInt64(range) + 1
    } else {
      let exponent = range / 4 + 1
      units = UInt64(4 + range % 4 + 1) << UInt64(exponent - 2)
    }
    return (units << 10) / 1_000
  }

  mutating func add(_ other: LatencyHistogram) {
    for index in counts.indices { counts[index] &+= other.counts[index] }
    for index in microseconds.indices { microseconds[index] &+= other.microseconds[index] }
  }

  /// Kinds and ranges that hold any.
  var counted: [LatencyCounts] {
    RequestKind.allCases.compactMap { kind in
      var found = LatencyCounts(kind: kind.word, microseconds: microseconds[kind.rawValue])
      for range in 0..<Self.rangeCount {
        let count = counts[kind.rawValue * Self.rangeCount + range]
        guard count > 0 else { continue }
        found.boundsUs.append(Self.boundUs(range))
        found.counts.append(UInt64(count))
      }
      return found.counts.isEmpty ? nil : found
    }
  }
}

/// What a request was, for the accounts.
enum RequestKind: Int, CaseIterable, Sendable {
  /// Outside of a transaction, answered on a loop or by the pool.
  case read
  case write
  case batch
  /// A statement or batch inside of an interactive transaction.
  case transaction
  /// The wait for a transaction's turn.
  case begin
  /// Commits and rollbacks.
  case finish

  var word: String { String(describing: self) }
}

/// The latest copy of a loop's histogram that others may read: the loop itself is never kept waiting for them.
final class LatencyBoard: Sendable {
  private let published = Mutex(LatencyHistogram())

  func publish(_ histogram: LatencyHistogram) { published.withLock { $0 = histogram } }

  var latest: LatencyHistogram { published.withLock { $0 } }
}
