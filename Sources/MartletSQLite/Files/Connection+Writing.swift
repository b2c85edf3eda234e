import CSQLite

/// What only the writer needs of its connection.
extension Connection {
  /// Makes the last rowid 0 again, so that a statement which inserts nothing does not report another's; and from here
  /// on `changes()` and `total_changes()` know only what is written from here on.
  package func forgetLastWrite() {
    sqlite3_set_last_insert_rowid(handle, 0)
    changeCount.start = totalChanges
  }

  /// The system let the file be opened for reading only; SQLite says so at the first statement that writes, not at
  /// `BEGIN IMMEDIATE`.
  package var isFileReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// How long a call waits for another connection's lock from now on.
  package func setBusyTimeout(ms: Int) { sqlite3_busy_timeout(handle, Int32(clamping: ms)) }

  /// Waits until the disk has all that the log holds, whoever wrote it. A process that was killed between the frames of
  /// a commit and its sync has left a commit that everybody sees and that a loss of power may undo.
  ///
  /// Called after the first read, which opens the log; does nothing if there is none.
  package func syncLog() throws(SQLiteError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let found = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    guard found == SQLITE_OK, let file, let log = PageFileMethods.pageFile(file), log.pointee.kind == .log else {
      return
    }
    let result = file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_NORMAL)
    guard result == SQLITE_OK else { throw LogSync.failure(result) }
  }
}
