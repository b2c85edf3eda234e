import Foundation
import MartletEngine
import MartletValues
import Synchronization

/// The lock that an embedded database has on its file, which it shares with other programs that embed it.
///
/// Always true: a server and an embedding program never have the same file open for writing, since each would move the
/// log's pages while the other commits; connections keep the lock's object as long as they have the file open.
final class EmbeddedLock: Sendable {
  private let lock = Mutex<InodeLock?>(nil)

  /// Locks the file, following links. Does nothing if there is none yet. Throws if a server has it.
  func take(_ path: String) throws {
    try lock.withLock { held in
      guard held == nil else { return }
      held = try Self.acquire(path)
    }
  }

  private static func acquire(_ path: String) throws -> InodeLock? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    do throws(InodeLock.Failure) {
      return try InodeLock.acquire(path: String(cString: resolved), mode: .shared)
    } catch {
      guard error == .held else {
        throw RequestError.cannotLock(path)
      }
      throw RequestError.servedFile(path)
    }
  }

  /// Whether another process has the file open, as far as the system tells.
  var hasOthers: Bool { lock.withLock { $0?.foreignProcess() } != nil }

  func release() { lock.withLock { $0?.release() } }
}
