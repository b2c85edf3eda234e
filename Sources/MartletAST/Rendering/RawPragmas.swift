import MartletValues

/// Whether SQL text asks pragmas, which needs a permission of its own.
///
/// Always true: text that asks a pragma is found, however it is quoted and wherever it stands. Other text counts only
/// if a name or a literal in it begins with `pragma_`.
enum RawPragmas {
  /// Puts the checks of one transaction off to its end, and tells nothing.
  private static let free = "defer_foreign_keys"

  static func areAsked(in sql: String) -> Bool {
    // Text is long if it carries rows, and hardly any has the word.
    guard holdsWord(sql) else { return false }
    let tokens = Array(SQLTokens(sql))
    if asksFirst(tokens) { return true }
    return tokens.contains { token in
      switch token {
      case .word(let name), .quoted(let name): PragmaTable.isCalled(name)
      case .symbol: false
      }
    }
  }

  /// A statement of its own, or what EXPLAIN looks at.
  private static func asksFirst(_ tokens: [SQLTokens.Token]) -> Bool {
    var rest = tokens[...]
    while let word = word(rest.first), ["EXPLAIN", "QUERY", "PLAN"].contains(word) || rest.first == .symbol(semicolon) {
      rest = rest.dropFirst()
    }
    guard word(rest.first) == "PRAGMA" else { return false }
    rest = rest.dropFirst()
    if rest.dropFirst().first == .symbol(UInt8(ascii: ".")) { rest = rest.dropFirst(2) }
    return word(rest.first) != free.uppercased()
  }

  private static let semicolon = UInt8(ascii: ";")

  private static func word(_ token: SQLTokens.Token?) -> String? {
    switch token {
    case .word(let text): text.uppercased()
    case .symbol(semicolon): ";"
    default: nil
    }
  }

  private static func holdsWord(_ sql: String) -> Bool {
    let word = Array("pragma".utf8)
    var matched = 0
    for byte in sql.utf8 {
      let lower = byte | 0x20
      matched = lower == word[matched] ? matched + 1 : (lower == word[0] ? 1 : 0)
      if matched == word.count { return true }
    }
    return false
  }
}
