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
    for (index, part) in node.parts.enumerated() {
      at("parts", index: index, rawPart(part, before: index + 1 < node.parts.count ? node.parts[index + 1] : nil))
    }
    // Otherwise a comment would go on over what is written behind it.
    if let end = RawComments.end(of: node) { write(verbatim: end) }
  }

  private func rawPart(_ part: ASTRaw.Part, before next: ASTRaw.Part?) {
    switch part.kind {
    case .sql(let sql): write(verbatim: sql)
    case .expression(let expression): at("expression", rawValue(expression, before: next))
    case .statement(let statement): at("statement", self.statement(statement))
    case .identifier(let identifier): self.identifier(identifier)
    case nil: break
    }
  }

  /// A value within raw text is a token of its own: behind a minus, a negative number would begin a comment, and beside
  /// a letter, a digit or a quote a value would be a part of another word.
  private func rawValue(_ node: ASTExpression, before next: ASTRaw.Part?) {
    switch node.kind {
    case .literal(let literal) where literal.keyword == .unspecified:
      if bytes.last.map(Self.joinsValue) == true { write(" ") }
      literal.isNegative ? operand(node) : atom(node)
    case .parameter: atom(node)
    default: return atom(node)
    }
    if case .sql(let text)? = next?.kind, text.utf8.first.map(Self.joinsValue) == true { write(" ") }
  }

  /// Bytes of words and numbers, and quotes.
  private static func joinsValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: "_$.'\"`".utf8.contains(byte)
    }
  }
}

extension ASTLiteral {
  /// Its text begins with a minus.
  fileprivate var isNegative: Bool {
    switch kind {
    case .integer(let integer): integer < 0
    case .real(let real): real.sign == .minus
    default: false
    }
  }
}
