/// How long one step of a statement may take, judged by the functions that it names.
///
/// Always true: SQLite can end a statement between two steps only, so what is slow is looked at more often, and what no
/// look can help stays off the event loops. `docs/FUNCTIONS.md` has the measurements behind these lists.
package enum StatementPace: Int, Sendable, Comparable {
  /// No more than a few copies of its longest value.
  case ordinary
  /// Some milliseconds where values are long.
  case slow
  /// Seconds, if somebody means it.
  case long

  package static func < (left: StatementPace, right: StatementPace) -> Bool { left.rawValue < right.rawValue }

  static func of(function name: String) -> StatementPace {
    let name = name.lowercased()
    if longFunctions.contains(name) { return .long }
    if patternFunctions.contains(name) { return BuiltinFunctions.replaced.contains(name) ? .ordinary : .long }
    return slowFunctions.contains(name) || name.hasPrefix("json") ? .slow : .ordinary
  }

  /// Where a library keeps its own, one comparison may take seconds.
  private static let patternFunctions: Set<String> = ["like", "glob"]

  /// They read whole documents of a full-text index.
  static let longFunctions: Set<String> = [
    "match", "highlight", "snippet", "bm25", "offsets", "matchinfo", "optimize",
  ]

  static let slowFunctions: Set<String> = [
    "->", "->>", "randomblob", "hex", "quote", "upper", "lower", "substr", "substring", "length", "unicode", "soundex",
    "strftime", "group_concat", "martlet_group_concat", "martlet_json_group_array", "martlet_json_group_object",
  ]
}
