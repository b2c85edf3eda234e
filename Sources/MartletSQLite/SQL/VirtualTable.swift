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
      longestArgumentBytes = Self.longestArgument(text)
      for option in Self.options(text) { note(option) }
      hasOtherContent = Self.namesContent(&text)
      if hasOtherContent, let name = text.next()?.name, !name.isEmpty { contentName = name }
      return
    }
  }

  /// FTS5 takes the first letters of an option's name for the name.
  private mutating func note(_ option: (name: String, value: String)) {
    let name = option.name.filter(\.isLetter)
    if option.value.contains("trigram") { hasTrigrams = true }
    guard !name.isEmpty, "prefix".hasPrefix(name) else { return }
    prefixes += option.value.split { !$0.isNumber }.count
  }

  /// The arguments of its module that are `name=value`, in lower case.
  private static func options(_ text: SQLText) -> [(name: String, value: String)] {
    var (text, depth, start, options) = (text, 0, text.position, [(name: String, value: String)]())
    func end(at position: Int) {
      let argument = String(decoding: text.bytes[start..<max(start, position)], as: UTF8.self).lowercased()
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { options.append((String(parts[0]), String(parts[1]))) }
      start = text.position
    }
    while let token = text.next() {
      if token == .symbol(UInt8(ascii: "(")) {
        depth += 1
        if depth == 1 { start = text.position }
      } else if token == .symbol(UInt8(ascii: ")")) {
        depth -= 1
        if depth == 0 {
          end(at: text.position - 1)
          break
        }
      }
      if depth == 1, text.wasComma { end(at: text.position - 1) }
    }
    return options
  }

  private static func longestArgument(_ text: SQLText) -> Int {
    var (text, depth, start, longest) = (text, 0, text.position, 0)
    while let token = text.next() {
      if token == .symbol(UInt8(ascii: "(")) {
        depth += 1
        if depth == 1 { start = text.position }
      } else if token == .symbol(UInt8(ascii: ")")) {
        depth -= 1
      }
      longest = max(longest, text.position - start)
      if depth == 1, text.wasComma { start = text.position }
    }
    return longest
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
