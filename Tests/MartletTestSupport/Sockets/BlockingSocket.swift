/// A connection to a server of this machine, of blocking calls, without a library that would be kind to the server.
///
/// Always true: the socket is closed once, with the value at the latest. No read is endless if a bound was given: the
/// system gives it up.
import Foundation

// Unchecked because a test uses each on one thread at a time, or sends on one and receives on another.
package final class BlockingSocket: @unchecked Sendable {
  package struct Failure: Error {
    package let message: String
  }

  package let descriptor: Int32
  private var isOpen = true

  /// Connects over TCP. `window` bounds what the system takes for a client that does not read.
  package init(port: Int, seconds: Int? = nil, window: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var window { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in.loopback(port: UInt16(port))
    try connect(&address)
    if let seconds { boundWaits(seconds: seconds) }
  }

  /// Connects to a Unix socket.
  package init(path: String, seconds: Int? = nil) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try connect(&address)
    if let seconds { boundWaits(seconds: seconds) }
  }

  deinit { close() }

  private func connect<Address>(_ address: inout Address) throws {
    let size = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw Failure(message: "cannot connect: \(errno)") }
  }

  /// A read or a write that takes longer fails.
  package func boundWaits(seconds: Int) {
    var timeout = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  // MARK: - Ending

  package func close() {
    if isOpen { Foundation.close(descriptor) }
    isOpen = false
  }

  /// Ends the connection with a reset, as a peer that was killed may.
  package func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Says that nothing more comes; what the server says is still read.
  package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both directions; whoever sends or receives on another thread is woken.
  package func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  // MARK: - Sending

  /// Sends all bytes, or as many as the server takes before it closes. False if it did not take all.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Sends what the system takes at once, and returns how much that was.
  package func sendWithoutWaiting(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes {
      max(0, Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
    }
  }

  /// Sends a message in a frame.
  @discardableResult
  package func send(message: [UInt8]) -> Bool {
    let length = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) }
    return send([0] + length + message)
  }

  // MARK: - Receiving

  /// Something is here to be read, or the server has closed.
  package var hasBytes: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// What there is, at most `most` bytes; none at the end of the stream. A reset is an end too.
  package func receive(most: Int = 1 << 16) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: most)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN { throw Failure(message: "the server said nothing in time") }
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// So many bytes.
  package func receive(exactly count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var have = 0
    while have < count {
      // Into the array itself: a slice would be a copy of all of it for each of a thousand small pieces.
      let more = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + have, $0.count - have, 0) }
      guard more > 0 else {
        throw Failure(message: more == 0 ? "the server closed the connection" : "the server said nothing: \(errno)")
      }
      have += more
    }
    return bytes
  }

  /// The next message, without its frame.
  package func receiveMessage() throws -> [UInt8] {
    let header = try receive(exactly: 5)
    return try receive(exactly: header[1...].reduce(0) { $0 << 8 | Int($1) })
  }

  /// All that comes until the other end closes.
  package func readToEnd() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while case let more = try receive(), !more.isEmpty { bytes += more }
    return bytes
  }
}
