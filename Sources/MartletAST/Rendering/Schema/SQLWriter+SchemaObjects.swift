/// Indexes, views, triggers and virtual tables.
///
/// Always true: a trigger's statements each end with a semicolon inside BEGIN and END; nothing else writes one.
extension SQLWriter {
  func createIndex(_ node: ASTCreateIndex) {
    create(false, node.unique ? "UNIQUE INDEX" : "INDEX", node.ifNotExists)
    write(" ")
    qualified(node.schema, node.name)
    write(" ON ")
    identifier(node.table)
    write(" (")
    list("columns", node.columns, indexedColumn)
    write(")")
    if node.hasWhere {
      clause("WHERE ")
      at("where", expression(node.where))
    }
  }

  func createView(_ node: ASTCreateView) {
    create(node.temporary, "VIEW", node.ifNotExists)
    node.temporary ? newline() : write(" ")
    qualified(node.schema, node.name)
    if !node.columns.isEmpty {
      newline()
      names(node.columns)
    }
    clause("AS")
    newline()
    at("query", statement(node.query))
  }

  func createTrigger(_ node: ASTCreateTrigger) {
    create(node.temporary, "TRIGGER", node.ifNotExists)
    // A temporary one may be called after its place in the program, which is long.
    node.temporary ? indented(newline()) : write(" ")
    qualified(node.schema, node.name)
    newline()
    write(node.timing.sql)
    word(node.event.sql)
    if !node.updateColumns.isEmpty {
      write(" OF ")
      for (index, column) in node.updateColumns.enumerated() {
        if index > 0 { write(", ") }
        identifier(column)
      }
    }
    write(" ON ")
    identifier(node.table)
    clause("FOR EACH ROW")
    if node.hasWhen {
      write(" WHEN ")
      at("when", expression(node.when))
    }
    write(" BEGIN")
    indented(body(node.body))
    clause("END")
  }

  private func body(_ statements: [ASTStatement]) {
    for (index, statement) in statements.enumerated() {
      newline()
      at("body", index: index, self.statement(statement))
      write(";")
    }
  }

  func createVirtualTable(_ node: ASTCreateVirtualTable) {
    create(false, "VIRTUAL TABLE", node.ifNotExists)
    write(" ")
    qualified(node.schema, node.name)
    write(" USING ")
    function(node.module)
    guard !node.arguments.isEmpty else { return }
    write("(")
    // FTS4 knows an option only if no space stands before its value.
    let isCompact = ["fts3", "fts4"].contains(node.module.lowercased())
    list("arguments", node.arguments) { moduleArgument($0, isCompact: isCompact) }
    write(")")
  }

  private func moduleArgument(_ node: ASTModuleArgument, isCompact: Bool) {
    switch node.kind {
    case .column(let column):
      identifier(column.name)
      for attribute in column.attributes {
        write(" ")
        write(verbatim: attribute)
      }
    case .option(let option):
      write(verbatim: option.name)
      write(isCompact ? "=" : " = ")
      text(option.value)
      for argument in option.arguments {
        write(" ")
        identifier(argument)
      }
    case nil: break
    }
  }
}
