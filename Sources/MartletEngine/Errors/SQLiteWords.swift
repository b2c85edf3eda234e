internal import MartletSQLite

/// SQLite's own words about a statement that failed while it ran, as far as they hold no value of a row or a parameter.
///
/// Always true: an unknown message becomes nil; if a known one quotes what it read, the quotation is left out. What
/// SQLite says of a statement that it compiles needs none of this, because it has seen no value then.
enum SQLiteWords {
  /// The message without what it quotes; nil if it is not known to be harmless.
  static func harmless(_ message: String) -> String? {
    if whole.contains(message) { return message }
    if let beginning = quoting.first(where: { message.hasPrefix($0.beginning) }) {
      // Nothing was quoted, so the message is complete as it is.
      if message == beginning.beginning + beginning.end, !beginning.end.isEmpty { return message }
      return beginning.beginning + "…" + beginning.end
    }
    if naming.contains(where: { message.hasPrefix($0) }) { return message }
    // json_set() needs an odd number of arguments; unable to use function MATCH in the requested context
    if message.hasPrefix("json_"), message.hasSuffix("arguments") { return message }
    return nil
  }

  /// Whether harmless words are about the values of the statement, and not about its text or the schema.
  static func isOfValues(_ words: String) -> Bool {
    whole.contains(words) || words.hasPrefix("json_") || words.hasPrefix("unknown special query")
  }

  /// Whether they speak of the text of the schema, of which no place is one in the statement: a function that a
  /// constraint, a generated column or an index calls, and that the connection does not have.
  static func isOfSchema(_ words: String) -> Bool { words.hasPrefix("unknown function: ") }

  /// What SQLite leaves out, as a sentence behind its own.
  static func remark(on words: String) -> String {
    isOfSchema(words) ? " The table's definition or an index calls it, and this connection has no such function." : ""
  }

  private static let whole: Set<String> = [
    "The pattern for MATCH has too many words in its phrases and NEARs", "integer overflow", "malformed JSON",
    "JSON cannot hold BLOB values",
    "json_object() requires an even number of arguments", "json_object() labels must be TEXT",
    "ESCAPE expression must be a single character", "LIKE or GLOB pattern too complex",
    "argument of ntile must be a positive integer", "second argument to nth_value must be a positive integer",
    "frame starting offset must be a non-negative integer", "frame ending offset must be a non-negative integer",
    "frame starting offset must be a non-negative number", "frame ending offset must be a non-negative number",
    "unterminated string", "fts5: phrase queries are not supported (detail!=full)",
    "fts5: column queries are not supported (detail=none)", "fts5: parser stack overflow",
    "fts5 expression tree is too large (maximum depth 256)", "fts5: error creating shadow table",
    "Cannot add a NOT NULL column with default value NULL",
    "Cannot add a REFERENCES column with non-NULL default value",
    "Cannot add a column with non-constant default", "cannot add a STORED column",
    "cannot VACUUM from within a transaction", "cannot VACUUM - SQL statements in progress",
    "cannot commit transaction - SQL statements in progress", "SQL logic error", "invalid Unicode escape",
    "Too few columns for an rtree table", "Too many columns for an rtree table",
  ]

  /// Messages that quote a value or a pattern: how they begin, and what follows the quotation.
  private static let quoting: [(beginning: String, end: String)] = [
    ("fts5: syntax error near \"", "\""), ("no such column: ", ""), ("malformed MATCH expression: [", "]"),
    ("JSON path error near '", "'"), ("bad JSON path: '", "'"), ("unknown special query: ", ""),
    ("unrecognized argument: ", ""),
  ]

  /// Beginnings of messages that name only what the statement or the schema names.
  private static let naming = [
    "unable to use function ", "wrong number of arguments to function ", "rtree constraint failed: ",
    "no such table", "no such function", "no such index", "no such view", "no such trigger", "no such module",
    "no such savepoint", "no such tokenizer: ", "unrecognized option: ", "vtable constructor failed: ", "table ",
    "index ", "view ", "there is already", "duplicate column name", "cannot start", "cannot commit", "cannot rollback",
    "database table is locked", "ambiguous column", "sub-select returns", "too many", "malformed database schema",
    "error in ", "unknown function: ", "foreign key mismatch", "recursive reference", "unknown database ",
    "cannot detach database ",
  ]
}

extension SQLiteError {
  /// All that a client is told if a condition does not compile: none of SQLite's words, which may be the operator's.
  static let misfit = SQLiteError(
    extendedCode: SQLiteCode.authorization,
    message: "The server's rules for a table do not fit it. Its operator has to correct them")
}
