/// A pattern of LIKE or GLOB, and whether a text fits it.
///
/// Always true: the result is that of SQLite's own comparison for every text, UTF-8 or not. A text is read once: what
/// stands between two wildcards for any number of characters is looked for from where the one before it ended, and the
/// first place that will do is taken, because a later one leaves less for the rest.
final class WildcardPattern {
  enum Kind: Equatable {
    /// `escape` is a character or 0.
    case like(escape: UInt32)
    case glob
  }

  let kind: Kind
  /// What the text begins with, holds in between, and ends with. `last` is nil if nothing in the pattern fits any
  /// number of characters.
  private var first = WildcardSegment([])
  private var between: [WildcardSegment] = []
  private var last: WildcardSegment?
  /// The pattern ends inside of a set or behind the escape character.
  private var fitsNothing = false

  /// `pattern` holds no zero.
  init(_ pattern: UnsafeRawBufferPointer, _ kind: Kind) {
    self.kind = kind
    var parts: [[WildcardToken]] = [[]]
    var reader = CharacterReader(pattern)
    while !reader.isAtEnd {
      switch Self.element(&reader, kind) {
      case .token(let token): parts[parts.count - 1].append(token)
      case .anything: parts.append([])
      case .nothing:
        fitsNothing = true
        return
      }
    }
    first = WildcardSegment(parts[0])
    guard parts.count > 1 else { return }
    between = parts[1..<(parts.count - 1)].filter { !$0.isEmpty }.map { WildcardSegment($0) }
    last = WildcardSegment(parts[parts.count - 1])
  }

  private enum Element {
    case token(WildcardToken)
    case anything
    case nothing
  }

  private static func element(_ reader: inout CharacterReader, _ kind: Kind) -> Element {
    let character = reader.next()
    switch kind {
    case .like(let escape) where escape != 0 && character == escape:
      return reader.isAtEnd ? .nothing : .token(.folded(reader.next()))
    case .like:
      switch character {
      case 0x25: return .anything
      case 0x5F: return .token(.any)
      default: return .token(.folded(character))
      }
    case .glob:
      switch character {
      case 0x2A: return .anything
      case 0x3F: return .token(.any)
      case 0x5B: return set(&reader).map { .token($0) } ?? .nothing
      default: return .token(.character(character))
      }
    }
  }

  /// What follows `[`; nil if no `]` ends it.
  private static func set(_ reader: inout CharacterReader) -> WildcardToken? {
    let bracket: UInt32 = 0x5D
    var ranges: [ClosedRange<UInt32>] = []
    var character = reader.nextOrZero()
    let isInverted = character == 0x5E
    if isInverted { character = reader.nextOrZero() }
    if character == bracket {
      // At the beginning of a set, `]` is a member.
      ranges.append(bracket...bracket)
      character = reader.nextOrZero()
    }
    var prior: UInt32?
    while character != 0, character != bracket {
      if character == 0x2D, let low = prior, let upcoming = reader.upcoming, upcoming != UInt8(bracket) {
        let high = reader.next()
        if low <= high { ranges.append(low...high) }
        prior = nil
      } else {
        ranges.append(character...character)
        prior = character
      }
      character = reader.nextOrZero()
    }
    return character == 0 ? nil : .set(ranges, isInverted: isInverted)
  }

  /// `text` holds no zero.
  func fits(_ text: UnsafeRawBufferPointer, meter: inout WorkMeter) throws(WorkStopped) -> Bool {
    if fitsNothing { return false }
    guard var offset = try first.end(in: text, meter: &meter) else { return false }
    guard let last else { return offset == text.count }
    for segment in between {
      guard let end = try segment.search(in: text, from: offset, meter: &meter) else { return false }
      offset = end
    }
    return try last.ends(text, from: offset, meter: &meter)
  }
}
