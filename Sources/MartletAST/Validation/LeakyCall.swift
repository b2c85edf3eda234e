internal import MartletValues

/// Calls that may fail with some values of a row and not with others.
///
/// Always true: a call counts unless it is known to be harmless. SQLite may evaluate a client's condition for a row
/// before it checks whether the client may see the row, so an error would tell what is in a hidden row.
struct LeakyCall {
  /// Bytes of the longest pattern that SQLite takes.
  let patternBytesMax: Int

  /// Functions that fail with no value, at most with a wrong number of arguments.
  private static let harmless: Set<String> = [
    "coalesce", "ifnull", "nullif", "iif", "length", "lower", "upper", "substr", "substring", "trim", "ltrim", "rtrim",
    "typeof", "round", "sign", "instr", "unicode", "min", "max", "count", "total", "avg", "row_number", "rank",
    "dense_rank", "percent_rank", "cume_dist", "lag", "lead", "first_value", "last_value", "likely", "unlikely",
  ]

  /// Those that fail only if this machine's clock has no local time.
  private static let times: Set<String> = ["date", "time", "datetime", "julianday", "unixepoch"]

  func mayFail(_ node: ASTCall) -> Bool {
    switch node.callee {
    case .function(let name):
      let name = name.lowercasedASCII
      if Self.times.contains(name) { return !node.arguments.dropFirst().allSatisfy(Self.isOfAllMachines) }
      return !Self.harmless.contains(name)
    case .operator(let symbol): return mayFail(symbol, node.arguments)
    case nil: return true
    }
  }

  private static func isOfAllMachines(_ modifier: ASTExpression) -> Bool {
    guard case .literal(let literal) = modifier.kind, case .text(let text) = literal.kind else { return false }
    return !["localtime", "utc"].contains { text.lowercasedASCII.contains($0) }
  }

  private func mayFail(_ symbol: ASTOperator, _ operands: [ASTExpression]) -> Bool {
    switch symbol {
    // A result may be longer than a value may be.
    case .concatenate: true
    case .match, .notMatch, .regexp, .notRegexp, .jsonExtract, .jsonExtractValue: true
    case .like, .notLike, .glob, .notGlob: operands.count != 2 || mayBeLong(operands[1])
    default: false
    }
  }

  /// Whether a pattern may be longer than SQLite takes. What is bound to a parameter is looked at when it is.
  private func mayBeLong(_ pattern: ASTExpression) -> Bool {
    switch pattern.kind {
    case .parameter: false
    case .literal(let literal):
      switch literal.kind {
      case .text(let text): text.utf8.count > patternBytesMax
      case .blob(let bytes): bytes.count > patternBytesMax
      case .keyword, .integer, .real, nil: false
      }
    default: true
    }
  }
}
