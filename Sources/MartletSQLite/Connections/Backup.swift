import CSQLite

/// A copy of a live database into a fresh file, some pages at a time.
///
/// Always true: the copy is one snapshot; pages that change meanwhile are copied again. The source is a reader's or the
/// writer's connection, used by no one else while a step runs.
public final class Backup {
  private let source: Connection
  private let destination: OpaquePointer
  private let backup: OpaquePointer

  /// Begins a copy of `source` to a file that must not be open elsewhere. Nothing is copied yet.
  public init(of source: Connection, to path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &opened, flags, PageFileSystem.isRegistered ? PageFileSystem.name : nil)
    guard result == SQLITE_OK, let opened, let begun = sqlite3_backup_init(opened, "main", source.handle, "main") else {
      let error = SQLiteError(result == SQLITE_OK ? sqlite3_errcode(opened) : result, on: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    self.source = source
    destination = opened
    backup = begun
  }

  deinit {
    sqlite3_backup_finish(backup)
    sqlite3_close_v2(destination)
  }

  /// Copies up to `pages` pages; false when the copy is complete.
  public func step(pages: Int) throws(SQLiteError) -> Bool {
    let result = sqlite3_backup_step(backup, Int32(clamping: pages))
    switch result & 0xFF {
    case SQLITE_DONE: return false
    case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED: return true
    default: throw SQLiteError(result, on: destination)
    }
  }
}
