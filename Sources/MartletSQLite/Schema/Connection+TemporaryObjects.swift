import CSQLite

/// Temporary views and triggers of a connection, which a database setup makes and no program's statement may change.
///
/// Always true: what makes them can do nothing else, whatever its text is; a reader's file stays read-only meanwhile.
extension Connection {
  /// Runs one CREATE TEMPORARY VIEW or CREATE TEMPORARY TRIGGER. Throws what SQLite says, and `SQLITE_AUTH` if the
  /// statement is or does anything else.
  package func makeTemporary(_ sql: String) throws(SQLiteError) {
    // The setting forbids changes of the temporary schema too; the file itself was opened for reading only.
    if access == .reader { try execute(FixedSQL.queryAndPrepare) }
    authorizer.isPreparing = true
    let outcome = Result { () throws(SQLiteError) in try make(sql) }
    authorizer.isPreparing = false
    if access == .reader { try execute(FixedSQL.queryOnly) }
    try outcome.get()
  }

  private func make(_ sql: String) throws(SQLiteError) {
    let statement = try prepare(sql)
    // An EXPLAIN asks for the same and makes nothing.
    guard authorizer.madeTemporary != nil, sqlite3_stmt_isexplain(statement.handle) == 0 else {
      throw SQLiteError(
        extendedCode: SQLITE_AUTH, message: "A setup holds CREATE TEMPORARY VIEW and CREATE TEMPORARY TRIGGER only.")
    }
    while try statement.step() {}
    statement.reset()
  }

  /// Whether a program's change of the schema may have taken some of the temporary objects away, or altered them.
  package var mayHaveTemporaryChanges: Bool { authorizer.mayHaveTemporaryChanges }
}
