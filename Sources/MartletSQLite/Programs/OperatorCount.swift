/// Counts the operators of a compiled program that may scan a long value. SQLite cannot be interrupted within one.
///
/// Always true: it counts too many rather than too few. What only looks at a number, a flag or a constant does not
/// count; what compares or copies bytes counts as a part of one that reads digits. Where a register may be long in one
/// place of the program, it may be so in all.
struct OperatorCount {
  /// Where values came from, which decides how long they may be.
  private struct Registers {
    /// The columns and parameters whose values they may hold.
    var origins: [Int: Set<OperatorTally.Origin>] = [:]
    /// May hold what a table, a trigger's row or a function gives.
    var stored: Set<Int> = []
    /// May hold a bound value.
    var bound: Set<Int> = []
    /// May hold a value that is none of a column or a parameter.
    var made: Set<Int> = []
    /// Hold what was put together from short values; whoever uses it twice may make it twice as long, again and again.
    var joined: Set<Int> = []

    func isLong(_ register: Int) -> Bool { stored.contains(register) || bound.contains(register) }

    /// A register that may hold many is not followed: it may hold any.
    mutating func note(_ new: Set<OperatorTally.Origin>, in register: Int) {
      guard origins[register]?.count ?? 0 < SQLiteLimits.followedOriginsMax else { return }
      origins[register, default: []].formUnion(new)
      if origins[register, default: []].count >= SQLiteLimits.followedOriginsMax { made.insert(register) }
    }

    var count: Int {
      stored.count + bound.count + joined.count + made.count + origins.values.reduce(0) { $0 + $1.count }
    }
  }

  /// Operators on what is read from tables or made.
  private(set) var onStored = 0
  /// The same, and those on bound values.
  private(set) var onAll = 0
  /// Operators on one and the same byte of a stored row, at most: those on different columns go through different ones.
  private(set) var onRow = 0
  /// The same of all values of a message, and of stored ones.
  private(set) var onMessage = 0

  private let program: [Instruction]
  /// Functions that end by themselves if they must.
  private let endable: Set<String>
  private var registers = Registers()
  /// The registers that calls of functions with any number of arguments read, by their places.
  private var arguments: [Int: [Int]] = [:]
  /// SQLite keeps the parsed form of all documents that the statement reads as JSON.
  private var keepsDocuments = false

  init(_ program: [Instruction], endable: Set<String> = []) {
    self.program = program
    self.endable = endable
    spread()
    keepsDocuments = countDocuments() <= SQLiteLimits.keptDocumentsMax
    // Nothing is certain of a program that would take long to follow.
    let isShort = program.count <= SQLiteLimits.followedInstructionsMax
    var (tally, last) = (OperatorTally(), LastValues(isShort ? program : []))
    arguments = CallArguments(program).registers
    for (place, instruction) in program.enumerated() {
      last.reach(place)
      for (register, cost) in reads(of: instruction, at: place) { charge(register, cost, last[register], to: &tally) }
      if Self.makesLong(instruction) { tally.add(cost(of: instruction), isBound: false) }
      if isShort { last.note(instruction) }
    }
    (onStored, onAll) = (tally.stored, tally.all)
    (onRow, onMessage) = (tally.onRow, tally.onMessage)
  }

  /// The registers that an instruction goes through, and what that costs.
  private func reads(of instruction: Instruction, at place: Int) -> [(register: Int, cost: Int)] {
    if let converted = Self.converted(by: instruction) { return converted.map { ($0, SQLiteLimits.operatorParts) } }
    let cost = cost(of: instruction)
    guard cost > 0 else { return [] }
    if let arguments = arguments[place] {
      // Each path is looked for in the whole of the document, which comes first.
      let paths = Self.keptJSON.contains(instruction.function.name) ? max(0, arguments.count - 2) : 0
      return arguments.enumerated().map { ($1, $0 == 0 ? cost + paths * SQLiteLimits.pathParts : cost) }
    }
    guard !Self.makesLong(instruction) else { return [] }
    return Set(inputs(of: instruction)).map { ($0, cost) }
  }

