/// SELECT and VALUES: each clause on its own line, the result columns on one.
///
/// Always true: an OFFSET without a LIMIT gets one of -1, because SQLite knows no OFFSET alone.
extension SQLWriter {
  func select(_ node: ASTSelect) {
    write(node.distinct ? "SELECT DISTINCT " : "SELECT ")
    if node.columns.isEmpty { write("*") }
    list("columns", node.columns, resultColumn)
    if node.hasFrom { from(node.from, node.joins) }
    condition("where", "WHERE ", node.hasWhere, node.where)
    if !node.groupBy.isEmpty {
      clause("GROUP BY ")
      list("group_by", node.groupBy, expression)
    }
    condition("having", "HAVING ", node.hasHaving, node.having)
    if !node.windows.isEmpty {
      clause("WINDOW ")
      list("windows", node.windows, namedWindow)
    }
    bounds(node.orderBy, node.hasLimit ? node.limit : nil, node.hasOffset ? node.offset : nil)
  }

  func clause(_ words: StaticString) {
    newline()
    write(words)
  }

  func condition(_ field: StaticString, _ words: StaticString, _ isPresent: Bool, _ condition: ASTExpression) {
    guard isPresent else { return }
    clause(words)
    at(field, predicate(condition))
  }

  /// In parentheses, as each of several that AND joins would be.
  private func predicate(_ node: ASTExpression) {
    switch node.kind {
    case .literal: expression(node)
    case .call(let call) where call.operator == .and: expression(node)
    default: operand(node)
    }
  }

  func resultColumn(_ node: ASTResultColumn) {
    switch node.kind {
    case .expression(let expression):
      let differences = rules?.differences
      at("expression", self.expression(expression))
      alias(node.alias)
      if node.alias.isEmpty, rules?.differences != differences { alias(plainText(of: expression)) }
    case .all(let all):
      if !all.table.isEmpty {
        identifier(all.table)
        write(".")
      }
      write("*")
    case nil: break
    }
  }

  /// The name that SQLite would give a column without an alias if there were no rules, so that the name does not show
  /// their conditions. Empty for a plain column, which keeps its own name.
  private func plainText(of node: ASTExpression) -> String {
    if case .column = node.kind { return "" }
    let plain = beside
    plain.expression(node)
    return String(decoding: plain.bytes, as: UTF8.self)
  }

  /// ORDER BY on a line, LIMIT and OFFSET on the next.
  func bounds(_ terms: [ASTOrderingTerm], _ limit: ASTExpression?, _ offset: ASTExpression?) {
    if !terms.isEmpty {
      clause("ORDER BY ")
      ordering(terms)
    }
    guard limit != nil || offset != nil else { return }
    clause("LIMIT ")
    if let limit { at("limit", expression(limit)) } else { write("-1") }
    guard let offset else { return }
    write(" OFFSET ")
    at("offset", expression(offset))
  }

  func ordering(_ terms: [ASTOrderingTerm]) {
    list("order_by", terms, orderingTerm)
  }

  private func orderingTerm(_ node: ASTOrderingTerm) {
    at("expression", expression(node.expression))
    word(node.direction.sql)
    word(node.nulls.sql)
  }

  func values(_ node: ASTValues) {
    write("VALUES")
    newline()
    list("rows", node.rows, tuple)
  }
}
