import MartletValues

/// One object of JSON as names and values; what is inside of its values stays JSON.
///
/// Always true: it accepts what RFC 8259 accepts, and says at which byte it found something else; it does not recurse,
/// so nesting costs nothing.
struct JSONRecordParser {
  typealias Mistake = JSONScanner.Mistake

  private var scanner: JSONScanner

  /// The bytes of one object, from its brace to its brace.
  init(_ bytes: [UInt8]) { scanner = JSONScanner(bytes) }

  mutating func object() throws(Mistake) -> JSONRecords.Record {
    var record: JSONRecords.Record = []
    try scanner.expect(UInt8(ascii: "{"), "an object begins with {.")
    scanner.skipBlanks()
    if scanner.next == UInt8(ascii: "}") { return record }
    while true {
      scanner.skipBlanks()
      let name = String(decoding: try scanner.name(), as: UTF8.self)
      scanner.skipBlanks()
      try scanner.expect(UInt8(ascii: ":"), "behind a name comes a colon.")
      scanner.skipBlanks()
      record.append((name, try value()))
      scanner.skipBlanks()
      if scanner.next == UInt8(ascii: "}") { break }
      try scanner.expect(UInt8(ascii: ","), "behind a value comes a comma or }.")
    }
    return record
  }

  private mutating func value() throws(Mistake) -> JSONValue {
    switch scanner.next {
    case UInt8(ascii: "\""): return .text(try scanner.text())
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .document(try document())
    case _ where scanner.beginsNumber: return try number()
    default: break
    }
    switch try scanner.word() {
    case .null: return .null
    case .yes: return .boolean(true)
    case .no: return .boolean(false)
    }
  }

  private mutating func number() throws(Mistake) -> JSONValue {
    let number = try scanner.number()
    if number.isWhole, let integer = Int64(number.text) { return .integer(integer) }
    // A double would change the digits that it cannot hold.
    if number.isWhole { return .text(Array(number.text.utf8)) }
    guard let real = Double(number.text) else { throw scanner.mistake("this is no number.") }
    // An infinite number as `export` writes it; any other spelling would read back as another number.
    let isInfinity = real.isInfinite && RealText.of(real) == number.text
    let survives = isInfinity || RealDigits.survive(number.text.utf8, as: real)
    return survives ? .real(real) : .text(Array(number.text.utf8))
  }

  /// The bytes of an object or array, which must be JSON themselves.
  private mutating func document() throws(Mistake) -> [UInt8] {
    let start = scanner.place
    var closers: [UInt8] = []
    repeat {
      scanner.skipBlanks()
      switch scanner.next {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let closer = scanner.next == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        closers.append(closer)
        _ = scanner.takes(scanner.next)
        scanner.skipBlanks()
        if scanner.next == closer {
          try close(&closers)
        } else {
          try name(in: closers)
        }
      default:
        _ = try value()
        try close(&closers)
      }
    } while !closers.isEmpty
    return Array(scanner.bytes[start..<scanner.place])
  }

  /// Behind a value: ends what ends here, and goes on to the next value if one follows.
  private mutating func close(_ closers: inout [UInt8]) throws(Mistake) {
    while let closer = closers.last {
      scanner.skipBlanks()
      let before = scanner.bytes[scanner.place - 1]
      if before != UInt8(ascii: "["), before != UInt8(ascii: "{"), scanner.takes(UInt8(ascii: ",")) {
        return try name(in: closers)
      }
      try scanner.expect(closer, "behind a value comes a comma or its end.")
      closers.removeLast()
    }
  }

  private mutating func name(in closers: [UInt8]) throws(Mistake) {
    guard closers.last == UInt8(ascii: "}") else { return }
    scanner.skipBlanks()
    _ = try scanner.name()
    scanner.skipBlanks()
    try scanner.expect(UInt8(ascii: ":"), "behind a name comes a colon.")
  }
}

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