  /// - Parameter value: what the register has, if that is certain.
  private func charge(_ register: Int, _ cost: Int, _ value: LastValues.Value?, to tally: inout OperatorTally) {
    switch value {
    case .short: return
    case .origin(let origin): return tally.add(cost, isBound: origin.isBound, of: [origin])
    case nil: break
    }
    let isStored = registers.stored.contains(register)
    guard registers.isLong(register) else { return }
    let origins = registers.made.contains(register) ? [] : registers.origins[register] ?? []
    tally.add(cost, isBound: !isStored, of: origins)
  }

  // MARK: - What an instruction costs

  private static let arithmetic: Set<String> = [
    "Add", "Subtract", "Multiply", "Divide", "Remainder", "BitAnd", "BitOr", "ShiftLeft", "ShiftRight",
  ]
  private static let comparisons: Set<String> = ["Eq", "Ne", "Lt", "Le", "Gt", "Ge"]
  private static let conversions: Set<String> = [
    "Cast", "MustBeInt", "NumericAff", "Not", "BitNot", "IsTrue", "If", "IfNot",
  ]
  private static let calls: Set<String> = ["Function", "PureFunc", "AggStep", "AggStep1", "AggInverse"]

  private static let seeks: Set<String> = [
    "SeekRowid", "NotExists", "SeekGE", "SeekGT", "SeekLE", "SeekLT", "Found", "NotFound", "NoConflict", "IfNoHope",
    "IdxGE", "IdxGT", "IdxLE", "IdxLT",
  ]

  /// What it costs for each register that it reads.
  private func cost(of instruction: Instruction) -> Int {
    let name = instruction.name
    if Self.calls.contains(name) { return cost(ofCalling: instruction.function.name) }
    if Self.arithmetic.contains(name) || Self.conversions.contains(name) { return SQLiteLimits.operatorParts }
    switch name {
    case "Concat": return SQLiteLimits.operatorParts
    case "And", "Or": return SQLiteLimits.operatorParts
    // A key is read as a number first, and a virtual table may read it as JSON.
    case _ where Self.seeks.contains(name): return SQLiteLimits.operatorParts
    case "VFilter": return SQLiteLimits.jsonParts
    case "VUpdate": return SQLiteLimits.wordParts
    case "IdxInsert", "IdxDelete": return SQLiteLimits.keyParts
    // With a numeric affinity texts are read as numbers first.
    case _ where Self.comparisons.contains(name):
      return instruction.flags & 0x47 >= 0x43 ? SQLiteLimits.operatorParts : Self.cost(ofComparing: instruction)
    case "Compare": return Self.cost(ofComparing: instruction)
    case "Copy": return SQLiteLimits.copyParts
    default: return 0
    }
  }

  /// The name of a collation is behind it, or one for each column of a key: `NOCASE-8`, `k(2,B,NOCASE)`.
  private static func cost(ofComparing instruction: Instruction) -> Int {
    let names = instruction.text.split { !$0.isLetter }
    let isPlain = names.allSatisfy { ["k", "B", "BINARY"].contains($0) }
    return isPlain ? SQLiteLimits.comparisonParts : SQLiteLimits.collationParts
  }

  private func cost(ofCalling name: String) -> Int {
    if name == "strftime" { return SQLiteLimits.formatParts }
    if Self.constant.contains(name) { return 0 }
    if endable.contains(name) { return SQLiteLimits.copyParts }
    if Self.keptJSON.contains(name) { return keepsDocuments ? SQLiteLimits.comparisonParts : SQLiteLimits.jsonParts }
    return name.hasPrefix("json") ? SQLiteLimits.jsonParts : SQLiteLimits.operatorParts
  }

