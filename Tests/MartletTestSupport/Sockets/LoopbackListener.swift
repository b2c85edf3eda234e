/// A TCP socket of this machine that others connect to, on a port that the system chooses.
import Foundation

package final class LoopbackListener: Sendable {
  package let port: Int
  private let descriptor: Int32

  package init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in.loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isListening else { throw BlockingSocket.Failure(message: "cannot listen: \(errno)") }
    self.descriptor = descriptor
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// The descriptor of the next who connects; nil if there is none, because the listener was closed.
  package func accept() -> Int32? {
    let client = Foundation.accept(descriptor, nil, nil)
    return client >= 0 ? client : nil
  }

  /// Wakes who waits in `accept`, and lets go of the port.
  package func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    Foundation.close(descriptor)
  }
}

extension sockaddr_in {
  /// This machine, at the port.
  static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
