/// CREATE TABLE, ALTER TABLE and DROP.
///
/// Always true: each column and constraint of a new table is on a line of its own.
extension SQLWriter {
  func createTable(_ node: ASTCreateTable) {
    create(node.temporary, "TABLE", node.ifNotExists)
    write(" ")
    qualified(node.schema, node.name)
    guard !node.hasAs else {
      write(" AS")
      newline()
      return at("as", statement(node.as))
    }
    write(" ")
    block(tableBody(node))
    if node.withoutRowid { write(" WITHOUT ROWID") }
    if node.strict { write(node.withoutRowid ? ", STRICT" : " STRICT") }
  }

  func create(_ isTemporary: Bool, _ kind: StaticString, _ ifNotExists: Bool) {
    write(isTemporary ? "CREATE TEMPORARY " : "CREATE ")
    write(kind)
    if ifNotExists { write(" IF NOT EXISTS") }
  }

  private func tableBody(_ node: ASTCreateTable) {
    for (index, column) in node.columns.enumerated() {
      separate(index)
      at("columns", index: index, columnDefinition(column))
    }
    for (index, constraint) in node.constraints.enumerated() {
      separate(node.columns.count + index)
      at("constraints", index: index, tableConstraint(constraint))
    }
  }

  private func separate(_ index: Int) {
    guard index > 0 else { return }
    write(",")
    newline()
  }

  func alterTable(_ node: ASTAlterTable) {
    write("ALTER TABLE ")
    qualified(node.schema, node.name)
    switch node.change {
    case .renameTo(let name):
      write(" RENAME TO ")
      identifier(name)
    case .renameColumn(let rename):
      write(" RENAME COLUMN ")
      identifier(rename.from)
      write(" TO ")
      identifier(rename.to)
    case .addColumn(let column):
      write(" ADD COLUMN ")
      at("add_column", columnDefinition(column))
    case .dropColumn(let column):
      write(" DROP COLUMN ")
      identifier(column)
    case nil: break
    }
  }

  func drop(_ node: ASTDrop) {
    write("DROP ")
    write(node.kind.sql)
    write(node.ifExists ? " IF EXISTS " : " ")
    qualified(node.schema, node.name)
  }
}
