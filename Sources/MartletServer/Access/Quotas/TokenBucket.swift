internal import MartletValues

/// How many requests somebody may send now: tokens that come back at a steady rate, up to a burst.
///
/// Always true: exact, since it counts billionths of a token in whole numbers; never above the burst. Taking more than
/// the bucket ever holds leaves a debt, so a batch of many steps costs what its steps would.
struct TokenBucket: Sendable, Equatable {
  private static let unit = 1_000_000_000

  /// Billionths of a token; below zero if tokens are owed.
  private var level: Int
  private var since: MonotonicTime
  private(set) var rate: Int
  private(set) var burst: Int

  /// A full one.
  init(rate: Int, burst: Int, now: MonotonicTime) {
    self.rate = Self.bounded(rate)
    self.burst = Self.bounded(burst)
    level = self.burst * Self.unit
    since = now
  }

  private static func bounded(_ number: Int) -> Int { min(max(1, number), QuotaLimits.tokensMax) }

  /// Other numbers hold from now on; what was used stays used.
  mutating func change(rate: Int, burst: Int, now: MonotonicTime) {
    let (rate, burst) = (Self.bounded(rate), Self.bounded(burst))
    guard rate != self.rate || burst != self.burst else { return }
    refill(now: now)
    (self.rate, self.burst) = (rate, burst)
    level = min(level, capacity)
  }

  /// Whether `tokens` may be taken: as many as there are, or all of a full bucket.
  mutating func has(_ tokens: Int, now: MonotonicTime) -> Bool {
    refill(now: now)
    return level >= min(Self.bounded(tokens), burst) * Self.unit
  }

  /// Takes the tokens, whether they are there or not.
  mutating func take(_ tokens: Int, now: MonotonicTime) {
    refill(now: now)
    level = max(level - Self.bounded(tokens) * Self.unit, -QuotaLimits.tokensMax * Self.unit)
  }

  mutating func isFull(now: MonotonicTime) -> Bool {
    refill(now: now)
    return level >= capacity
  }

  /// When the bucket was looked at last.
  var seenAt: MonotonicTime { since }

  private var capacity: Int { burst * Self.unit }

  private mutating func refill(now: MonotonicTime) {
    // Loops look at the clock each for itself, so a moment may come a little after a later one.
    guard now > since else { return }
    let missing = capacity - level
    let elapsed = now.nanoseconds - since.nanoseconds
    since = now
    // Compared before it is multiplied, so nothing overflows, however long it has been.
    if elapsed > UInt64(missing / rate) {
      level = capacity
    } else {
      level += Int(elapsed) * rate
    }
  }
}
