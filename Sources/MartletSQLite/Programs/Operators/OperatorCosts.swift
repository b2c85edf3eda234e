/// What the instructions of one program cost, in parts of an operator, for each register that they go through.
///
/// Always true: what only looks at a number, a flag or a constant does not count; what compares or copies bytes counts
/// as a part of one that reads digits.
struct OperatorCosts {
  /// Functions that end by themselves if they must.
  let endable: Set<String>
  let tables: VirtualTableCosts
  /// The keys of indexes with their collations, by the cursors of the program.
  private let keys: [Int: String]

  init(of program: [Instruction], endable: Set<String>, tables: VirtualTableCosts) {
    (self.endable, self.tables) = (endable, tables)
    let opened = program.filter { $0.text.hasPrefix("k(") && $0.name.contains("Open") }
    keys = Dictionary(opened.map { ($0.first, $0.text) }, uniquingKeysWith: { $0 + $1 })
  }

  /// Of any instruction, except for documents of which SQLite keeps the parsed form.
  func cost(of instruction: Instruction) -> Int {
    let name = instruction.name
    if InstructionReads.calls.contains(name) { return cost(ofCalling: instruction.function.name) }
    if InstructionReads.arithmetic.contains(name) || InstructionReads.conversions.contains(name) {
      return SQLiteLimits.operatorParts
    }
    switch name {
    case "Concat": return SQLiteLimits.operatorParts
    case "And", "Or": return SQLiteLimits.operatorParts
    // Its key is copied from the index and compared once.
    case _ where InstructionReads.keyComparisons.contains(name):
      return keys[instruction.first].map(Self.isPlain) == true
        ? SQLiteLimits.copyParts + SQLiteLimits.comparisonParts : SQLiteLimits.keyParts
    // A key of a row is read as a number first, and one of an index is compared some times.
    case _ where InstructionReads.seeks.contains(name):
      let isPlain = keys[instruction.first].map(Self.isPlain) ?? true
      return isPlain ? SQLiteLimits.operatorParts : SQLiteLimits.collatedSeekParts
    // A virtual table may read it as JSON.
    case "VFilter": return SQLiteLimits.jsonParts
    case "VUpdate": return tables.words(of: instruction)
    case "IdxInsert", "IdxDelete": return SQLiteLimits.keyParts
    // With a numeric affinity texts are read as numbers first.
    case _ where InstructionReads.comparisons.contains(name):
      return instruction.flags & 0x47 >= 0x43 ? SQLiteLimits.operatorParts : Self.cost(ofComparing: instruction)
    case "Compare": return Self.cost(ofComparing: instruction)
    case "Copy": return SQLiteLimits.copyParts
    default: return 0
    }
  }

  /// The name of a collation is behind it, or one for each column of a key: `NOCASE-8`, `k(2,B,NOCASE)`.
  private static func cost(ofComparing instruction: Instruction) -> Int {
    isPlain(instruction.text) ? SQLiteLimits.comparisonParts : SQLiteLimits.collationParts
  }

  private static func isPlain(_ collations: String) -> Bool {
    collations.split { !$0.isLetter }.allSatisfy { ["k", "B", "BINARY"].contains($0) }
  }

  private func cost(ofCalling name: String) -> Int {
    if InstructionReads.constant.contains(name) { return 0 }
    if endable.contains(name) { return SQLiteLimits.copyParts }
    return name.hasPrefix("json") ? SQLiteLimits.jsonParts : SQLiteLimits.operatorParts
  }
}
