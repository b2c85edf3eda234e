import MartletValues

/// The table that a statement writes to or drops, as its text says it: for errors that SQLite reports without one.
///
/// Always true: it is a name of the statement; empty if the text says it in a way that is not known here.
package enum WrittenTable {
  /// One name, or none.
  package static func names(in sql: String) -> [String] {
    let name = name(in: sql)
    return name.isEmpty ? [] : [name]
  }

  /// Empty if the text is a query or says it in a way that is not known here.
  static func name(in sql: String) -> String {
    var tokens = SQLTokens(sql)
    var depth = 0
    while let token = tokens.next() {
      switch token {
      case .symbol(UInt8(ascii: "(")): depth += 1
      case .symbol(UInt8(ascii: ")")): depth -= 1
      case .word(let word) where depth == 0:
        switch word.uppercased() {
        case "INSERT", "REPLACE", "DELETE": return name(after: ["INTO", "FROM"], &tokens)
        case "UPDATE": return name(after: [], &tokens)
        case "DROP": return name(after: ["TABLE"], &tokens)
        case "SELECT", "VALUES": return ""
        default: continue
        }
      default: continue
      }
    }
    return ""
  }

  private static func name(after keywords: Set<String>, _ tokens: inout SQLTokens) -> String {
    var isExpected = keywords.isEmpty
    while let token = tokens.next() {
      switch token {
      case .word(let word):
        let upper = word.uppercased()
        if upper == "OR" {
          _ = tokens.next()
        } else if upper == "IF", keywords.contains("TABLE") {
          // IF EXISTS
          _ = tokens.next()
        } else if isExpected {
          return unqualified(word, &tokens)
        } else if keywords.contains(upper) {
          isExpected = true
        }
      case .quoted(let name): return isExpected ? unqualified(name, &tokens) : ""
      case .symbol: return ""
      }
    }
    return ""
  }

  private static func unqualified(_ name: String, _ tokens: inout SQLTokens) -> String {
    guard tokens.next() == .symbol(UInt8(ascii: ".")) else { return name }
    switch tokens.next() {
    case .word(let table), .quoted(let table): return table
    default: return name
    }
  }
}
