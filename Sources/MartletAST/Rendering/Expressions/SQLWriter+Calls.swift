/// Functions with their clauses: `count(DISTINCT x) FILTER (WHERE …) OVER (…)`.
///
/// Always true: the clauses come in the order that SQLite's grammar asks for.
extension SQLWriter {
  func call(_ node: ASTCall) {
    switch node.callee {
    case .operator(let symbol): operation(symbol, node.arguments)
    case .function(let name): function(name, node)
    case nil: break
    }
  }

  private func function(_ name: String, _ node: ASTCall) {
    if !node.orderBy.isEmpty, let emulation = orderedAggregates[name.lowercased()] {
      emulated(emulation, node)
    } else {
      function(name)
      write("(")
      if node.star { write("*") }
      if node.distinct { write("DISTINCT ") }
      list("arguments", node.arguments, expression)
      if !node.orderBy.isEmpty {
        write(" ORDER BY ")
        ordering(node.orderBy)
      }
      write(")")
    }
    if node.hasFilter {
      write(" FILTER (WHERE ")
      at("filter", expression(node.filter))
      write(")")
    }
    if node.hasOver {
      write(" OVER ")
      at("over", over(node.over))
    }
  }

  /// The engine's aggregate in place of ORDER BY inside one: how each term is ordered, the terms with what tells their
  /// collations, the arguments.
  private func emulated(_ name: String, _ node: ASTCall) {
    function(name)
    write("(")
    let order = node.orderBy.map { term in
      let isDescending = term.direction == .descending
      let nullsFirst = term.nulls == .unspecified ? !isDescending : term.nulls == .first
      return (isDescending ? "d" : "a") + (nullsFirst ? "f" : "l")
    }
    text((node.distinct ? "x" : "") + order.joined())
    for (index, term) in node.orderBy.enumerated() {
      write(", ")
      at("order_by", index: index, at("expression", expression(term.expression)))
      write(", ")
      at("order_by", index: index, at("expression", collationProbe(of: term.expression)))
    }
    if node.distinct, let first = node.arguments.first {
      write(", ")
      at("arguments", index: 0, collationProbe(of: first))
    }
    if !node.arguments.isEmpty { write(", ") }
    list("arguments", node.arguments, expression)
    write(")")
  }

  /// `a ` under BINARY, `a` under RTRIM, `B` under NOCASE: the greatest of the three by the expression's collation,
  /// which a cast keeps, and which `max` takes from its first argument; a number is never the greatest.
  private func collationProbe(of node: ASTExpression) {
    write("max(CAST(")
    expression(node)
    write(" AS INTEGER), 'a', 'a ', 'B')")
  }
}
