import MartletValues

/// A value of a record.
enum JSONValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  /// An object or array, as it stands in the file.
  case document([UInt8])
  case boolean(Bool)
}

/// One object of JSON as names and values; what is inside of its values stays JSON.
///
/// Always true: it accepts what RFC 8259 accepts, and says at which byte it found something else; it does not recurse,
/// so nesting costs nothing.
struct JSONRecordParser {
  struct Mistake: Error, Equatable {
    var offset: Int
    var problem: String
  }

  private let bytes: [UInt8]
  private var index = 0

  /// The bytes of one object, from its brace to its brace.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func object() throws(Mistake) -> JSONRecords.Record {
    var record: JSONRecords.Record = []
    try expect(UInt8(ascii: "{"), "an object begins with {.")
    skipBlanks()
    if peek == UInt8(ascii: "}") { return record }
    while true {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else { throw mistake("a name in quotes is missing.") }
      let name = String(decoding: try string(), as: UTF8.self)
      skipBlanks()
      try expect(UInt8(ascii: ":"), "behind a name comes a colon.")
      skipBlanks()
      record.append((name, try value()))
      skipBlanks()
      if peek == UInt8(ascii: "}") { break }
      try expect(UInt8(ascii: ","), "behind a value comes a comma or }.")
    }
    return record
  }

  private var peek: UInt8 { index < bytes.count ? bytes[index] : 0 }

  private func mistake(_ problem: String) -> Mistake { Mistake(offset: index, problem: problem) }

  private mutating func expect(_ byte: UInt8, _ problem: String) throws(Mistake) {
    guard peek == byte else { throw mistake(problem) }
    index += 1
  }

  private mutating func skipBlanks() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  private mutating func value() throws(Mistake) -> JSONValue {
    switch peek {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .document(try document())
    case UInt8(ascii: "-"), 48...57: return try number()
    default: break
    }
    for (word, value) in [("null", JSONValue.null), ("true", .boolean(true)), ("false", .boolean(false))]
    where bytes[index...].starts(with: word.utf8) {
      index += word.utf8.count
      return value
    }
    throw mistake("here stands no value.")
  }

  private mutating func number() throws(Mistake) -> JSONValue {
    let start = index
    if peek == UInt8(ascii: "-") { index += 1 }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else {
      throw mistake("this is no number.")
    }
    var isInteger = true
    if peek == UInt8(ascii: ".") {
      index += 1
      isInteger = false
      guard digits() > 0 else { throw mistake("behind a point come digits.") }
    }
    if peek | 0x20 == UInt8(ascii: "e") {
      index += 1
      isInteger = false
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { throw mistake("an exponent has digits.") }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    // A double would change the digits that it cannot hold.
    if isInteger { return .text(Array(text.utf8)) }
    guard let real = Double(text) else { throw mistake("this is no number.") }
    // It would also change a number that is too large for it, and one that is so small that it would become 0.
    let isZero = !text.prefix { $0 != "e" && $0 != "E" }.contains { "123456789".contains($0) }
    return real.isFinite && (real != 0 || isZero) ? .real(real) : .text(Array(text.utf8))
  }

  private mutating func digits() -> Int {
    let start = index
    while (48...57).contains(peek) { index += 1 }
    return index - start
  }

  /// The bytes of an object or array, which must be JSON themselves.
  private mutating func document() throws(Mistake) -> [UInt8] {
    let start = index
    var closers: [UInt8] = []
    repeat {
      skipBlanks()
      switch peek {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        closers.append(peek == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        index += 1
        skipBlanks()
        if peek == closers.last {
          try close(&closers)
        } else {
          try name(in: closers)
        }
      default:
        _ = try value()
        try close(&closers)
      }
    } while !closers.isEmpty
    return Array(bytes[start..<index])
  }

  /// Behind a value: ends what ends here, and goes on to the next value if one follows.
  private mutating func close(_ closers: inout [UInt8]) throws(Mistake) {
    while let closer = closers.last {
      skipBlanks()
      if peek == UInt8(ascii: ","), bytes[index - 1] != UInt8(ascii: "["), bytes[index - 1] != UInt8(ascii: "{") {
        index += 1
        return try name(in: closers)
      }
      guard peek == closer else { throw mistake("behind a value comes a comma or its end.") }
      index += 1
      closers.removeLast()
    }
  }

  private mutating func name(in closers: [UInt8]) throws(Mistake) {
    guard closers.last == UInt8(ascii: "}") else { return }
    skipBlanks()
    guard peek == UInt8(ascii: "\"") else { throw mistake("a name in quotes is missing.") }
    _ = try string()
    skipBlanks()
    try expect(UInt8(ascii: ":"), "behind a name comes a colon.")
  }

  private mutating func string() throws(Mistake) -> [UInt8] {
    let start = index
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        guard String(validating: text, as: UTF8.self) != nil else {
          throw Mistake(offset: start, problem: "this text is not UTF-8.")
        }
        return text
      case UInt8(ascii: "\\"): try escape(into: &text)
      case ..<0x20: throw mistake("a text has no line breaks and other control characters but as escapes.")
      default:
        text.append(byte)
        index += 1
      }
    }
    throw Mistake(offset: start, problem: "this text does not end.")
  }

  private mutating func escape(into text: inout [UInt8]) throws(Mistake) {
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 8,
      UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]
    index += 1
    if let byte = plain[peek] {
      text.append(byte)
      index += 1
      return
    }
    guard peek == UInt8(ascii: "u") else { throw mistake("there is no such escape.") }
    var code = try unit()
    if (0xD800..<0xDC00).contains(code) {
      guard peek == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u") else {
        throw mistake("half of a character is missing.")
      }
      index += 1
      let low = try unit()
      guard (0xDC00..<0xE000).contains(low) else { throw mistake("half of a character is missing.") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw mistake("half of a character is missing.") }
    text.append(contentsOf: String(scalar).utf8)
  }

  /// The four digits behind the letter u.
  private mutating func unit() throws(Mistake) -> UInt32 {
    index += 1
    let digits = bytes[index..<min(index + 4, bytes.count)]
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw mistake("behind \\u come four hexadecimal digits.") }
    index += 4
    return code
  }
}
