/// Whether a shape is light enough to be read on an event loop, judged by how its last reads went.
///
/// Always true: a heavy read sends the next reads of its shape to the pool, more of them each time it proves heavy
/// again, up to `inlineDeclinesMax`; then one may try again, so a shape that was heavy once finds its way back.
struct InlineJudgement: Equatable {
  private(set) var declinesLeft = 0
  private var penalty = 0
  private var slowness = 0
  /// Grows with each light read, up to twice `knownReadsMin`; one that was not brief takes half of that.
  private var lightReads = 0

  /// The last reads of the shape were light.
  var isKnownLight: Bool { lightReads >= EngineLimits.knownReadsMin }

  /// A read of the shape wants to run; false sends it to the pool.
  mutating func readArrived() -> Bool {
    guard declinesLeft > 0 else { return true }
    declinesLeft -= 1
    return false
  }

  /// The loop tried a read of the shape and could not finish it: for a budget, the size of its rows, a lock, or a
  /// snapshot that cannot be had.
  mutating func wasHeavy() {
    slowness = 0
    lightReads = 0
    penalty = min(max(EngineLimits.inlineDeclinesMin, penalty * 2), EngineLimits.inlineDeclinesMax)
    declinesLeft = penalty
  }

  /// A read of the shape took few steps and much time.
  mutating func wasSlow() {
    slowness += EngineLimits.inlineSlownessStep
    if slowness >= EngineLimits.inlineSlownessMax { wasHeavy() }
  }

  /// A read took longer than a light one's slice, or had more rows than one batch.
  mutating func wasNotBrief() { lightReads = max(0, lightReads - EngineLimits.knownReadsMin) }

  mutating func wasLight() {
    lightReads = min(lightReads + 1, 2 * EngineLimits.knownReadsMin)
    penalty /= 2
    slowness = max(0, slowness - 1)
  }
}
