public import MartletValues

/// When memory that nobody uses any more goes back to the system, which the allocator does not do by itself.
///
/// Always true: between two attempts there is a pause, longer each time that the last one did not help.
public struct MemoryReturn: Sendable {
  /// Less than this is not worth walking through the allocator's lists.
  static let excessBytesMin = 2 << 20
  static let pauseMsMin = 1_000
  static let pauseMsMax = 60_000
  /// How often the excess must be seen, so that what is in use for a moment is left alone.
  private static let sightingsMin = 2

  /// The least that the process took beyond what was accounted for.
  private var floor = Int.max
  /// What it took at first.
  private var first: Int?
  private var sightings = 0
  private var lastExcess = 0
  private var pauseMs = Self.pauseMsMin
  private var notBefore = MonotonicTime(nanoseconds: 0)

  public init() {}

  /// Whether to give back now; `returned` says afterwards what came of it.
  public mutating func sampled(residentBytes: Int, accountedBytes: Int, now: MonotonicTime) -> Bool {
    let excess = excess(residentBytes, accountedBytes)
    // While it grows somebody is using it, and when it has grown another attempt is worth more than the last.
    let isGrowing = excess > lastExcess + Self.excessBytesMin / 2
    if excess > lastExcess + 8 * Self.excessBytesMin { pauseMs = Self.pauseMsMin }
    lastExcess = excess
    guard excess >= Self.excessBytesMin, !isGrowing else {
      sightings = 0
      return false
    }
    sightings += 1
    return sightings >= Self.sightingsMin && now >= notBefore
  }

  /// The allocator was asked; the process takes so much now.
  public mutating func returned(residentBytes: Int, accountedBytes: Int, now: MonotonicTime) {
    let before = lastExcess
    lastExcess = excess(residentBytes, accountedBytes)
    sightings = 0
    notBefore = now.advanced(milliseconds: pauseMs)
    let helped = lastExcess <= before / 2
    pauseMs = helped ? Self.pauseMsMin : min(2 * pauseMs, Self.pauseMsMax)
  }

  private mutating func excess(_ residentBytes: Int, _ accountedBytes: Int) -> Int {
    let first = self.first ?? residentBytes
    self.first = first
    // What is accounted for need not have been touched, so the floor never sinks far.
    floor = max(first / 2, min(floor, residentBytes - accountedBytes))
    return residentBytes - accountedBytes - floor
  }
}
