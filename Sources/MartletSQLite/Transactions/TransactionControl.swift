import CSQLite

/// Begins and ends the transactions of a connection whose owner is this program.
///
/// Always true: while a transaction that it began is open, the connection's authorizer lets no statement of a program
/// end it; no deadline and no cancellation ends its own statements half-way. Used where its connection is.
package final class TransactionControl {
  private let connection: Connection
  private var statements: [String: Statement] = [:]

  package init(_ connection: Connection) { self.connection = connection }

  /// Whether a transaction is open that this object began.
  package var isActive: Bool { connection.authorizer.isInTransaction }

  /// `immediate`: takes the write lock at once, rather than at the first write.
  package func begin(immediate: Bool) throws(SQLiteError) {
    let wasOpen = !connection.isAutocommit
    do {
      try run(immediate ? TransactionSQL.beginImmediate : TransactionSQL.begin)
    } catch {
      // An interrupted BEGIN may have opened the transaction.
      if !wasOpen { rollBack() }
      throw error
    }
    connection.authorizer.isInTransaction = true
  }

  /// Reads the file's first page, so that a transaction's snapshot is of now and not of its first query.
  package func takeSnapshot() throws(SQLiteError) { try run(TransactionSQL.touch) }

  /// If it throws, the transaction may still be open: roll it back.
  package func commit() throws(SQLiteError) {
    connection.wasRolledBack = false
    do {
      try run(TransactionSQL.commit)
    } catch {
      // An interrupted COMMIT may have been carried out; a rollback by SQLite would have shown.
      let isCommitted = error.code == SQLITE_INTERRUPT && connection.isAutocommit && !connection.wasRolledBack
      guard isCommitted else { throw error }
    }
    connection.authorizer.isInTransaction = false
  }

  /// Undoes what is open, if SQLite itself has not.
  package func rollBack() {
    connection.authorizer.isInTransaction = false
    // A rollback fails only if SQLite rolled back before, which is what was wanted, or if it was interrupted.
    for _ in 0..<3 where !connection.isAutocommit { try? run(TransactionSQL.rollBack) }
  }

  package func setSavepoint(_ depth: Int) throws(SQLiteError) { try run(Self.savepoint(depth).set) }
  package func releaseSavepoint(_ depth: Int) throws(SQLiteError) { try run(Self.savepoint(depth).release) }
  package func rollBackToSavepoint(_ depth: Int) throws(SQLiteError) { try run(Self.savepoint(depth).rollBackTo) }

  private static func savepoint(_ depth: Int) -> TransactionSQL.Savepoint { .numbered(UInt32(clamping: depth)) }

  /// Tables whose rows point to rows that are not there, as SQLite finds them.
  package func brokenForeignKeys() throws(SQLiteError) -> [String] {
    let statement = try connection.prepare(FixedSQL.foreignKeyCheck, for: .engine)
    var tables: [String] = []
    while try statement.step() {
      let table = String(decoding: statement.value(at: 0).textBytes, as: UTF8.self)
      if !tables.contains(table) { tables.append(table) }
    }
    return tables
  }

  /// Turns the enforcement of foreign keys on or off; outside of transactions only.
  package func setForeignKeys(enforced: Bool) throws(SQLiteError) {
    try connection.execute(FixedSQL.foreignKeys(isOn: enforced))
  }

  private func run(_ sql: String) throws(SQLiteError) {
    let statement: Statement
    if let known = statements[sql] {
      statement = known
    } else {
      statement = try connection.prepare(sql, for: .engine)
      if statements.count < SQLiteLimits.transactionStatementsMax { statements[sql] = statement }
    }
    let wasArmed = connection.limiter.suspend()
    defer {
      statement.reset()
      connection.limiter.resume(wasArmed)
    }
    while try statement.step() {}
  }
}
