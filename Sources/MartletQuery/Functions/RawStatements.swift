/// Raw SQL as a statement: what `#sql` stands for.
///
/// Always true: an expression that is not raw becomes a SELECT of itself.
import MartletAST

extension SQLQueryExpression: Statement {
  public var statementFragment: StatementFragment {
    if case .raw(let parts) = queryFragment.node { return StatementFragment(RawStatement(parts: parts)) }
    var parts = SelectParts()
    parts.columns = columnFragments
    return StatementFragment(parts)
  }
}

struct RawStatement: StatementTree {
  var parts: [QueryFragment.RawPart]

  func tree(in builder: inout TreeBuilder) -> ASTStatement {
    var statement = ASTStatement()
    statement.raw = builder.raw(parts)
    return statement
  }
}
