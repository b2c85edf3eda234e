/// Stands between clients and a server, and cuts each connection after some bytes.
///
/// Always true: what it has passed on is whole up to the cut; its threads end with their connections.
import Foundation
import MartletTestSupport
import Synchronization

final class CuttingProxy: Sendable {
  struct Failure: Error { let words: String }

  let port: UInt16
  private let listener: Int32
  private let upstream: UInt16
  private let random: Mutex<SeededGenerator>
  private let isOpen = Atomic(true)
  private let longest: Int

  /// Listens on loopback. A connection is cut after at most `longest` bytes in one of its directions.
  init(to upstream: UInt16, longest: Int, seed: UInt64) throws {
    self.upstream = upstream
    self.longest = longest
    random = Mutex(SeededGenerator(seed: seed))
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = Self.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard result else { throw Failure(words: "cannot listen: \(errno)") }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in accept() }
  }

  func close() {
    isOpen.store(false, ordering: .releasing)
    shutdown(listener, Int32(SHUT_RDWR))
    Foundation.close(listener)
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private func accept() {
    while isOpen.load(ordering: .acquiring) {
      let client = Foundation.accept(listener, nil, nil)
      guard client >= 0 else { continue }
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = Self.address(upstream)
      let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      let pair = Pair(client: client, server: server)
      guard isConnected else {
        pair.cut()
        continue
      }
      let (there, back) = random.withLock { random in
        (Int.random(in: 0...longest, using: &random), Int.random(in: 0...longest, using: &random))
      }
      Thread.detachNewThread { pair.pump(client, server, there) }
      Thread.detachNewThread { pair.pump(server, client, back) }
    }
  }

  /// Two sockets, which are closed when both directions are done.
  private final class Pair: Sendable {
    let client: Int32
    let server: Int32

    init(client: Int32, server: Int32) {
      self.client = client
      self.server = server
    }

    deinit {
      Foundation.close(client)
      Foundation.close(server)
    }

    func cut() {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }

    func pump(_ from: Int32, _ to: Int32, _ most: Int) {
      var left = most
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      while left > 0 {
        let count = buffer.withUnsafeMutableBytes { recv(from, $0.baseAddress, min(left, $0.count), 0) }
        guard count > 0 else { break }
        var sent = 0
        while sent < count {
          let more = buffer[sent..<count].withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          guard more > 0 else { return cut() }
          sent += more
        }
        left -= count
      }
      cut()
    }
  }
}
