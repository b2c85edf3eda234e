/// Where the values of one program's registers came from, which decides how long they may be.
///
/// Always true: where a register may be long in one place of the program, it may be so in all.
struct ValueOrigins {
  /// The columns and parameters whose values registers may hold.
  private var origins: [Int: Set<OperatorTally.Origin>] = [:]
  /// The short constants that they may hold.
  private var constants: [Int: Set<String>] = [:]
  /// May hold what a table, a trigger's row or a function gives.
  private var stored: Set<Int> = []
  /// May hold a bound value.
  private var bound: Set<Int> = []
  /// May hold a value that is none of a column or a parameter.
  private var made: Set<Int> = []
  /// May hold what is neither a column, a parameter nor a constant, but perhaps a part of one.
  private var changed: Set<Int> = []
  /// Hold what was put together from short values; whoever uses it twice may make it twice as long, again and again.
  private var joined: Set<Int> = []
  private let shortResults: Set<Int>

  /// - Parameters:
  ///   - number: the program's within its statement.
  ///   - isFollowed: whether columns and parameters are told apart.
  ///   - shortResults: the places of calls that make nothing long.
  init(_ program: [Instruction], number: Int, isFollowed: Bool, shortResults: Set<Int>) {
    self.shortResults = shortResults
    for (place, instruction) in program.enumerated() {
      if !shortResults.contains(place), let register = InstructionReads.source(instruction) {
        stored.insert(register)
        if !Self.columns.contains(instruction.name) { made.insert(register) }
      }
      if instruction.name == "Variable" { bound.insert(instruction.second) }
      if isFollowed { note(originOf: instruction, number) }
    }
    spread(through: program)
  }

  // MARK: - What a register may hold

  func isLong(_ register: Int) -> Bool { stored.contains(register) || bound.contains(register) }

  func isStored(_ register: Int) -> Bool { stored.contains(register) }

  /// Empty if nobody knows where its values came from.
  func origins(of register: Int) -> Set<OperatorTally.Origin> {
    made.contains(register) ? [] : origins[register] ?? []
  }

  /// All columns and parameters that it may hold as they are, and all constants; nil if it may hold anything else.
  func wholes(of register: Int) -> (origins: Set<OperatorTally.Origin>, constants: Set<String>)? {
    guard !made.contains(register), !changed.contains(register) else { return nil }
    let wholes = (origins: origins[register] ?? [], constants: constants[register] ?? [])
    return wholes.origins.isEmpty && wholes.constants.isEmpty ? nil : wholes
  }

  // MARK: - What comes from elsewhere

  private static let columns: Set<String> = ["Column", "VColumn", "Param"]

  /// A register that may hold many is not followed: it may hold any.
  private mutating func note(_ new: Set<OperatorTally.Origin>, in register: Int) {
    guard origins[register]?.count ?? 0 < SQLiteLimits.followedOriginsMax else { return }
    origins[register, default: []].formUnion(new)
    if origins[register, default: []].count >= SQLiteLimits.followedOriginsMax { made.insert(register) }
  }

  private mutating func note(constants new: Set<String>, in register: Int) {
    guard constants[register]?.count ?? 0 < SQLiteLimits.followedOriginsMax else { return }
    constants[register, default: []].formUnion(new)
    if constants[register, default: []].count >= SQLiteLimits.followedOriginsMax { changed.insert(register) }
  }

  private mutating func note(originOf instruction: Instruction, _ number: Int) {
    if let (origin, register) = OperatorTally.Origin.read(by: instruction, inProgram: number) {
      return note([origin], in: register)
    }
    switch instruction.name {
    // What is shown of a blob is not all of it.
    case "String8", "String": note(constants: [instruction.text], in: instruction.second)
    case "Integer": note(constants: [String(instruction.first)], in: instruction.second)
    case "Null", "Copy", "SCopy", "Move": break
    default: changed.formUnion(ProgramFlow.outputs(of: instruction))
    }
  }

  // MARK: - Where it goes

  private var count: Int {
    stored.count + bound.count + joined.count + made.count + changed.count
      + origins.values.reduce(0) { $0 + $1.count } + constants.values.reduce(0) { $0 + $1.count }
  }

  /// Follows values from register to register until nothing new is found.
  private mutating func spread(through program: [Instruction]) {
    for _ in 0..<SQLiteLimits.spreadRoundsMax {
      let before = count
      for (place, instruction) in program.enumerated() where !shortResults.contains(place) { pass(instruction) }
      if count == before { return }
    }
    // A program that is made to take longer has long values everywhere, and nobody knows which.
    for instruction in program {
      let registers = InstructionReads.inputs(of: instruction)
      stored.formUnion(registers)
      made.formUnion(registers)
    }
  }

  private mutating func pass(_ instruction: Instruction) {
    let inputs = InstructionReads.inputs(of: instruction)
    let (second, third) = (instruction.second, instruction.third)
    switch instruction.name {
    case "Copy", "SCopy", "Move":
      for (offset, input) in inputs.enumerated() { copy(input, to: second + offset) }
    case "MakeRecord":
      let values = InstructionReads.range(instruction.first, second)
      for value in values { pass(value, to: third) }
      // It is none of its values, and as long as all of them.
      if isLong(third) { made.insert(third) }
      if values.contains(where: joined.contains) { joined.insert(third) }
    case "Concat":
      joined.insert(third)
      if instruction.first == second { stored.insert(third) }
      for input in inputs { pass(input, to: third) }
      made.insert(third)
    case "Function", "PureFunc":
      let name = instruction.function.name
      guard !InstructionReads.hasShortResult(name) else { return }
      // Those whose results may be longer are known by now.
      for input in inputs {
        pass(input, to: third)
        passOrigin(of: input, to: third)
      }
      if inputs.contains(where: joined.contains) { joined.insert(third) }
    default: break
    }
  }

  private mutating func copy(_ input: Int, to output: Int) {
    pass(input, to: output)
    passOrigin(of: input, to: output)
    if changed.contains(input) { changed.insert(output) }
    if let texts = constants[input] { note(constants: texts, in: output) }
    if joined.contains(input) { stored.insert(output) }
  }

  private mutating func passOrigin(of input: Int, to output: Int) {
    if made.contains(input) { made.insert(output) }
    if let origins = origins[input] { note(origins, in: output) }
  }

  private mutating func pass(_ input: Int, to output: Int) {
    if stored.contains(input) { stored.insert(output) }
    if bound.contains(input) { bound.insert(output) }
  }
}
