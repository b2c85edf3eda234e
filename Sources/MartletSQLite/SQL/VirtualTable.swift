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
      // Without quotes it can only be the keyword: a table of that name has some.
      guard token == .word("using") else { continue }
      module = text.next()?.name ?? ""
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
      case .word("content") where isAtStart, .quoted("content") where isAtStart:
        if text.next() == .symbol(UInt8(ascii: "=")) { return true }
        // What came instead may have been the comma before the next argument.
        isAtStart = text.wasComma
      case .word, .quoted, .symbol: isAtStart = false
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
