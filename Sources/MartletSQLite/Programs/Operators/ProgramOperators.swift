import CSQLite

/// Counts the operators of one program of a statement: its own, or that of a trigger.
///
/// Always true: it counts too many rather than too few.
struct ProgramOperators {
  /// Those outside of loops that look up after each round.
  private(set) var outside = OperatorTally()
  /// Those of each such loop.
  private(set) var rounds: [OperatorTally] = []

  private let program: [Instruction]
  private let costs: OperatorCosts
  private let values: ValueOrigins
  private let documents: KeptDocuments
  /// The registers that calls of functions with any number of arguments read, by their places.
  private let arguments: [Int: [Int]]
  /// The places of calls whose results are short.
  private let shortResults: Set<Int>
  /// What the program calls the virtual tables that it opens, by their cursors.
  private let tables: [Int: String]
  private let number: Int
  /// The instruction that is being counted is in the last of these loops, which ends before `end`.
  private var (isInRound, end) = (false, 0)

  /// - Parameters:
  ///   - number: the program's within its statement.
  ///   - isFollowed: whether its values are followed. Nothing is certain of what would take long to follow.
  init(_ program: [Instruction], number: Int, isFollowed: Bool, costs: OperatorCosts) {
    self.program = program
    self.number = number
    self.costs = costs
    let last = LastValues(isFollowed ? program : [], number: number)
    let arguments = CallArguments(program).registers
    self.arguments = arguments
    shortResults = isFollowed ? Self.shortFormats(in: program, last) : []
    values = ValueOrigins(program, number: number, isFollowed: isFollowed, shortResults: shortResults)
    documents = KeptDocuments(program, values, last, arguments: arguments)
    tables = Dictionary(
      program.filter { $0.name == "VOpen" }.map { ($0.first, $0.text) }, uniquingKeysWith: { first, _ in first })
    count(last, isFollowed: isFollowed)
  }

  /// The calls that make a date by a format which is a short constant.
  private static func shortFormats(in program: [Instruction], _ last: LastValues) -> Set<Int> {
    let calls = Set(program.indices.filter { program[$0].callsFunction && program[$0].function.name == "strftime" })
    guard !calls.isEmpty else { return [] }
    var (constants, others) = (Set<Int>(), Set<Int>())
    for instruction in program {
      if InstructionReads.shortConstant(instruction) != nil {
        constants.insert(instruction.second)
      } else {
        others.formUnion(ProgramFlow.outputs(of: instruction))
      }
    }
    var (last, short) = (last, Set<Int>())
    for (place, instruction) in program.enumerated() {
      last.reach(place)
      if calls.contains(place) {
        let format = instruction.second
        let isConstant = constants.contains(format) && !others.contains(format)
        switch last[format] {
        case .short, .constant: short.insert(place)
        case .origin, nil: if isConstant { short.insert(place) }
        }
      }
      last.note(instruction)
    }
    return short
  }

  private mutating func count(_ last: LastValues, isFollowed: Bool) {
    var last = last
    // They are told from the last to the first.
    var places = isFollowed ? ProgramFlow.rounds(in: program) : []
    // Columns that nothing has gone through yet. What goes through one costs more than reading it.
    var unused: [Int: OperatorTally.Origin] = [:]
    for (place, instruction) in program.enumerated() {
      if isInRound, place == end { isInRound = false }
      if let next = places.last, next.lowerBound == place {
        (isInRound, end) = (true, next.upperBound)
        rounds.append(OperatorTally())
        places.removeLast()
      }
      last.reach(place)
      for (register, cost) in reads(of: instruction, at: place) {
        if cost >= SQLiteLimits.comparisonParts { unused[register] = nil }
        charge(register, cost, last[register])
      }
      if makesLong(instruction, at: place) { chargeMaking(instruction, at: place, &unused) }
      if Self.removesRow(instruction) { add(costs.cost(of: instruction), isBound: false) }
      chargeReading(instruction, &unused)
      if isFollowed { last.note(instruction) }
    }
    isInRound = false
    for (origin, cost) in documents.members { add(cost, isBound: origin.isBound, of: [origin]) }
    for origin in unused.values { add(SQLiteLimits.rowColumnParts, isBound: false, of: [origin]) }
  }

