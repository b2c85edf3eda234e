import MartletValues

/// Statements of SQL text that look after the file rather than its rows.
///
/// Always true: what is not one of these is nil; the text is only judged here, and SQLite compiles it all the same.
enum Maintenance: Equatable, Sendable {
  /// Writes the file anew, outside of any transaction.
  case vacuum
  /// Would write another file, which clients may not.
  case vacuumInto
  /// Runs ANALYZE if SQLite thinks it worth it. It compiles like a read and writes.
  case optimize
  /// ANALYZE and REINDEX. If a connection knows no tables yet they compile like reads.
  case rebuild

  init?(_ sql: String) {
    guard let first = SQLTokens.firstWord(of: sql),
      ["VACUUM", "PRAGMA", "ANALYZE", "REINDEX"].contains(first)
    else { return nil }
    let semicolon = SQLTokens.Token.symbol(UInt8(ascii: ";"))
    let tokens = SQLTokens(sql).drop { $0 == semicolon }
    let words = tokens.prefix(8).compactMap { token -> String? in
      switch token {
      case .word(let word), .quoted(let word): word.uppercased()
      case .symbol: nil
      }
    }
    switch first {
    case "VACUUM" where words.contains("INTO"): self = .vacuumInto
    case "VACUUM":
      // The engine runs a VACUUM of its own. What names a schema that is not there, or that no statement may vacuum,
      // or has more behind it, is left to SQLite, which refuses it.
      let rest = tokens.dropFirst(words.dropFirst().first == "MAIN" ? 2 : 1)
      guard rest.allSatisfy({ $0 == semicolon }) else { return nil }
      self = .vacuum
    case "PRAGMA" where words.dropFirst().first { $0 != "MAIN" } == "OPTIMIZE": self = .optimize
    case "PRAGMA": return nil
    default: self = .rebuild
    }
  }
}
