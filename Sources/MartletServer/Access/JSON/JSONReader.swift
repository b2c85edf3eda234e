/// Reads JSON from strangers, strictly as RFC 8259 has it.
///
/// Always true: it goes no deeper than `JWTLimits.jsonDepthMax`, and refuses an object that says a name twice, because
/// others might believe the other value.
struct JSONReader {
  struct Fault: Error, Equatable {
    /// From 1.
    var line: Int
  }

  private let bytes: [UInt8]
  private var place = 0

  static func tree(of bytes: [UInt8]) throws(Fault) -> JSONTree {
    var reader = JSONReader(bytes: bytes)
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(line: 1) }
    let tree = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.place == bytes.count else { throw reader.fault }
    return tree
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var fault: Fault { Fault(line: bytes[..<min(place, bytes.count)].count { $0 == 10 } + 1) }

  /// 0 behind the end, which is nothing that may stand outside of a text.
  private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

  private mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func takes(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(Fault) -> JSONTree {
    skipBlanks()
    switch next {
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try list(depth: depth + 1)
    case UInt8(ascii: "-"), 48...57: return .number(try number())
    default: break
    }
    for (word, value) in [("null", JSONTree.null), ("true", .truth(true)), ("false", .truth(false))]
    where bytes[place...].starts(with: word.utf8) {
      place += word.utf8.count
      return value
    }
    throw fault
  }

  private mutating func object(depth: Int) throws(Fault) -> JSONTree {
    guard depth <= JWTLimits.jsonDepthMax else { throw fault }
    place += 1
    var members = JSONTree.Members()
    skipBlanks()
    if takes(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw fault }
      let name = try text()
      skipBlanks()
      guard takes(UInt8(ascii: ":")) else { throw fault }
      guard members.add(name, try value(depth: depth)) else { throw fault }
      skipBlanks()
      if takes(UInt8(ascii: "}")) { return .object(members) }
      guard takes(UInt8(ascii: ",")) else { throw fault }
    }
  }

  private mutating func list(depth: Int) throws(Fault) -> JSONTree {
    guard depth <= JWTLimits.jsonDepthMax else { throw fault }
    place += 1
    var items: [JSONTree] = []
    skipBlanks()
    if takes(UInt8(ascii: "]")) { return .list(items) }
    while true {
      items.append(try value(depth: depth))
      skipBlanks()
      if takes(UInt8(ascii: "]")) { return .list(items) }
      guard takes(UInt8(ascii: ",")) else { throw fault }
    }
  }

  private mutating func number() throws(Fault) -> String {
    let start = place
    _ = takes(UInt8(ascii: "-"))
    let isZero = next == UInt8(ascii: "0")
    let whole = digits()
    guard whole == 1 || (whole > 1 && !isZero) else { throw fault }
    if takes(UInt8(ascii: ".")), digits() == 0 { throw fault }
    if takes(UInt8(ascii: "e")) || takes(UInt8(ascii: "E")) {
      if !takes(UInt8(ascii: "+")) { _ = takes(UInt8(ascii: "-")) }
      guard digits() > 0 else { throw fault }
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let start = place
    while (48...57).contains(next) { place += 1 }
    return place - start
  }

  private mutating func text() throws(Fault) -> String {
    place += 1
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: String(try escaped()).utf8)
      case ..<0x20: throw fault
      default: text.append(byte)
      }
    }
    throw fault
  }

  private mutating func escaped() throws(Fault) -> Unicode.Scalar {
    let byte = next
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw fault
    }
    var code = try unit()
    if (0xD800..<0xDC00).contains(code) {
      guard takes(UInt8(ascii: "\\")), takes(UInt8(ascii: "u")) else { throw fault }
      let low = try unit()
      guard (0xDC00..<0xE000).contains(low) else { throw fault }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    // Half of a pair is no character.
    guard let scalar = Unicode.Scalar(code) else { throw fault }
    return scalar
  }

  /// Four hexadecimal digits.
  private mutating func unit() throws(Fault) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch next {
      case 48...57: digit = next - 48
      case 65...70: digit = next - 55
      case 97...102: digit = next - 87
      default: throw fault
      }
      code = code << 4 | UInt32(digit)
      place += 1
    }
    return code
  }
}
