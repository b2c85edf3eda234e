/// The pace of a statement, judged by the functions that it names.
///
/// Always true: `docs/FUNCTIONS.md` has the measurements behind these lists.
extension StatementPace {
  static func of(function name: String) -> StatementPace {
    let name = name.lowercased()
    if longFunctions.contains(name) { return .long }
    if patternFunctions.contains(name) { return BuiltinFunctions.replaced.contains(name) ? .ordinary : .long }
    return slowFunctions.contains(name) || name.hasPrefix("json") ? .slow : .ordinary
  }

  /// If a library keeps its own `like` and `glob`, one comparison may take seconds.
  private static let patternFunctions: Set<String> = ["like", "glob"]

  /// These functions read whole documents of a full-text index.
  static let longFunctions: Set<String> = [
    "match", "highlight", "snippet", "bm25", "offsets", "matchinfo", "optimize",
  ]

  static let slowFunctions: Set<String> = [
    "->", "->>", "randomblob", "zeroblob", "hex", "quote", "upper", "lower", "substr", "substring", "length", "unicode",
    "soundex",
    "strftime", "group_concat", "martlet_group_concat", "martlet_json_group_array", "martlet_json_group_object",
  ]
}
