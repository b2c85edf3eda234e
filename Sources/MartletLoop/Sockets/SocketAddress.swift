internal import CLibuv

/// Where to listen or to connect: a numeric internet address with a port, or the path of a Unix socket.
///
/// Always true: names are not looked up (that would block), except `localhost`, which is 127.0.0.1.
package enum SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// A numeric IPv4 or IPv6 address, or `localhost`; port 0 lets the system choose.
  case internet(host: String, port: UInt16)
  case unix(path: String)

  package var description: String {
    switch self {
    case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    }
  }

  /// Whether only programs on this machine can reach it.
  package var isLoopback: Bool {
    switch self {
    case .unix: true
    case .internet(let host, _): host == "localhost" || host == "::1" || Self.isLoopbackIPv4(host)
    }
  }

  private static func isLoopbackIPv4(_ host: String) -> Bool {
    var address = sockaddr_in()
    guard uv_ip4_addr(host, 0, &address) == 0 else { return false }
    return UInt32(bigEndian: address.sin_addr.s_addr) >> 24 == 127
  }

  /// Calls `body` with the address as the system takes it. Throws for what is no numeric address.
  static func withSystemAddress<Result>(
    host: String, port: UInt16, _ body: (UnsafePointer<sockaddr>) -> Result
  ) throws(LoopError) -> Result {
    var storage = sockaddr_storage()
    return try withUnsafeMutableBytes(of: &storage) { bytes throws(LoopError) in
      // `!` because the storage is a variable and never empty.
      let base = bytes.baseAddress!
      let name = host == "localhost" ? "127.0.0.1" : host
      if uv_ip4_addr(name, Int32(port), base.systemAddress4) != 0 {
        try LoopError.check(
          uv_ip6_addr(name, Int32(port), base.systemAddress6),
          "read the address (it must be numeric, such as 127.0.0.1)")
      }
      return body(UnsafePointer(base.systemAddress))
    }
  }

  /// The internet address in a system structure; nil for another family.
  static func reading(_ storage: inout sockaddr_storage) -> SocketAddress? {
    var text = [CChar](repeating: 0, count: 64)
    let family = Int32(storage.ss_family)
    let port: UInt16? = withUnsafeBytes(of: &storage) { bytes in
      if family == AF_INET {
        let address = bytes.load(as: sockaddr_in.self)
        return withUnsafePointer(to: address) { uv_ip4_name($0, &text, text.count) } == 0
          ? UInt16(bigEndian: address.sin_port) : nil
      }
      guard family == AF_INET6 else { return nil }
      let address = bytes.load(as: sockaddr_in6.self)
      return withUnsafePointer(to: address) { uv_ip6_name($0, &text, text.count) } == 0
        ? UInt16(bigEndian: address.sin6_port) : nil
    }
    guard let port else { return nil }
    let host = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return .internet(host: String(decoding: host, as: UTF8.self), port: port)
  }
}
