import MartletValues

/// Functions and clauses of other databases, each with what SQLite has in its place.
///
/// Always true: it is asked only about statements that SQLite did not take.
enum ForeignWords {
  /// By their names in small letters. SQLite 3.40 has none of them, or one that does something else.
  static let functions = [
    "array_agg": "json_group_array(x) collects the values of rows.",
    "bool_and": "min(x) is 1 if all are.", "bool_or": "max(x) is 1 if one is.",
    "char_length": "length(x) counts characters.", "concat": "x || y joins texts.",
    "curdate": "date('now') is the day, in UTC.", "date_add": "datetime(x, '+1 day') is a day later.",
    "date_format": "strftime('%Y-%m-%d', x) writes a time.",
    "date_part": "strftime('%Y', x) is the year, '%m' the month, '%d' the day.",
    "date_trunc": "date(x, 'start of month') is the month's first day.",
    "dateadd": "datetime(x, '+1 day') is a day later.", "datediff": "julianday(x) - julianday(y) counts days.",
    "from_unixtime": "datetime(x, 'unixepoch') is the time.", "getdate": "datetime('now') is the time, in UTC.",
    "greatest": "max(x, y) is the greater one.", "if": "iif(x, y, z) is y if x is true, and otherwise z.",
    "isnull": "x IS NULL asks for it, and ifnull(x, y) puts y in its place.",
    "json_agg": "json_group_array(x) collects the values of rows.",
    "last_insert_id": "RETURNING id gives the number with the insert; last_insert_rowid() is it in a transaction.",
    "lastval": "RETURNING id gives the number with the insert; last_insert_rowid() is it in a transaction.",
    "lcase": "lower(x) has small letters.",
    "least": "min(x, y) is the lesser one.", "left": "substr(x, 1, n) has the first n characters.",
    "len": "length(x) counts characters.", "listagg": "group_concat(x, ',') joins the texts of rows.",
    "now": "datetime('now') is the time, in UTC.", "nvl": "ifnull(x, y) puts y in the place of NULL.",
    "position": "instr(x, y) is the place of y in x.", "rand": "random() is a whole number of 64 bits.",
    "right": "substr(x, -n) has the last n characters.", "strpos": "instr(x, y) is the place of y in x.",
    "string_agg": "group_concat(x, ',') joins the texts of rows.", "sysdate": "datetime('now') is the time, in UTC.",
    "to_char": "strftime('%Y-%m-%d', x) writes a time.", "ucase": "upper(x) has capitals.",
    "unix_timestamp": "unixepoch(x) is the time in seconds.",
    "version": "sqlite_version() is SQLite's; so says .version.",
  ]

  /// What stands side by side, in capitals. The first one that a statement holds is answered.
  private static let clauses: [([String], String)] = [
    ([":", ":"], "CAST(x AS INTEGER) turns a value into another type."),
    (["SELECT", "TOP"], "LIMIT n at the end of the query takes the first n rows."),
    (["FETCH", "FIRST"], "LIMIT n OFFSET m at the end of the query takes n rows after m."),
    (["FETCH", "NEXT"], "LIMIT n OFFSET m at the end of the query takes n rows after m."),
    (["MERGE", "INTO"], "INSERT … ON CONFLICT DO UPDATE SET … changes the row that is there."),
    (["ON", "DUPLICATE"], "ON CONFLICT DO UPDATE SET … changes the row that is there."),
    (["INSERT", "IGNORE"], "INSERT OR IGNORE leaves the row that is there."),
    (["ILIKE"], "LIKE takes letters from A to Z in either case for the same."),
    (["SIMILAR", "TO"], "SQLite compares texts by LIKE and GLOB."),
    (["RLIKE"], "SQLite compares texts by LIKE and GLOB."),
    (["<", "=", ">"], "x IS y compares NULL as well."),
    (["CREATE", "OR", "REPLACE"], "DROP … IF EXISTS first, and then CREATE."),
    (["FOR", "UPDATE"], "BEGIN IMMEDIATE takes the writer for one transaction."),
    (["INTERVAL"], "datetime(x, '+1 day') is a day later."),
    (["AUTO_INCREMENT"], "INTEGER PRIMARY KEY numbers rows by itself."),
    (["IDENTITY"], "INTEGER PRIMARY KEY numbers rows by itself."),
    (["EXTRACT", "("], "strftime('%Y', x) is the year, '%m' the month, '%d' the day."),
    (["ENGINE", "="], "A table of SQLite has no such options; WITHOUT ROWID and STRICT are what there is."),
    (["@", "@"], "PRAGMA name asks for a setting."),
    (["GROUPING", "SETS"], "SQLite groups once for a query; UNION ALL joins several."),
    (["ROLLUP", "("], "SQLite groups once for a query; UNION ALL joins several."),
    (["LATERAL"], "SQLite has no LATERAL; a subquery among the columns may use the row."),
  ]

  /// Words that SQLite knows as something else, so that a call of them is no syntax to it.
  private static let keywords = ["if", "isnull", "left", "right"]

  /// A sentence; nil if nothing of another database is found.
  static func hint(for sql: String) -> String? {
    let tokens = SQLTokens(sql).prefix(CommandLimits.hintTokensMax).map { token in
      switch token {
      case .word(let word): word.uppercased()
      case .quoted: ""
      case .symbol(let byte): String(UnicodeScalar(byte))
      }
    }
    if tokens.count > 1, tokens[0] == "DELETE", tokens[1] != "FROM" { return "DELETE FROM the table." }
    if tokens.first == "INSERT", tokens.contains("SET"), !tokens.contains("CONFLICT") {
      return "INSERT INTO t (a, b) VALUES (1, 2) names the columns and their values."
    }
    let called = keywords.first { name in has(tokens, [name.uppercased(), "("]) }
    return clauses.first { has(tokens, $0.0) }?.1 ?? called.flatMap { functions[$0] }
  }

  private static func has(_ tokens: [String], _ words: [String]) -> Bool {
    tokens.indices.contains { tokens[$0...].starts(with: words) }
  }
}
