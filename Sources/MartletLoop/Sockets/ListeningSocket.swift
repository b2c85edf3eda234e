internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A socket that listens at one address, for the listeners of any number of loops.
///
/// Always true: no other socket listens at its address, in this process or another: the port is not shared, and the
/// path of a Unix socket is locked by a file beside it. A file at the path stays, unless it is the socket of a dead
/// server.
package final class ListeningSocket: Sendable {
  /// The address of the socket, with the port that the system chose.
  package let address: SocketAddress
  let descriptor: Int32
  private let file: SocketFile?

  /// Listens at `address`; `mode` is that of a Unix socket's file. Throws "address in use" if anybody listens there.
  package init(
    at address: SocketAddress, backlog: Int32 = LoopLimits.backlogMax, mode: UInt32 = 0o600
  ) throws(LoopError) {
    let operation = "listen at \(address)"
    switch address {
    case .unix(let path):
      let file = try SocketFile(path: path)
      descriptor = Descriptor.streamSocket(family: AF_UNIX)
      do throws(LoopError) {
        try LoopError.check(descriptor, operation)
        try file.bind(descriptor, mode: mode)
        try LoopError.check(listen(descriptor, backlog) == 0 ? 0 : -errno, operation)
      } catch {
        file.remove()
        if descriptor >= 0 { Descriptor.close(descriptor) }
        throw error
      }
      self.file = file
      self.address = address
    case .internet(let host, let port):
      file = nil
      let made = try SocketAddress.withSystemAddress(host: host, port: port) { address in
        Descriptor.listeningSocket(address, backlog: backlog)
      }
      descriptor = try LoopError.checked(made, operation)
      self.address = Self.name(of: descriptor) ?? address
    }
  }

  deinit {
    file?.remove()
    Descriptor.close(descriptor)
  }

  private static func name(of descriptor: Int32) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutableBytes(of: &storage) { bytes in
      // `!` because the storage is a variable and never empty.
      getsockname(descriptor, bytes.baseAddress!.systemAddress, &length)
    }
    return result == 0 ? SocketAddress.reading(&storage) : nil
  }
}
