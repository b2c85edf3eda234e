internal import MartletValues

/// The statements that begin, end and divide transactions, as their text says it.
///
/// Always true: what SQLite would not take as one of them is none, so SQLite gets to say what is wrong with it.
package enum TransactionStatement: Equatable, Sendable {
  /// `isDeferred`: nothing is begun before the first statement, as SQLite has it without IMMEDIATE or EXCLUSIVE.
  case begin(isDeferred: Bool)
  case commit
  case rollBack
  case savepoint(String)
  case release(String)
  case rollBackTo(String)

  /// Nil if the text is another statement, or not a whole one of these.
  package init?(_ sql: String) {
    let beginnings = ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"]
    guard let first = SQLTokens.firstWord(of: sql), beginnings.contains(first) else { return nil }
    // None of these statements is long; SQLite may read what is.
    var words = Words(SQLTokens(sql).prefix(8).map { $0 })
    _ = words.take()
    guard let statement = Self.parse(first, &words), words.isAtEnd else { return nil }
    self = statement
  }

  private static func parse(_ first: String, _ words: inout Words) -> TransactionStatement? {
    switch first {
    case "BEGIN":
      let isDeferred = !words.take(oneOf: ["IMMEDIATE", "EXCLUSIVE"])
      if isDeferred { words.take(oneOf: ["DEFERRED"]) }
      words.takeTransactionWord()
      return .begin(isDeferred: isDeferred)
    case "COMMIT", "END":
      words.takeTransactionWord()
      return .commit
    case "ROLLBACK":
      words.takeTransactionWord()
      guard words.take(oneOf: ["TO"]) else { return .rollBack }
      words.take(oneOf: ["SAVEPOINT"])
      return words.name().map { .rollBackTo($0) }
    case "SAVEPOINT": return words.name().map { .savepoint($0) }
    default:
      words.take(oneOf: ["SAVEPOINT"])
      return words.name().map { .release($0) }
    }
  }
}

/// The tokens of one short statement.
private struct Words {
  private var tokens: ArraySlice<SQLTokens.Token>

  init(_ tokens: [SQLTokens.Token]) { self.tokens = tokens[...] }

  /// Semicolons at the end are no part of a statement.
  var isAtEnd: Bool { tokens.allSatisfy { $0 == .symbol(UInt8(ascii: ";")) } }

  mutating func take() -> SQLTokens.Token? { tokens.popFirst() }

  @discardableResult
  mutating func take(oneOf keywords: [String]) -> Bool {
    guard case .word(let word)? = tokens.first, keywords.contains(word.uppercased()) else { return false }
    tokens.removeFirst()
    return true
  }

  /// `TRANSACTION`, and the name that may stand behind it and means nothing.
  mutating func takeTransactionWord() {
    guard take(oneOf: ["TRANSACTION"]) else { return }
    if case .word(let word)? = tokens.first, word.uppercased() == "TO" { return }
    _ = name()
  }

  /// A savepoint's name, as SQLite compares them: letters of ASCII in either case are the same.
  mutating func name() -> String? {
    switch tokens.first {
    case .word(let name), .quoted(let name):
      tokens.removeFirst()
      return name.lowercasedASCII
    default: return nil
    }
  }
}
