import MartletValues

/// Tells a dump, as `sqlite3 FILE .dump` writes it, from other scripts, statement by statement.
///
/// Always true: a script is a dump only if every statement between its first two and its COMMIT is one that a dump
/// has; so a migration by hand that begins the same way is none.
struct DumpRecognizer {
  enum Verdict: Equatable {
    /// The statement may be the first one of a dump.
    case perhaps
    /// Part of a dump.
    case statement
    /// The COMMIT that ends it.
    case complete
    /// What came before looked like a dump, and this is not part of one.
    case notAfterAll
    /// Part of a dump that is not to be kept.
    case skipped
    case no
  }

  private enum State {
    case start
    case foreignKeysOff
    case inside
    case damaged
    case over
  }

  private var state: State

  /// `isOver`: no dump is looked for any more.
  init(isOver: Bool = false) { state = isOver ? .over : .start }

  mutating func statementArrived(_ sql: String) -> Verdict {
    switch state {
    case .over: return .no
    case .start:
      guard turnsForeignKeysOff(sql) else {
        state = .over
        return .no
      }
      state = .foreignKeysOff
      return .perhaps
    case .foreignKeysOff:
      guard sql.uppercased() == "BEGIN TRANSACTION" else { return end(.notAfterAll) }
      state = .inside
      return .statement
    case .inside:
      if sql.uppercased() == "COMMIT" { return end(.complete) }
      return Self.isPartOfDump(sql) ? .statement : end(.notAfterAll)
    case .damaged:
      if ["COMMIT", "ROLLBACK"].contains(sql.uppercased()) { state = .start }
      return .skipped
    }
  }

  /// The rest of this dump is skipped.
  mutating func damageMet() { state = .damaged }

  /// Whether a line, on which no statement has begun, is one of those that SQLite's shell writes when it meets damage
  /// in the file: comments with the error, and an end that undoes everything.
  static func tellsOfDamage(_ line: String) -> Bool { damageLines.contains(where: line.hasPrefix) }

  private static let damageLines = [
    "/****** CORRUPTION ERROR", "/****** ERROR: ", "/**** ERROR: (", "ROLLBACK; -- due to errors",
  ]

  private mutating func end(_ verdict: Verdict) -> Verdict {
    state = .over
    return verdict
  }

  private func turnsForeignKeysOff(_ sql: String) -> Bool {
    sql.uppercased().filter { !$0.isWhitespace } == "PRAGMAFOREIGN_KEYS=OFF"
  }

  /// The forms that the shell of SQLite writes.
  private static func isPartOfDump(_ sql: String) -> Bool {
    switch SQLTokens.firstWord(of: sql) {
    case "CREATE": return !isTemporaryOrSelect(sql)
    case "INSERT": return isInsertOfValues(sql)
    case "DELETE", "ANALYZE":
      return ["DELETE FROM SQLITE_SEQUENCE", "ANALYZE SQLITE_SCHEMA"].contains(sql.uppercased())
    case "PRAGMA": return isKept(pragma: sql)
    default: return false
    }
  }

  /// Pragmas that are part of what a dump makes; the others of its beginning are for whoever loads it.
  static func isKept(pragma sql: String) -> Bool {
    let text = sql.uppercased().filter { !$0.isWhitespace }
    return ["PRAGMAWRITABLE_SCHEMA=", "PRAGMAUSER_VERSION=", "PRAGMAAPPLICATION_ID="].contains(where: text.hasPrefix)
  }

  /// The table that a statement makes only if it is not there; nil for any other statement.
  static func tableMadeIfMissing(_ sql: String) -> String? {
    let tokens = Array(SQLTokens(String(sql.prefix(CommandLimits.recognizedCharactersMax))).prefix(6))
    let words = tokens.map { if case .word(let word) = $0 { word.uppercased() } else { "" } }
    guard tokens.count == 6, words.prefix(5) == ["CREATE", "TABLE", "IF", "NOT", "EXISTS"] else { return nil }
    switch tokens[5] {
    case .word(let name), .quoted(let name): return name
    case .symbol: return nil
    }
  }

  /// `CREATE TABLE x AS SELECT` reads what the server may have and the dump does not.
  private static func isTemporaryOrSelect(_ sql: String) -> Bool {
    let words = SQLTokens(sql).prefix(12).map { token in
      if case .word(let word) = token { word.uppercased() } else { "" }
    }
    if words.dropFirst().first == "TEMP" || words.dropFirst().first == "TEMPORARY" { return true }
    guard words.dropFirst().first == "TABLE", let as_ = words.firstIndex(of: "AS") else { return false }
    return as_ <= 7
  }

  /// `INSERT INTO name [(columns)] VALUES(…)`: the tokens up to VALUES are looked at, and no more of a long row.
  private static func isInsertOfValues(_ sql: String) -> Bool {
    var tokens = SQLTokens(String(sql.prefix(CommandLimits.recognizedCharactersMax)))
    _ = tokens.next()
    guard case .word(let into)? = tokens.next(), into.uppercased() == "INTO" else { return false }
    while let token = tokens.next() {
      guard case .word(let word) = token else { continue }
      switch word.uppercased() {
      case "VALUES": return true
      case "SELECT", "DEFAULT", "WITH": return false
      default: continue
      }
    }
    return false
  }
}
