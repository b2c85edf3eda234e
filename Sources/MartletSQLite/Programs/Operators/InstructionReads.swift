/// Which registers the instructions of a program go through, and which of them may be given a long value.
///
/// Always true: an instruction that is in no list here reads no value to its end.
enum InstructionReads {
  static let arithmetic: Set<String> = [
    "Add", "Subtract", "Multiply", "Divide", "Remainder", "BitAnd", "BitOr", "ShiftLeft", "ShiftRight",
  ]
  static let comparisons: Set<String> = ["Eq", "Ne", "Lt", "Le", "Gt", "Ge"]
  static let conversions: Set<String> = [
    "Cast", "MustBeInt", "NumericAff", "Not", "BitNot", "IsTrue", "If", "IfNot",
  ]
  static let calls: Set<String> = ["Function", "PureFunc", "AggStep", "AggStep1", "AggInverse"]

  /// They compare one key of an index, and those that seek some.
  static let keyComparisons: Set<String> = ["IdxGE", "IdxGT", "IdxLE", "IdxLT"]
  static let seeks: Set<String> = [
    "SeekRowid", "NotExists", "SeekGE", "SeekGT", "SeekLE", "SeekLT", "Found", "NotFound", "NoConflict", "IfNoHope",
  ]

  // MARK: - Conversions to numbers

  private static let conversionsOfSeveral: Set<String> = ["TypeCheck", "MakeRecord", "Affinity"]

  /// The registers whose texts an instruction reads as numbers, one after the other; nil if it is of another kind.
  static func converted(by instruction: Instruction) -> [Int]? {
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

  static func inputs(of instruction: Instruction) -> [Int] {
    let (name, first) = (instruction.name, instruction.first)
    if arithmetic.contains(name) || name == "Concat" { return [first, instruction.second] }
    if comparisons.contains(name) { return [first, instruction.third] }
    if conversions.contains(name) { return [first] }
    // Without a number it is a whole key.
    if seeks.contains(name) || keyComparisons.contains(name) {
      return range(instruction.third, max(1, Int(instruction.text) ?? 1))
    }
    if calls.contains(name) {
      // An aggregate's instruction has the number of its arguments, which a function's has not.
      let width = max(instruction.function.width, instruction.flags)
      let isKnown = instruction.function.width >= 0 || instruction.flags > 0
      return range(instruction.second, isKnown ? width : SQLiteLimits.unknownArguments)
    }
    switch name {
    case "And", "Or": return [first, instruction.second]
    case "VUpdate": return range(instruction.third, instruction.second)
    case "IdxInsert": return [instruction.second]
    case "IdxDelete": return range(instruction.second, instruction.third)
    case "VFilter": return range(instruction.third + 2, SQLiteLimits.unknownArguments)
    case "Compare": return range(first, instruction.third) + range(instruction.second, instruction.third)
    case "Copy": return range(first, instruction.third + 1)
    case "SCopy", "IntCopy": return [first]
    case "Move": return range(first, instruction.third)
    default: return []
    }
  }

  static func range(_ start: Int, _ count: Int) -> [Int] {
    Array(start..<start + min(max(0, count), SQLiteLimits.operandsMax))
  }

  // MARK: - Where long values come from

  /// The register that an instruction fills with a value which it reads from somewhere else; nil if it reads none.
  static func source(_ instruction: Instruction) -> Int? {
    switch instruction.name {
    case "Column", "VColumn", "AggValue": instruction.third
    case "Param", "RowData", "SorterData": instruction.second
    case "AggFinal": instruction.first
    // A constant as long as the text of the statement may be.
    case _ where isConstant(instruction): shortConstant(instruction) == nil ? instruction.second : nil
    default: makesLong(instruction) ? instruction.third : nil
    }
  }

  private static func isConstant(_ instruction: Instruction) -> Bool {
    ["String8", "String", "Blob"].contains(instruction.name)
  }

  /// What is shown of a blob ends at its first zero, but its length stands with it.
  static func shortConstant(_ instruction: Instruction) -> String? {
    guard isConstant(instruction) else { return nil }
    let bytes = instruction.name == "Blob" ? instruction.first : instruction.text.utf8.count
    return bytes <= SQLiteLimits.shortConstantBytesMax ? instruction.text : nil
  }

  /// Its result is a number or a date, whatever it is called with.
  static func hasShortResult(_ function: String) -> Bool {
    numeric.contains(function) || constant.contains(function) || dates.contains(function)
  }

  /// A function of short values whose result may be long all the same, as far as is known.
  static func makesLong(_ instruction: Instruction) -> Bool {
    guard instruction.callsFunction else { return false }
    let (name, width) = instruction.function
    return !constant.contains(name) && !dates.contains(name) && (width < 0 || !shortened.contains(name))
  }

  /// Functions that look at a few bytes of their arguments at most, and return as few.
  static let constant: Set<String> = [
    "changes", "last_insert_rowid", "random", "total_changes", "typeof", "uuid",
  ]

  /// Functions that read all digits of their arguments, and return a few bytes.
  private static let dates: Set<String> = ["date", "datetime", "julianday", "time", "unixepoch"]

  /// Functions for whose documents SQLite keeps the parsed form.
  static let keptJSON: Set<String> = [
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
}
