/// Which text each kind of statement becomes.
///
/// Always true: every kind of the grammar has a case here, which the compiler checks.
extension SQLWriter {
  func statement(_ node: ASTStatement) {
    switch node.kind {
    case .select(let select): at("select", self.select(select))
    case .compound(let compound): at("compound", self.compound(compound))
    case .values(let values): at("values", self.values(values))
    case .with(let with): at("with", self.with(with))
    case .insert(let insert): at("insert", self.insert(insert))
    case .update(let update): at("update", self.update(update))
    case .delete(let delete): at("delete", self.delete(delete))
    case .createTable(let table): at("create_table", createTable(table))
    case .alterTable(let change): at("alter_table", alterTable(change))
    case .createIndex(let index): at("create_index", createIndex(index))
    case .createView(let view): at("create_view", createView(view))
    case .createTrigger(let trigger): at("create_trigger", createTrigger(trigger))
    case .createVirtualTable(let table): at("create_virtual_table", createVirtualTable(table))
    case .drop(let drop): at("drop", self.drop(drop))
    case .raw(let raw): at("raw", self.raw(raw))
    case nil: break
    }
  }

  /// `(` newline, the query indented by two, newline `)`.
  func parenthesised(_ query: ASTStatement) {
    block(statement(query))
  }

  func raw(_ node: ASTRaw) {
    list("parts", node.parts, separator: "", rawPart)
    // Otherwise a comment would go on over what is written behind it.
    if let end = RawComments.end(of: node) { write(verbatim: end) }
  }

  private func rawPart(_ part: ASTRaw.Part) {
    switch part.kind {
    case .sql(let sql): write(verbatim: sql)
    case .expression(let expression): at("expression", atom(expression))
    case .statement(let statement): at("statement", self.statement(statement))
    case .identifier(let identifier): self.identifier(identifier)
    case nil: break
    }
  }
}
