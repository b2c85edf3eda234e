/// The tokens of SQL text, for code that does not compile it.
///
/// Always true: it reads any bytes to their end and never traps; what SQLite takes for a comment or for space gives no
/// token. Whether the text is valid SQL only SQLite can say.
package struct SQLTokens: Sequence, IteratorProtocol {
  /// A piece of the text.
  package enum Token: Equatable, Sendable {
    /// A bare word, as it was written: a keyword or a name.
    case word(String)
    /// A name or a text in quotes or brackets, without them.
    case quoted(String)
    /// Any other byte: an operator, a digit's beginning, punctuation.
    case symbol(UInt8)
  }

  private let bytes: [UInt8]
  private var position: Int

  package init(_ sql: String) {
    bytes = Array(sql.utf8)
    position = 0
  }

  package mutating func next() -> Token? {
    skipBlanks()
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    if Self.isWordByte(byte) { return .word(word()) }
    position += 1
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return .quoted(quoted(until: byte))
    case UInt8(ascii: "["): return .quoted(quoted(until: UInt8(ascii: "]")))
    default: return .symbol(byte)
    }
  }

  private mutating func word() -> String {
    let start = position
    while position < bytes.count, Self.isWordByte(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quoted(until end: UInt8) -> String {
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == end {
        // A doubled quote stands for itself; a bracket cannot be doubled.
        guard end != UInt8(ascii: "]"), position < bytes.count, bytes[position] == end else { break }
        position += 1
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      let byte = bytes[position]
      let following = position + 1 < bytes.count ? bytes[position + 1] : 0
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        position += 1
      } else if bytes[position...].starts(with: Self.byteOrderMark) {
        position += Self.byteOrderMark.count
      } else if byte == UInt8(ascii: "-"), following == UInt8(ascii: "-") {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      } else if byte == UInt8(ascii: "/"), following == UInt8(ascii: "*") {
        position += 2
        while position < bytes.count, !endsComment { position += 1 }
        position = Swift.min(position + 2, bytes.count)
      } else {
        return
      }
    }
  }

  private var endsComment: Bool {
    bytes[position] == UInt8(ascii: "*") && position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "/")
  }

  package static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

extension SQLTokens {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The first word in capitals; nil if the text begins with something else.
  package static func firstWord(of sql: String) -> String? {
    // Only the beginning is looked at: a script may be one statement of many megabytes.
    var bytes = sql.utf8[...]
    while let byte = bytes.first {
      if bytes.starts(with: byteOrderMark) {
        bytes = bytes.dropFirst(byteOrderMark.count)
      } else if isWordByte(byte) {
        let word = bytes.prefix { isWordByte($0) }.prefix(ValueLimits.wordBytesMax)
        return String(decoding: word, as: UTF8.self).uppercased()
        // SQLite passes over empty statements at the beginning, and over a mark of byte order as over space.
      } else if byte == 0x20 || (0x09...0x0D).contains(byte) || byte == UInt8(ascii: ";") {
        bytes = bytes.dropFirst()
      } else if byte == UInt8(ascii: "-"), bytes.dropFirst().first == byte {
        bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
      } else if byte == UInt8(ascii: "/"), bytes.dropFirst().first == UInt8(ascii: "*") {
        bytes = bytes.dropFirst(2)
        while let inner = bytes.first {
          bytes = bytes.dropFirst()
          if inner == UInt8(ascii: "*"), bytes.first == UInt8(ascii: "/") { break }
        }
        bytes = bytes.dropFirst()
      } else {
        return nil
      }
    }
    return nil
  }

  /// Whether the text begins like a query. What begins with `WITH` or `PRAGMA` may still write.
  package static func looksLikeQuery(_ sql: String) -> Bool {
    switch firstWord(of: sql) {
    case "SELECT", "VALUES", "WITH", "PRAGMA", "EXPLAIN": true
    default: false
    }
  }
}
