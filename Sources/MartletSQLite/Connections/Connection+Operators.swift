import CSQLite

/// How many operators of a statement go through the whole of a value.
extension Connection {
  /// Those of its program and of its triggers'.
  func operators(of sql: String, touching access: TableAccess) throws(SQLiteError) -> OperatorCount {
    try count(try program(of: sql), touching: access)
  }

  /// The operators that go through stored values when the tables and views of these names are read. SQLite compiles
  /// such a read within the statement.
  func operators(ofContents names: Set<String>) throws(SQLiteError) -> Int {
    var (sum, left) = (0, SQLiteLimits.explainedContentsMax)
    for name in names {
      left -= 1
      let program = left < 0 ? nil : try programIfLasting(of: FixedSQL.everything(in: name))
      sum +=
        try program.map { program throws(SQLiteError) in try count(program, touching: .unknown).onStored }
        ?? SQLiteLimits.unknownOperators
    }
    return sum
  }

  private func count(_ program: [Instruction], touching access: TableAccess) throws(SQLiteError) -> OperatorCount {
    OperatorCount(program, endable: BuiltinFunctions.endable, tables: try costs(ofTablesIn: program, touching: access))
  }

  private func costs(
    ofTablesIn program: [Instruction], touching access: TableAccess
  ) throws(SQLiteError) -> VirtualTableCosts {
    var costs = VirtualTableCosts()
    if program.contains(where: { $0.name == "VColumn" }) {
      for name in VirtualTableCosts.lists { costs.lists.formUnion(try programs(call: name) ?? []) }
    }
    guard program.contains(where: { $0.name == "VUpdate" }) else { return costs }
    var tables: [(name: String, words: Int)] = []
    try eachVirtualTable { name, table in
      let words = VirtualTableCosts.words(of: table)
      guard words > SQLiteLimits.wordParts, access.writes.overlaps(TableSet([TableName(name)])) else { return }
      tables.append((name, words))
    }
    for (name, words) in tables {
      let opened = try programs(call: name)
      for address in opened ?? [] { costs.words[address] = words }
      if opened == nil { costs.unknownWords = max(costs.unknownWords, words) }
    }
    return costs
  }

  /// What a program calls a virtual table when it opens it: its address. Nil if SQLite does not explain that.
  private func programs(call table: String) throws(SQLiteError) -> Set<String>? {
    guard let program = try programIfLasting(of: FixedSQL.anyRow(of: table)) else { return nil }
    return Set(program.filter { $0.name == "VOpen" }.map(\.text))
  }
}
