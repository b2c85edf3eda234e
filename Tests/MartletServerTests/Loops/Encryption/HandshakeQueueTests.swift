/// Scripts for when TLS handshakes may begin, with the time passed in.
import MartletValues
import Testing

@testable import MartletServer

@Suite struct HandshakeQueueTests {
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private func queue(_ capacity: Int = 1_000) -> HandshakeQueue<Int> { HandshakeQueue(capacity: capacity) }

  /// Those that begin in so many milliseconds, if each takes its time.
  private func begun(_ queue: inout HandshakeQueue<Int>, of addresses: [Int: UInt64], ms: Range<Int>) -> [Int] {
    var begun: [Int] = []
    for now in ms {
      while let next = queue.next(at(now)) {
        begun.append(next)
        queue.began(of: addresses[next] ?? 0, at(now))
      }
    }
    return begun
  }

  @Test func `a lone client begins at once`() {
    var queue = queue()
    #expect(queue.arrived(1, of: 7, deadline: at(100)) == nil)
    #expect(queue.next(at(0)) == 1)
    queue.began(of: 7, at(0))
    #expect(queue.next(at(0)) == nil && queue.waitMs(at(0)) == nil)
  }

  @Test func `a flood has its part of the time and no more`() {
    var queue = queue()
    for number in 0..<1_000 { _ = queue.arrived(number, of: 7, deadline: .distantFuture) }
    let (ns, percent) = (Int(ServerLimits.handshakeNsFirst), ServerLimits.handshakePercent)
    let saved = ServerLimits.handshakeSavedMicroseconds * 1_000 / ns
    let first = begun(&queue, of: [:], ms: 0..<1).count
    #expect(first >= saved && first <= saved + 1, "what nobody has used for long")
    let later = begun(&queue, of: [:], ms: 1..<101).count
    let part = 100_000_000 * percent / 100 / ns
    #expect(abs(later - part) <= 2, "\(later), not \(part)")
    let now = at(100)
    #expect(queue.waitMs(now) == 1, "it looks again soon")
  }

  @Test func `handshakes that took longer are begun more seldom`() {
    var queue = queue()
    for number in 0..<1_000 { _ = queue.arrived(number, of: 7, deadline: .distantFuture) }
    _ = begun(&queue, of: [:], ms: 0..<1)
    for _ in 0..<50 { queue.ended(nanoseconds: 4 * ServerLimits.handshakeNsFirst) }
    let slow = begun(&queue, of: [:], ms: 1..<101).count
    let part = 100_000_000 * ServerLimits.handshakePercent / 100 / Int(4 * ServerLimits.handshakeNsFirst)
    #expect(abs(slow - part) <= 2, "\(slow), not \(part)")
    for _ in 0..<50 { queue.ended(nanoseconds: .max) }
    #expect(queue.count > 0 && !begun(&queue, of: [:], ms: 101..<400).isEmpty, "one that took very long stops nobody")
  }

  @Test func `an address that floods keeps no other one waiting`() {
    var queue = queue()
    var addresses: [Int: UInt64] = [:]
    for number in 0..<500 {
      addresses[number] = 7
      _ = queue.arrived(number, of: 7, deadline: .distantFuture)
    }
    _ = begun(&queue, of: addresses, ms: 0..<1)
    for number in 900..<905 {
      addresses[number] = 8
      _ = queue.arrived(number, of: 8, deadline: .distantFuture)
    }
    let soon = begun(&queue, of: addresses, ms: 1..<15)
    #expect((900..<905).allSatisfy { soon.contains($0) }, "\(soon)")
  }

  @Test func `if too many wait, the address with the most gives way, and a newcomer of that address has no place`() {
    var queue = queue(4)
    for number in 0..<4 { #expect(queue.arrived(number, of: 7, deadline: .distantFuture) == nil) }
    #expect(queue.arrived(4, of: 7, deadline: .distantFuture) == 4)
    #expect(queue.arrived(5, of: 8, deadline: .distantFuture) == 3, "the last of the flood")
    #expect(queue.count == 4)
    #expect(Set(queue.closed()) == [0, 1, 2, 5] && queue.closed().isEmpty)
  }

  @Test func `nobody waits beyond the time for a hello`() {
    var queue = queue()
    for number in 0..<3 { _ = queue.arrived(number, of: 7, deadline: at(10 * number)) }
    #expect(queue.ticked(at(-1)).isEmpty)
    #expect(queue.ticked(at(10)) == [0, 1])
    #expect(queue.count == 1)
  }
}
