/// What threads wait at until something has happened.
import Foundation
import MartletTestSupport
import Synchronization
import Testing

@testable import MartletServer

@Suite struct GateTests {
  private final class Looks: Sendable {
    /// How many found it closed.
    let closed = Atomic(0)
  }

  @Test(arguments: [0, 1, 3])
  func `it is open when each part has ended, for everybody and for ever`(parts: Int) throws {
    let gate = Gate(count: parts)
    for part in 0..<parts {
      #expect(!gate.wait(ms: 0), "\(part)")
      gate.open()
    }
    for _ in 0..<3 { #expect(gate.wait(ms: 0)) }
    gate.open()
    gate.wait()
    #expect(gate.wait(ms: 0))
  }

  @Test func `all who wait are let through`() throws {
    let (gate, through) = (Gate(), Gate(count: 8))
    for _ in 0..<8 {
      Thread.detachNewThread {
        gate.wait()
        through.open()
      }
    }
    #expect(!through.wait(ms: 0))
    gate.open()
    try waitUntil { through.wait(ms: 0) }
  }

  @Test func `many who look at an open gate at the same moment all find it open`() throws {
    let (gate, ended) = (Gate(count: 0), Gate(count: 4))
    let looks = Looks()
    for _ in 0..<4 {
      Thread.detachNewThread {
        for _ in 0..<20_000 where !gate.wait(ms: 0) { looks.closed.add(1, ordering: .relaxed) }
        ended.open()
      }
    }
    ended.wait()
    #expect(looks.closed.load(ordering: .relaxed) == 0)
  }

  @Test func `a gate that nobody opens can go`() {
    for count in [0, 1, 5] { #expect(Gate(count: count).wait(ms: 1) == (count == 0)) }
  }
}
