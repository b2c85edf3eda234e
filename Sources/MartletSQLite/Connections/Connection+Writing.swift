import CSQLite

/// What only the writer needs of its connection.
extension Connection {
  /// Makes the last rowid 0 again, so that a statement which inserts nothing does not report another's.
  public func forgetLastInsertRowID() { sqlite3_set_last_insert_rowid(handle, 0) }

  /// The system let the file be opened for reading only; SQLite says so at the first statement that writes, not at
  /// `BEGIN IMMEDIATE`.
  public var isFileReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// How long a call waits for another connection's lock from now on.
  public func setBusyTimeout(ms: Int) { sqlite3_busy_timeout(handle, Int32(clamping: ms)) }

  /// Closing will leave the write-ahead log as it is: after a failed sync nothing more may be copied from it.
  public func keepLogOnClose() {
    var inForce: Int32 = 0
    _ = martlet_sqlite_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &inForce)
  }
}
