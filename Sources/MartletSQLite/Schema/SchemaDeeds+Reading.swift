/// Reads from a schema what SQLite does in a statement's name.
extension SchemaDeeds {
  /// The virtual tables and views alone.
  package init(on connection: Connection) throws(SQLiteError) {
    var virtualTables: Set<String> = []
    var views: Set<String> = []
    let statement = try connection.prepare(FixedSQL.virtualTablesAndViews, for: .engine)
    while try statement.step() {
      let name = statement.name(at: 0)
      if statement.name(at: 1) == "view" { views.insert(name) } else { virtualTables.insert(name) }
    }
    self.init(virtualTables: virtualTables, views: views)
  }

  /// The same, with what the foreign keys of written tables do, and then those of the tables that these write to.
  func following(keysOf tables: Set<String>, on connection: Connection) throws(SQLiteError) -> SchemaDeeds {
    var keys: [ForeignKey] = []
    let statement = try connection.prepare(FixedSQL.foreignKeys, for: .engine)
    while try statement.step() {
      keys.append(
        ForeignKey(
          child: statement.name(at: 0), parent: statement.name(at: 1), from: statement.name(at: 2),
          to: statement.name(at: 3)))
    }
    var deeds = self
    var waiting = Array(tables)
    var known = tables
    while let table = waiting.popLast() {
      for key in keys where key.child == table || key.parent == table {
        let columns =
          key.to.isEmpty ? try Self.primaryKey(of: key.parent, on: connection) : [key.to]
        deeds.look(after: key, parentColumns: columns, changesChild: key.parent == table)
        guard key.parent == table else { continue }
        if known.insert(key.child).inserted { waiting.append(key.child) }
      }
    }
    return deeds
  }

  private static func primaryKey(of table: String, on connection: Connection) throws(SQLiteError) -> [String] {
    let statement = try connection.prepare(FixedSQL.primaryKey, for: .engine)
    try statement.bindText(table, at: 1)
    var columns: [String] = []
    while try statement.step() { columns.append(statement.name(at: 0)) }
    return columns
  }
}

extension Connection {
  /// All columns of a table or view, hidden ones too, in lower case; none if it is not there.
  package func columnNames(of table: String) throws(SQLiteError) -> [String] {
    try names(FixedSQL.columnNames, of: table) { $0.name(at: 0) }
  }

  /// The columns of a table or view that a statement can set, as they are written.
  package func settableColumns(of table: String) throws(SQLiteError) -> [String] {
    try names(FixedSQL.settableColumns, of: table) { String(decoding: $0.value(at: 0).textBytes, as: UTF8.self) }
  }

  private func names(
    _ sql: String, of table: String, _ name: (Statement) -> String
  ) throws(SQLiteError) -> [String] {
    // To SQLite the name of a pragma's table ends at a zero byte, and no table's name has one.
    guard !table.utf8.contains(0) else { return [] }
    // A view is compiled for this.
    return try watchingSchema { () throws(SQLiteError) -> [String] in
      let statement = try prepare(sql, for: .engine)
      try statement.bindText(table, at: 1)
      var names: [String] = []
      while try statement.step() { names.append(name(statement)) }
      return names
    }
  }
}

extension Statement {
  /// A name in the current row, in lower case; empty for NULL.
  fileprivate func name(at index: Int) -> String {
    ComparedName.of(String(decoding: value(at: index).textBytes, as: UTF8.self))
  }
}
