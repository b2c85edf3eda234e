/// The words of JSON out of bytes, strictly as RFC 8259 has them: texts, numbers, `null`, `true` and `false`. Who reads
/// an object or an array decides how deep it goes and what it makes of them.
///
/// Always true: `place` never goes back, and a mistake says at which byte something else stood.
package struct JSONScanner {
  /// What stood at a place and is no JSON.
  package struct Mistake: Error, Equatable {
    package var offset: Int
    package var problem: String
  }

  /// A number that nothing was made of yet.
  package struct Number: Equatable {
    /// The number as it stands in the bytes.
    package var text: String
    /// The number has neither a point nor an exponent.
    package var isWhole: Bool
  }

  /// What stands for itself.
  package enum Word: String, CaseIterable {
    case null
    case yes = "true"
    case no = "false"
  }

  package let bytes: [UInt8]
  /// The first byte that was not read yet.
  package private(set) var place = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// 0 behind the end, which is nothing that may stand outside of a text.
  package var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

  package var isAtEnd: Bool { place == bytes.count }

  package var beginsNumber: Bool { next == UInt8(ascii: "-") || (48...57).contains(next) }

  package func mistake(_ problem: String) -> Mistake { Mistake(offset: place, problem: problem) }

  package mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  package mutating func takes(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  package mutating func expect(_ byte: UInt8, _ problem: String) throws(Mistake) {
    guard takes(byte) else { throw mistake(problem) }
  }

  /// One of the three words; throws if here stands none, and so no value at all.
  package mutating func word() throws(Mistake) -> Word {
    for word in Word.allCases where bytes[place...].starts(with: word.rawValue.utf8) {
      place += word.rawValue.utf8.count
      return word
    }
    throw mistake("here stands no value.")
  }

  // MARK: - Numbers

  package mutating func number() throws(Mistake) -> Number {
    let start = place
    _ = takes(UInt8(ascii: "-"))
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[place - whole] != UInt8(ascii: "0") else {
      throw mistake("this is no number.")
    }
    var isWhole = true
    if takes(UInt8(ascii: ".")) {
      isWhole = false
      guard digits() > 0 else { throw mistake("behind a point come digits.") }
    }
    if takes(UInt8(ascii: "e")) || takes(UInt8(ascii: "E")) {
      isWhole = false
      if !takes(UInt8(ascii: "+")) { _ = takes(UInt8(ascii: "-")) }
      guard digits() > 0 else { throw mistake("an exponent has digits.") }
    }
    return Number(text: String(decoding: bytes[start..<place], as: UTF8.self), isWhole: isWhole)
  }

  private mutating func digits() -> Int {
    let start = place
    while (48...57).contains(next) { place += 1 }
    return place - start
  }

  // MARK: - Texts

  /// A name in quotes.
  package mutating func name() throws(Mistake) -> [UInt8] {
    guard next == UInt8(ascii: "\"") else { throw mistake("a name in quotes is missing.") }
    return try text()
  }

  /// Said of a text with other bytes.
  package static let notUTF8 = "this text is not UTF-8."

  /// The UTF-8 of the text whose quote is next.
  package mutating func text() throws(Mistake) -> [UInt8] {
    let start = place
    place += 1
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        place += 1
        guard String(validating: text, as: UTF8.self) != nil else {
          throw Mistake(offset: start, problem: Self.notUTF8)
        }
        return text
      case UInt8(ascii: "\\"): try escape(into: &text)
      case ..<0x20: throw mistake("a text has no line breaks and other control characters but as escapes.")
      default:
        text.append(byte)
        place += 1
      }
    }
    throw Mistake(offset: start, problem: "this text does not end.")
  }

  private mutating func escape(into text: inout [UInt8]) throws(Mistake) {
    place += 1
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(next)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"): return text.append(contentsOf: String(try scalar()).utf8)
    default: throw mistake("there is no such escape.")
    }
    place += 1
  }

  /// What the digits behind the letter u stand for: a character, or half of one with the other half behind it.
  private mutating func scalar() throws(Mistake) -> Unicode.Scalar {
    var code = try unit()
    if (0xD800..<0xDC00).contains(code) {
      guard next == UInt8(ascii: "\\"), place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "u") else {
        throw mistake("half of a character is missing.")
      }
      place += 1
      let low = try unit()
      guard (0xDC00..<0xE000).contains(low) else { throw mistake("half of a character is missing.") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw mistake("half of a character is missing.") }
    return scalar
  }

  /// The four digits behind the letter u.
  private mutating func unit() throws(Mistake) -> UInt32 {
    place += 1
    var code: UInt32 = 0
    for byte in bytes[place..<min(place + 4, bytes.count)] {
      switch byte {
      case 48...57: code = code << 4 | UInt32(byte - 48)
      case 65...70: code = code << 4 | UInt32(byte - 55)
      case 97...102: code = code << 4 | UInt32(byte - 87)
      default: throw mistake("behind \\u come four hexadecimal digits.")
      }
    }
    guard place + 4 <= bytes.count else { throw mistake("behind \\u come four hexadecimal digits.") }
    place += 4
    return code
  }
}
