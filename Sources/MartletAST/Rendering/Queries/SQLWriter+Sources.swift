/// FROM: tables, subqueries, functions, lists of rows, and joins, each join on its own line.
///
/// Always true: joins in parentheses keep them, so the order of joining is the tree's.
extension SQLWriter {
  func from(_ node: ASTTableSource, _ joins: [ASTJoin]) {
    clause("FROM ")
    sources(node, joins)
  }

  private func sources(_ node: ASTTableSource, _ joins: [ASTJoin]) {
    at("from", source(node))
    for (index, join) in joins.enumerated() {
      newline()
      at("joins", index: index, self.join(join))
    }
  }

  func source(_ node: ASTTableSource) {
    switch node.kind {
    case .table(let table):
      if let rule = rules?.partialRule(for: table) {
        at("table", visiblePart(of: table, rule))
        return alias(node.alias.isEmpty ? table.name : node.alias)
      }
      at("table", qualified(table.schema, table.name))
      alias(node.alias)
      return hint(table)
    case .subquery(let query): at("subquery", parenthesised(query))
    case .function(let function): at("function", tableFunction(function))
    case .joined(let joined): at("joined", block(sources(joined.from, joined.joins)))
    case .rows(let parameter): at("rows", rowsTable(parameter))
    case .raw(let raw): at("raw", self.raw(raw))
    case nil: break
    }
    alias(node.alias)
  }

  func hint(_ table: ASTTable) {
    switch table.hint {
    case .indexedBy(let index):
      write(" INDEXED BY ")
      identifier(index)
    case .notIndexed(true): write(" NOT INDEXED")
    case .notIndexed(false), nil: break
    }
  }

  private func tableFunction(_ node: ASTTableFunction) {
    if node.schema.isEmpty { function(node.name) } else { qualified(node.schema, node.name) }
    let condition = argumentCondition
    argumentCondition = nil
    write("(")
    list("arguments", node.arguments) { argument in
      guard let condition else { return expression(argument) }
      write("CASE WHEN ")
      condition()
      write(" THEN ")
      expression(argument)
      write(" END")
    }
    write(")")
  }

  /// The engine's table over a bound list: columns `c0`, `c1`, and so on.
  func rowsTable(_ node: ASTParameter) {
    write("\"martlet_rows\"(")
    parameter(node.index)
    write(")")
  }

  /// `SELECT "c0", "c1" FROM "martlet_rows"(?1)`. If `areValues`, those behind the first have a plus, and belong to no
  /// column.
  func selectRows(_ node: ASTParameter, width: Int, areValues: Bool = false) {
    write("SELECT ")
    for column in 0..<width {
      if column > 0 { write(areValues ? ", +" : ", ") }
      write("\"c")
      write(verbatim: String(column))
      write("\"")
    }
    write(" FROM ")
    rowsTable(node)
  }

  private func join(_ node: ASTJoin) {
    if node.natural { write("NATURAL ") }
    write(node.kind.sql)
    write(" ")
    at("source", source(node.source))
    if node.hasOn {
      write(" ON ")
      at("on", expression(node.on))
    }
    guard !node.using.isEmpty else { return }
    write(" USING ")
    names(node.using)
  }
}
