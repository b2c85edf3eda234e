/// The system calls on descriptors that libuv has no function for.
///
/// Always true: failures come back as libuv's negative errno.
internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

enum Descriptor {
  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  /// A second descriptor of the same socket that programs started later do not inherit.
  static func duplicate(_ descriptor: Int32) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : -errno
  }

  /// A TCP socket whose port other sockets of this process may share.
  static func sharedPortSocket(family: Int32) -> Int32 {
    #if os(Linux)
      let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return -errno }
    var on: Int32 = 1
    for option in [SO_REUSEADDR, SO_REUSEPORT] {
      guard setsockopt(descriptor, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
        let code = -errno
        close(descriptor)
        return code
      }
    }
    return descriptor
  }

  /// Removes a socket file that a dead server left; throws "address in use" where one still answers, and leaves
  /// anything that is not a socket alone (binding there fails with the system's own error).
  static func removeStaleSocket(at path: String) throws(LoopError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    #if os(Linux)
      let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      let probe = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    guard probe >= 0 else { throw LoopError(code: -errno, operation: "look at \(path)") }
    defer { close(probe) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { throw LoopError(code: UV_ENAMETOOLONG.rawValue, operation: "listen at \(path)") }
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if connected == 0 { throw LoopError(code: UV_EADDRINUSE.rawValue, operation: "listen at \(path)") }
    if errno == ECONNREFUSED { unlink(path) }
  }
}
