internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The system calls on descriptors that libuv has no function for.
///
/// Always true: failures come back as libuv's negative errno.
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

  /// A connection that waits at a socket that listens, with a descriptor that programs started later do not inherit.
  static func accept(_ listening: Int32) -> Int32 {
    let descriptor = martlet_accept(listening)
    return descriptor >= 0 ? descriptor : -errno
  }

  /// The peer has sent its end or is gone, whether or not anything that it sent before has been read.
  static func hasPeerLeft(_ descriptor: Int32) -> Bool {
    var question = pollfd(fd: descriptor, events: martlet_poll_peer_left(), revents: 0)
    return poll(&question, 1, 0) > 0
  }

  /// Bytes wait to be read; the end of the stream is none.
  static func hasUnreadBytes(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// A descriptor that stands for nothing but its own number.
  static func placeholder() -> Int32 {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : -errno
  }

  /// A socket that programs started later do not inherit.
  static func streamSocket(family: Int32) -> Int32 {
    #if os(Linux)
      let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(family, SOCK_STREAM, 0)
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    #endif
    return descriptor >= 0 ? descriptor : -errno
  }

  /// A TCP socket that listens. Its port is not shared (there is no SO_REUSEPORT): if another socket listens, the
  /// system says "address in use". But the port is free again as soon as its last owner is gone.
  ///
  /// If two sockets begin to listen at the same moment, Linux may refuse both, because each finds the other. So a
  /// socket that got the address and may not listen tries again after a moment, `LoopLimits.listenAttemptsMax` times in
  /// all. If somebody listens by then, it does not get the address.
  static func listeningSocket(_ address: UnsafePointer<sockaddr>, backlog: Int32) -> Int32 {
    for _ in 0..<LoopLimits.listenAttemptsMax {
      if let result = listeningSocketUnlessTie(address, backlog: backlog) { return result }
      usleep(UInt32.random(in: 1...LoopLimits.listenPauseMicrosecondsMax))
    }
    return -EADDRINUSE
  }

  /// Nil: another one began to listen at the same moment.
  private static func listeningSocketUnlessTie(_ address: UnsafePointer<sockaddr>, backlog: Int32) -> Int32? {
    let family = Int32(address.pointee.sa_family)
    let descriptor = streamSocket(family: family)
    guard descriptor >= 0 else { return descriptor }
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var isReady = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size) == 0
    if family == AF_INET6 {
      length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      isReady = isReady && setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size) == 0
    }
    let hasAddress = isReady && bind(descriptor, address, length) == 0
    if hasAddress, listen(descriptor, backlog) == 0 { return descriptor }
    let code = errno
    close(descriptor)
    return hasAddress && code == EADDRINUSE ? nil : -code
  }

  /// What the path of a Unix socket has room for, its end included.
  static var socketPathBytes: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) }

  /// Calls `body` with the address of a Unix socket; a path that is too long was refused before.
  static func withUnixAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      place.copyBytes(from: path.utf8.prefix(place.count - 1))
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
