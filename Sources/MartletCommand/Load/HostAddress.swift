import MartletLoop
import MartletValues

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A URL's address as the loop takes it: with the host's name looked up.
///
/// Always true: the look-up happens before the run, since a loop never blocks on one.
enum HostAddress {
  static func resolve(_ url: MartletURL) throws -> SocketAddress {
    switch url.address {
    case .unix(let path): return .unix(path: path)
    case .tcp(let host, let port), .tls(let host, let port):
      guard let port = UInt16(exactly: port) else { throw CommandFailure.portOutOfRange(port) }
      return .internet(host: try numeric(host), port: port)
    }
  }

  private static func numeric(_ host: String) throws -> String {
    var hints = addrinfo()
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    // Servers listen on IPv4 unless they are told otherwise.
    hints.ai_family = host.contains(":") ? AF_INET6 : AF_INET
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0, let list else {
      throw CommandFailure.unknownHost(host)
    }
    defer { freeaddrinfo(list) }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(
        list.pointee.ai_addr, list.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { throw CommandFailure.unknownHost(host) }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
