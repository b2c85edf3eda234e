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
