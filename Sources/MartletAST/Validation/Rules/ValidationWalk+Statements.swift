import MartletValues

/// Which kind of statement may stand where.
///
/// Always true: a subquery, a common table and a view hold queries only; schema statements stand alone.
extension ValidationWalk {
  func statement(_ node: ASTStatement) throws(RequestError) {
    try nested(node.unknownFields, dispatch(node))
  }

  /// A statement whose rows go to the one around it.
  func query(_ node: ASTStatement) throws(RequestError) {
    guard Self.isQuery(node) else {
      throw invalid("Only a query can stand here: a select, a compound, values, a WITH around one, or raw text.")
    }
    try statement(node)
  }

  /// A query inside an expression.
  func subquery(_ node: ASTStatement) throws(RequestError) {
    guard scope.allowsSubqueries else {
      throw invalid("SQLite allows no subquery in \(scope.schemaPart ?? "this place"). Use a trigger for that.")
    }
    try query(node)
  }

  static func isQuery(_ node: ASTStatement) -> Bool {
    switch node.kind {
    case .select, .compound, .values, .raw: true
    case .with(let with): with.hasBody && isQuery(with.body)
    // An empty statement has an error of its own.
    case nil: true
    default: false
    }
  }

  private func dispatch(_ node: ASTStatement) throws(RequestError) {
    facts.needs.formUnion(Self.needs(of: node))
    try mayStand(node)
    switch node.kind {
    case .select(let select): try at("select", self.select(select))
    case .compound(let compound): try at("compound", self.compound(compound))
    case .values(let values): try at("values", self.values(values))
    case .with(let with): try at("with", self.with(with))
    case .insert(let insert): try at("insert", self.insert(insert))
    case .update(let update): try at("update", self.update(update))
    case .delete(let delete): try at("delete", self.delete(delete))
    case .createTable(let table): try at("create_table", createTable(table))
    case .alterTable(let change): try at("alter_table", alterTable(change))
    case .createIndex(let index): try at("create_index", createIndex(index))
    case .createView(let view): try at("create_view", createView(view))
    case .createTrigger(let trigger): try at("create_trigger", createTrigger(trigger))
    case .createVirtualTable(let table): try at("create_virtual_table", createVirtualTable(table))
    case .drop(let drop): try at("drop", self.drop(drop))
    case .raw(let raw): try at("raw", isAtWhole ? self.raw(raw) : rawWithin(raw))
    case nil: throw invalid("A statement is empty. Set one of its kinds.")
    }
  }

  /// What the statement does itself, without those inside it. Finding rows and returning them count as reading.
  private static func needs(of node: ASTStatement) -> Permissions {
    switch node.kind {
    case .select, .compound, .values: return .select
    case .update(let update): return update.needs
    case .delete(let delete): return delete.needs
    case .insert(let insert): return insert.needs
    case .createTable, .createVirtualTable: return .createTable
    case .alterTable: return .alterTable
    case .createIndex: return .createIndex
    case .createView: return .createView
    case .createTrigger: return .createTrigger
    case .drop(let drop): return needs(of: drop)
    case .with, .raw, nil: return []
    }
  }

  private static func needs(of drop: ASTDrop) -> Permissions {
    switch drop.kind {
    case .table: .dropTable
    case .index: .dropIndex
    case .view: .dropView
    case .trigger: .dropTrigger
    default: .schema
    }
  }

  func raw(_ node: ASTRaw) throws(RequestError) {
    facts.holdsRaw = true
    facts.needs.formUnion([.raw, .rows])
    if access != nil { throw denied(Self.textIsClosed) }
    try known(node.unknownFields)
    try atLeastOne("parts", node.parts, rawPart)
  }

  /// A whole statement of raw text may have placeholders for the values beside it. Within a tree, or beside a part that
  /// has a number, the numbers of its placeholders are those of the tree's parameters.
  func rawWithin(_ node: ASTRaw) throws(RequestError) {
    try raw(node)
    let texts = node.parts.lazy.map { part in if case .sql(let text) = part.kind { text } else { nil as String? } }
    guard let placeholder = RawPlaceholders.first(in: texts) else { return }
    throw invalid(
      "Raw text within a statement holds the placeholder \(placeholder), which would take another parameter's value. "
        + "Make it a part with a parameter.")
  }

  private func rawPart(_ part: ASTRaw.Part) throws(RequestError) {
    try known(part.unknownFields)
    switch part.kind {
    case .sql(let sql):
      if sql.utf8.contains(0) {
        throw invalid("The SQL text holds a NUL, which would end it. Send such a value as a parameter.", "sql")
      }
    // Only the text around it knows whether a row or a list may stand here.
    case .expression(let expression): try at("expression", self.expression(expression, as: .member))
    case .statement(let statement): try at("statement", self.statement(statement))
    case .identifier(let identifier): try name("identifier", identifier)
    case nil: throw invalid("A part of raw text is empty. Set one of its kinds.")
    }
  }
}

/// What a write does with the rows of its table: finding rows and returning them count as reading, replacing them as
/// deleting.
extension ASTInsert {
  var needs: Permissions {
    var needs: Permissions = returning.isEmpty ? .insert : [.insert, .select]
    if upserts.contains(where: { !$0.assignments.isEmpty }) { needs.formUnion([.update, .select]) }
    if or == .replace { needs.insert(.delete) }
    return needs
  }
}

extension ASTUpdate {
  var needs: Permissions { or == .replace ? [.update, .select, .delete] : [.update, .select] }
}

extension ASTDelete {
  var needs: Permissions { [.delete, .select] }
}
