import CSQLite

/// The SQL functions `changes()` and `total_changes()` of a connection that several clients use in turn.
///
/// Always true: they know what was written since `start` was set, which is when a client's write or transaction begins,
/// so nobody reads how much another has written. They are SQLite's own otherwise: before it is set, all that the
/// connection has written.
final class ChangeCount {
  /// Rows that all statements had changed then.
  var start: Int64 = 0

  func register(on handle: OpaquePointer) throws(SQLiteError) {
    // Unretained because the connection owns it and closes its handle, and the functions with it, first.
    let context = Unmanaged.passUnretained(self).toOpaque()
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    let changes = sqlite3_create_function_v2(
      handle, "changes", 0, flags, context,
      { context, _, _ in
        let connection = sqlite3_context_db_handle(context)
        // Until something is written SQLite's number is that of somebody else's last statement.
        let hasWritten = sqlite3_total_changes64(connection) != ChangeCount.of(context)?.start
        sqlite3_result_int64(context, hasWritten ? sqlite3_changes64(connection) : 0)
      }, nil, nil, nil)
    if changes != SQLITE_OK { throw SQLiteError(changes, on: handle) }
    let total = sqlite3_create_function_v2(
      handle, "total_changes", 0, flags, context,
      { context, _, _ in
        let all = sqlite3_total_changes64(sqlite3_context_db_handle(context))
        sqlite3_result_int64(context, all &- (ChangeCount.of(context)?.start ?? 0))
      }, nil, nil, nil)
    if total != SQLITE_OK { throw SQLiteError(total, on: handle) }
  }

  private static func of(_ context: OpaquePointer?) -> ChangeCount? {
    guard let data = sqlite3_user_data(context) else { return nil }
    // Unretained because the connection that calls owns it.
    return Unmanaged<ChangeCount>.fromOpaque(data).takeUnretainedValue()
  }
}
