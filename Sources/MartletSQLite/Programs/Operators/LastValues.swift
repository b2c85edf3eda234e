/// The values that the registers of one program are known to hold at one instruction: what was put there last, if the
/// program can come to the instruction on no other way since.
struct LastValues {
  enum Value {
    /// A column of a row or a parameter, or what is not longer than it.
    case origin(OperatorTally.Origin)
    /// A short constant.
    case constant(String)
    /// A number, or nothing.
    case short
  }

  private var values: [Int: Value] = [:]
  /// Places to which the program comes in other ways than from the one before.
  private var joins: Set<Int> = []
  private let number: Int

  /// `number`: the program's within its statement.
  init(_ program: [Instruction], number: Int) {
    self.number = number
    let ways = ProgramFlow.predecessors(in: program)
    for (place, comesFrom) in ways.dropLast().enumerated() where comesFrom != [place - 1] { joins.insert(place) }
  }

  subscript(register: Int) -> Value? { values[register] }

  /// The program has come to this place.
  mutating func reach(_ place: Int) { if joins.contains(place) { values = [:] } }

  /// The instruction has run.
  mutating func note(_ instruction: Instruction) {
    let (first, second, third) = (instruction.first, instruction.second, instruction.third)
    if let (origin, register) = OperatorTally.Origin.read(by: instruction, inProgram: number) {
      values[register] = .origin(origin)
      return
    }
    switch instruction.name {
    case "String8", "String": values[second] = InstructionReads.shortConstant(instruction).map { .constant($0) }
    case "Blob": values[second] = InstructionReads.shortConstant(instruction).map { _ in .short }
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
