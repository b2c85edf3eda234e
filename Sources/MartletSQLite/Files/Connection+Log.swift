import CSQLite

/// The log of a connection: which one it is, and its syncs on other threads.
extension Connection {
  /// A number that tells the present log from those before it; nil if there is none, or it is empty. One read of 32
  /// bytes.
  package var logGeneration: UInt64? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard result == SQLITE_OK, let log = PageFileMethods.pageFile(file) else { return nil }
    return log.pointee.logSalts
  }

  /// Whether the file of the log is as long as what commits have written to it, whether it has a name or not.
  package var isLogWhole: Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var bytes: Int64 = 0
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      let log = PageFileMethods.pageFile(file), log.pointee.kind == .log, log.pointee.size(&bytes) == SQLITE_OK
    else { return false }
    return bytes >= Int64(walBytes)
  }

  /// Runs `commit` and leaves out the sync of its log. Returns whether a sync is owed: if the commit wrote something,
  /// and SQLite syncs commits. Everybody sees the commit from here on, and a loss of power may undo it until `logSync`
  /// has run.
  ///
  /// A log that begins anew syncs its header all the same, before the frames behind it.
  package func leavingSync(_ commit: () throws(SQLiteError) -> Void) throws(SQLiteError) -> Bool {
    guard let file = pageFile else {
      try commit()
      return false
    }
    file.pointee.owesSync = false
    file.pointee.leavesSyncs = true
    defer { file.pointee.leavesSyncs = false }
    try commit()
    return file.pointee.owesSync
  }

  /// Bytes that the transaction which is open has written to the log so far; what it changed last may still be in the
  /// page cache.
  package var uncommittedLogBytes: Int { Int(pageFile?.pointee.logWrittenBytes ?? 0) }

  /// A transaction begins: what was written before is not its own.
  package func forgetUncommitted() { pageFile?.pointee.forgetLogWritten() }

  /// Which of the logs that this connection has had is open now; another number needs another `logSync`.
  package var logNumber: Int { pageFile?.pointee.logNumber ?? 0 }

  /// The connection's log, for syncs on other threads. Throws if it cannot be opened.
  package func logSync() throws(SQLiteError) -> LogSync {
    // The name of a database in memory is empty, and not missing.
    guard let database = sqlite3_db_filename(handle, "main"), database.pointee != 0,
      let name = sqlite3_filename_wal(database)
    else {
      throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "A database in memory has no log.")
    }
    return try LogSync(path: name)
  }
}
