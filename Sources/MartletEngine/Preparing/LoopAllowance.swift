public import MartletValues

/// How much of an event loop's time goes into statements that the loop does not know: reading, checking and compiling
/// them, and their first run. Beyond it the thread for long statements does that.
///
/// Always true: used on one loop's thread; what a loop knows costs nothing of it.
// @unchecked because it is touched on its loop's thread only; who opens a reader for the loop elsewhere only hands it
// on.
public final class LoopAllowance: @unchecked Sendable {
  private var part: PartOfTime
  private let clock: @Sendable () -> MonotonicTime

  public init(limits: Limits, clock: @escaping @Sendable () -> MonotonicTime) {
    part = PartOfTime(
      percent: limits.loopNewShapesPercent, savedMicroseconds: limits.loopNewShapesSavedMicroseconds)
    self.clock = clock
  }

  /// Whether there is any left now.
  var isLeft: Bool { part.isLeft(at: clock()) }

  /// Does something that may be new to the loop, and counts its time if it was.
  func spend<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let began = clock()
    defer {
      let now = clock()
      let took = now.nanoseconds &- min(began.nanoseconds, now.nanoseconds)
      // What takes less was known.
      if took >= Self.leastNanoseconds { part.spend(took, until: now) }
    }
    return try body()
  }

  private static let leastNanoseconds: UInt64 = 20_000
}
