/// Raw SQL is a statement too.
///
/// Always true: an expression that is not raw becomes a SELECT of itself.
extension SQLQueryExpression: Statement, CustomStringConvertible {
  public var statementFragment: StatementFragment {
    if case .raw(let parts) = queryFragment.node { return StatementFragment(RawStatement(parts: parts)) }
    var parts = SelectParts()
    parts.columns = columnFragments
    return StatementFragment(parts)
  }
}
