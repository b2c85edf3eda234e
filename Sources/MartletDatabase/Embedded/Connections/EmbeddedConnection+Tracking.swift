import MartletEngine
import MartletSQLite

/// Which tables the statements of a connection read and write, for those who observe the database.
///
/// Always true: observers hear of a transaction after its commit, and of nothing that was undone; a statement that runs
/// again in the same transaction costs a comparison.
extension EmbeddedConnection {
  /// A statement is about to run.
  func began(_ statement: MartletSQLite.Statement) { count(statement) }

  /// A statement was stepped for the first time, and may stay open; SQLite may have compiled it anew.
  func started(_ statement: MartletSQLite.Statement) {
    count(statement)
    recordedReads?.formUnion(connection.accessSince.reads)
  }

  /// A statement has ended, and with it perhaps a transaction.
  func ended(_ statement: MartletSQLite.Statement) {
    started(statement)
    if !statement.access.writes.isEmpty {
      deferredKeys.statementEnded(
        isViolated: connection.hasDeferredForeignKeyViolations, writing: WrittenTable.names(in: statement.sql))
    }
    guard !control.isActive, connection.isAutocommit else { return }
    // Another statement's end may have told of what this one was about to write.
    lastWriter = nil
    count(statement)
    if statement.access.undoes { forgetWrites() } else { tellOfWrites() }
  }

  private func count(_ statement: MartletSQLite.Statement) {
    recordedReads?.formUnion(statement.access.reads)
    let isCounted = statement === lastWriter && statement.accessVersion == lastWriterVersion
    guard !isCounted, !statement.access.writes.isEmpty else { return }
    tracker.statementWrote(to: statement.access.writes)
    lastWriter = statement
    lastWriterVersion = statement.accessVersion
  }

  /// What was written is committed, and on the disk.
  func tellOfWrites() {
    // A commit before it may still wait for the disk, and is told of first.
    if let tell = takeWrites() { file.syncs.afterAll(tell) }
  }

  /// What was written is committed: tells of it, when it is called. Nil if there is nothing to tell.
  func takeWrites() -> (@Sendable () -> Void)? {
    lastWriter = nil
    if tracker.isEmpty { return nil }
    let tables = tracker.committed()
    // Another process may write to the same log, so where its frames lie is not known.
    guard isPrepared else { return nil }
    return { [feed = file.feed] in _ = feed.committed(tables, log: nil) }
  }

  /// What was written is undone.
  func forgetWrites() {
    lastWriter = nil
    tracker.rolledBack()
  }
}
