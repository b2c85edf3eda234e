import MartletValues

/// The parts of tables that a client may see, and the conditions under which it may write to them.
///
/// Always true: what is read has only the columns and rows that are allowed, so that every name, `*` and count is what
/// it would be in a database that has no others. Conditions stand in parentheses.
extension SQLWriter {
  /// `(SELECT "a", "b" FROM "main"."t" WHERE (…))`: SQLite merges it into the query around it, and uses the table's
  /// indexes.
  func visiblePart(of table: ASTTable, _ rule: TableRule) {
    rules?.differences += 1
    write("(SELECT ")
    columnsOrAll(rule.readColumns)
    write(" FROM ")
    qualified("main", table.name)
    hint(table)
    if let rows = rule.rows {
      write(" WHERE ")
      condition(rows)
    }
    // SQLite merges no query with a LIMIT into the one around it.
    if rules?.isSealed(table) == true || (rule.rows != nil && rules?.isGuarded == true) { write(" LIMIT -1") }
    write(")")
  }

  /// The columns of an INSERT: if it names none, those that may be set.
  func columns(of node: ASTInsert, _ rule: TableRule?) -> [String] {
    if case .defaultValues = node.source { return [] }
    return node.columns.isEmpty ? rule?.writeColumns ?? [] : node.columns
  }

  /// WHERE of an UPDATE or a DELETE: what was asked for, of those rows that may be changed.
  ///
  /// - Parameter isAlone: no other table's columns have names there.
  func rowCondition(
    _ rule: TableRule?, of table: ASTTable, _ alias: String, isAlone: Bool = true, _ asked: ASTExpression?
  ) {
    guard let own = ownCondition(rule, of: table, alias, isAlone: isAlone) else {
      return condition("where", "WHERE ", asked != nil, asked ?? ASTExpression())
    }
    writeWhere(asked, own)
  }

  /// Writes what the rows that may be changed fulfil; nil: anything.
  func ownCondition(_ rule: TableRule?, of table: ASTTable, _ alias: String, isAlone: Bool) -> (() -> Void)? {
    let conditions = [rule?.rows, rule?.changedRows].compactMap { $0 }
    if conditions.isEmpty { return nil }
    if isAlone, Self.mean(table, conditions, under: alias) { return { self.all(conditions) } }
    rules?.noteLookup(of: table)
    return { self.lookedUp(conditions, table, alias) }
  }

  /// Whether the conditions can stand as they are if the table stands alone under an alias: they name neither the table
  /// nor the alias.
  private static func mean(_ table: ASTTable, _ conditions: [RowRule], under alias: String) -> Bool {
    let (name, alias) = (table.name.lowercasedASCII, alias.lowercasedASCII)
    if alias.isEmpty || alias == name { return true }
    return conditions.allSatisfy { !$0.words.contains(name) && !$0.words.contains(alias) }
  }

  /// The conditions in a query of their own that finds the row again. There the table has its own name and stands
  /// alone, whatever names the statement gives.
  private func lookedUp(_ conditions: [RowRule], _ table: ASTTable, _ alias: String) {
    // The inner query knows the names around it only, so that its rowid is the one of the row that is written. With its
    // schema the name is a table's, and no query's or common table's; validation lets no other table have it.
    write("EXISTS (SELECT 1 FROM (SELECT ")
    qualified("main", alias.isEmpty ? table.name : alias)
    write(".rowid AS \"martlet_rowid\") AS \"martlet_row\" JOIN ")
    qualified("main", table.name)
    write(" ON ")
    identifier(table.name)
    write(".rowid = \"martlet_row\".\"martlet_rowid\" WHERE ")
    all(conditions)
    write(")")
  }

  private func writeWhere(_ asked: ASTExpression?, _ rest: () -> Void) {
    clause("WHERE ")
    rest()
    guard let asked else { return }
    // SQLite may change the order of what AND joins, but not that of a CASE.
    let isGuarded = rules?.isGuarded == true
    write(" AND ")
    if isGuarded {
      write("CASE WHEN ")
      rest()
      write(" THEN ")
    }
    write("(")
    at("where", expression(asked))
    write(isGuarded ? ") END" : ")")
  }

  private func all(_ conditions: [RowRule]) {
    for (index, condition) in conditions.enumerated() {
      if index > 0 { write(" AND ") }
      self.condition(condition)
    }
  }

  /// RETURNING, with the columns that may be read for `*`, and a check of the rows that were written.
  func returning(_ columns: [ASTResultColumn], _ rule: TableRule?, isChecked: Bool = false) {
    let check = isChecked ? rule?.newRows : nil
    guard !columns.isEmpty || check != nil else { return }
    clause("RETURNING ")
    list("returning", columns) { column in
      if case .all = column.kind { columnsOrAll(rule?.readColumns) } else { resultColumn(column) }
    }
    guard let check else { return }
    rules?.checksNewRows = true
    write(columns.isEmpty ? "" : ", ")
    write("martlet_row_check(")
    condition(check)
    write(")")
  }

  private func columnsOrAll(_ columns: [String]?) {
    guard let columns else { return write("*") }
    for (index, column) in columns.enumerated() {
      if index > 0 { write(", ") }
      identifier(column)
    }
  }

  private func condition(_ rule: RowRule) {
    write("(")
    for part in rule.parts {
      switch part {
      case .sql(let sql): write(verbatim: sql)
      case .claim(let name): parameter(UInt32(clamping: rules?.parameter(of: name) ?? 0))
      }
    }
    write(")")
  }
}
