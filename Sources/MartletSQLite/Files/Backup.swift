import CSQLite

/// A copy of a live database into a fresh file, some pages at a time.
///
/// Always true: the copy is one snapshot; pages that change meanwhile are copied again. The source is a reader's or the
/// writer's connection, used by no one else while a step runs.
package final class Backup {
  private let source: Connection
  private let destination: OpaquePointer
  /// The connection that is copied into; nil if the copy's file is this object's own.
  private let target: Connection?
  private let backup: OpaquePointer

  /// Begins a copy of `source` to a file that must not be open elsewhere. Nothing is copied yet.
  package init(of source: Connection, to path: String) throws(SQLiteError) {
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
    target = nil
    backup = begun
  }

  /// Begins a copy of one connection's database over another's, such as `main`, `temp` or what was attached. Nobody
  /// uses the other one until the copy is complete. Throws if a transaction is open there.
  package init(
    of source: Connection, _ sourceName: String, into target: Connection, _ targetName: String
  ) throws(SQLiteError) {
    guard let begun = sqlite3_backup_init(target.handle, targetName, source.handle, sourceName) else {
      throw SQLiteError(sqlite3_errcode(target.handle), on: target.handle)
    }
    self.source = source
    destination = target.handle
    self.target = target
    backup = begun
  }

  deinit {
    sqlite3_backup_finish(backup)
    if target == nil { sqlite3_close_v2(destination) }
  }

  /// Pages of the source, as of the last step.
  package var pageCount: Int { Int(sqlite3_backup_pagecount(backup)) }

  /// Pages that are still to be copied, as of the last step.
  package var remainingPages: Int { Int(sqlite3_backup_remaining(backup)) }

  /// Copies up to `pages` pages, all if it is negative; false when the copy is complete. If something is locked it
  /// copies nothing and can be called again; with `throwsLocks` it throws that.
  package func step(pages: Int, throwsLocks: Bool = false) throws(SQLiteError) -> Bool {
    let result = sqlite3_backup_step(backup, Int32(clamping: pages))
    switch result & 0xFF {
    case SQLITE_DONE: return false
    case SQLITE_OK: return true
    case SQLITE_BUSY, SQLITE_LOCKED:
      guard throwsLocks else { return true }
      throw SQLiteError(extendedCode: result, message: SQLiteLibrary.words(of: result))
    default: throw SQLiteError(result, on: destination)
    }
  }
}
