import CSQLite

/// A database's log, open for nothing but syncs: a thread can wait for the disk while the connection writes on.
///
/// Always true: it has a descriptor of its own, so a sync touches nothing that a connection uses.
// Unchecked because nothing of it changes between its initializer and its end, and a sync is one call of the system.
package final class LogSync: @unchecked Sendable {
  private let file: UnsafeMutablePointer<sqlite3_file>
  /// SQLite's file system keeps the pointer for as long as the file is open.
  private let path: UnsafeMutablePointer<CChar>

  fileprivate init(path name: UnsafePointer<CChar>) throws(SQLiteError) {
    let text = String(cString: name)
    let bytes = Array(text.utf8CString)
    // SQLite's names end with two zeros, behind which options could stand.
    path = .allocate(capacity: bytes.count + 1)
    path.initialize(repeating: 0, count: bytes.count + 1)
    path.update(from: bytes, count: bytes.count)
    let base = PageFileSystem.base
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(base.pointee.szOsFile), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(base.pointee.szOsFile))
    // It is the file system's to lay out, because it asked for that many bytes that begin with SQLite's part.
    file = memory.assumingMemoryBound(to: sqlite3_file.self)
    let result = base.pointee.xOpen(base, path, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL, nil)
    guard result == SQLITE_OK, file.pointee.pMethods != nil else {
      throw SQLiteError(extendedCode: result, message: "The log could not be opened for its syncs.")
    }
  }

  deinit {
    if let methods = file.pointee.pMethods { _ = methods.pointee.xClose(file) }
    UnsafeMutableRawPointer(file).deallocate()
    path.deallocate()
  }

  /// Waits until the disk has all that was written to the log before the call. May be called on any thread.
  package func run() throws(SQLiteError) {
    let result = file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_NORMAL)
    guard result == SQLITE_OK else { throw SQLiteError(extendedCode: result, message: "The log could not be synced.") }
  }
}

extension Connection {
  /// Runs `commit` and leaves out the sync of its log. Returns whether it owes one: a commit that wrote, where SQLite
  /// syncs commits. Everybody sees it from here on, and a loss of power may take it until `logSync` has run.
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

  /// Which of the logs that this connection has had is open now; another number needs another `logSync`.
  package var logNumber: Int { pageFile?.pointee.logNumber ?? 0 }

  /// Its log, for syncs on other threads. Throws if it cannot be opened.
  package func logSync() throws(SQLiteError) -> LogSync {
    guard let database = sqlite3_db_filename(handle, "main"), let name = sqlite3_filename_wal(database) else {
      throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "A database in memory has no log.")
    }
    return try LogSync(path: name)
  }
}