  private mutating func add(_ cost: Int, isBound: Bool, of origins: Set<OperatorTally.Origin> = []) {
    if isInRound {
      rounds[rounds.count - 1].add(cost, isBound: isBound, of: origins)
    } else {
      outside.add(cost, isBound: isBound, of: origins)
    }
  }

  /// The registers that an instruction goes through, and what that costs.
  private func reads(of instruction: Instruction, at place: Int) -> [(register: Int, cost: Int)] {
    if let converted = InstructionReads.converted(by: instruction) {
      return converted.map { ($0, SQLiteLimits.operatorParts) }
    }
    let kept = documents.costs[place]
    let cost = kept?.other ?? costs.cost(of: instruction)
    guard cost > 0 else { return [] }
    if let arguments = arguments[place] {
      // Each path is looked for in the whole of the document, which comes first.
      let paths = max(0, arguments.count - 2) * SQLiteLimits.pathParts
      let format = instruction.function.name == "strftime" ? SQLiteLimits.formatParts : cost
      let first = kept.map { $0.document + paths } ?? format
      return arguments.enumerated().map { ($1, $0 == 0 ? first : cost) }
    }
    guard !makesLong(instruction, at: place) else { return [] }
    if instruction.name == "VUpdate" { return costs.tables.texts(of: instruction).map { ($0, cost) } }
    return Set(InstructionReads.inputs(of: instruction)).map { register in
      (register, register == instruction.second ? kept?.document ?? cost : cost)
    }
  }

  /// A full-text table cuts the texts of a row into words once more when it goes, or may go for a new one.
  private static func removesRow(_ instruction: Instruction) -> Bool {
    instruction.name == "VUpdate" && (instruction.first == 0 || instruction.flags == Int(SQLITE_REPLACE))
  }

  /// What a function makes is none of its arguments.
  private mutating func chargeMaking(
    _ instruction: Instruction, at place: Int, _ unused: inout [Int: OperatorTally.Origin]
  ) {
    let kept = documents.costs[place].map { arguments[place] == nil ? $0.document : $0.other }
    let cost = kept ?? costs.cost(of: instruction)
    add(cost, isBound: false)
    guard cost >= SQLiteLimits.comparisonParts else { return }
    for register in InstructionReads.inputs(of: instruction) { unused[register] = nil }
  }

  /// What reading a column costs. A virtual table makes its value for each that reads it.
  private mutating func chargeReading(_ instruction: Instruction, _ unused: inout [Int: OperatorTally.Origin]) {
    guard let (origin, register) = OperatorTally.Origin.read(by: instruction, inProgram: number) else { return }
    switch instruction.name {
    case "VColumn":
      let cost = costs.tables.reading(instruction.second, of: tables[instruction.first] ?? "")
      add(cost, isBound: false, of: [origin])
    case "Column":
      guard let before = unused.updateValue(origin, forKey: register) else { return }
      add(SQLiteLimits.rowColumnParts, isBound: false, of: [before])
    default: break
    }
  }

  private func makesLong(_ instruction: Instruction, at place: Int) -> Bool {
    !shortResults.contains(place) && InstructionReads.makesLong(instruction)
  }

  /// - Parameter value: what the register has, if that is certain.
  private mutating func charge(_ register: Int, _ cost: Int, _ value: LastValues.Value?) {
    switch value {
    case .short, .constant: return
    case .origin(let origin): return add(cost, isBound: origin.isBound, of: [origin])
    case nil: break
    }
    guard values.isLong(register) else { return }
    add(cost, isBound: !values.isStored(register), of: values.origins(of: register))
  }
}
