/// One character of a text as SQLite reads it: malformed sequences become U+FFFD, stray bytes stay what they are.
struct CharacterReader {
  let bytes: UnsafeRawBufferPointer
  var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { offset >= bytes.count }

  /// The first byte of what `next` would read; nil at the end.
  var upcoming: UInt8? { isAtEnd ? nil : bytes[offset] }

  @inline(__always)
  mutating func next() -> UInt32 {
    let first = bytes[offset]
    offset += 1
    return first < 0xC0 ? UInt32(first) : rest(of: first)
  }

  /// 0 at the end, as in a string of C.
  mutating func nextOrZero() -> UInt32 { isAtEnd ? 0 : next() }

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
