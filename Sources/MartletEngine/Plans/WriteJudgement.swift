/// Whether writes of a shape are short or long, judged by how the last ones went.
///
/// Always true: a write that had to be undone sends the next ones of its shape to the long writes, more of them each
/// time, up to `longWriteTurnsMax`; then one may try again, so a shape that was long once finds its way back.
struct WriteJudgement: Equatable {
  enum Standing: UInt8, Sendable {
    case unknown
    case light
    case long
  }

  private(set) var standing = Standing.unknown
  private var turnsLeft: UInt16 = 0
  private var penalty: UInt16 = 0

  init() {}

  /// A write of the shape ran past its slice while others waited, and was undone.
  mutating func wasUndone() {
    penalty = min(max(EngineLimits.longWriteTurnsMin, penalty &* 2), EngineLimits.longWriteTurnsMax)
    turnsLeft = penalty
    standing = .long
  }

  mutating func ranWithinSlice() {
    // A shape that was long and is short now is tried among the others.
    standing = standing == .long ? .unknown : .light
    penalty /= 2
  }

  /// A write of the shape ran past its slice and was not undone.
  mutating func ranBeyondSlice() {
    guard standing == .long else {
      standing = .unknown
      return
    }
    turnsLeft -= min(turnsLeft, 1)
    if turnsLeft == 0 { standing = .unknown }
  }

  // MARK: As one number, for an atomic

  init(bits: UInt64) {
    standing = Standing(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .unknown
    turnsLeft = UInt16(truncatingIfNeeded: bits >> 8)
    penalty = UInt16(truncatingIfNeeded: bits >> 24)
  }

  var bits: UInt64 { UInt64(standing.rawValue) | UInt64(turnsLeft) << 8 | UInt64(penalty) << 24 }
}