  /// How many documents the statement reads by functions that keep the parsed form, if each register has one.
  private func countDocuments() -> Int {
    var (known, others) = (Set<OperatorTally.Origin>(), 0)
    for instruction in program where Self.calls.contains(instruction.name) {
      guard Self.keptJSON.contains(instruction.function.name) else { continue }
      guard let origins = registers.origins[instruction.second] else {
        others += 1
        continue
      }
      known.formUnion(origins)
    }
    return known.count + others
  }

  // MARK: - Conversions to numbers

  private static let conversionsOfSeveral: Set<String> = ["TypeCheck", "MakeRecord", "Affinity"]

  /// The registers whose texts an instruction reads as numbers, one after the other; nil if it is of another kind.
  private static func converted(by instruction: Instruction) -> [Int]? {
    // The numbers of others mean other things, and may be large.
    guard conversionsOfSeveral.contains(instruction.name) else { return nil }
    let all = range(instruction.first, instruction.second)
    switch instruction.name {
    case "TypeCheck": return all
    // An affinity for each; those from C on are of numbers.
    case "MakeRecord", "Affinity":
      return zip(all, instruction.text.utf8).filter { $1 >= UInt8(ascii: "C") && $1 <= UInt8(ascii: "F") }.map(\.0)
    default: return nil
    }
  }

  private func inputs(of instruction: Instruction) -> [Int] {
    let (name, first) = (instruction.name, instruction.first)
    if Self.arithmetic.contains(name) || name == "Concat" { return [first, instruction.second] }
    if Self.comparisons.contains(name) { return [first, instruction.third] }
    if Self.conversions.contains(name) { return [first] }
    // Without a number it is a whole key.
    if Self.seeks.contains(name) { return Self.range(instruction.third, max(1, Int(instruction.text) ?? 1)) }
    if Self.calls.contains(name) {
      // An aggregate's instruction has the number of its arguments, which a function's has not.
      let width = max(instruction.function.width, instruction.flags)
      let isKnown = instruction.function.width >= 0 || instruction.flags > 0
      return Self.range(instruction.second, isKnown ? width : SQLiteLimits.unknownArguments)
    }
    switch name {
    case "And", "Or": return [first, instruction.second]
    case "VUpdate": return Self.range(instruction.third, instruction.second)
    case "IdxInsert": return [instruction.second]
    case "IdxDelete": return Self.range(instruction.second, instruction.third)
    case "VFilter": return Self.range(instruction.third + 2, SQLiteLimits.unknownArguments)
    case "Compare": return Self.range(first, instruction.third) + Self.range(instruction.second, instruction.third)
    case "Copy": return Self.range(first, instruction.third + 1)
    case "SCopy", "IntCopy": return [first]
    case "Move": return Self.range(first, instruction.third)
    default: return []
    }
  }

  private static func range(_ start: Int, _ count: Int) -> [Int] {
    Array(start..<start + min(max(0, count), SQLiteLimits.operandsMax))
  }

  // MARK: - Where long values go

  /// The register that an instruction fills with a value which it reads from somewhere else; nil if it reads none.
  private static func source(_ instruction: Instruction) -> Int? {
    switch instruction.name {
    case "Column", "VColumn", "AggValue": instruction.third
    case "Param", "RowData", "SorterData": instruction.second
    case "AggFinal": instruction.first
    // A constant as long as the text of the statement may be.
    case "String8", "String", "Blob":
      instruction.text.utf8.count > SQLiteLimits.shortConstantBytesMax ? instruction.second : nil
    default: makesLong(instruction) ? instruction.third : nil
    }
  }

  /// A function of short values whose result may be long all the same, as far as is known.
  private static func makesLong(_ instruction: Instruction) -> Bool {
    guard instruction.callsFunction else { return false }
    let (name, width) = instruction.function
    return !constant.contains(name) && !dates.contains(name) && (width < 0 || !shortened.contains(name))
  }

  /// Functions that look at a few bytes of their arguments at most, and return as few.
  private static let constant: Set<String> = [
    "changes", "last_insert_rowid", "random", "total_changes", "typeof", "uuid",
  ]

  /// Functions that read all digits of their arguments, and return a few bytes.
  private static let dates: Set<String> = ["date", "datetime", "julianday", "time", "unixepoch"]

