/// In which order the instructions of a program may run, and which registers they change.
///
/// Always true: an instruction that it does not know may go to any place that it names, and change any register.
enum ProgramFlow {
  /// The places of a statement's program and of each of its triggers: a trigger's program begins at 0 again.
  static func programs(in instructions: [Instruction]) -> [Range<Int>] {
    var (programs, start) = ([Range<Int>](), 0)
    for place in instructions.indices.dropFirst() where instructions[place].address <= instructions[place - 1].address {
      programs.append(start..<place)
      start = place
    }
    if start < instructions.count { programs.append(start..<instructions.count) }
    return programs
  }

  /// From where each instruction may be reached. What a subroutine or a coroutine goes back to stands behind one place
  /// more, at the end, which every way back leads to.
  static func predecessors(in program: [Instruction]) -> [[Int]] {
    let hub = program.count
    var predecessors: [[Int]] = Array(repeating: [], count: program.count + 1)
    let returns = program.enumerated().flatMap { address, instruction in
      switch instruction.name {
      case "Gosub", "BeginSubrtn": [address + 1]
      case "Yield": [address + 1, instruction.second]
      case "InitCoroutine": [instruction.third]
      default: [Int]()
      }
    }
    for (address, instruction) in program.enumerated() {
      var next: [Int] = []
      switch instruction.name {
      case "Goto": next = [instruction.second]
      case "Halt": break
      case "Return", "EndCoroutine": next = [address + 1]
      case "Yield": next = [address + 1, instruction.second]
      case "Jump": next = [instruction.first, instruction.second, instruction.third]
      case let name where isStraight(name): next = [address + 1]
      default: next = [address + 1, instruction.second]
      }
      for place in Set(next) where program.indices.contains(place) { predecessors[place].append(address) }
      if ["Return", "EndCoroutine", "Yield"].contains(instruction.name) { predecessors[hub].append(address) }
    }
    for place in Set(returns) where program.indices.contains(place) { predecessors[place].append(hub) }
    return predecessors
  }

  private static func isStraight(_ name: String) -> Bool {
    numbers.contains(name) || texts.contains(name) || plain.contains(name)
  }

  static func isToSecond(_ name: String) -> Bool { toSecond.contains(name) }

  /// Whether an instruction changes no register that could have a text.
  static func leavesTexts(_ name: String) -> Bool { plain.contains(name) || jumps.contains(name) }

  /// Whether an instruction puts something else into a register.
  static func changes(_ instruction: Instruction, _ register: Int) -> Bool {
    let (name, second, third) = (instruction.name, instruction.second, instruction.third)
    switch name {
    case "Null": return second <= register && register <= max(second, third)
    case "Copy": return second <= register && register <= second + third
    case "Move": return second <= register && register < second + third
    case "AggFinal": return instruction.first == register
    case "SCopy", "IntCopy", "Variable", "String8", "String", "Blob", "Param", "RowData", "SorterData":
      return second == register
    case _ where toSecond.contains(name): return second == register
    case _ where numbers.contains(name) || texts.contains(name): return third == register
    case _ where leavesTexts(name): return false
    default: return [instruction.first, second, third].contains(register)
    }
  }

  /// The registers into which an instruction puts something else.
  static func outputs(of instruction: Instruction) -> [Int] {
    let (second, third) = (instruction.second, instruction.third)
    let count =
      switch instruction.name {
      case "Null": third - second + 1
      case "Copy": third + 1
      case "Move": third
      default: 0
      }
    if count > 1 { return Array(second..<second + min(count, SQLiteLimits.operandsMax)) }
    var outputs: [Int] = []
    for register in [instruction.first, second, third] where changes(instruction, register) {
      if !outputs.contains(register) { outputs.append(register) }
    }
    return outputs
  }

  /// Instructions that make a number of the register that they name second.
  private static let toSecond: Set<String> = [
    "Integer", "Int64", "Real", "Rowid", "NewRowid", "IdxRowid", "Sequence", "Count", "ReadCookie", "OffsetLimit",
    "MemMax", "IncrVacuum",
  ]

  /// Instructions that make a number, or nothing.
  static let numbers: Set<String> = toSecond.union([
    "Null", "Add", "Subtract", "Multiply", "Divide", "Remainder", "BitAnd", "BitOr", "ShiftLeft", "ShiftRight", "And",
    "Or",
  ])

  /// Instructions that make a text.
  private static let texts: Set<String> = [
    "AggFinal", "AggValue", "Blob", "Column", "Concat", "Copy", "Function", "IntCopy", "MakeRecord", "Move", "Param",
    "PureFunc", "RowData", "SCopy", "SorterData", "String", "String8", "VColumn", "Variable",
  ]

  /// Instructions that change no register that could have a text, and go to the next.
  private static let plain: Set<String> = [
    "Affinity", "AggInverse", "AggStep", "AggStep1", "AutoCommit", "BeginSubrtn", "Cast", "Clear", "ClrSubtype",
    "Close",
    "CollSeq", "Compare", "CreateBtree", "CursorHint", "CursorLock", "CursorUnlock", "DeferredSeek", "Delete",
    "Destroy",
    "Expire", "Explain", "FilterAdd", "FinishSeek", "FkCounter", "IdxDelete", "IdxInsert", "Insert", "InsertInt",
    "IsTrue", "NullRow", "Noop", "OpenAutoindex", "OpenDup", "OpenEphemeral", "OpenPseudo", "OpenRead", "OpenWrite",
    "ParseSchema", "Permutation", "RealAffinity", "ReleaseReg", "ReopenIdx", "ResetCount", "ResetSorter", "ResultRow",
    "RowCell", "RowSetAdd", "SetCookie", "SorterInsert", "SorterOpen", "SqlExec", "TableLock", "Trace",
    "Transaction", "TypeCheck", "VBegin", "VInitIn", "VOpen", "VUpdate",
  ]

  /// Instructions that change no register that could have a text, and may go to the place that they name second.
  private static let jumps: Set<String> = [
    "DecrJumpZero", "ElseEq", "EndCoroutine", "Eq", "Filter", "FkIfZero", "Found", "Ge", "Gosub", "Goto", "Gt", "Halt",
    "HaltIfNull", "IdxGE", "IdxGT", "IdxLE", "IdxLT", "If", "IfEmpty", "IfNoHope", "IfNot", "IfNotOpen", "IfNotZero",
    "IfNullRow", "IfPos", "IfSizeBetween", "IfSmaller", "Init", "InitCoroutine", "IsNull", "IsNullOrType", "IsType",
    "Jump", "Last", "Le", "Lt", "MustBeInt", "Ne", "Next", "NoConflict", "NotExists", "NotFound", "NotNull", "Once",
    "Prev", "Program", "Return", "Rewind", "RowSetRead", "RowSetTest", "SeekEnd", "SeekGE", "SeekGT", "SeekHit",
    "SeekLE", "SeekLT", "SeekRowid", "SeekScan", "Sort", "SorterCompare", "SorterNext", "SorterSort", "VFilter",
    "VNext", "Yield",
  ]
}
