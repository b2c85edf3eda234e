/// Stands between clients and a server, and cuts each connection after some bytes.
///
/// Always true: what it has passed on is whole up to the cut; its threads end with their connections.
import Foundation
import MartletTestSupport
import Synchronization

final class CuttingProxy: Sendable {
  let port: UInt16
  private let listener: LoopbackListener
  private let upstream: UInt16
  private let random: Mutex<SeededGenerator>
  private let isOpen = Atomic(true)
  private let longest: Int

  /// Listens on loopback. A connection is cut after at most `longest` bytes in one of its directions.
  init(to upstream: UInt16, longest: Int, seed: UInt64) throws {
    self.upstream = upstream
    self.longest = longest
    random = Mutex(SeededGenerator(seed: seed))
    listener = try LoopbackListener()
    port = UInt16(listener.port)
    Thread.detachNewThread { [self] in accept() }
  }

  func close() {
    isOpen.store(false, ordering: .releasing)
    listener.close()
  }

  private func accept() {
    while isOpen.load(ordering: .acquiring) {
      guard let client = listener.accept() else { continue }
      guard let server = try? BlockingSocket(port: Int(upstream)) else {
        Foundation.close(client)
        continue
      }
      let pair = Pair(client: client, server: server)
      let (there, back) = random.withLock { random in
        (Int.random(in: 0...longest, using: &random), Int.random(in: 0...longest, using: &random))
      }
      Thread.detachNewThread { pair.pump(client, server.descriptor, there) }
      Thread.detachNewThread { pair.pump(server.descriptor, client, back) }
    }
  }

  /// Two sockets, which are closed when both directions are done.
  private final class Pair: Sendable {
    let client: Int32
    let server: BlockingSocket

    init(client: Int32, server: BlockingSocket) {
      self.client = client
      self.server = server
    }

    deinit { Foundation.close(client) }

    func cut() {
      shutdown(client, Int32(SHUT_RDWR))
      server.shutDown()
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
