import MartletAST

extension SQLQueryExpression: Statement {
  public var statementFragment: StatementFragment {
    if case .raw(let parts) = queryFragment.node { return StatementFragment(RawStatement(parts: parts)) }
    var parts = SelectParts()
    parts.columns = columnFragments
    return StatementFragment(parts)
  }
}

/// Raw SQL as a statement: what `#sql` stands for.
///
/// Always true: an expression that is not raw becomes a SELECT of itself.
struct RawStatement: StatementTree {
  var parts: [QueryFragment.RawPart]

  /// As far as its first word says.
  var writes: Bool {
    guard case .sql(let text)? = parts.first else { return false }
    let word = text.drop { !$0.isLetter }.prefix(while: \.isLetter).lowercased()
    return ["insert", "replace", "update", "delete"].contains(word)
  }

}
