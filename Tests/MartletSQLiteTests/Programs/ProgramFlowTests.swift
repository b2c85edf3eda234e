/// Parts of a program that are left through a look only.
import Testing

@testable import MartletSQLite

@Suite struct ProgramFlowTests {
  private func instructions(_ all: [(String, Int, Int)]) -> [Instruction] {
    all.enumerated().map { address, one in
      Instruction(address: address, name: one.0, first: one.1, second: one.2, third: 0, text: "", flags: 0)
    }
  }

  @Test func `the round of a loop is one part, from where nothing leaves it but for the next row`() {
    let scan = instructions([
      ("Init", 0, 1), ("OpenRead", 0, 2), ("Rewind", 0, 7), ("Column", 0, 0), ("IsNull", 1, 6), ("ResultRow", 1, 1),
      ("Next", 0, 3), ("Halt", 0, 0),
    ])
    #expect(ProgramFlow.rounds(in: scan) == [3..<7])
  }

  @Test func `what leaves a loop without a look is outside, and so is what calls a trigger or a subroutine`() {
    for name in ["IdxGT", "Program", "Gosub", "Yield"] {
      let scan = instructions([
        ("Init", 0, 1), ("SeekGE", 0, 6), (name, 0, 6), ("Column", 0, 0), ("ResultRow", 1, 1), ("Next", 0, 2),
        ("Halt", 0, 0),
      ])
      #expect(ProgramFlow.rounds(in: scan) == [3..<6], "\(name)")
    }
  }

  @Test func `a loop within a loop is of the same part, and loops behind each other are of two`() {
    let loops = instructions([
      ("Init", 0, 1), ("Rewind", 0, 7), ("Column", 0, 0), ("Rewind", 1, 6), ("Column", 1, 0), ("Next", 1, 4),
      ("Next", 0, 2), ("Rewind", 2, 10), ("Column", 2, 0), ("Prev", 2, 8), ("Halt", 0, 0),
    ])
    #expect(ProgramFlow.rounds(in: loops) == [8..<10, 2..<7])
  }

  @Test func `a trigger's program begins at 0 again`() {
    let one = instructions([("Init", 0, 1), ("Halt", 0, 0)])
    #expect(ProgramFlow.programs(in: one + one + one) == [0..<2, 2..<4, 4..<6])
    #expect(ProgramFlow.programs(in: []).isEmpty)
  }
}
