/// Which savepoints of a transaction are set, and which are refused.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SavepointsTests {
  @Test(
    arguments: [
      ([(.set, 1), (.set, 2), (.set, 3)], [1, 2, 3]),
      ([(.set, 1), (.set, 2), (.release, 2)], [1]),
      ([(.set, 1), (.set, 2), (.set, 3), (.release, 1)], []),
      ([(.set, 1), (.set, 2), (.set, 3), (.rollBackTo, 1)], [1]),
      ([(.set, 1), (.rollBackTo, 1), (.rollBackTo, 1)], [1]),
      ([(.set, 7), (.set, 8), (.set, 7), (.release, 7)], [7, 8]),
      ([(.set, 7), (.set, 8), (.set, 7), (.set, 9), (.rollBackTo, 7)], [7, 8, 7]),
      ([(.set, .max), (.set, 0), (.rollBackTo, .max), (.set, 0)], [.max, 0]),
    ] as [([(SavepointAction, UInt32)], [UInt32])])
  func `the newest of a number is meant, and what came after it goes with it`(
    steps: [(SavepointAction, UInt32)], left: [UInt32]
  ) {
    var savepoints = Savepoints()
    for (action, number) in steps {
      #expect(savepoints.refusal(of: action, number) == nil)
      savepoints.done(action, number)
    }
    #expect(savepoints.numbers == left)
  }

  @Test func `one that is not set, or not any more, is refused by its number`() {
    var savepoints = Savepoints()
    #expect(savepoints.refusal(of: .release, 1) == .noSavepoint(1))
    for number: UInt32 in 1...3 { savepoints.done(.set, number) }
    savepoints.done(.rollBackTo, 1)
    #expect(savepoints.refusal(of: .rollBackTo, 2) == .noSavepoint(2))
    #expect(savepoints.refusal(of: .release, 1) == nil)
    savepoints.done(.release, 1)
    #expect(savepoints.refusal(of: .rollBackTo, 1) == .noSavepoint(1))
  }

  @Test func `no more are set than may be, and one that is released makes room`() {
    var savepoints = Savepoints()
    let most = UInt32(EngineLimits.savepointsMax)
    for number in 0..<most {
      #expect(savepoints.refusal(of: .set, number) == nil)
      savepoints.done(.set, number)
    }
    #expect(savepoints.refusal(of: .set, 0) == .tooManySavepoints)
    #expect(savepoints.refusal(of: .release, most - 1) == nil)
    savepoints.done(.release, most - 1)
    #expect(savepoints.refusal(of: .set, 0) == nil)
  }
}
