/// What a loop's allowance for new statements counts, by a clock that the test moves.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct LoopAllowanceTests {
  private struct Failed: Error {}

  private let clock = ManualClock()
  private let allowance: LoopAllowance

  init() {
    var limits = Limits()
    limits.loopNewShapesPercent = 10
    limits.loopNewShapesSavedMicroseconds = 10_000
    allowance = LoopAllowance(limits: limits, clock: clock.read)
  }

  @Test func `what takes less than twenty microseconds costs nothing, however often; what takes longer does`() {
    for _ in 0..<10_000 { allowance.spend { clock.advance(microseconds: 19) } }
    #expect(allowance.isLeft)
    for _ in 0..<1_000 { allowance.spend { clock.advance(microseconds: 20) } }
    #expect(!allowance.isLeft)
  }

  @Test func `what is new has what was saved and a tenth of the time, and the rest goes elsewhere`() {
    for _ in 0..<12 {
      #expect(allowance.isLeft)
      allowance.spend { clock.advance(microseconds: 1_000) }
    }
    #expect(!allowance.isLeft)
    clock.advance(microseconds: 7_000)
    #expect(!allowance.isLeft)
    clock.advance(microseconds: 1_000)
    #expect(allowance.isLeft)
  }

  @Test func `what fails has taken its time too`() {
    for _ in 0..<2 {
      #expect(throws: Failed.self) {
        try allowance.spend { () throws(Failed) in
          clock.advance(microseconds: 10_000)
          throw Failed()
        }
      }
    }
    #expect(!allowance.isLeft)
  }
}
