/// The parts of a program that are left through a look only, as the rounds of most loops are.
///
/// Always true: whatever runs from one look to the next runs through one of them at most, and that comes last.
extension ProgramFlow {
  /// SQLite looks whether it was interrupted before it goes to the next row, and when there is none.
  private static let looks: Set<String> = ["Goto", "Next", "Prev", "SorterNext", "VNext"]

  /// The places of such parts, from the last to the first. What calls a trigger or a subroutine is in none, because a
  /// part of that may come next.
  static func rounds(in program: [Instruction]) -> [Range<Int>] {
    guard program.contains(where: { looks.contains($0.name) }) else { return [] }
    let reach = reach(in: program)
    var rounds: [Range<Int>] = []
    var next = program.count - 1
    while next > 0 {
      let last = next
      next -= 1
      guard looks.contains(program[last].name) else { continue }
      let start = startOfRound(endingAt: last, program, reach)
      guard start < last else { continue }
      rounds.append(start..<last + 1)
      next = start - 1
    }
    return rounds
  }

  /// The first place from which on everything stays before the last.
  private static func startOfRound(
    endingAt last: Int, _ program: [Instruction], _ reach: [(lowest: Int, highest: Int)]
  ) -> Int {
    var (start, lowest) = (last, last)
    for place in (1..<last).reversed() {
      guard reach[place].highest <= last, program[place].name != "Program" else { break }
      lowest = min(lowest, reach[place].lowest)
      if lowest >= place { start = place }
    }
    return start
  }

  /// The first and the last place to which each instruction may go.
  private static func reach(in program: [Instruction]) -> [(lowest: Int, highest: Int)] {
    var reach = Array(repeating: (lowest: Int.max, highest: Int.min), count: program.count)
    for (place, comesFrom) in predecessors(in: program).enumerated() {
      for source in comesFrom where source < program.count {
        reach[source] = (min(reach[source].lowest, place), max(reach[source].highest, place))
      }
    }
    return reach
  }
}
