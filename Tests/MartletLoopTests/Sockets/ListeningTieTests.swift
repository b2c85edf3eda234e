/// Two that begin to listen on one port at one moment.
///
/// Always true: they do so at an address of this machine that no connection of another test comes from.
import Foundation
import Synchronization
import Testing

@testable import MartletLoop

struct ListeningTieTests {
  /// Linux refuses both now and then: some in ten thousand of such moments.
  @Test func `of two sockets that begin to listen on one port at once one does`() async {
    let port = Self.freePort()
    let match = Match()
    await withTaskGroup(of: Void.self) { group in
      for side in 0..<2 {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              for round in 0..<1_000 { match.play(round, side: side) { Self.listen(on: port) } }
              continuation.resume()
            }
          }
        }
      }
    }
    let winners = match.winners.withLock { $0 }
    #expect(winners.allSatisfy { $0.value == 1 } && winners.count == 1_000, "\(winners.filter { $0.value != 1 })")
  }

  /// Rounds in which both sides begin together and end together.
  private final class Match: Sendable {
    private let begun = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)
    /// How many sides had a socket that listens, by round.
    let winners = Mutex([Int: Int]())

    func play(_ round: Int, side: Int, _ listen: () -> Int32) {
      Self.meet(begun, round)
      let descriptor = listen()
      winners.withLock { $0[round, default: 0] += descriptor >= 0 ? 1 : 0 }
      Self.meet(ended, round)
      if descriptor >= 0 { Descriptor.close(descriptor) }
    }

    private static func meet(_ count: borrowing Atomic<Int>, _ round: Int) {
      count.add(1, ordering: .acquiringAndReleasing)
      // Without a pause: whoever sleeps comes later than the other, and nothing is tied.
      while count.load(ordering: .acquiring) < 2 * (round + 1) { sched_yield() }
    }
  }

  /// 127.1.0.0 and those behind it.
  private static let host = 0x7F01_0000 | UInt32.random(in: 1...0xFFFF)

  private static func listen(on port: UInt16) -> Int32 {
    withAddress(port) { Descriptor.listeningSocket($0, backlog: 8) }
  }

  private static func withAddress<Result>(_ port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result
  {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }

  /// One that nobody had a moment ago.
  private static func freePort() -> UInt16 {
    let descriptor = listen(on: 0)
    defer { Descriptor.close(descriptor) }
    return withAddress(0) { address in
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      getsockname(descriptor, address, &length)
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }
}
