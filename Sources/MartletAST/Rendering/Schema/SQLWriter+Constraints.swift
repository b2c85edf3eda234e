/// Columns of a table and the constraints on them and on the table.
///
/// Always true: an expression stands in parentheses, except a DEFAULT that is a literal.
extension SQLWriter {
  func columnDefinition(_ node: ASTColumnDefinition) {
    identifier(node.name)
    if !node.type.isEmpty {
      write(" ")
      typeName(node.type)
    }
    for (index, constraint) in node.constraints.enumerated() {
      write(" ")
      at("constraints", index: index, columnConstraint(constraint))
    }
  }

  private func columnConstraint(_ node: ASTColumnConstraint) {
    constraintName(node.name)
    switch node.kind {
    case .primaryKey(let key):
      write("PRIMARY KEY")
      word(key.direction.sql)
      onConflict(key.onConflict)
      if key.autoincrement { write(" AUTOINCREMENT") }
    case .notNull(let constraint):
      write("NOT NULL")
      onConflict(constraint.onConflict)
    case .unique(let constraint):
      write("UNIQUE")
      onConflict(constraint.onConflict)
    case .check(let condition): check(condition)
    case .default(let value): self.default(value)
    case .collation(let collation):
      write("COLLATE ")
      identifier(collation)
    case .references(let key): at("references", foreignKey(key))
    case .generated(let generated):
      write("GENERATED ALWAYS AS (")
      at("generated", at("expression", expression(generated.expression)))
      write(generated.stored ? ") STORED" : ") VIRTUAL")
    case nil: break
    }
  }

  private func constraintName(_ name: String) {
    guard !name.isEmpty else { return }
    write("CONSTRAINT ")
    identifier(name)
    write(" ")
  }

  private func onConflict(_ resolution: ASTConflictResolution) {
    guard let words = resolution.sql else { return }
    write(" ON CONFLICT ")
    write(words)
  }

  private func check(_ condition: ASTExpression) {
    write("CHECK (")
    at("check", expression(condition))
    write(")")
  }

  private func `default`(_ value: ASTExpression) {
    write("DEFAULT ")
    if case .literal = value.kind { return at("default", expression(value)) }
    write("(")
    at("default", expression(value))
    write(")")
  }

  func tableConstraint(_ node: ASTTableConstraint) {
    constraintName(node.name)
    switch node.kind {
    case .primaryKey(let key):
      write("PRIMARY KEY ")
      at("primary_key", self.key(key))
    case .unique(let key):
      write("UNIQUE ")
      at("unique", self.key(key))
    case .check(let condition): check(condition)
    case .foreignKey(let foreign):
      write("FOREIGN KEY ")
      names(foreign.columns)
      write(" ")
      at("foreign_key", at("references", foreignKey(foreign.references)))
    case nil: break
    }
  }

  private func key(_ node: ASTTableConstraint.Key) {
    write("(")
    list("columns", node.columns, indexedColumn)
    write(")")
    onConflict(node.onConflict)
  }

  private func foreignKey(_ node: ASTForeignKey) {
    write("REFERENCES ")
    identifier(node.table)
    if !node.columns.isEmpty { names(node.columns) }
    if let action = node.onDelete.sql {
      write(" ON DELETE ")
      write(action)
    }
    if let action = node.onUpdate.sql {
      write(" ON UPDATE ")
      write(action)
    }
    word(node.deferral.sql)
  }
}
