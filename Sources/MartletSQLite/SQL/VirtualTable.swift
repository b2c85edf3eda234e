/// A virtual table as the schema has it: what it is, and in which tables it keeps its data.
///
/// Always true: compiles nothing. SQLite's own list of tables compiles every view before it says anything, and sixty
/// views that each name the one before twice take 13 s.
package struct VirtualTable {
  /// In lower case.
  private(set) var module = ""
  /// The bytes of the longest argument that its module gets.
  private(set) var longestArgumentBytes = 0
  /// Its texts are those of another table, or of none.
  private(set) var hasOtherContent = false
  /// The table or view that has its texts, in lower case; nil if there is none.
  private(set) var contentName: String?
  /// It may make words of parts of words: of three letters each, or between letters that it was told to take for
  /// spaces.
  private(set) var cutsWords = false
  /// Its words are the letters of its texts by threes.
  private(set) var hasTrigrams = false
  /// How many more indexes it has, each with the first letters of its words.
  private(set) var prefixes = 0

  /// `sql`: its CREATE VIRTUAL TABLE.
  package init(sql: String) {
    let lowercased = sql.lowercased()
    cutsWords = ["trigram", "separators", "categories"].contains { lowercased.contains($0) }
    var text = SQLText(bytes: Array(sql.utf8))
    while let token = text.next() {
      // Without quotes it can only be the keyword: a table of that name has some.
      guard token == .word("using") else { continue }
      module = text.next()?.name ?? ""
      for argument in Self.arguments(text) { note(argument, of: text) }
      hasOtherContent = Self.namesContent(&text)
      if hasOtherContent, let name = text.next()?.name, !name.isEmpty { contentName = name }
      return
    }
  }

  /// FTS5 takes the first letters of an option's name for the name. Other options may have such words in the names of
  /// tables and columns.
  private mutating func note(_ argument: Range<Int>, of text: SQLText) {
    // With the comma or the parenthesis that ends it.
    longestArgumentBytes = max(longestArgumentBytes, argument.count + 1)
    let option = String(decoding: text.bytes[argument], as: UTF8.self).lowercased()
      .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard option.count == 2 else { return }
    let name = option[0].filter(\.isLetter)
    guard !name.isEmpty else { return }
    if "tokenize".hasPrefix(name), option[1].contains("trigram") { hasTrigrams = true }
    if "prefix".hasPrefix(name) { prefixes += option[1].split { !$0.isNumber }.count }
  }

  /// Where the arguments of its module stand, the last one also if nothing closes it.
  private static func arguments(_ text: SQLText) -> [Range<Int>] {
    var (text, depth, start, arguments) = (text, 0, text.position, [Range<Int>]())
    while let token = text.next() {
      if token == .symbol(UInt8(ascii: "(")) {
        depth += 1
        if depth == 1 { start = text.position }
      } else if token == .symbol(UInt8(ascii: ")")) {
        depth -= 1
        if depth == 0 {
          arguments.append(start..<text.position - 1)
          start = text.position
        }
      }
      if depth == 1, text.wasComma {
        arguments.append(start..<text.position - 1)
        start = text.position
      }
    }
    return arguments + [start..<max(start, text.position)]
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
      case .word("content") where isAtStart, .quoted("content") where isAtStart:
        if text.next() == .symbol(UInt8(ascii: "=")) { return true }
        // What came instead may have been the comma before the next argument.
        isAtStart = text.wasComma
      case .word, .quoted, .symbol: isAtStart = false
      }
    }
    return false
  }

  var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(module) }

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