  /// Functions for whose documents SQLite keeps the parsed form.
  private static let keptJSON: Set<String> = [
    "->", "->>", "json_array_length", "json_extract", "json_type", "json_valid",
  ]

  /// Functions whose result is a number.
  private static let numeric: Set<String> = [
    "abs", "glob", "instr", "json_array_length", "json_valid", "length", "like", "round", "sign", "unicode",
  ]

  /// Functions whose result is not longer than their arguments. What doubles a text, such as `hex`, makes it long if it
  /// is called within itself a few times.
  static let shortened: Set<String> = numeric.union([
    "ifnull", "lower", "ltrim", "nullif", "rtrim", "substr", "substring", "trim", "upper",
  ])

  /// Follows values from register to register until nothing new is found.
  private mutating func spread() {
    for instruction in program {
      if let place = Self.source(instruction) {
        registers.stored.insert(place)
        if !Self.columns.contains(instruction.name) { registers.made.insert(place) }
      }
      if instruction.name == "Variable" { registers.bound.insert(instruction.second) }
      note(originOf: instruction)
    }
    for _ in 0..<SQLiteLimits.spreadRoundsMax {
      let before = registers.count
      for instruction in program { pass(instruction) }
      if registers.count == before { return }
    }
    // A program that is made to take longer has long values everywhere.
    for instruction in program { for register in inputs(of: instruction) { registers.stored.insert(register) } }
  }

  private static let columns: Set<String> = ["Column", "VColumn", "Param"]

  private mutating func note(originOf instruction: Instruction) {
    guard program.count <= SQLiteLimits.followedInstructionsMax else { return }
    let (first, second, third) = (instruction.first, instruction.second, instruction.third)
    switch instruction.name {
    case "Variable": registers.note([.parameter(first)], in: second)
    case "Column": registers.note([.column(cursor: first, second)], in: third)
    case "VColumn": registers.note([.made(cursor: first, second)], in: third)
    case "Param": registers.note([.ofRow(first)], in: second)
    default: break
    }
  }

  private mutating func pass(_ instruction: Instruction) {
    let inputs = inputs(of: instruction)
    switch instruction.name {
    case "Copy", "SCopy", "Move":
      for (offset, input) in inputs.enumerated() {
        pass(input, to: instruction.second + offset)
        passOrigin(of: input, to: instruction.second + offset)
        if registers.joined.contains(input) { registers.stored.insert(instruction.second + offset) }
      }
    case "MakeRecord":
      let values = Self.range(instruction.first, instruction.second)
      for value in values { pass(value, to: instruction.third) }
      // It is none of its values, and as long as all of them.
      if registers.isLong(instruction.third) { registers.made.insert(instruction.third) }
      if values.contains(where: registers.joined.contains) { registers.joined.insert(instruction.third) }
    case "Concat":
      registers.joined.insert(instruction.third)
      if instruction.first == instruction.second { registers.stored.insert(instruction.third) }
      for input in inputs { pass(input, to: instruction.third) }
      registers.made.insert(instruction.third)
    case "Function", "PureFunc":
      let name = instruction.function.name
      guard !Self.numeric.contains(name), !Self.constant.contains(name), !Self.dates.contains(name) else { return }
      // Those whose results may be longer are known by now.
      for input in inputs {
        pass(input, to: instruction.third)
        passOrigin(of: input, to: instruction.third)
      }
      if inputs.contains(where: registers.joined.contains) { registers.joined.insert(instruction.third) }
    default: break
    }
  }

  private mutating func passOrigin(of input: Int, to output: Int) {
    if registers.made.contains(input) { registers.made.insert(output) }
    if let origins = registers.origins[input] { registers.note(origins, in: output) }
  }

  private mutating func pass(_ input: Int, to output: Int) {
    if registers.stored.contains(input) { registers.stored.insert(output) }
    if registers.bound.contains(input) { registers.bound.insert(output) }
  }
}
