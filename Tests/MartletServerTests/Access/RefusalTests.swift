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
    let script = HandshakeScript(limits, start)
    // A quarter of all at once is the most of one address, and the others have the rest.
    #expect((0..<5).map { _ in script.begin(1) } == [true, true, true, true, false])
    script.end(1)
    script.end(1)
    #expect((0..<3).map { _ in script.begin(1) } == [true, true, false])
    for share in UInt64(2)...4 { for _ in 0..<4 { #expect(script.begin(share)) } }
    #expect(script.begin(9) == false)
    script.end(2)
    #expect(script.begin(9))
    for share in UInt64(1)...9 { while script.end(share) {} }
    #expect(script.limits.running == 0)
    #expect([script.begin(1, afterMs: 999), script.begin(1, afterMs: 1_000)] == [false, true])
    // On this machine the second does not count.
    let here = (0..<100).map { _ in
      defer { script.end(2) }
      return script.begin(2, isOnThisMachine: true)
    }
    #expect(here.allSatisfy { $0 })
  }

  @Test func `where an address has all its places, its oldest handshake gives way, if it had its time`() {
    var limits = Limits()
    limits.handshakesMax = 16
    limits.handshakesPerSecondMax = 6
    let script = HandshakeScript(limits, start)
    let enough = AccessLimits.handshakeMsMin
    for ms in 0..<4 { #expect(script.begin(1, afterMs: ms)) }
    #expect(!script.begin(1, afterMs: enough - 1), "an honest one may still end")
    #expect(script.begin(1, afterMs: enough) && script.gone == [1])
    #expect(!script.begin(1, afterMs: enough), "the second is as old as it was young")
    #expect(script.begin(1, afterMs: enough + 1) && script.gone == [1, 2])
    #expect(script.limits.running == 4)
    // Its end comes later, and is nothing.
    script.limits.end(HandshakeLimits.Place(id: 1, share: 1))
    #expect(script.limits.running == 4)
  }

  @Test func `no handshake gives way to one whom the second keeps out`() {
    var limits = Limits()
    limits.handshakesMax = 16
    limits.handshakesPerSecondMax = 1
    let script = HandshakeScript(limits, start)
    for second in 0..<4 { #expect(script.begin(1, afterMs: second * 1_000)) }
    #expect(script.begin(1, afterMs: 4_000) && script.gone == [1])
    #expect(!script.begin(1, afterMs: 4_001) && script.gone == [1])
    #expect(script.limits.running == 4)
  }

  @Test func `where all places are taken, the address gives way that has most`() {
    var limits = Limits()
    limits.handshakesMax = 16
    limits.handshakesPerSecondMax = 100
    let script = HandshakeScript(limits, start)
    for share in UInt64(1)...3 { for _ in 0..<4 { #expect(script.begin(share)) } }
    for share in UInt64(4)...7 { #expect(script.begin(share)) }
    #expect(!script.begin(8))
    #expect(script.begin(8, afterMs: AccessLimits.handshakeMsMin))
    #expect(script.gone.count == 1 && script.gone[0] <= 12, "those who have one keep it")
    #expect(script.limits.running == 16)
  }
}

/// Handshakes by their addresses.
private final class HandshakeScript {
  var limits: HandshakeLimits
  /// The ids of those that gave way.
  var gone: [UInt64] = []
  private let start: MonotonicTime
  private var places: [UInt64: [HandshakeLimits.Place]] = [:]

  init(_ limits: Limits, _ start: MonotonicTime) {
    self.limits = HandshakeLimits(limits: limits)
    self.start = start
  }

  func begin(_ share: UInt64, isOnThisMachine: Bool = false, afterMs ms: Int = 0) -> Bool {
    let now = start.advanced(milliseconds: ms)
    guard let (place, gone) = limits.begin(share, isOnThisMachine: isOnThisMachine, now: now) else { return false }
    places[share, default: []].append(place)
    if let gone { self.gone.append(gone.id) }
    return true
  }

  @discardableResult
  func end(_ share: UInt64) -> Bool {
    guard let place = places[share]?.popLast() else { return false }
    limits.end(place)
    return true
  }
}
