/// What threads wait at until something has happened.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletServer

@Suite struct GateTests {
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

  @Test func `a gate that nobody opens can go`() {
    for count in [0, 1, 5] { #expect(Gate(count: count).wait(ms: 1) == (count == 0)) }
  }
}
