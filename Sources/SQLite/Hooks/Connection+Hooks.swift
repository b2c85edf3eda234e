internal import MartletDatabase
internal import MartletSQLite

/// What a program hears of its connection.
///
/// Always true: a hook is called in the middle of a statement, on the thread that runs it, and writes nothing on the
/// connection. One hook of a kind is called: the one that was set last. A server has none but `trace`. The calls of
/// SQLite.swift cannot throw, so the next write throws why, and so does each write after it until nil takes the hook
/// back.
extension Connection {
  /// What happened to a row.
  public enum Operation: Sendable {
    case insert
    case update
    case delete
  }

  /// Calls `callback` with the SQL of each statement that starts, values included; nil ends it.
  public func trace(_ callback: ((String) -> Void)?) {
    try? unopened { try $0.onStatement(callback) }
  }

  /// Calls `callback` for each row that is inserted, changed or deleted, with the database (`main`), the table and the
  /// row's number; nil ends it. SQLite tells nothing of a `DELETE` without a condition, nor of what REPLACE removes.
  public func updateHook(
    _ callback: ((_ operation: Operation, _ db: String, _ table: String, _ rowid: Int64) -> Void)?
  ) {
    hook("updateHook", callback != nil) { standing in
      try standing.onRowChange(
        callback.map { callback in
          { change, schema, table, rowid in callback(Operation(change), schema, table, rowid) }
        })
    }
  }

  /// Calls `callback` before each commit of something that was written; nil ends it. If it throws, the transaction is
  /// undone, and the commit throws `Result`.
  public func commitHook(_ callback: (() throws -> Void)?) {
    hook("commitHook", callback != nil) { try $0.onCommit(callback) }
  }

  /// Calls `callback` after each transaction that was undone; nil ends it.
  public func rollbackHook(_ callback: (() -> Void)?) {
    hook("rollbackHook", callback != nil) { try $0.onRollback(callback) }
  }

  /// Asks `callback` whether to go on waiting while another connection holds a lock; it is given how often it was asked
  /// for this lock before. Nil: a statement does not wait. It replaces `busyTimeout`, which replaces it. At a server
  /// deadlines bound a wait, and it is not asked.
  public func busyHandler(_ callback: ((_ tries: Int) -> Bool)?) { try? unopened { $0.onBusy(callback) } }

  /// Registers a hook, or notes why it would never be called: a hook that is silent would hide changes.
  private func hook(_ name: String, _ isSet: Bool, _ body: (StandingDatabase) throws -> Void) {
    exclusively {
      // Nothing happens any more on a connection that was closed.
      guard isOpen else { return }
      do {
        try on(body)
        note(refusal: nil, ofHook: name)
      } catch {
        note(refusal: isSet ? error : nil, ofHook: name)
      }
    }
  }
}

extension Connection.Operation {
  fileprivate init(_ change: RowChange) {
    self =
      switch change {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
  }
}
