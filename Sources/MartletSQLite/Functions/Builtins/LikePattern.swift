/// A pattern of LIKE, and whether a text fits it: `%` for any characters, `_` for one, letters of ASCII in either case.
///
/// Always true: the answer is that of SQLite's own LIKE for every text, UTF-8 or not. It costs at most the product of
/// both lengths, and each step is counted.

/// One character of a text as SQLite reads it: malformed sequences become U+FFFD, stray bytes stay what they are.
struct CharacterReader {
  let bytes: UnsafeRawBufferPointer
  var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { offset >= bytes.count }

  @inline(__always)
  mutating func next() -> UInt32 {
    let first = bytes[offset]
    offset += 1
    return first < 0xC0 ? UInt32(first) : rest(of: first)
  }

  private mutating func rest(of first: UInt8) -> UInt32 {
    var code =
      switch first {
      case ..<0xE0: UInt32(first & 0x1F)
      case ..<0xF0: UInt32(first & 0x0F)
      case ..<0xF8: UInt32(first & 0x07)
      case ..<0xFC: UInt32(first & 0x03)
      case ..<0xFE: UInt32(first & 0x01)
      default: UInt32(0)
      }
    while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 {
      code = code << 6 &+ UInt32(bytes[offset] & 0x3F)
      offset += 1
    }
    let isMalformed = code < 0x80 || code & 0xFFFF_F800 == 0xD800 || code & 0xFFFF_FFFE == 0xFFFE
    return isMalformed ? 0xFFFD : code
  }
}

struct LikePattern {
  private enum Token {
    case any
    case one
    case character(UInt32)
  }

  private var tokens: [Token] = []
  /// It ends with the escape character, which fits nothing.
  private var fitsNothing = false

  /// A pattern up to its end; `escape` is a character or 0.
  init(_ pattern: UnsafeRawBufferPointer, escape: UInt32) {
    var reader = CharacterReader(pattern)
    while !reader.isAtEnd {
      let character = reader.next()
      if escape != 0, character == escape {
        guard !reader.isAtEnd else {
          fitsNothing = true
          return
        }
        tokens.append(.character(Self.folded(reader.next())))
      } else if character == 0x25 {
        tokens.append(.any)
      } else if character == 0x5F {
        tokens.append(.one)
      } else {
        tokens.append(.character(Self.folded(character)))
      }
    }
  }

  @inline(__always)
  private static func folded(_ character: UInt32) -> UInt32 {
    character &- 0x41 < 26 ? character &+ 0x20 : character
  }

  func fits(_ text: UnsafeRawBufferPointer, meter: inout WorkMeter) throws(WorkStopped) -> Bool {
    if fitsNothing { return false }
    return try tokens.withUnsafeBufferPointer { tokens throws(WorkStopped) in
      try Self.fits(text, tokens, meter: &meter)
    }
  }

  private static func fits(
    _ text: UnsafeRawBufferPointer, _ tokens: UnsafeBufferPointer<Token>, meter: inout WorkMeter
  ) throws(WorkStopped) -> Bool {
    var reader = CharacterReader(text)
    var token = 0
    // Behind the last `%`, and where the text that it does not swallow begins.
    var restart: (token: Int, offset: Int)?
    while true {
      try meter.spend(1)
      if token < tokens.count, case .any = tokens[token] {
        token += 1
        if token == tokens.count { return true }
        restart = (token, reader.offset)
        continue
      }
      // Fewer characters will not do where these did not.
      if reader.isAtEnd { return token == tokens.count }
      if token < tokens.count, Self.fits(reader.next(), tokens[token]) {
        token += 1
        continue
      }
      guard let last = restart else { return false }
      reader.offset = last.offset
      _ = reader.next()
      restart?.offset = reader.offset
      token = last.token
    }
  }

  @inline(__always)
  private static func fits(_ character: UInt32, _ token: Token) -> Bool {
    if case .character(let wanted) = token { return folded(character) == wanted }
    return true
  }
}
