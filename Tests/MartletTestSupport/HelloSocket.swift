/// A bare connection that says hello and tells what came back: for counting, where a client would try again.
///
/// Always true: the socket is closed when the value goes.
import Foundation
import MartletValues

package final class HelloSocket {
  package enum Answer: Equatable {
    case hello
    case error(reason: String)
  }

  private let descriptor: Int32

  /// Connects over TCP and sends a hello that makes the database.
  package init(_ url: String, database: String) throws {
    guard case .tcp(let host, let port) = try MartletURL(url).address else { throw Failure.address }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure.refused(errno) }
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    // request_id = 1; hello { protocol = 1, database, create = true }
    let name = Array(database.utf8)
    let hello = [0x08, 1, 0x12, UInt8(name.count)] + name + [0x20, 1]
    let message = [0x0D, 1, 0, 0, 0, 0x12, UInt8(hello.count)] + hello
    let frame = [0, 0, 0, 0, UInt8(message.count)] + message
    _ = send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL))
  }

  deinit { close(descriptor) }

  package enum Failure: Error, Equatable {
    case address
    case refused(Int32)
    case closed
  }

  /// The first message, or the reason of the error that it is.
  package func answer() throws -> Answer {
    let header = try read(5)
    let length = header[1...].reduce(0) { $0 << 8 | Int($1) }
    let message = try read(length)
    let text = String(decoding: message, as: UTF8.self)
    for reason in ["OVERLOADED", "NOT_ALLOWED", "LIMIT", "FENCED", "SQLITE", "UNKNOWN_DATABASE"]
    where text.contains(reason) {
      return .error(reason: reason)
    }
    return .hello
  }

  private func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let got = recv(descriptor, &buffer, buffer.count, 0)
      guard got > 0 else { throw Failure.closed }
      bytes += buffer[..<got]
    }
    return bytes
  }
}
