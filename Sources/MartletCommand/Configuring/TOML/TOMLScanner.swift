/// The bytes of a TOML text, with the line that comes next.
///
/// Always true: every function ends, whatever the text is; the line grows with each newline that is passed.
struct TOMLScanner {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private(set) var line = 1

  private static let newline = UInt8(ascii: "\n")
  private static let quote = UInt8(ascii: "\"")
  private static let apostrophe = UInt8(ascii: "'")
  private static let backslash = UInt8(ascii: "\\")

  init(_ text: String) {
    bytes = Array(text.utf8)
    // What some editors put before a text.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func advance() {
    if next == Self.newline { line += 1 }
    offset += 1
  }

  /// Goes past the character. False if it is not the next one.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    advance()
    return true
  }

  mutating func skipBlanks() {
    while let byte = next, byte == 32 || byte == 9 { advance() }
  }

  /// Past blanks, newlines and comments. False at the end of the text.
  mutating func skipToContent() -> Bool {
    while let byte = next {
      switch byte {
      case 32, 9, 13, Self.newline: advance()
      case UInt8(ascii: "#"): skipComment()
      default: return true
      }
    }
    return false
  }

  private mutating func skipComment() {
    while let byte = next, byte != Self.newline { advance() }
  }

  /// Past the end of this line.
  mutating func skipLine() {
    skipComment()
    if next != nil { advance() }
  }

  /// A bare, quoted or dotted key: its components. Empty if there is none.
  mutating func key() -> [String] {
    var components: [String] = []
    repeat {
      skipBlanks()
      guard let component = component() else { break }
      components.append(component)
      skipBlanks()
    } while skip(".")
    return components
  }

  private mutating func component() -> String? {
    switch next {
    case Self.quote?, Self.apostrophe?: return quoted()
    default:
      let start = offset
      while let byte = next, Self.isBare(byte) { advance() }
      return start < offset ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
    }
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 95, 45: true
    default: false
    }
  }

  /// A quoted key, which ends on its line.
  private mutating func quoted() -> String {
    let mark = next
    advance()
    var content: [UInt8] = []
    while let byte = next, byte != mark, byte != Self.newline {
      advance()
      if byte == Self.backslash, mark == Self.quote {
        content.append(contentsOf: escape())
      } else {
        content.append(byte)
      }
    }
    if next == mark { advance() }
    return String(decoding: content, as: UTF8.self)
  }

  /// After a backslash.
  private mutating func escape() -> [UInt8] {
    guard let byte = next, byte != Self.newline else { return [] }
    advance()
    switch byte {
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "e"): return [27]
    case UInt8(ascii: "x"): return scalar(digits: 2)
    case UInt8(ascii: "u"): return scalar(digits: 4)
    case UInt8(ascii: "U"): return scalar(digits: 8)
    default: return [byte]
    }
  }

  private mutating func scalar(digits: Int) -> [UInt8] {
    let text = String(decoding: bytes[offset..<min(offset + digits, bytes.count)], as: UTF8.self)
    guard text.utf8.count == digits, let scalar = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init) else {
      return []
    }
    offset += digits
    return Array(String(scalar).utf8)
  }

  /// Past a string, or past a number, a date or a word. False if it cannot be one of them.
  mutating func skipScalar() -> Bool {
    guard let mark = next, mark == Self.quote || mark == Self.apostrophe else { return skipWord() }
    guard has(mark, times: 3) else {
      _ = quoted()
      return true
    }
    for _ in 0..<3 { advance() }
    while next != nil, !has(mark, times: 3) {
      if next == Self.backslash, mark == Self.quote { advance() }
      if next != nil { advance() }
    }
    // Up to two marks may stand before the three that end it.
    for _ in 0..<5 where next == mark { advance() }
    return true
  }

  /// A date and a time with a blank between them are two words, so that is none.
  private mutating func skipWord() -> Bool {
    let start = offset
    var word = start
    while let byte = next, !Self.endsScalar(byte) {
      if Self.isInWord(byte), word == offset { word += 1 }
      advance()
    }
    guard word > start, Self.beginsWord(bytes[start]) else { return false }
    return bytes[word..<offset].allSatisfy { $0 == 32 || $0 == 9 }
  }

  private static func beginsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, UInt8(ascii: "+"), UInt8(ascii: "-"): true
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "i"), UInt8(ascii: "n"): true
    default: false
    }
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...58, 65...90, 97...122, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  private func has(_ mark: UInt8, times: Int) -> Bool {
    offset + times <= bytes.count && bytes[offset..<offset + times].allSatisfy { $0 == mark }
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case newline, 13, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "#"): true
    default: false
    }
  }
}
