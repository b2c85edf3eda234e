/// Who is at the other end of a socket, as far as the system tells.
///
/// Always true: printable text of a bounded length.
internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

public enum PeerName {
  /// The address and port of an internet socket; the process and user behind a Unix socket; empty where the system
  /// does not say.
  public static func of(descriptor: Int32, isPipe: Bool) -> String {
    isPipe ? process(descriptor) : address(descriptor)
  }

  private static func address(_ descriptor: Int32) -> String {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutableBytes(of: &storage) { bytes in
      // `!` because the storage is a variable and never empty.
      getpeername(descriptor, bytes.baseAddress!.systemAddress, &length)
    }
    guard code == 0 else { return "" }
    return SocketAddress.reading(&storage)?.description ?? ""
  }

  private static func process(_ descriptor: Int32) -> String {
    #if os(Linux)
      // Process, user and group: the C header has a name for the three only for those who ask for it.
      var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
      var length = socklen_t(12)
      guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return "" }
      return "process \(credentials.process) of user \(credentials.user)"
    #else
      return ""
    #endif
  }
}
