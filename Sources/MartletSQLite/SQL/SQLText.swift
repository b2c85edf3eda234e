/// The words and symbols of SQL text, as SQLite's tokenizer sees them.
///
/// Always true: it compiles nothing and reads any bytes to their end, once; comments, space and a mark of byte order
/// where a token could begin are nothing.
struct SQLText {
  enum Token: Equatable {
    /// A bare word in lower case: a keyword or a name.
    case word(String)
    /// A name or a text in quotes, in lower case.
    case quoted(String)
    case symbol(UInt8)

    /// In lower case; nil of a symbol.
    var name: String? {
      switch self {
      case .word(let name), .quoted(let name): name
      case .symbol: nil
      }
    }
  }

  let bytes: [UInt8]
  /// Where the next token is looked for.
  private(set) var position = 0
  /// The token that came last was a comma.
  private(set) var wasComma = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  static func tokenCount(of sql: String) -> Int {
    var (text, count) = (SQLText(bytes: Array(sql.utf8)), 0)
    while text.next() != nil { count += 1 }
    return count
  }

  mutating func next() -> Token? {
    skipBlanks()
    wasComma = false
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return .quoted(quoted(until: byte))
    case UInt8(ascii: "["): return .quoted(quoted(until: UInt8(ascii: "]")))
    case _ where Self.isOfWord(byte):
      let start = position
      while position < bytes.count, Self.isOfWord(bytes[position]) { position += 1 }
      return .word(String(decoding: bytes[start..<position], as: UTF8.self).lowercased())
    default:
      position += 1
      wasComma = byte == UInt8(ascii: ",")
      return .symbol(byte)
    }
  }

  private mutating func quoted(until end: UInt8) -> String {
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == end {
        // A doubled quote stands for itself; a bracket cannot be doubled.
        guard end != UInt8(ascii: "]"), self.byte(0) == end else { break }
        position += 1
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self).lowercased()
  }

  /// The byte so far behind the position; 0 behind the end.
  private func byte(_ distance: Int) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "-"), self.byte(1) == UInt8(ascii: "-") {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*") {
        position += 2
        while position < bytes.count, !(bytes[position] == UInt8(ascii: "*") && self.byte(1) == UInt8(ascii: "/")) {
          position += 1
        }
        position = min(position + 2, bytes.count)
      } else if byte == 0xEF, self.byte(1) == 0xBB, self.byte(2) == 0xBF {
        position += 3
      } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
        position += 1
      } else {
        return
      }
    }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

extension SQLText {
  /// Whether more than empty statements follow. SQLite reads a text to its first zero byte.
  static func holdsStatement(_ rest: UnsafeBufferPointer<CChar>) -> Bool {
    var text = SQLText(bytes: rest.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    while let token = text.next() {
      if token != .symbol(UInt8(ascii: ";")) { return true }
    }
    return false
  }
}
