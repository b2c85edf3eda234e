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
    let words = SQLTokens(sql).prefix(8).compactMap { token -> String? in
      switch token {
      case .word(let word), .quoted(let word): word.uppercased()
      case .symbol: nil
      }
    }
    if first == "VACUUM" {
      if words.contains("INTO") {
        self = .vacuumInto
      } else if words.count == 1 || words[1] == "MAIN" {
        self = .vacuum
      } else {
        // The VACUUM names a schema that is not there, or that no statement may vacuum: SQLite reports that.
        return nil
      }
    } else if first != "PRAGMA" {
      self = .rebuild
    } else if words.dropFirst().first(where: { $0 != "MAIN" }) == "OPTIMIZE" {
      self = .optimize
    } else {
      return nil
    }
  }
}
