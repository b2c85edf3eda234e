import MartletValues

/// When a cache next drops what nobody has used: it ends a round each `limits.cacheRoundMs`.
///
/// Always true: two rounds end at least that long apart, so what was used in one is there through the next.
struct CacheRounds {
  private var began: MonotonicTime?

  /// Whether a round is over; the next one begins then.
  mutating func isOver(_ now: MonotonicTime, _ limits: Limits) -> Bool {
    guard let began else {
      began = now
      return false
    }
    guard now >= began.advanced(milliseconds: limits.cacheRoundMs) else { return false }
    self.began = now
    return true
  }
}
