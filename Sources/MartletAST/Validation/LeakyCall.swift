internal import MartletValues

/// Calls that may fail with some values of a row and not with others.
///
/// Always true: what is not known to be harmless counts. SQLite may ask a condition of somebody's of a row before it
/// asks whether the row is his, so an error would tell what is in rows that he may not see.
enum LeakyCall {
  /// Functions that fail with no value, at most with a wrong number of arguments.
  private static let harmless: Set<String> = [
    "coalesce", "ifnull", "nullif", "iif", "length", "lower", "upper", "substr", "substring", "trim", "ltrim", "rtrim",
    "typeof", "round", "sign", "instr", "unicode", "min", "max", "count", "total", "avg", "date", "time", "datetime",
    "julianday", "unixepoch", "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "lag", "lead",
    "first_value", "last_value", "likely", "unlikely",
  ]

  static func mayFail(_ node: ASTCall) -> Bool {
    switch node.callee {
    case .function(let name): !harmless.contains(name.lowercasedASCII)
    case .operator(let symbol): mayFail(symbol, node.arguments)
    case nil: true
    }
  }

  private static func mayFail(_ symbol: ASTOperator, _ operands: [ASTExpression]) -> Bool {
    switch symbol {
    // A result may be longer than a value may be.
    case .concatenate: return true
    case .match, .notMatch, .regexp, .notRegexp, .jsonExtract, .jsonExtractValue: return true
    case .like, .notLike, .glob, .notGlob:
      // Only a pattern can be wrong; one that comes from no row says nothing of it.
      switch operands.count == 2 ? operands[1].kind : nil {
      case .literal, .parameter: return false
      default: return true
      }
    default: return false
    }
  }
}
