import CSQLite

/// How large a database's schema is. Each connection reads all of it when it opens the file, and again after each
/// change.
package struct SchemaSize: Sendable, Equatable {
  /// Tables, indexes, views and triggers, and those that SQLite makes for them.
  package var objects: Int
  /// Bytes of the objects' SQL.
  package var bytes: Int
}

extension Connection {
  package func schemaSize() throws(SQLiteError) -> SchemaSize {
    let statement = try prepare(FixedSQL.readSchemaSize, for: .engine)
    guard try statement.step() else { return SchemaSize(objects: 0, bytes: 0) }
    return SchemaSize(
      objects: Int(clamping: statement.value(at: 0).integer), bytes: Int(clamping: statement.value(at: 1).integer))
  }

  /// Whether a virtual table keeps its data in the table. It is written when its transaction commits, where no
  /// statement of a client may run.
  package func isShadow(_ table: String) throws(SQLiteError) -> Bool {
    guard table.contains("_") else { return false }
    return try insides().contains(table.lowercased())
  }

  /// The tables in which virtual tables keep their data, in lower case.
  private func insides() throws(SQLiteError) -> Set<String> {
    var insides: Set<String> = []
    try eachVirtualTable { name, table in
      for ending in table.insides { insides.insert("\(name)_\(ending)") }
    }
    return insides
  }

  /// Whether one of the tables, in lower case, is one of FTS3 or FTS4.
  func haveOldFullText(_ tables: Set<String>) throws(SQLiteError) -> Bool {
    var found = false
    try eachVirtualTable { name, table in
      if ["fts3", "fts4"].contains(table.module), tables.contains(name) { found = true }
    }
    return found
  }

  /// Asked when a statement has just been compiled, so it leaves alone what the authorizer has noted of that. `look`
  /// gets each name in lower case.
  func eachVirtualTable(_ look: (String, VirtualTable) -> Void) throws(SQLiteError) {
    let wasEngine = authorizer.isEngine
    authorizer.isEngine = true
    defer { authorizer.isEngine = wasEngine }
    // The schema may have changed, and SQLite reads it anew within the step then.
    guard boundsSchemaReading else { return try readVirtualTables(look) }
    let (result, ended) = compilation.watchAside {
      let result = Result { () throws(SQLiteError) in try readVirtualTables(look) }
      return (result, compilation.hasEnded ? compilationEnded : nil)
    }
    if let ended { throw ended }
    try result.get()
  }

  private func readVirtualTables(_ look: (String, VirtualTable) -> Void) throws(SQLiteError) {
    var tables: OpaquePointer?
    defer { sqlite3_finalize(tables) }
    var result = sqlite3_prepare_v2(handle, FixedSQL.virtualTables, -1, &tables, nil)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle) }
    while true {
      result = sqlite3_step(tables)
      guard result == SQLITE_ROW else { break }
      guard let name = sqlite3_column_text(tables, 0), let sql = sqlite3_column_text(tables, 1) else { continue }
      look(TableName(String(cString: name)).name, VirtualTable(sql: String(cString: sql)))
    }
    guard result == SQLITE_DONE else { throw SQLiteError(result, on: handle) }
  }

  /// A table with a foreign key to the inside of a virtual table, which a statement has just made: when that one is
  /// written, SQLite would do what the key says, beyond every limit, and for a full-text table call itself for ever.
  /// Nil if there is none.
  package func keyToShadow(madeBy statement: Statement) throws(SQLiteError) -> String? {
    guard !authorizer.isOwned, let change = statement.tableChange else { return nil }
    let insides = try insides()
    guard !insides.isEmpty else { return nil }
    switch change {
    case .of(let table):
      let keys = try prepare(FixedSQL.keysOfTable, for: .engine)
      try keys.bindText(table, at: 1)
      return try Self.key(among: keys, to: insides)
    case .ofAny: return try Self.key(among: prepare(FixedSQL.keysOfTables, for: .engine), to: insides)
    }
  }

  private static func key(among keys: Statement, to insides: Set<String>) throws(SQLiteError) -> String? {
    while try keys.step() {
      if insides.contains(keys.text(at: 1).lowercased()) { return keys.text(at: 0) }
    }
    return nil
  }

  /// What a file came with and no client could have made: a trigger or an index on the inside of a virtual table, or a
  /// foreign key to it. "trigger 't'", for example; nil if there is nothing of the kind.
  package func boundToShadow() throws(SQLiteError) -> String? {
    let insides = try insides()
    guard !insides.isEmpty else { return nil }
    let bound = try prepare(FixedSQL.boundToTables, for: .engine)
    while try bound.step() {
      guard insides.contains(bound.text(at: 2).lowercased()) else { continue }
      return "\(bound.text(at: 0)) '\(bound.text(at: 1))'"
    }
    let key = try Self.key(among: prepare(FixedSQL.keysOfTables, for: .engine), to: insides)
    return key.map { "foreign key of '\($0)'" }
  }

  /// Reads the schema now, so that no statement has to wait for that. True if it has changed since it was read last:
  /// SQLite finds that out when a statement runs, and not when one is compiled.
  @discardableResult
  package func readSchema() throws(SQLiteError) -> Bool {
    let statement = try prepare(FixedSQL.readSchema, for: .engine)
    _ = try statement.step()
    return sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_REPREPARE, 0) > 0
  }

  /// The same. Returns the nanoseconds of processor time that it took.
  package func readSchemaTimed() throws(SQLiteError) -> UInt64 {
    let began = CompilationGuard.threadTime
    try readSchema()
    return CompilationGuard.threadTime &- began
  }

  /// Whether the schema is known, or could be read within the time in which a statement may be compiled.
  package var readsSchemaInTime: Bool {
    authorizer.isEngine = true
    defer { authorizer.isEngine = false }
    var compiled: OpaquePointer?
    defer { sqlite3_finalize(compiled) }
    return watchingCompilation { sqlite3_prepare_v2(handle, FixedSQL.readSchema, -1, &compiled, nil) } == SQLITE_OK
  }
}

extension Statement {
  fileprivate func text(at index: Int) -> String { String(decoding: value(at: index).textBytes, as: UTF8.self) }
}
