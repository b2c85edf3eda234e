/// Finds the texts that a statement's program hands to full-text tables, those of its triggers too.
///
/// Always true: it goes back from where a table gets a text to every instruction that may have made it, whatever way
/// the program takes. What it cannot follow is `unknown`.
struct PatternSearch {
  /// What comes through this function has been looked at.
  static let function = "martlet_pattern"

  private(set) var patterns: Set<Pattern> = []

  /// One program of the statement: its own, or that of a trigger.
  private let program: [Instruction]
  private var comesFrom: [[Int]] = []
  private var looks = 0

  /// - Parameter oldTables: what the program calls the tables of FTS3 and FTS4 when it opens them.
  static func patterns(of instructions: [Instruction], oldTables: Set<String>) -> Set<Pattern> {
    var (patterns, program): (Set<Pattern>, [Instruction]) = ([], [])
    for instruction in instructions {
      if instruction.address < program.count {
        patterns.formUnion(PatternSearch(program, oldTables).patterns)
        program = []
      }
      program.append(instruction)
    }
    return patterns.union(PatternSearch(program, oldTables).patterns)
  }

  private init(_ program: [Instruction], _ oldTables: Set<String>) {
    self.program = program
    guard program.contains(where: { $0.name == "VFilter" }) else { return }
    comesFrom = ProgramFlow.predecessors(in: program)
    let oldCursors = Set(program.filter { $0.name == "VOpen" && oldTables.contains($0.text) }.map(\.first))
    for (address, instruction) in program.enumerated() where instruction.name == "VFilter" {
      if oldCursors.contains(instruction.first) {
        guard asksOldTable(instruction, at: address) else { continue }
        note(register: instruction.third + 2, at: address, isForOldTable: true)
      } else {
        // FTS5 says what each of its arguments is by a letter, and numbers of columns behind some.
        let letters = instruction.text.filter { !$0.isNumber }
        for (place, letter) in letters.enumerated() where "MLG".contains(letter) {
          note(register: instruction.third + 2 + place, at: address, isForOldTable: false)
        }
      }
    }
  }

  /// Whether the arguments begin with words. FTS4 is told by a number how it is asked: 0 for all rows, 1 for one.
  private mutating func asksOldTable(_ instruction: Instruction, at address: Int) -> Bool {
    guard let makers = makers(of: instruction.third, before: address) else { return true }
    return !makers.allSatisfy { program[$0].name == "Integer" && program[$0].first & 0xFFFF < 2 }
  }

  private mutating func note(register: Int, at address: Int, isForOldTable: Bool) {
    for source in sources(of: register, before: address, depth: 0) {
      patterns.insert(Pattern(source: source, isForOldTable: isForOldTable))
    }
  }

  // MARK: - Going back

  /// The last instructions on each way to `address` that change the register; nil if that takes too long to find out.
  private mutating func makers(of register: Int, before address: Int) -> [Int]? {
    var found: [Int] = []
    var seen: Set<Int> = []
    var open = comesFrom[address]
    while let place = open.popLast() {
      guard seen.insert(place).inserted else { continue }
      looks += 1
      guard looks < SQLiteLimits.patternLooksMax else { return nil }
      if place < program.count, ProgramFlow.changes(program[place], register) {
        found.append(place)
      } else {
        open += comesFrom[place]
      }
    }
    return found
  }

  private mutating func sources(of register: Int, before address: Int, depth: Int) -> Set<PatternSource> {
    guard depth < SQLiteLimits.patternPartsMax, let makers = makers(of: register, before: address) else {
      return [.unknown]
    }
    var sources: Set<PatternSource> = []
    for place in makers {
      sources.formUnion(made(by: program[place], in: register, at: place, depth: depth + 1))
    }
    return sources
  }

  private mutating func made(
    by instruction: Instruction, in register: Int, at place: Int, depth: Int
  ) -> Set<PatternSource> {
    switch instruction.name {
    case "String8", "String": return [.constant(instruction.text)]
    case "Variable": return [.parameter(instruction.first)]
    case "Copy", "SCopy", "IntCopy", "Move":
      return sources(of: instruction.first + register - instruction.second, before: place, depth: depth)
    case "Concat":
      return [
        .joined(
          sources(of: instruction.second, before: place, depth: depth),
          sources(of: instruction.first, before: place, depth: depth))
      ]
    case "Function", "PureFunc": return call(instruction, at: place, depth: depth)
    default: return ProgramFlow.numbers.contains(instruction.name) ? [] : [.unknown]
    }
  }

  /// Functions that leave quotation marks and parentheses where they are.
  private static let keepingWords: Set<String> = ["lower", "upper", "trim", "ltrim", "rtrim"]

  /// What a function makes that is not longer than what it gets. What it cuts away may be the quotation marks of a
  /// phrase, and the rest a NEAR.
  private mutating func call(_ instruction: Instruction, at place: Int, depth: Int) -> Set<PatternSource> {
    let (name, width) = instruction.function
    if name == Self.function { return [.checked] }
    if width == 1, Self.keepingWords.contains(name) {
      return sources(of: instruction.second, before: place, depth: depth)
    }
    guard InstructionReads.shortened.contains(name), width >= 0 else { return [.unknown] }
    var all: Set<PatternSource> = []
    for register in instruction.second..<instruction.second + width {
      all = [.joined(all, sources(of: register, before: place, depth: depth))]
    }
    return all
  }
}
