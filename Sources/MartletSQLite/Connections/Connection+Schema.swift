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
  func isShadow(_ table: String) -> Bool {
    guard table.contains("_") else { return false }
    let wasEngine = authorizer.isEngine
    authorizer.isEngine = true
    defer { authorizer.isEngine = wasEngine }
    var look: OpaquePointer?
    defer { sqlite3_finalize(look) }
    guard sqlite3_prepare_v2(handle, FixedSQL.findShadow, -1, &look, nil) == SQLITE_OK else { return false }
    // SQLite makes no copy of the name, and reads it during the one step only.
    return table.withCString { name in
      sqlite3_bind_text(look, 1, name, -1, nil) == SQLITE_OK && sqlite3_step(look) == SQLITE_ROW
    }
  }

  /// A table with a foreign key to the inside of a virtual table, which a statement has just made: when that one is
  /// written, SQLite would do what the key says, beyond every limit, and for a full-text table call itself for ever.
  /// Nil if there is none.
  package func keyToShadow(madeBy statement: Statement) throws(SQLiteError) -> String? {
    guard !authorizer.isOwned, let change = statement.tableChange else { return nil }
    let look: Statement
    switch change {
    case .of(let table):
      look = try prepare(FixedSQL.findKeyToShadow, for: .engine)
      try look.bindText(table, at: 1)
    case .ofAny: look = try prepare(FixedSQL.findAnyKeyToShadow, for: .engine)
    }
    return try look.step() ? String(decoding: look.value(at: 0).textBytes, as: UTF8.self) : nil
  }

  /// What a file came with and no client could have made: a trigger or an index on the inside of a virtual table, or a
  /// foreign key to it. "trigger 't'", for example; nil if there is nothing of the kind.
  package func boundToShadow() throws(SQLiteError) -> String? {
    guard try text(of: FixedSQL.firstVirtualTable) != nil else { return nil }
    let bound = try prepare(FixedSQL.findBoundToShadow, for: .engine)
    if try bound.step() {
      let words = (0...1).map { String(decoding: bound.value(at: $0).textBytes, as: UTF8.self) }
      return "\(words[0]) '\(words[1])'"
    }
    return try text(of: FixedSQL.findAnyKeyToShadow).map { "foreign key of '\($0)'" }
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
