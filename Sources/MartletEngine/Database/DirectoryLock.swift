/// The hold that one engine has on a data directory.
///
/// Always true: while it exists no other process, and no other engine of this one, gets it. It locks a file of its own,
/// since opening and closing a database file beside SQLite would drop SQLite's locks on it.
import Foundation
import MartletAST

// Unchecked because the descriptor is only written in the initializer and closed once, by whoever gives the lock up
// last.
final class DirectoryLock: @unchecked Sendable {
  private let descriptor: Int32

  /// Throws where another engine holds the directory, or the file cannot be made.
  init(directory: String) throws(RequestError) {
    let path = directory + "/martlet.lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw RequestError(
        .unavailable, .notAllowed, "The lock file of the data directory cannot be opened: \(Self.systemError()).")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      Foundation.close(descriptor)
      throw RequestError(
        .failedPrecondition, .notAllowed,
        "Another server has this data directory open. Stop it, or choose another directory.")
    }
  }

  deinit { Foundation.close(descriptor) }

  private static func systemError() -> String { String(cString: strerror(errno)) }

  /// Makes the directory and those above it that are missing, for its owner alone, durable before it returns.
  static func makeDirectory(_ path: String) throws(RequestError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw RequestError(.failedPrecondition, .notAllowed, "The data directory's path names a file. Choose another.")
      }
      return
    }
    let parent = (path as NSString).deletingLastPathComponent
    if !parent.isEmpty, parent != path { try makeDirectory(parent) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw RequestError(
        .unavailable, .notAllowed, "The data directory cannot be made: \(systemError()). Make it, or choose another.")
    }
    try sync(parent.isEmpty ? "." : parent)
  }

  /// Makes a change of the directory's entries durable.
  static func sync(_ directory: String) throws(RequestError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { Foundation.close(descriptor) }
    // Some file systems cannot sync a directory and say so with EINVAL; there is nothing to be had there.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw RequestError(
        .unavailable, .notAllowed, "The data directory could not be written to the disk: \(systemError()).")
    }
  }

  static func fileExists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }
}
