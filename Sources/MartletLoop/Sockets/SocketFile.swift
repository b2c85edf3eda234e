internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The path of a Unix socket that a server listens at, and the lock that says so to other servers.
///
/// Always true: whoever removes or makes the socket's file holds the lock beside it, so two servers that start at once
/// never both take a dead one's place; only a socket that nobody answers at is removed.
// Unchecked because its owner binds it before anybody else has it, and removes it once, at its own end.
final class SocketFile: @unchecked Sendable {
  private let path: String
  private let lock: Int32
  private var inode: UInt64?

  private var lockPath: String { path + ".lock" }

  /// Takes the lock, and removes a socket that a dead server left.
  init(path: String) throws(LoopError) {
    guard path.utf8.count < Descriptor.socketPathBytes else {
      throw LoopError(code: UV_ENAMETOOLONG.rawValue, operation: "listen at \(path)")
    }
    self.path = path
    lock = try Self.takeLock(path + ".lock", operation: "listen at \(path)")
    do throws(LoopError) {
      try removeStale()
    } catch {
      dropLock()
      throw error
    }
  }

  /// Binds a socket to the path; if it throws, `remove` is still to be called. Nobody can connect before it listens,
  /// so nobody does before its mode is right.
  func bind(_ descriptor: Int32, mode: UInt32) throws(LoopError) {
    let result = Descriptor.withUnixAddress(path) { address, length in
      #if canImport(Glibc)
        Glibc.bind(descriptor, address, length)
      #else
        Darwin.bind(descriptor, address, length)
      #endif
    }
    try LoopError.check(result == 0 ? 0 : -errno, "listen at \(path)")
    inode = Self.look(at: path)?.inode
    try LoopError.check(chmod(path, mode_t(mode)) == 0 ? 0 : -errno, "set the mode of \(path)")
  }

  /// Removes the socket's file, if it is still the one that was bound, and gives the lock up.
  func remove() {
    if let inode, let found = Self.look(at: path), found.isSocket, found.inode == inode { unlink(path) }
    inode = nil
    dropLock()
  }

  // MARK: - The lock

  private static func takeLock(_ path: String, operation: String) throws(LoopError) -> Int32 {
    // A holder that ends removes the file, so the one that was locked may not be the one that is there.
    for _ in 0..<LoopLimits.lockAttemptsMax {
      let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw LoopError(code: -errno, operation: operation + " (its lock file)") }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        Descriptor.close(descriptor)
        throw LoopError(code: UV_EINVAL.rawValue, operation: operation + " (its lock file)")
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        Descriptor.close(descriptor)
        throw LoopError(code: UV_EADDRINUSE.rawValue, operation: operation)
      }
      if look(at: path)?.inode == UInt64(status.st_ino) { return descriptor }
      Descriptor.close(descriptor)
    }
    throw LoopError(code: UV_EADDRINUSE.rawValue, operation: operation)
  }

  private func dropLock() {
    // Removed while it is held: whoever opened it before finds that it is no longer there, and tries again.
    unlink(lockPath)
    Descriptor.close(lock)
  }

  // MARK: - What is there

  private static func look(at path: String) -> (inode: UInt64, isSocket: Bool)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return (UInt64(status.st_ino), status.st_mode & S_IFMT == S_IFSOCK)
  }

  private func removeStale() throws(LoopError) {
    guard let found = Self.look(at: path) else { return }
    guard found.isSocket else {
      throw LoopError(code: UV_EEXIST.rawValue, operation: "listen at \(path), where something else than a socket is")
    }
    let probe = try LoopError.checked(Descriptor.streamSocket(family: AF_UNIX), "look at \(path)")
    defer { Descriptor.close(probe) }
    // A server whose queue is full must not hold the look up.
    _ = fcntl(probe, F_SETFL, O_NONBLOCK)
    let connected = Descriptor.withUnixAddress(path) { address, length in connect(probe, address, length) }
    guard connected != 0, errno == ECONNREFUSED || errno == ENOENT else {
      throw LoopError(code: UV_EADDRINUSE.rawValue, operation: "listen at \(path)")
    }
    unlink(path)
  }
}
