import CSQLite

/// What a program that owns a file wants to hear of its connection.
///
/// Always true: hooks are called on the thread that uses the connection, in the middle of a statement. They must not
/// run a statement that writes on it.
final class ConnectionHooks {
  var rowChanged: ((RowChange, _ schema: String, _ table: String, _ rowid: Int64) -> Void)?
  var commits: (() throws -> Void)?
  var rolledBack: (() -> Void)?
  var isBusy: ((Int) -> Bool)?
}

/// What happened to a row.
package enum RowChange: Sendable {
  case insert
  case update
  case delete

  fileprivate init(code: Int32) {
    self =
      switch code {
      case SQLITE_INSERT: .insert
      case SQLITE_DELETE: .delete
      default: .update
      }
  }
}

extension Connection {
  /// Calls `hook` for each row that is inserted, changed or deleted; nil ends it. SQLite does not report rows that
  /// `DELETE` without a condition or a conflict's REPLACE removes, nor of tables without rowids.
  package func onRowChange(_ hook: ((RowChange, _ schema: String, _ table: String, _ rowid: Int64) -> Void)?) {
    hooks.rowChanged = hook
    guard hook != nil else {
      sqlite3_update_hook(handle, nil, nil)
      return
    }
    sqlite3_update_hook(
      handle,
      { context, operation, schema, table, rowid in
        guard let schema, let table else { return }
        Connection.hooks(context)?.rowChanged?(
          RowChange(code: operation), String(cString: schema), String(cString: table), rowid)
      }, hooksContext)
  }

  /// Calls `hook` before each commit of something that was written; nil ends it. If it throws, the transaction is
  /// undone.
  package func onCommit(_ hook: (() throws -> Void)?) {
    hooks.commits = hook
    guard hook != nil else {
      sqlite3_commit_hook(handle, nil, nil)
      return
    }
    sqlite3_commit_hook(
      handle,
      { context in
        do {
          try Connection.hooks(context)?.commits?()
          return 0
        } catch {
          return 1
        }
      }, hooksContext)
  }

  /// Calls `hook` after each transaction that was undone; nil ends it.
  package func onRollback(_ hook: (() -> Void)?) { hooks.rolledBack = hook }

  /// While another connection holds a lock, asks `hook` whether to wait on, with the number of times that it was asked
  /// for this lock before; nil: does not wait. It replaces the busy timeout, and a busy timeout replaces it.
  package func onBusy(_ hook: ((Int) -> Bool)?) {
    hooks.isBusy = hook
    guard hook != nil else {
      sqlite3_busy_handler(handle, nil, nil)
      return
    }
    sqlite3_busy_handler(
      handle, { context, tries in Connection.hooks(context)?.isBusy?(Int(tries)) == true ? 1 : 0 }, hooksContext)
  }

  // Unretained because the connection holds its hooks for as long as its handle is open.
  private var hooksContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(hooks).toOpaque() }

  private static func hooks(_ context: UnsafeMutableRawPointer?) -> ConnectionHooks? {
    // Unretained because the connection whose handle calls holds them.
    context.map { Unmanaged<ConnectionHooks>.fromOpaque($0).takeUnretainedValue() }
  }
}
