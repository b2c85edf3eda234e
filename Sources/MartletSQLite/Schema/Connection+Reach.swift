import CSQLite

/// Statements that are held to what their client may touch.
extension Connection {
  /// Compiles a statement that may touch no more than `reach`, now and whenever SQLite compiles it anew.
  ///
  /// The schema may have caused a first refusal, or a virtual table that SQLite opens on the way. So the statement is
  /// compiled once more when both are known.
  package func prepare(_ sql: String, within reach: StatementReach) throws(SQLiteError) -> Statement {
    do throws(SQLiteError) {
      return try compiled(sql, within: reach)
    } catch {
      guard authorizer.wasBeyondReach else { throw error }
    }
    do throws(SQLiteError) {
      // Opens the virtual tables; nothing of it runs.
      _ = try prepare(sql)
    } catch {
      // An error of the statement itself is found again below, within its reach. If it was not compiled to its end (it
      // took too long, or there was no memory), the virtual tables may not be open, and opening them below would be
      // refused as beyond its reach.
      guard error.extendedCode == SQLITE_ERROR || error.code == SQLITE_AUTH else { throw error }
    }
    let schema = try SchemaDeeds(on: self).following(keysOf: reach.written, on: self)
    return try compiled(sql, within: reach.adding(schema))
  }

  private func compiled(_ sql: String, within reach: StatementReach) throws(SQLiteError) -> Statement {
    authorizer.wasBeyondReach = false
    authorizer.reach = reach
    defer { authorizer.reach = nil }
    let statement = try prepare(sql)
    statement.hold(to: reach)
    return statement
  }

  /// The columns that a query of the operator's reads, as SQLite names them. Throws if it does not compile.
  package func reads(of sql: String) throws(SQLiteError) -> ReadColumns {
    authorizer.noted = ReadColumns()
    defer { authorizer.noted = nil }
    _ = try prepare(sql)
    return authorizer.noted ?? ReadColumns()
  }

  /// The number that grows with each change of the schema.
  package func schemaVersion() throws(SQLiteError) -> String { try text(of: FixedSQL.readSchemaVersion) ?? "" }
}
