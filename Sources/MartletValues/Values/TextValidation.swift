/// Text from bytes that may not be UTF-8: nothing is repaired, and valid text is not slowed down.
extension String {
  /// The text, or nil if the bytes are not UTF-8.
  ///
  /// The standard library's `String(validating:as:)` is generic and costs several times as much for short texts. For a
  /// short text most of the cost is calls, so the check is inlined into the code that decodes rows.
  @inlinable @inline(__always)
  public init?(validUTF8 bytes: UnsafeBufferPointer<UInt8>) {
    let raw = UnsafeRawBufferPointer(bytes)
    guard raw.isASCII else {
      guard UTF8Automaton.accepts(raw) else { return nil }
      self = String(decoding: bytes, as: UTF8.self)
      return
    }
    if #available(macOS 26, *) {
      // It is known to be ASCII, and not looked at a second time.
      self = String(copying: unsafe UTF8Span(unchecked: bytes.span, isKnownASCII: true))
    } else {
      self = String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8 as Unicode defines it: no overlong form, no surrogate, nothing beyond U+10FFFF.
  /// NUL is a character like any other.
  @inlinable public var isUTF8: Bool { isASCII || UTF8Automaton.accepts(self) }

  /// Whether no byte has its high bit set. Whole words that overlap at the end cost less than the bytes of the rest,
  /// and a loop without another way out less than one that looks at each word.
  @inlinable @inline(__always) public var isASCII: Bool {
    guard let start = baseAddress else { return true }
    if count >= 16 {
      var union = start.loadUnaligned(fromByteOffset: count &- 16, as: SIMD2<UInt64>.self)
      var offset = 0
      while offset &+ 64 <= count {
        let first = start.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
        let second = start.loadUnaligned(fromByteOffset: offset &+ 16, as: SIMD2<UInt64>.self)
        let third = start.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD2<UInt64>.self)
        let fourth = start.loadUnaligned(fromByteOffset: offset &+ 48, as: SIMD2<UInt64>.self)
        union |= (first | second) | (third | fourth)
        offset &+= 64
      }
      while offset &+ 16 <= count {
        union |= start.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
        offset &+= 16
      }
      return (union[0] | union[1]) & 0x8080_8080_8080_8080 == 0
    }
    if count >= 8 {
      let last = start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      return (start.loadUnaligned(as: UInt64.self) | last) & 0x8080_8080_8080_8080 == 0
    }
    if count >= 4 {
      let last = start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      return (start.loadUnaligned(as: UInt32.self) | last) & 0x8080_8080 == 0
    }
    return allSatisfy { $0 < 0x80 }
  }
}

/// Reads UTF-8 byte by byte with one look-up and one shift for each, so that its speed does not depend on the text.
@usableFromInline
enum UTF8Automaton {
  // What may follow, as a multiple of the six bits that a state has in a row of the table.
  private static let accept: UInt64 = 0
  private static let reject: UInt64 = 6
  private static let oneMore: UInt64 = 12
  private static let twoMore: UInt64 = 18
  private static let threeMore: UInt64 = 24
  /// After E0 no overlong form, after ED no surrogate, after F0 no overlong form, after F4 nothing beyond U+10FFFF.
  private static let afterE0: UInt64 = 30
  private static let afterED: UInt64 = 36
  private static let afterF0: UInt64 = 42
  private static let afterF4: UInt64 = 48

  /// For each byte, the next state of every state.
  private static let table: [UInt64] = (0...255).map { byte in
    var row: UInt64 = 0
    for state in stride(from: accept, through: afterF4, by: 6) { row |= next(state, UInt8(byte)) << state }
    return row
  }

  private static func next(_ state: UInt64, _ byte: UInt8) -> UInt64 {
    switch (state, byte) {
    case (accept, 0x00...0x7F): accept
    case (accept, 0xC2...0xDF): oneMore
    case (accept, 0xE0): afterE0
    case (accept, 0xED): afterED
    case (accept, 0xE1...0xEF): twoMore
    case (accept, 0xF0): afterF0
    case (accept, 0xF1...0xF3): threeMore
    case (accept, 0xF4): afterF4
    case (oneMore, 0x80...0xBF): accept
    case (twoMore, 0x80...0xBF), (afterE0, 0xA0...0xBF), (afterED, 0x80...0x9F): oneMore
    case (threeMore, 0x80...0xBF), (afterF0, 0x90...0xBF), (afterF4, 0x80...0x8F): twoMore
    default: reject
    }
  }

  @usableFromInline
  static func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    table.withUnsafeBufferPointer { table in
      var state = accept
      for byte in bytes { state = (table[Int(byte)] &>> state) & 63 }
      return state == accept
    }
  }
}
