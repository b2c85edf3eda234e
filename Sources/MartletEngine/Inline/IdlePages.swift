import MartletValues

/// When a reader lets go of its page cache: once nobody has read for a while.
///
/// Always true: it looks from time to time, and reads are only counted; pages that it let go do not go again before the
/// next read.
struct IdlePages {
  private var reads: UInt64 = 0
  private var seenReads: UInt64 = 0
  private var lastReads = MonotonicTime(nanoseconds: 0)
  private var areHeld = false

  @inline(__always)
  mutating func readArrived() { reads &+= 1 }

  /// A look: whether the pages are to go now. `isPinned`: they cannot, whoever has read.
  mutating func mustGo(_ now: MonotonicTime, isPinned: Bool, idleMs: @autoclosure () -> Int) -> Bool {
    if reads != seenReads {
      seenReads = reads
      lastReads = now
      areHeld = true
      return false
    }
    guard areHeld, !isPinned, now >= lastReads.advanced(milliseconds: idleMs()) else { return false }
    areHeld = false
    return true
  }
}
