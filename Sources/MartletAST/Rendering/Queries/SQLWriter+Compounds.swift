/// UNION, INTERSECT, EXCEPT, and WITH.
///
/// Always true: a term with clauses of its own that SQLite takes only at the end is wrapped in a SELECT.
extension SQLWriter {
  func compound(_ node: ASTCompound) {
    let isBounded = !node.orderBy.isEmpty || node.hasLimit || node.hasOffset
    at("first", term(node.first, isLastAndBounded: false))
    for (index, term) in node.terms.enumerated() {
      indented(newline())
      write(term.operator.sql)
      newline()
      let isLast = index == node.terms.count - 1
      at("terms", index: index, at("query", self.term(term.query, isLastAndBounded: isLast && isBounded)))
    }
    bounds(node.orderBy, node.hasLimit ? node.limit : nil, node.hasOffset ? node.offset : nil)
  }

  private func term(_ node: ASTStatement, isLastAndBounded: Bool) {
    let standsAlone =
      switch node.kind {
      case .select(let select): select.orderBy.isEmpty && !select.hasLimit && !select.hasOffset
      // ORDER BY does not follow VALUES.
      case .values: !isLastAndBounded
      case .raw: true
      default: false
      }
    guard !standsAlone else { return statement(node) }
    write("SELECT * FROM ")
    parenthesised(node)
  }

  /// What EXISTS asks. SQLite forgets DISTINCT there, so that an OFFSET would skip a row as often as it is there;
  /// behind a FROM it does not.
  func existing(_ query: ASTStatement) {
    guard query.skipsDistinctRows else { return parenthesised(query) }
    write("(SELECT 1 FROM ")
    parenthesised(query)
    write(")")
  }

  func with(_ node: ASTWith) {
    write(node.recursive ? "WITH RECURSIVE " : "WITH ")
    list("tables", node.tables, commonTable)
    newline()
    at("body", statement(node.body))
  }

  private func commonTable(_ node: ASTCommonTable) {
    identifier(node.name)
    if !node.columns.isEmpty { names(node.columns) }
    write(" AS ")
    if let hint = node.materialization.sql {
      write(hint)
      write(" ")
    }
    at("query", parenthesised(node.query))
  }
}

extension ASTStatement {
  /// It skips rows, and all of its rows or those of one of its terms are distinct.
  fileprivate var skipsDistinctRows: Bool {
    switch kind {
    case .select(let select): select.distinct && select.hasOffset
    case .compound(let compound): compound.hasOffset
    case .with(let with): with.body.skipsDistinctRows
    default: false
    }
  }
}
