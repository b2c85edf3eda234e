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
    while let length = Self.blank(at: bytes[position...]) { position += length }
  }

  /// How many bytes of space, or of one comment, the text begins with; nil if it begins with something else. A mark of
  /// byte order is space to SQLite.
  private static func blank(at text: some Collection<UInt8>) -> Int? {
    guard let first = text.first else { return nil }
    switch first {
    case 0x20, 0x09...0x0D: return 1
    case byteOrderMark[0]: return text.starts(with: byteOrderMark) ? byteOrderMark.count : nil
    case UInt8(ascii: "-"):
      let rest = text.dropFirst()
      guard rest.first == UInt8(ascii: "-") else { return nil }
      // The end of the line is space of its own.
      return 1
        + (rest.firstIndex(of: UInt8(ascii: "\n")).map { rest.distance(from: rest.startIndex, to: $0) } ?? rest.count)
    case UInt8(ascii: "/"):
      guard text.dropFirst().first == UInt8(ascii: "*") else { return nil }
      return commentLength(text)
    default: return nil
    }
  }

  /// The length of a comment that begins here, which the end of the text ends as well.
  private static func commentLength(_ text: some Collection<UInt8>) -> Int {
    var length = 2
    var isAfterStar = false
    for byte in text.dropFirst(2) {
      length += 1
      if isAfterStar, byte == UInt8(ascii: "/") { return length }
      isAfterStar = byte == UInt8(ascii: "*")
    }
    return length
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
      if let length = blank(at: bytes) {
        bytes = bytes.dropFirst(length)
      } else if byte == UInt8(ascii: ";") {
        // SQLite passes over empty statements at the beginning.
        bytes = bytes.dropFirst()
      } else if isWordByte(byte) {
        let word = bytes.prefix { isWordByte($0) }.prefix(ValueLimits.wordBytesMax)
        return String(decoding: word, as: UTF8.self).uppercased()
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
