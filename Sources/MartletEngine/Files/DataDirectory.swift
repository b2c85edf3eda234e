import Foundation
import MartletValues

/// The hold that one engine has on a data directory, and how it recognizes the directory.
///
/// Always true: while it exists no other process, and no other engine of this one, gets it. Links in the path are
/// followed once, when it is taken; it is the same directory for as long as `isThere` says so.
// Unchecked because the descriptors are only written in the initializer and closed once, by whoever gives the lock up
// last.
final class DataDirectory: @unchecked Sendable {
  /// Without links, from the root.
  let path: String
  /// The key with which the directory's databases are encrypted; nil: they are not.
  let key: DatabaseKey?
  private let identity: FileIdentity
  private let descriptor: Int32
  /// The directory itself, under whatever name.
  let folder: Int32

  /// Throws if another engine holds the directory, or the lock file cannot be made, or its name stands for something
  /// else.
  init(_ directory: String, key: DatabaseKey? = nil) throws(RequestError) {
    self.key = key
    guard let resolved = realpath(directory, nil) else {
      throw .directoryCannotBeOpened(directory, Self.systemError())
    }
    path = String(cString: resolved)
    free(resolved)
    guard let status = try? FileStatus.look(at: path), status.kind == .directory else { throw .directoryIsFile }
    identity = status.identity
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      throw .directoryCannotBeOpened(directory, Self.systemError())
    }
    do throws(SystemFailure) {
      descriptor = try Self.lockFile(path + "/martlet.lock")
    } catch {
      Foundation.close(folder)
      throw error.code == EWOULDBLOCK ? .directoryHeld : .directoryCannotBeLocked(path, error.words)
    }
  }

  deinit {
    Foundation.close(descriptor)
    Foundation.close(folder)
  }

  /// Lets another server have the directory, whoever still refers to this object.
  func release() { flock(descriptor, LOCK_UN) }

  /// Whether the path still leads to the directory that was locked: it may have been moved, removed or unmounted.
  var isThere: Bool {
    guard let status = try? FileStatus.look(at: path) else { return false }
    return status.kind == .directory && status.identity == identity
  }

  /// Opens a lock file, makes it if it is missing, and locks it. Throws EWOULDBLOCK if somebody else has the
  /// lock, and ELOOP or EINVAL if the name does not stand for a regular file of its own.
  static func lockFile(_ path: String) throws(SystemFailure) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemFailure(code: errno) }
    guard let status = FileStatus.of(descriptor: descriptor), status.kind == .file, status.links == 1 else {
      Foundation.close(descriptor)
      throw SystemFailure(code: EINVAL)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      Foundation.close(descriptor)
      throw SystemFailure(code: code)
    }
    return descriptor
  }

  private static func systemError() -> String { String(cString: strerror(errno)) }

  /// Makes the directory and those above it that are missing, for its owner alone, durable before it returns.
  static func make(_ path: String) throws(RequestError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .directoryIsFile }
      return
    }
    let parent = PathParts.folder(of: path)
    if parent != ".", parent != "/" { try make(parent) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .directoryCannotBeMade(path, systemError())
    }
    try sync(parent)
  }

  /// Makes a change of the directory's entries durable.
  func sync() throws(RequestError) { try Self.sync(path) }

  private static func sync(_ directory: String) throws(RequestError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { Foundation.close(descriptor) }
    // Some file systems cannot sync a directory and say so with EINVAL; nothing more can be done there.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .directoryNotSynced(systemError())
    }
  }
}
