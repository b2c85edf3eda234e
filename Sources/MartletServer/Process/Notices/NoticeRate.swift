internal import MartletValues

/// Which lines of one kind are logged, so that nobody fills the log by making the server say the same again and again.
///
/// Always true: pure; at most so many lines are logged in an interval. Each one beyond is counted, and the count is
/// told once: with the next line, or when the interval is over.
struct NoticeRate: Sendable {
  private let linesMax: Int
  private let intervalMs: Int
  /// Nil before the first line.
  private var began: MonotonicTime?
  private var logged = 0
  private var leftOut = 0

  init(linesMax: Int, intervalMs: Int) {
    self.linesMax = linesMax
    self.intervalMs = intervalMs
  }

  /// There is something to log; without room the log takes no line at this moment. Returns how many before it were
  /// left out and not told, for its line; nil: this one is left out, too.
  mutating func arrived(now: MonotonicTime, hasRoom: Bool = true) -> Int? {
    if isOver(now) {
      began = now
      logged = 0
    }
    guard logged < linesMax, hasRoom else {
      leftOut += 1
      return nil
    }
    logged += 1
    return takeLeftOut()
  }

  /// How many were left out and not told, if the interval is over; 0: nothing is to be told.
  mutating func ticked(now: MonotonicTime) -> Int { isOver(now) ? takeLeftOut() : 0 }

  /// The same at the end of all, when no tick follows.
  mutating func takeLeftOut() -> Int {
    defer { leftOut = 0 }
    return leftOut
  }

  private func isOver(_ now: MonotonicTime) -> Bool {
    began.map { now >= $0.advanced(milliseconds: intervalMs) } ?? true
  }
}
