internal import MartletValues

/// Reads JSON from strangers as a tree.
///
/// Always true: it goes no deeper than `JWTLimits.jsonDepthMax`, and refuses an object that says a name twice, because
/// others might believe the other value.
struct JSONReader {
  struct Fault: Error, Equatable {
    /// The number of the line, from 1.
    var line: Int
  }

  private var scanner: JSONScanner

  static func tree(of bytes: [UInt8]) throws(Fault) -> JSONTree {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(line: 1) }
    var reader = JSONReader(scanner: JSONScanner(bytes))
    do throws(JSONScanner.Mistake) {
      let tree = try reader.value(depth: 0)
      reader.scanner.skipBlanks()
      guard reader.scanner.isAtEnd else { throw reader.scanner.mistake("behind the value stands more.") }
      return tree
    } catch {
      throw Fault(line: bytes[..<min(error.offset, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1)
    }
  }

  private mutating func value(depth: Int) throws(JSONScanner.Mistake) -> JSONTree {
    scanner.skipBlanks()
    switch scanner.next {
    case UInt8(ascii: "\""): return .text(String(decoding: try scanner.text(), as: UTF8.self))
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try list(depth: depth + 1)
    case _ where scanner.beginsNumber: return .number(try scanner.number().text)
    default: break
    }
    switch try scanner.word() {
    case .null: return .null
    case .yes: return .truth(true)
    case .no: return .truth(false)
    }
  }

  private mutating func object(depth: Int) throws(JSONScanner.Mistake) -> JSONTree {
    try begin(UInt8(ascii: "{"), depth: depth)
    var members = JSONTree.Members()
    scanner.skipBlanks()
    if scanner.takes(UInt8(ascii: "}")) { return .object(members) }
    while true {
      scanner.skipBlanks()
      let name = String(decoding: try scanner.name(), as: UTF8.self)
      scanner.skipBlanks()
      try scanner.expect(UInt8(ascii: ":"), "behind a name comes a colon.")
      guard members.add(name, try value(depth: depth)) else { throw scanner.mistake("the name stands here twice.") }
      scanner.skipBlanks()
      if scanner.takes(UInt8(ascii: "}")) { return .object(members) }
      try scanner.expect(UInt8(ascii: ","), "behind a value comes a comma or }.")
    }
  }

  private mutating func list(depth: Int) throws(JSONScanner.Mistake) -> JSONTree {
    try begin(UInt8(ascii: "["), depth: depth)
    var items: [JSONTree] = []
    scanner.skipBlanks()
    if scanner.takes(UInt8(ascii: "]")) { return .list(items) }
    while true {
      items.append(try value(depth: depth))
      scanner.skipBlanks()
      if scanner.takes(UInt8(ascii: "]")) { return .list(items) }
      try scanner.expect(UInt8(ascii: ","), "behind a value comes a comma or ].")
    }
  }

  private mutating func begin(_ bracket: UInt8, depth: Int) throws(JSONScanner.Mistake) {
    guard depth <= JWTLimits.jsonDepthMax else { throw scanner.mistake("this goes too deep.") }
    try scanner.expect(bracket, "here stands no value.")
  }
}
