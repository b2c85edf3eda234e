/// UPDATE and DELETE.
///
/// Always true: RETURNING comes before ORDER BY and LIMIT, as SQLite's grammar asks.
extension SQLWriter {
  func update(_ node: ASTUpdate) {
    write("UPDATE ")
    resolution(node.or)
    at("table", target(node.table, node.alias))
    clause("SET ")
    list("assignments", node.assignments, assignment)
    let rule = rules?.rule(for: node.table)
    if node.hasFrom {
      // A function that stands alone there sees the row that is updated.
      if node.from.isOneFunction, node.joins.isEmpty, rules?.isGuarded == true {
        argumentCondition = ownCondition(rule, of: node.table, node.alias, isAlone: false)
      }
      from(node.from, node.joins)
    }
    rowCondition(rule, of: node.table, node.alias, isAlone: !node.hasFrom, node.hasWhere ? node.where : nil)
    returning(node.returning, rule, isChecked: true)
    bounds(node.orderBy, node.hasLimit ? node.limit : nil, node.hasOffset ? node.offset : nil)
  }

  func delete(_ node: ASTDelete) {
    write("DELETE FROM ")
    at("from", target(node.from, node.alias))
    let rule = rules?.rule(for: node.from)
    rowCondition(rule, of: node.from, node.alias, isAlone: true, node.hasWhere ? node.where : nil)
    returning(node.returning, rule)
    bounds(node.orderBy, node.hasLimit ? node.limit : nil, node.hasOffset ? node.offset : nil)
  }

  private func target(_ table: ASTTable, _ alias: String) {
    qualified(table.schema, table.name)
    self.alias(alias)
    hint(table)
  }
}

extension ASTTableSource {
  /// A function, in parentheses or not: SQLite takes parentheses around one source away.
  fileprivate var isOneFunction: Bool {
    switch kind {
    case .function: true
    case .joined(let joined): joined.joins.isEmpty && joined.from.isOneFunction
    default: false
    }
  }
}
