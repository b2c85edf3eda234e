/// What fits one character of a text.
///
/// Always true: ranges may overlap; an inverted set fits a character that is in none of them.
enum WildcardToken {
  /// `_` of LIKE, `?` of GLOB.
  case any
  case character(UInt32)
  /// A letter of ASCII in either case; the smaller one.
  case letter(UInt32)
  /// `[…]` of GLOB.
  case set([ClosedRange<UInt32>], isInverted: Bool)

  @inline(__always)
  func fits(_ character: UInt32) -> Bool {
    switch self {
    case .any: true
    case .character(let wanted): character == wanted
    case .letter(let wanted): character | 0x20 == wanted
    case .set(let ranges, let isInverted): ranges.contains { $0.contains(character) } != isInverted
    }
  }

  /// A character of a LIKE pattern.
  static func folded(_ character: UInt32) -> WildcardToken {
    let small = character | 0x20
    return small &- 0x61 < 26 && character < 0x80 ? .letter(small) : .character(character)
  }
}
