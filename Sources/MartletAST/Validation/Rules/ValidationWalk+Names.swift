import MartletValues

/// Refuses names that the rules' conditions use: an alias or a joined column that is called like the updated table.
extension ValidationWalk {
  /// The rules' conditions name the updated table, so nothing beside it may have its name; and no join may use a column
  /// of it that is hidden.
  func standsApart(_ node: ASTUpdate) throws(RequestError) {
    guard node.hasFrom, let rule = access?.rule(for: node.table) else { return }
    let names = Set([node.table.name.lowercasedASCII, node.alias.lowercasedASCII]).subtracting([""])
    let target = Apart(rule: rule, names: rule.limitsChanges ? names : [])
    try at("from", source(node.from, standsApartFrom: target))
    try joins(node.joins, standApartFrom: target)
  }

  /// A table that is updated, and the names that nothing beside it may have.
  private struct Apart {
    let rule: TableRule
    let names: Set<String>
  }

  private func joins(_ joins: [ASTJoin], standApartFrom target: Apart) throws(RequestError) {
    for (index, join) in joins.enumerated() {
      try each(at: index, "joins", self.join(join, standsApartFrom: target))
    }
  }

  private func join(_ node: ASTJoin, standsApartFrom target: Apart) throws(RequestError) {
    for column in node.using where !target.rule.mayRead(column) {
      throw denied(
        "This client may not join by a column of this name here. Compare columns with their tables.", "using")
    }
    try at("source", source(node.source, standsApartFrom: target))
  }

  /// SQLite has names of its own for queries and joins that have none, and finds them without a schema.
  private func source(_ node: ASTTableSource, standsApartFrom target: Apart) throws(RequestError) {
    if target.names.contains(node.calledAs.lowercasedASCII) {
      throw denied("What stands beside a table that is updated may not be called as that one. Give it another alias.")
    }
    guard case .joined(let joined) = node.kind else { return }
    path.push("joined")
    try at("from", source(joined.from, standsApartFrom: target))
    try joins(joined.joins, standApartFrom: target)
    path.pop()
  }
}

extension ASTTableSource {
  /// The name by which its columns are known; empty if it has none.
  var calledAs: String {
    if !alias.isEmpty { return alias }
    return switch kind {
    case .table(let table): table.name
    case .function(let function): function.name
    case .rows: "martlet_rows"
    case .subquery, .joined, .raw, nil: ""
    }
  }
}
