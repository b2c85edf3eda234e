import MartletValues

/// Which tables and columns a tree may name under rules for tables.
///
/// Always true: what the rules do not allow is refused with its path, in the same words whether it exists or not.
/// Which rows of a table are there, and which columns `*` stands for, the renderer writes into the SQL.
extension ValidationWalk {
  static let textIsClosed =
    "This client may use some tables only, so it may not send SQL text. Send the statement as a tree."

  /// Whether a statement of this kind may be there at all.
  func mayStand(_ node: ASTStatement) throws(RequestError) {
    guard access != nil else { return }
    switch node.kind {
    case .select, .compound, .values, .with, .insert, .update, .delete, .raw, nil: return
    case .createTable, .alterTable, .createIndex, .createView, .createTrigger, .createVirtualTable, .drop:
      throw denied("This client may use some tables only, so it may not change the schema.")
    }
  }

  // MARK: Tables

  /// A table in a FROM.
  func mayRead(_ table: ASTTable) throws(RequestError) {
    guard let access, !(table.schema.isEmpty && access.isCommonTable(table.name)) else { return }
    try check(.select, of: table, in: access, "table")
  }

  /// The table that a statement writes to, and all that it does there.
  func mayWrite(
    _ table: ASTTable, _ needs: Permissions, _ field: StaticString, or resolution: ASTConflictResolution = .unspecified
  ) throws(RequestError) {
    guard let access else { return }
    let rule = try check(needs, of: table, in: access, field)
    facts.reach.targets.insert(table.name.lowercasedASCII)
    // SQLite takes away the row in conflict without asking whose it is.
    guard resolution != .replace || !rule.limitsChanges else {
      throw denied(
        "This client may use some rows of the table only, so it may not replace others. Use an upsert.", "or")
    }
  }

  @discardableResult
  private func check(
    _ needs: Permissions, of table: ASTTable, in access: RuledAccess, _ field: StaticString
  ) throws(RequestError) -> TableRule {
    let rule = access.rule(for: table)
    guard let rule, rule.permissions.isSuperset(of: needs) else {
      let lacking = needs.subtracting(rule?.permissions ?? [])
      // A write that reads too is told of the right to write first.
      let word = lacking.subtracting(.select).words.first ?? "select"
      throw denied(
        "This client has no permission '\(word)' for a table of this name. Ask the server's operator to allow it.",
        field)
    }
    facts.reach.tables.insert(table.name.lowercasedASCII)
    return rule
  }

  func mayCall(_ function: ASTTableFunction) throws(RequestError) {
    guard access != nil else { return }
    guard function.schema.isEmpty, RuledFunctions.open.contains(function.name.lowercasedASCII) else {
      throw denied("This client may use some tables only, and not this function as a table.", "name")
    }
    facts.mayFail = true
    facts.reach.functions.insert(function.name.lowercasedASCII)
  }

  // MARK: Common tables

  /// A common table may not have the name of a table with a rule, so that a name always means one of the two. Nor may
  /// it have a name that a condition uses: the condition would read it in place of the operator's table.
  func enter(_ node: ASTWith) throws(RequestError) {
    guard let access else { return }
    for table in node.tables where access.rules.words.contains(table.name.lowercasedASCII) {
      throw denied(
        "A common table has a name that stands in the rules for this client. Give it another name.", "tables")
    }
    self.access?.enter(commonTables: node.tables.map(\.name))
    facts.reach.commonTables.formUnion(node.tables.map(\.name.lowercasedASCII))
  }

  func leaveWith() { access?.leaveCommonTables() }

  // MARK: Columns

  func enter(target table: ASTTable, _ alias: String) throws(RequestError) {
    guard let rule = access?.rule(for: table) else { return }
    if alias.lowercasedASCII == "excluded" {
      throw denied(
        "The row that an upsert could not insert is called 'excluded'. Give the table another alias.", "alias")
    }
    access?.enter(target: .init(table, alias, rule))
  }

  func leaveTarget() { access?.leaveTarget() }

  func mayAssign(
    _ columns: [String], of table: ASTTable, _ field: StaticString = "columns"
  ) throws(RequestError) {
    guard let rule = access?.rule(for: table) else { return }
    for column in columns where !rule.mayWrite(column) {
      throw denied("This client may not set a column of this name. Ask the server's operator to allow it.", field)
    }
    // In a full-text table this column takes commands, and one of them deletes all rows.
    let holdsCommands = columns.contains { $0.lowercasedASCII == table.name.lowercasedASCII }
    if holdsCommands, rule.limitsChanges || !rule.permissions.isSuperset(of: .rows) {
      throw denied(
        "Only who may insert, change and delete all rows of a table may set a column that has the table's name.", field)
    }
  }

  /// A column in an expression. A table in a FROM has only the columns that may be read. But a statement that writes
  /// sees all columns of its table, so the columns that it names are checked here. Without a table's name only the
  /// schema could tell which table a column is from, so it must be one that may be read.
  func mayName(_ column: ASTColumn) throws(RequestError) {
    guard let targets = access?.targets, !targets.isEmpty else { return }
    let table = column.table.lowercasedASCII
    for target in targets where target.rule.readColumns != nil {
      let isItsOwn = table.isEmpty || target.names.contains(table)
      if isItsOwn ? target.rule.mayRead(column.name) : table != "excluded" || target.mayReadNew(column.name) {
        continue
      }
      throw denied(
        table.isEmpty
          ? "This client may not read a column of this name here. If it is another table's, name that table."
          : "This client may not read a column of this name. Ask the server's operator to allow it.", "name")
    }
  }
}
