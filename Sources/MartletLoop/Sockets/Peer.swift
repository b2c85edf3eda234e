internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Who is at the other end of a socket, as far as the system tells.
///
/// Always true: its description is printable text of a bounded length.
package struct Peer: Sendable, Hashable, CustomStringConvertible {
  /// What the system knows of the other end, whatever that says of itself.
  package enum Identity: Sendable, Hashable {
    /// The system does not say.
    case unknown
    /// The process that connected to a Unix socket, with its user and group at that time.
    case process(Int32, user: UInt32, group: UInt32)
    /// The internet address, as the sixteen bytes of IPv6; IPv4 is mapped into it. `isThisMachine`: no other machine
    /// has that address.
    case address(high: UInt64, low: UInt64, isThisMachine: Bool)
  }

  package let identity: Identity
  /// The address and port of an internet socket; the process and user behind a Unix socket; empty if the system does
  /// not say.
  package let description: String

  /// The peer of a connected socket. Never fails: what the system does not say is left out.
  package init(descriptor: Int32, isPipe: Bool) {
    if isPipe {
      identity = Self.process(descriptor)
      description =
        if case .process(let process, let user, _) = identity { "process \(process) of user \(user)" } else { "" }
    } else {
      var peer = sockaddr_storage()
      var own = sockaddr_storage()
      let isConnected = Self.read(getpeername, descriptor, &peer)
      description = isConnected ? SocketAddress.reading(&peer)?.description ?? "" : ""
      guard isConnected, let address = Self.bytes(of: &peer) else {
        identity = .unknown
        return
      }
      // What connects from the address that it connects to is on this machine too.
      let isOwn = Self.read(getsockname, descriptor, &own) && Self.bytes(of: &own).map { $0 == address } ?? false
      identity = .address(high: address.0, low: address.1, isThisMachine: isOwn || Self.isLoopback(address))
    }
  }

  private typealias Ask = (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32

  private static func read(_ ask: Ask, _ descriptor: Int32, _ storage: inout sockaddr_storage) -> Bool {
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      // `!` because the storage is a variable and never empty.
      ask(descriptor, bytes.baseAddress!.systemAddress, &length)
    } == 0
  }

  /// An IPv6 address in two numbers; IPv4 as `::ffff:a.b.c.d`.
  private static func bytes(of storage: inout sockaddr_storage) -> (UInt64, UInt64)? {
    let family = Int32(storage.ss_family)
    return withUnsafeBytes(of: &storage) { bytes in
      if family == AF_INET {
        let address = UInt32(bigEndian: bytes.load(as: sockaddr_in.self).sin_addr.s_addr)
        return (0, Self.mapped | UInt64(address))
      }
      guard family == AF_INET6 else { return nil }
      let address = bytes.load(as: sockaddr_in6.self).sin6_addr
      return withUnsafeBytes(of: address) { sixteen in
        (
          // An address is aligned for half of this.
          UInt64(bigEndian: sixteen.loadUnaligned(as: UInt64.self)),
          UInt64(bigEndian: sixteen.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
      }
    }
  }

  private static let mapped: UInt64 = 0xffff << 32

  private static func isLoopback(_ address: (UInt64, UInt64)) -> Bool {
    guard address.0 == 0 else { return false }
    if address.1 == 1 { return true }
    return address.1 >> 32 == 0xffff && (address.1 >> 24) & 0xff == 127
  }

  private static func process(_ descriptor: Int32) -> Identity {
    #if os(Linux)
      // Process, user and group: the C header has a name for the three only for those who ask for it.
      var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
      var length = socklen_t(12)
      guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return .unknown }
      return .process(credentials.process, user: credentials.user, group: credentials.group)
    #else
      return .unknown
    #endif
  }
}
