import Foundation
import MartletEngine
import MartletSQLite

/// The locks that embedded databases have on their files, which they share with other programs that embed them.
///
/// Always true: a server and an embedding program never have the same file open for writing, since each would move the
/// log's pages while the other commits; a connection keeps the lock of each file that it has open, by whatever name,
/// until SQLite has closed the file.
enum EmbeddedLock {
  /// SQLite asks it of each file that an embedded connection opens: the database's own, and those that it attaches.
  static let keeper = FileKeeper(name: "martlet-embedded") { path, isReadOnly throws(FileKeeper.Refusal) in
    do throws(InodeLock.Failure) {
      return try acquire(path, mode: isReadOnly ? .watching : .shared)
    } catch {
      throw error == .held ? FileKeeper.Refusal.served : FileKeeper.Refusal.notLockable
    }
  }

  /// The lock of the file, following links; nil if there is none yet.
  static func acquire(_ path: String, mode: InodeLock.Mode) throws(InodeLock.Failure) -> InodeLock? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return try InodeLock.acquire(path: String(cString: resolved), mode: mode)
  }
}
