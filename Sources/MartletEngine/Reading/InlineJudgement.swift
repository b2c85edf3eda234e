/// Whether a shape is light enough to be read on an event loop, judged by how its last reads went.
///
/// Always true: a heavy read sends the next reads of its shape to the pool, more of them each time it proves heavy again,
/// up to `declinesMax`; then one may try again, so a shape that was heavy once finds its way back.
struct InlineJudgement: Equatable {
  static let declinesMin = 16
  static let declinesMax = 4_096

  private(set) var declinesLeft = 0
  private var penalty = 0

  /// A read of the shape wants to run; false sends it to the pool.
  mutating func readArrived() -> Bool {
    guard declinesLeft > 0 else { return true }
    declinesLeft -= 1
    return false
  }

  /// It ran into the budget, gave more than a batch, or took too long.
  mutating func wasHeavy() {
    penalty = min(max(Self.declinesMin, penalty * 2), Self.declinesMax)
    declinesLeft = penalty
  }

  mutating func wasLight() { penalty /= 2 }
}
