import CSQLite

/// A database's log, open only for syncs: a thread can wait for the disk while the connection writes on.
///
/// Always true: it has a descriptor of its own, so a sync touches nothing that a connection uses.
// Unchecked because nothing of it changes between its initializer and its end, and a sync is one call of the system.
package final class LogSync: @unchecked Sendable {
  private let file: UnsafeMutablePointer<sqlite3_file>
  /// SQLite's file system keeps the pointer for as long as the file is open.
  private let path: UnsafeMutablePointer<CChar>

  init(path name: UnsafePointer<CChar>) throws(SQLiteError) {
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
    guard result == SQLITE_OK else { throw Self.failure(result) }
  }

  /// What is thrown for a sync that failed, whoever made it.
  static func failure(_ code: Int32) -> SQLiteError {
    SQLiteError(extendedCode: code, message: "The log could not be synced.")
  }
}
