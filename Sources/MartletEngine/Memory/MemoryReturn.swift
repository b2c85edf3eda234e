package import MartletValues

/// When memory that nobody uses any more goes back to the system, which the allocator does not do by itself.
///
/// Always true: the attempts take at most a hundredth of one processor's time. Only processor time counts: if the
/// machine is busy, an attempt that had to wait is no reason to keep memory for longer. One that gives back little says
/// nothing about the next: what was in use then may be free now, as pages of a cache are once they were idle for long
/// enough.
package struct MemoryReturn: Sendable {
  /// The least that the process took beyond what was accounted for, but at least half of `first`; in bytes.
  private var floor = Int.max
  /// Bytes that the process took at the first sample.
  private var first: Int?
  private var sightings = 0
  private var lastExcess = 0
  private var notBefore = MonotonicTime(nanoseconds: 0)

  package init() {}

  /// Whether to give back now; `returned` tells the result afterwards.
  package mutating func sampled(residentBytes: Int, accountedBytes: Int, now: MonotonicTime) -> Bool {
    let excess = excess(residentBytes, accountedBytes)
    // While it grows somebody is using it, and when it has grown another attempt is worth more than the last.
    let isGrowing = excess > lastExcess + EngineLimits.memoryExcessBytesMin / 2
    lastExcess = excess
    guard excess >= EngineLimits.memoryExcessBytesMin, !isGrowing else {
      sightings = 0
      return false
    }
    sightings += 1
    return sightings >= EngineLimits.memoryExcessSightingsMin && now >= notBefore
  }

  /// The allocator was asked to give memory back, which took `tookMs` of a processor's time; the process takes
  /// `residentBytes` now.
  package mutating func returned(
    residentBytes: Int, accountedBytes: Int, tookMs: Int, now: MonotonicTime
  ) {
    lastExcess = excess(residentBytes, accountedBytes)
    sightings = 0
    let pauseMs =
      min(max(0, tookMs), EngineLimits.memoryReturnPauseMsMax / EngineLimits.memoryReturnPauseFactor)
      * EngineLimits.memoryReturnPauseFactor
    notBefore = now.advanced(milliseconds: max(EngineLimits.memoryReturnPauseMsMin, pauseMs))
  }

  private mutating func excess(_ residentBytes: Int, _ accountedBytes: Int) -> Int {
    let first = self.first ?? residentBytes
    self.first = first
    // What is accounted for need not have been touched, so the floor never sinks far.
    floor = max(first / 2, min(floor, residentBytes - accountedBytes))
    return residentBytes - accountedBytes - floor
  }
}
