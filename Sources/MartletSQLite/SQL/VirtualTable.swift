/// A virtual table as the schema has it: what it is, and in which tables it keeps its data.
///
/// Always true: compiles nothing. SQLite's own list of tables compiles every view before it says anything, and sixty
/// views that each name the one before twice take 13 s.
package struct VirtualTable {
  /// In lower case.
  private(set) var module = ""
  /// Its texts are those of another table, or of none.
  private(set) var hasOtherContent = false

  /// `sql`: its CREATE VIRTUAL TABLE.
  package init(sql: String) {
    var text = SQLText(bytes: Array(sql.utf8))
    while let token = text.next() {
      guard token == .word("using"), case .word(let name)? = text.next() else { continue }
      module = name
      hasOtherContent = Self.namesContent(&text)
      return
    }
  }

  /// Whether one of the module's arguments is `content=…`.
  private static func namesContent(_ text: inout SQLText) -> Bool {
    var depth = 0
    var isAtStart = false
    while let token = text.next() {
      switch token {
      case .symbol(UInt8(ascii: "(")):
        depth += 1
        isAtStart = depth == 1
      case .symbol(UInt8(ascii: ")")): depth -= 1
      case .symbol(UInt8(ascii: ",")): isAtStart = depth == 1
      case .word("content") where isAtStart:
        if text.next() == .symbol(UInt8(ascii: "=")) { return true }
        // What came instead may have been the comma before the next argument.
        isAtStart = text.wasComma
      case .word, .symbol: isAtStart = false
      }
    }
    return false
  }

  /// What follows its name and `_` in the names of the tables in which it keeps its data.
  var insides: [String] { hasOtherContent ? reserved.filter { $0 != "content" } : reserved }

  /// What follows its name and `_` in the names of tables that SQLite takes for its insides, whoever made them.
  package var reserved: [String] {
    switch module {
    case "fts5": ["data", "idx", "content", "docsize", "config"]
    case "fts3", "fts4": ["content", "segments", "segdir", "docsize", "stat"]
    case "rtree", "rtree_i32", "geopoly": ["node", "rowid", "parent"]
    default: []
    }
  }
}

/// The words and symbols of SQL text: names in quotes are words, too, and comments are nothing.
private struct SQLText {
  enum Token: Equatable {
    /// In lower case.
    case word(String)
    case symbol(UInt8)
  }

  let bytes: [UInt8]
  private var position = 0
  /// The token that came last was a comma.
  private(set) var wasComma = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Token? {
    skipBlanks()
    wasComma = false
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(until: byte)
    case UInt8(ascii: "["): return quoted(until: UInt8(ascii: "]"))
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

  private mutating func quoted(until end: UInt8) -> Token {
    let start = position + 1
    position = bytes[start...].firstIndex(of: end) ?? bytes.count
    let word = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    position = min(position + 1, bytes.count)
    return .word(word)
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      let rest = bytes[position...]
      if rest.starts(with: "--".utf8) {
        position = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if rest.starts(with: "/*".utf8) {
        position += 2
        while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
        position = min(position + 2, bytes.count)
      } else if bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) {
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
