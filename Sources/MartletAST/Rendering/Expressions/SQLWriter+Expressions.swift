/// Expressions: columns, parameters, CASE, CAST, row values, lists and the rest.
///
/// Always true: `operand` gives text that no operator beside it can tear apart.
extension SQLWriter {
  /// Without parentheses: where commas or keywords stand around it.
  func expression(_ node: ASTExpression) {
    switch node.kind {
    case .column(let column): at("column", self.column(column))
    case .parameter(let parameter): at("parameter", value(parameter))
    case .literal(let literal): at("literal", self.literal(literal))
    case .call(let call): at("call", self.call(call))
    case .case(let branches): at("case", self.case(branches))
    case .cast(let cast): at("cast", self.cast(cast))
    case .collate(let collate): at("collate", self.collate(collate))
    case .tuple(let tuple): at("tuple", self.tuple(tuple))
    case .list(let list): at("list", self.list(list))
    case .subquery(let query): at("subquery", parenthesised(query))
    case .exists(let query):
      write("EXISTS ")
      at("exists", existing(query))
    case .raise(let raise): at("raise", self.raise(raise))
    case .raw(let raw): at("raw", self.raw(raw))
    case nil: break
    }
  }

  /// In parentheses, once.
  func operand(_ node: ASTExpression) {
    switch node.kind {
    case .subquery, .tuple, .list: expression(node)
    default: wrapped(node)
    }
  }

  /// In parentheses if it is made of parts that an operator beside it could tear apart.
  func atom(_ node: ASTExpression) {
    switch node.kind {
    case .call(let call):
      if case .operator = call.callee { wrapped(node) } else { expression(node) }
    case .collate, .raw: wrapped(node)
    default: expression(node)
    }
  }

  private func wrapped(_ node: ASTExpression) {
    write("(")
    expression(node)
    write(")")
  }

  private func column(_ node: ASTColumn) {
    // If only a part of a table is there, it is no table of the schema any more.
    if !node.schema.isEmpty, rules == nil {
      identifier(node.schema)
      write(".")
    }
    if !node.schema.isEmpty { rules?.differences += 1 }
    qualified(node.table, node.name)
  }

  private func value(_ node: ASTParameter) {
    if node.list { members(node, width: max(1, Int(node.columns))) } else { parameter(node.index) }
  }

  private func `case`(_ node: ASTCase) {
    write("CASE")
    if node.hasBase {
      write(" ")
      at("base", expression(node.base))
    }
    for (index, branch) in node.branches.enumerated() {
      write(" WHEN ")
      at("branches", index: index, at("when", expression(branch.when)))
      write(" THEN ")
      at("branches", index: index, at("then", expression(branch.then)))
    }
    if node.hasElse {
      write(" ELSE ")
      at("else", expression(node.else))
    }
    write(" END")
  }

  private func cast(_ node: ASTCast) {
    write("CAST(")
    at("operand", expression(node.operand))
    write(" AS ")
    typeName(node.type)
    write(")")
  }

  /// Validation has seen to it that the text is a type.
  func typeName(_ type: String) {
    write(verbatim: TypeName(type)?.sql ?? "")
  }

  private func collate(_ node: ASTCollate) {
    at("operand", atom(node.operand))
    collation(node.collation)
  }

  func collation(_ name: String) {
    write(" COLLATE ")
    identifier(name)
  }

  /// `("a", "b")`.
  func tuple(_ node: ASTTuple) {
    write("(")
    list("elements", node.elements, expression)
    write(")")
  }

  private func raise(_ node: ASTRaise) {
    write("RAISE(")
    write(node.action.sql)
    if node.action != .ignore {
      write(", ")
      text(node.message)
    }
    write(")")
  }
}
