import CSQLite

/// What a statement asks full-text tables for.
extension Connection {
  /// The work that one pattern of MATCH may ask for, as `PatternWork` counts; `Int.max` for no bound.
  package var patternWorkMax: Int { patternBound.workMax }

  /// What the longest of the patterns asks for; nil if one comes from where nobody can look before the statement runs.
  /// `text` returns the text that is bound to a parameter.
  package func work(of patterns: Set<Pattern>, _ text: (_ parameter: Int) -> String) -> Int? {
    patternBound.work(of: patterns, text)
  }

  /// What the statement that was just compiled asks full-text tables for; nil if it touches none.
  func fullTextUse(of sql: String, touching access: TableAccess) throws(SQLiteError) -> FullTextUse? {
    guard mayBeFullText(access.reads) || mayBeFullText(access.writes) else { return nil }
    var (tables, areWordsCut): ([(name: String, table: VirtualTable)], Bool) = ([], false)
    try eachVirtualTable { name, table in
      guard table.isFullText else { return }
      if table.cutsWords { areWordsCut = true }
      let itself = TableSet([TableName(name)])
      if access.reads.overlaps(itself) || access.writes.overlaps(itself) { tables.append((name, table)) }
    }
    patternBound.words.areCutAnywhere = areWordsCut
    guard !tables.isEmpty else { return nil }
    let old = tables.filter { $0.table.module != "fts5" }.map(\.name)
    return FullTextUse(
      patterns: try patterns(of: sql, oldTables: old),
      contentOperators: try operators(ofContents: Set(tables.compactMap(\.table.contentName))),
      wordParts: tables.map { VirtualTableCosts.words(of: $0.table) }.max() ?? 0)
  }

  /// Whether one of the tables has a column of its own name, as full-text tables have.
  private func mayBeFullText(_ tables: TableSet) -> Bool {
    tables.isEverything
      || tables.names.contains { table in
        let schema = table.schema.isEmpty ? nil : table.schema
        return sqlite3_table_column_metadata(handle, schema, table.name, table.name, nil, nil, nil, nil, nil)
          == SQLITE_OK
      }
  }

  private func patterns(of sql: String, oldTables: [String]) throws(SQLiteError) -> Set<Pattern> {
    var opened: Set<String> = []
    for table in oldTables {
      // The program opens a table by its address, which is the same for all statements of the connection.
      guard let program = try programIfLasting(of: FixedSQL.anyRow(of: table)) else { return [.unfollowed] }
      opened.formUnion(program.filter { $0.name == "VOpen" }.map(\.text))
    }
    guard let program = try programIfLasting(of: sql) else { return [.unfollowed] }
    return PatternSearch.patterns(of: program, oldTables: opened)
  }

  /// Nil if SQLite does not explain it, and would not the next time either. Throws if somebody ended that, or if memory
  /// was short: nothing may be kept of it then.
  func programIfLasting(of sql: String) throws(SQLiteError) -> [Instruction]? {
    do throws(SQLiteError) { return try program(of: sql) } catch {
      guard ![SQLiteCode.interrupt, SQLiteCode.noMemory].contains(error.code) else { throw error }
      return nil
    }
  }
}
