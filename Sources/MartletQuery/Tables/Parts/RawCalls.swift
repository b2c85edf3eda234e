import MartletValues

/// The functions that raw SQL calls, as far as its text tells them.
///
/// Always true: calls in a subquery of the SQL are not among them, nor texts, names and comments that look like calls.
struct RawCalls {
  private(set) var reading = RowReading()

  private enum Token {
    case word(String)
    case quoted(String)
    case symbol(UInt8)
    /// A value, a column or a statement in its place.
    case other

    /// What it calls, if a parenthesis follows.
    var name: String? {
      switch self {
      case .word(let name), .quoted(let name): name
      case .symbol, .other: nil
      }
    }
  }

  /// What an opening parenthesis began.
  private struct Parenthesis {
    var function: String?
    var commas = 0
    var isEmpty = true
    var isSubquery = false
  }

  private var open: [Parenthesis] = []

  init(_ parts: [QueryFragment.RawPart]) {
    var name: String?
    var isType = false
    for token in Self.tokens(of: parts) {
      if case .symbol(UInt8(ascii: "(")) = token {
        note(.other)
        open.append(Parenthesis(function: name, isSubquery: isInSubquery))
      } else if case .symbol(UInt8(ascii: ")")) = token {
        if let closed = open.popLast() { end(closed) }
      } else {
        note(token)
      }
      // A type stands behind AS, and it may have parentheses too.
      name = isType ? nil : token.name
      if case .word("as") = token { isType = true } else { isType = false }
    }
  }

  private var isInSubquery: Bool { open.last?.isSubquery == true }

  private mutating func note(_ token: Token) {
    if case .word("over") = token, !isInSubquery { reading.isOfRows = true }
    guard let last = open.indices.last else { return }
    if open[last].isEmpty, case .word(let word) = token, ["select", "values", "with"].contains(word) {
      open[last].isSubquery = true
    }
    open[last].isEmpty = false
    if case .symbol(UInt8(ascii: ",")) = token { open[last].commas += 1 }
  }

  private mutating func end(_ closed: Parenthesis) {
    guard let function = closed.function, !isInSubquery, !Self.keywords.contains(function) else { return }
    let arguments = closed.isEmpty ? 0 : closed.commas + 1
    if Self.isAggregate(function, arguments: arguments) {
      reading.isOfRows = true
    } else if !Self.scalars.contains(function) {
      reading.unknown.insert(function)
    }
  }

  private static func tokens(of parts: [QueryFragment.RawPart]) -> [Token] {
    parts.flatMap { part -> [Token] in
      switch part {
      case .sql(let text):
        SQLTokens(text).map { token in
          switch token {
          case .word(let word): .word(word.lowercased())
          case .quoted(let name): .quoted(name.lowercased())
          case .symbol(let byte): .symbol(byte)
          }
        }
      case .identifier(let name): [.quoted(name.lowercased())]
      case .expression, .statement: [.other]
      }
    }
  }

  // MARK: - Names

  /// True if the function makes one value of many rows. `min` and `max` of several values take those of one row.
  static func isAggregate(_ name: String, arguments: Int) -> Bool {
    let name = name.lowercased()
    if name == "min" || name == "max" { return arguments == 1 }
    return aggregates.contains(name) || windows.contains(name)
  }

  private static let aggregates: Set<String> = [
    "avg", "count", "group_concat", "json_group_array", "json_group_object", "jsonb_group_array", "jsonb_group_object",
    "median", "percentile", "percentile_cont", "percentile_disc", "string_agg", "sum", "total",
  ]

  private static let windows: Set<String> = [
    "cume_dist", "dense_rank", "first_value", "lag", "last_value", "lead", "nth_value", "ntile", "percent_rank", "rank",
    "row_number",
  ]

  /// SQLite's functions of the values of one row, and those that every database of this library has.
  private static let scalars: Set<String> = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "bm25", "ceil", "ceiling", "changes", "char",
    "coalesce", "concat", "concat_ws", "cos", "cosh", "date", "datetime", "degrees", "exp", "floor", "format", "glob",
    "hex", "highlight", "if", "ifnull", "iif", "instr", "json", "json_array", "json_array_insert",
    "json_array_length", "json_error_position", "json_extract", "json_insert", "json_object", "json_patch",
    "json_pretty", "json_quote", "json_remove", "json_replace", "json_set", "json_type", "json_valid", "jsonb",
    "jsonb_array", "jsonb_array_insert", "jsonb_extract", "jsonb_insert", "jsonb_object", "jsonb_patch", "jsonb_remove",
    "jsonb_replace", "jsonb_set", "julianday", "last_insert_rowid", "length", "like", "likelihood", "likely", "ln",
    "log", "log10", "log2", "lower", "ltrim", "match", "max", "min", "mod", "nullif", "octet_length", "pi", "pow",
    "power", "printf", "quote", "radians", "random", "randomblob", "regexp", "replace", "round", "rtrim", "sign", "sin",
    "sinh", "snippet", "soundex", "sqlite_source_id", "sqlite_version", "sqrt", "strftime", "substr", "substring",
    "subtype", "tan", "tanh", "time", "timediff", "total_changes", "trim", "trunc", "typeof", "unhex", "unicode",
    "unistr", "unistr_quote", "unixepoch", "unlikely", "upper", "uuid", "zeroblob",
  ]

  /// Words that are no function even if a parenthesis follows them.
  private static let keywords: Set<String> = [
    "all", "and", "as", "between", "by", "case", "cast", "collate", "distinct", "else", "end", "escape", "except",
    "exists", "filter", "from", "group", "having", "in", "intersect", "is", "isnull", "join", "limit", "materialized",
    "not", "notnull", "on", "or", "order", "over", "partition", "select", "then", "union", "using", "values", "when",
    "where", "window", "with",
  ]
}
