/// How those wait who were refused, and how many handshakes there may be.
import MartletClient
import MartletValues
import Testing

@testable import MartletServer

@Suite struct RefusalTests {
  private let start = MonotonicTime(nanoseconds: 1)

  @Test func `each refusal is told later, up to a bound, and patience is forgotten after a minute`() {
    var ledger = RefusalLedger()
    var delays: [Int] = []
    for _ in 0..<8 { delays.append(ledger.refused(7, now: start).milliseconds(since: start)) }
    #expect(delays == [250, 500, 1_000, 2_000, 2_000, 2_000, 2_000, 2_000])
    // Others are not made to wait for it.
    let other = ledger.refused(8, now: start)
    #expect(other.milliseconds(since: start) == 250)
    let later = start.advanced(milliseconds: AccessLimits.refusalMemoryMs)
    let again = ledger.refused(7, now: later)
    #expect(again.milliseconds(since: later) == 250)
    var last = later
    for _ in 0..<100_000 { last = ledger.refused(7, now: later) }
    #expect(last.milliseconds(since: later) == AccessLimits.refusalMsMax)
  }

  /// Else a client that is refused again and again hears that the server did not answer.
  @Test func `a refusal comes in half the time that a client waits for a connection`() {
    #expect(.milliseconds(2 * AccessLimits.refusalMsMax) < ClientConfiguration().connectTimeout)
  }

  @Test func `a million addresses are no more memory than ten thousand`() {
    var ledger = RefusalLedger()
    for share in 0..<UInt64(50_000) {
      _ = ledger.refused(share, now: start.advanced(milliseconds: Int(share / 100)))
      #expect(ledger.count <= AccessLimits.refusedMax)
    }
  }

  @Test func `handshakes are bounded at once, and for an address in a second`() {
    var limits = Limits()
    limits.handshakesMax = 16
    limits.handshakesPerSecondMax = 6
    var handshakes = HandshakeLimits(limits: limits)
    func begin(_ share: UInt64, afterMs ms: Int = 0) -> Bool {
      handshakes.begin(share, now: start.advanced(milliseconds: ms))
    }
    // A quarter of all at once is the most of one address, and the others have the rest.
    #expect((0..<5).map { _ in begin(1) } == [true, true, true, true, false])
    handshakes.end(1)
    handshakes.end(1)
    #expect((0..<3).map { _ in begin(1) } == [true, true, false])
    for share in UInt64(2)...4 { for _ in 0..<4 { #expect(begin(share)) } }
    #expect(begin(9) == false)
    handshakes.end(2)
    #expect(begin(9))
    for share in UInt64(1)...9 { for _ in 0..<6 { handshakes.end(share) } }
    #expect(handshakes.running == 0)
    #expect([begin(1, afterMs: 999), begin(1, afterMs: 1_000)] == [false, true])
    // On this machine the second does not count.
    let here = (0..<100).map { _ in
      defer { handshakes.end(2) }
      return handshakes.begin(2, isOnThisMachine: true, now: start)
    }
    #expect(here.allSatisfy { $0 })
  }
}
