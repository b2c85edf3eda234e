/// A blocking socket that sends and receives frames as they are.
///
/// Always true: no wait is endless: the system gives a read up after a minute.
import Foundation

final class VectorSocket {
  struct Failure: Error { let message: String }

  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure(message: "cannot connect: \(errno)") }
  }

  deinit { close(descriptor) }

  func send(_ message: [UInt8]) throws {
    let length = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) }
    let frame = [0] + length + message
    guard Foundation.send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL)) == frame.count else {
      throw Failure(message: "the server does not take the frame: \(errno)")
    }
  }

  /// The next message, without its frame.
  func receive() throws -> [UInt8] {
    let header = try read(5)
    return try read(header[1...].reduce(0) { $0 << 8 | Int($1) })
  }

  private func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let got = recv(descriptor, &buffer, buffer.count, 0)
      guard got > 0 else { throw Failure(message: "the connection ended: \(errno)") }
      bytes += buffer[..<got]
    }
    return bytes
  }
}
