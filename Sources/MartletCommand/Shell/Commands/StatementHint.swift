import MartletValues

/// What to type in the place of a statement that SQLite does not know or read otherwise than it was meant.
///
/// Always true: it is asked only about statements that failed, so no hint stands in the way of one that works.
enum StatementHint {
  /// A sentence with a blank before it; empty if there is nothing to say. `offset`: the byte of the statement at which
  /// the error is.
  static func of(_ message: String, sql: String, offset: Int?, words: CompletionWords) -> String {
    let lower = message.lowercased()
    if let name = name(in: message, after: "no such table: ") ?? name(in: message, after: "unknown database ") {
      if isCatalogue(name) { return " sqlite_schema lists what there is, and .tables and .columns TABLE show it." }
      return Suggestion.question(name, among: others(words.tables.map(\.name), than: name))
    }
    if let name = name(in: message, after: "no such column: ") {
      let bytes = Array(sql.utf8)
      if let offset, bytes.indices.contains(offset), bytes[offset] == UInt8(ascii: "\"") {
        return " A text stands in single quotes: '\(CellText.escaped(name))'."
      }
      let column = name.split(separator: ".").last.map(String.init) ?? name
      if let table = words.tables.first(where: { has($0.columns, column) })?.name {
        return
          " The table \(CellText.escaped(table)) has one of that name. Look at what the statement calls its tables."
      }
      // `interval '1 day'` is a column with a name behind it, to SQLite.
      if column.lowercasedASCII == "interval", let hint = ForeignWords.hint(for: sql) { return " " + hint }
      return Suggestion.question(column, among: words.tables.flatMap(\.columns))
    }
    if let name = name(in: message, after: "no such function: ") {
      let hint = ForeignWords.functions[name.lowercasedASCII] ?? ForeignWords.hint(for: sql)
      return hint.map { " " + $0 } ?? ""
    }
    if let hint = otherShell(sql) { return " " + hint }
    if lower.hasPrefix("the statement takes "), lower.contains(" parameter") {
      return " A shell binds nothing. Write the values in the place of ?, :name, @name and $name."
    }
    guard ["syntax error", "incomplete input", "unrecognized token"].contains(where: lower.contains) else { return "" }
    if let hint = unknownStatement(sql) ?? ForeignWords.hint(for: sql) { return " " + hint }
    guard let near = name(in: message, after: "near ") else { return "" }
    return Suggestion.question(near.filter { $0 != "\"" && $0 != ":" }, among: keywords(near))
  }

  /// Where other databases list their tables.
  private static func isCatalogue(_ name: String) -> Bool {
    let name = name.lowercasedASCII
    return ["information_schema", "pg_", "all_tables", "user_tables", "sys."].contains(where: name.hasPrefix)
  }

  /// SQLite takes letters in either case for the same.
  private static func has(_ names: [String], _ name: String) -> Bool {
    names.contains { $0.lowercasedASCII == name.lowercasedASCII }
  }

  private static func others(_ names: [String], than name: String) -> [String] {
    names.filter { $0.lowercasedASCII != name.lowercasedASCII }
  }

  /// Words of other shells and databases that are no syntax of SQLite's: commands of psql's, and how they begin and end
  /// transactions.
  private static func otherShell(_ sql: String) -> String? {
    let words = sql.split(whereSeparator: \.isWhitespace).map(String.init)
    if let first = words.first, first.hasPrefix("\\") { return CommandHint.backslash(first) }
    if let last = words.last, ["\\G", "\\g", "\\gx"].contains(last) { return CommandHint.backslash(last) }
    switch (words.first?.uppercased(), words.dropFirst().first?.uppercased()) {
    case ("START", "TRANSACTION"): return "BEGIN begins a transaction, and BEGIN IMMEDIATE one that writes."
    case (let verb?, "WORK") where ["BEGIN", "COMMIT", "END", "ROLLBACK"].contains(verb):
      return "SQLite has no word WORK there: \(verb)."
    default: return nil
    }
  }

  /// A word that is a keyword already is not the one that is misspelt.
  private static func keywords(_ word: String) -> [String] {
    let word = word.filter { $0 != "\"" && $0 != ":" }.uppercased()
    return word.count < 3 || CompletionWords.keywords.contains(word) ? [] : CompletionWords.keywords
  }

  private static func name(in message: String, after words: String) -> String? {
    guard let range = message.lowercased().firstRange(of: words) else { return nil }
    let start = message.distance(to: range.upperBound, in: message.lowercased())
    let rest = message[start...].prefix { !$0.isWhitespace }
    let name = rest.hasSuffix(".") ? rest.dropLast() : rest
    return name.isEmpty ? nil : String(name)
  }

  /// Statements of other databases.
  private static func unknownStatement(_ sql: String) -> String? {
    let words = sql.split(maxSplits: 3, whereSeparator: \.isWhitespace).prefix(3).map { $0.uppercased() }
    let second = words.dropFirst().first ?? ""
    switch (words.first ?? "", second) {
    case ("TRUNCATE", _): return "SQLite has no TRUNCATE. DELETE FROM the table."
    case ("SHOW", _), ("DESCRIBE", _), ("DESC", _): return ".tables, .columns TABLE and .schema show what is there."
    case ("SET", _): return "Settings of SQLite are pragmas: PRAGMA name = value."
    case ("COPY", _), ("LOAD", _): return ".import FILE TABLE copies a file in, .mode csv and .once FILE copy rows out."
    case ("CREATE", "DATABASE"), ("DROP", "DATABASE"), ("ALTER", "DATABASE"):
      return "martlet databases makes, renames and drops databases."
    case ("GRANT", _), ("REVOKE", _), ("CREATE", "USER"), ("CREATE", "ROLE"), ("DROP", "USER"), ("DROP", "ROLE"):
      return CommandHint.noUsers
    case ("CREATE", "SCHEMA"): return "A database has one schema; another database is another file of the server."
    case ("CREATE", "SEQUENCE"): return "INTEGER PRIMARY KEY numbers rows by itself."
    case ("CREATE", "FUNCTION"), ("CREATE", "PROCEDURE"), ("CALL", _), ("DO", _):
      return "SQLite has no stored procedures; triggers hold statements."
    case ("ABORT", _): return "ROLLBACK undoes the transaction."
    case ("SOURCE", _): return ".read FILE runs a file."
    case ("CONNECT", _), ("USE", _): return ".connect DATABASE goes on with another database of the server."
    case ("TEE", _), ("NOTEE", _): return CommandHint.noTee
    case ("LOCK", _): return "BEGIN IMMEDIATE takes the writer for one transaction."
    case ("EXPLAIN", "ANALYZE"): return "EXPLAIN QUERY PLAN shows the plan; the time stands under each result."
    case ("ALTER", "TABLE") where ["MODIFY", "CHANGE", " TYPE "].contains(where: { sql.uppercased().contains($0) }):
      return "SQLite's ALTER TABLE renames, and adds or drops columns; anything else is a new table and a copy."
    default: return nil
    }
  }
}

extension String {
  /// Where an index of a text of the same letters in another case stands in this one.
  fileprivate func distance(to index: String.Index, in lowercased: String) -> String.Index {
    self.index(startIndex, offsetBy: min(count, lowercased.distance(from: lowercased.startIndex, to: index)))
  }
}
