/// The values that a program's registers are known to hold at one instruction: what was put there last, if the program
/// can come to the instruction on no other way since.
struct LastValues {
  enum Value {
    /// A column of a row or a parameter, or what is not longer than it.
    case origin(OperatorTally.Origin)
    /// A number, or nothing.
    case short
  }

  private var values: [Int: Value] = [:]
  /// Places to which the program comes in other ways than from the one before.
  private var joins: Set<Int> = []

  init(_ instructions: [Instruction]) {
    var start = 0
    while start < instructions.count {
      // Each trigger's program begins at 0 again.
      let rest = instructions[(start + 1)...]
      let end = rest.indices.first { instructions[$0].address <= instructions[$0 - 1].address } ?? instructions.count
      let ways = ProgramFlow.predecessors(in: Array(instructions[start..<end]))
      for (place, comesFrom) in ways.dropLast().enumerated() where comesFrom != [place - 1] {
        joins.insert(start + place)
      }
      start = end
    }
  }

  subscript(register: Int) -> Value? { values[register] }

  /// The program has come to this place.
  mutating func reach(_ place: Int) { if joins.contains(place) { values = [:] } }

  /// The instruction has run.
  mutating func note(_ instruction: Instruction) {
    let (first, second, third) = (instruction.first, instruction.second, instruction.third)
    switch instruction.name {
    case "Column": values[third] = .origin(.column(cursor: first, second))
    case "VColumn": values[third] = .origin(.made(cursor: first, second))
    case "Variable": values[second] = .origin(.parameter(first))
    case "Param": values[second] = .origin(.ofRow(first))
    case "SCopy", "IntCopy": values[second] = values[first]
    case "Copy", "Move":
      let count = min(instruction.name == "Copy" ? third + 1 : third, SQLiteLimits.operandsMax)
      guard count > 0 else { return }
      let moved = (0..<count).map { values[first + $0] }
      for (offset, value) in moved.enumerated() { values[second + offset] = value }
    case "Null":
      for register in second...max(second, min(third, second + SQLiteLimits.operandsMax)) { values[register] = .short }
    case let name where ProgramFlow.isToSecond(name): values[second] = .short
    case let name where ProgramFlow.numbers.contains(name): values[third] = .short
    case let name where ProgramFlow.leavesTexts(name): break
    default: for register in [first, second, third] { values[register] = nil }
    }
  }
}
