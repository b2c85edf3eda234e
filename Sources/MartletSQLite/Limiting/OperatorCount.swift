/// How many operators of a statement's program go through the whole of a value that may be long: nobody can end SQLite
/// between two of them.
///
/// Always true: it counts too many rather than too few. What only looks at a number, a flag or a constant does not
/// count; what compares or copies bytes counts as a part of one that reads digits. Where a register may be long in one
/// place of the program, it may be so in all.
struct OperatorCount {
  /// One instruction, as `EXPLAIN` lists it.
  struct Instruction {
    let name: String
    let first: Int
    let second: Int
    let third: Int
    /// A function's name and width, or a constant.
    let text: String
    let flags: Int
  }

  /// Where a value came from, which decides how long it may be.
  private struct Registers {
    /// May hold what a table, a trigger's row or a function gives.
    var stored: Set<Int> = []
    /// May hold a bound value.
    var bound: Set<Int> = []
    /// Hold what was put together from short values; whoever uses it twice may make it twice as long, again and again.
    var joined: Set<Int> = []

    var count: Int { stored.count + bound.count + joined.count }
  }

  /// Operators on what is read from tables or made.
  private(set) var onStored = 0
  /// The same, and those on bound values.
  private(set) var onAll = 0

  private let program: [Instruction]
  private var registers = Registers()

  init(_ program: [Instruction]) {
    self.program = program
    spread()
    var (stored, all) = (0, 0)
    for instruction in program {
      let cost = cost(of: instruction)
      guard cost > 0 else { continue }
      let inputs = inputs(of: instruction)
      let makes = Self.makesLong(instruction)
      if makes || inputs.contains(where: registers.stored.contains) {
        stored += cost
        all += cost
      } else if inputs.contains(where: registers.bound.contains) {
        all += cost
      }
    }
    onStored = (stored + SQLiteLimits.operatorParts - 1) / SQLiteLimits.operatorParts
    onAll = (all + SQLiteLimits.operatorParts - 1) / SQLiteLimits.operatorParts
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

  private func cost(of instruction: Instruction) -> Int {
    let name = instruction.name
    if Self.calls.contains(name) {
      return Self.constant.contains(Self.function(instruction).name) ? 0 : SQLiteLimits.operatorParts
    }
    if Self.arithmetic.contains(name) || Self.conversions.contains(name) { return SQLiteLimits.operatorParts }
    switch name {
    case "Concat", "Affinity": return SQLiteLimits.operatorParts
    // With a numeric affinity texts are read as numbers first.
    case _ where Self.comparisons.contains(name):
      return instruction.flags & 0x47 >= 0x43 ? SQLiteLimits.operatorParts : SQLiteLimits.comparisonParts
    case "Compare": return SQLiteLimits.comparisonParts * max(1, instruction.third)
    case "Copy": return SQLiteLimits.copyParts * max(1, instruction.third + 1)
    default: return 0
    }
  }

  private func inputs(of instruction: Instruction) -> [Int] {
    let (name, first) = (instruction.name, instruction.first)
    if Self.arithmetic.contains(name) || name == "Concat" { return [first, instruction.second] }
    if Self.comparisons.contains(name) { return [first, instruction.third] }
    if Self.conversions.contains(name) { return [first] }
    if Self.calls.contains(name) {
      // An aggregate's instruction has the number of its arguments, which a function's has not.
      return Self.range(instruction.second, max(Self.function(instruction).width, instruction.flags))
    }
    switch name {
    case "Affinity": return Self.range(first, instruction.second)
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
    case "Column", "VColumn", "AggValue", "MakeRecord": instruction.third
    case "Param", "RowData", "SorterData": instruction.second
    case "AggFinal": instruction.first
    // A constant as long as the text of the statement may be.
    case "String8", "String", "Blob":
      instruction.text.utf8.count > SQLiteLimits.shortConstantBytesMax ? instruction.second : nil
    default: makesLong(instruction) ? instruction.third : nil
    }
  }

  /// The name of the function that an instruction calls, and how many arguments it was registered for: -1 for any
  /// number.
  private static func function(_ instruction: Instruction) -> (name: String, width: Int) {
    let parts = instruction.text.split(separator: "(", maxSplits: 1)
    let width = parts.count > 1 ? Int(parts[1].prefix { $0 != ")" }) : nil
    return (parts.first.map(String.init) ?? "", width ?? -1)
  }

  /// A function of short values whose result may be long all the same, as far as is known.
  private static func makesLong(_ instruction: Instruction) -> Bool {
    guard instruction.name == "Function" || instruction.name == "PureFunc" else { return false }
    let (name, width) = function(instruction)
    return !constant.contains(name) && (width < 0 || !shortened.contains(name))
  }

  /// Functions that look at a few bytes of their arguments at most, and return as few.
  private static let constant: Set<String> = [
    "changes", "date", "datetime", "julianday", "last_insert_rowid", "random", "time", "total_changes", "typeof",
    "unixepoch", "uuid",
  ]

  /// Functions whose result is a number.
  private static let numeric: Set<String> = [
    "abs", "glob", "instr", "json_array_length", "json_valid", "length", "like", "round", "sign", "unicode",
  ]

  /// Functions whose result is not longer than their arguments. What doubles a text, such as `hex`, makes it long if it
  /// is called within itself a few times.
  private static let shortened: Set<String> = numeric.union([
    "ifnull", "lower", "ltrim", "nullif", "rtrim", "substr", "substring", "trim", "upper",
  ])

  /// Follows values from register to register until nothing new is found.
  private mutating func spread() {
    for instruction in program {
      if let place = Self.source(instruction) { registers.stored.insert(place) }
      if instruction.name == "Variable" { registers.bound.insert(instruction.second) }
    }
    for _ in 0..<SQLiteLimits.spreadRoundsMax {
      let before = registers.count
      for instruction in program { pass(instruction) }
      if registers.count == before { return }
    }
    // A program that is made to take longer has long values everywhere.
    for instruction in program { for register in inputs(of: instruction) { registers.stored.insert(register) } }
  }

  private mutating func pass(_ instruction: Instruction) {
    let inputs = inputs(of: instruction)
    switch instruction.name {
    case "Copy", "SCopy", "Move":
      for (offset, input) in inputs.enumerated() {
        pass(input, to: instruction.second + offset)
        if registers.joined.contains(input) { registers.stored.insert(instruction.second + offset) }
      }
    case "Concat":
      registers.joined.insert(instruction.third)
      if instruction.first == instruction.second { registers.stored.insert(instruction.third) }
      for input in inputs { pass(input, to: instruction.third) }
    case "Function", "PureFunc":
      let name = Self.function(instruction).name
      guard !Self.numeric.contains(name), !Self.constant.contains(name) else { return }
      for input in inputs { pass(input, to: instruction.third) }
      if inputs.contains(where: registers.joined.contains) { registers.joined.insert(instruction.third) }
    default: break
    }
  }

  private mutating func pass(_ input: Int, to output: Int) {
    if registers.stored.contains(input) { registers.stored.insert(output) }
    if registers.bound.contains(input) { registers.bound.insert(output) }
  }
}
