package import MartletValues

/// How much of an event loop's time goes into statements that the loop does not know: reading, checking and compiling
/// them, and their first run. Beyond it the thread for long statements does that.
///
/// Time tells what is new: `spend` counts whatever takes 20 microseconds or more, and nothing that takes less. A known
/// step of a batch or transaction that takes so long to be handed on is counted too, but it is never sent to another
/// thread for that.
///
/// Always true: used on one loop's thread; what takes less than 20 microseconds costs nothing.
// @unchecked because it is touched on its loop's thread only; who opens a reader for the loop elsewhere only hands it
// on.
package final class LoopAllowance: @unchecked Sendable {
  private var part: PartOfTime
  private let clock: @Sendable () -> MonotonicTime

  package init(limits: Limits, clock: @escaping @Sendable () -> MonotonicTime) {
    part = PartOfTime(
      percent: limits.loopNewShapesPercent, savedMicroseconds: limits.loopNewShapesSavedMicroseconds)
    self.clock = clock
  }

  /// Whether there is any left now.
  var isLeft: Bool { part.isLeft(at: clock()) }

  /// Does something that may be new to the loop, and counts its time if it took that long.
  func spend<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let began = clock()
    defer {
      let now = clock()
      let took = now.nanoseconds &- min(began.nanoseconds, now.nanoseconds)
      if took >= EngineLimits.countedPreparationNsMin { part.spend(took, until: now) }
    }
    return try body()
  }
}

extension LoopAllowance? {
  /// Without an allowance nothing is counted.
  func spend<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if let self { try self.spend(body) } else { try body() }
  }
}
