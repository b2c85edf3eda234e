/// What the instructions of one program cost, in parts of an operator, for each register that they go through.
///
/// Always true: what only looks at a number, a flag or a constant does not count; what compares or copies bytes counts
/// as a part of one that reads digits.
struct OperatorCosts {
  /// Functions that end by themselves if they must.
  let endable: Set<String>
  let tables: VirtualTableCosts

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
    // A key is read as a number first, and a virtual table may read it as JSON.
    case _ where InstructionReads.seeks.contains(name): return SQLiteLimits.operatorParts
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
    let names = instruction.text.split { !$0.isLetter }
    let isPlain = names.allSatisfy { ["k", "B", "BINARY"].contains($0) }
    return isPlain ? SQLiteLimits.comparisonParts : SQLiteLimits.collationParts
  }

  private func cost(ofCalling name: String) -> Int {
    if InstructionReads.constant.contains(name) { return 0 }
    if endable.contains(name) { return SQLiteLimits.copyParts }
    return name.hasPrefix("json") ? SQLiteLimits.jsonParts : SQLiteLimits.operatorParts
  }
}
