/// What the functions of one program cost that read a document as JSON, and for which SQLite keeps its parsed form.
///
/// Always true: SQLite keeps the last four documents of each run of a program, and only those that are JSON. One of
/// which nobody knows whether it was there before is read anew, and may push out all that were kept.
struct KeptDocuments {
  struct Cost {
    /// Of the document, in parts of an operator.
    var document: Int
    /// Of each other value.
    var other: Int
  }

  /// Documents that one call may read.
  private enum Documents {
    case known(Set<OperatorTally.Origin>)
    case unknown
  }

  /// By the places of the calls.
  private(set) var costs: [Int: Cost] = [:]
  /// What writing members of known documents costs, in parts of an operator.
  private(set) var members: [OperatorTally.Origin: Int] = [:]

  /// `arguments`: the registers of calls of functions with any number of arguments.
  init(_ program: [Instruction], _ values: ValueOrigins, _ last: LastValues, arguments: [Int: [Int]]) {
    guard program.contains(where: Self.reads) else { return }
    var (last, calls) = (last, [(place: Int, documents: Documents)]())
    var paths: [OperatorTally.Origin: DocumentPaths] = [:]
    var (known, constants, others) = (Set<OperatorTally.Origin>(), Set<String>(), 0)
    for (place, instruction) in program.enumerated() {
      last.reach(place)
      if Self.reads(instruction) {
        let register = instruction.second
        var documents = Documents.unknown
        if case .origin(let origin) = last[register] {
          documents = .known([origin])
        } else if case .constant(let text) = last[register] {
          documents = .known([])
          constants.insert(text)
        } else if let wholes = values.wholes(of: register) {
          documents = .known(wholes.origins)
          constants.formUnion(wholes.constants)
        } else if !values.isLong(register) {
          // A short one costs nothing, but it takes a place.
          others += 1
        }
        if case .known(let origins) = documents {
          known.formUnion(origins)
          let asked = Self.paths(of: instruction, arguments[place], values, last)
          for origin in origins { for path in asked { paths[origin, default: DocumentPaths()].ask(for: path) } }
        }
        calls.append((place, documents))
      }
      last.note(instruction)
    }
    charge(calls, program, kept: known.count + constants.count + others)
    members = paths.mapValues { $0.most * SQLiteLimits.memberParts }
  }

  /// The paths of the members that a call returns, nil for each that is not known.
  private static func paths(
    of call: Instruction, _ arguments: [Int]?, _ values: ValueOrigins, _ last: LastValues
  ) -> [String?] {
    guard ["->", "->>", "json_extract"].contains(call.function.name) else { return [] }
    let registers = arguments.map { Array($0.dropFirst()) } ?? [call.second + 1]
    return registers.map { register in
      if case .constant(let text) = last[register] { return text }
      guard let wholes = values.wholes(of: register), wholes.origins.isEmpty else { return nil }
      return wholes.constants.count == 1 ? wholes.constants.first : nil
    }
  }

  private static func reads(_ instruction: Instruction) -> Bool {
    InstructionReads.calls.contains(instruction.name)
      && InstructionReads.keptJSON.contains(instruction.function.name)
  }

  private mutating func charge(
    _ calls: [(place: Int, documents: Documents)], _ program: [Instruction], kept: Int
  ) {
    let (parts, room) = (SQLiteLimits.jsonParts, SQLiteLimits.keptDocumentsMax + 1 - kept)
    var seen: Set<OperatorTally.Origin> = []
    for (place, documents) in calls {
      var cost = Cost(document: parts, other: room > 0 ? SQLiteLimits.comparisonParts : parts)
      switch documents {
      case .known(let origins):
        // This one goes on after a document that is not JSON, and such a one is not kept.
        let isRead = program[place].function.name == "json_valid" || room <= 0 || !origins.isSubset(of: seen)
        if !isRead { cost.document = SQLiteLimits.comparisonParts }
        seen.formUnion(origins)
      case .unknown:
        // So many of them push out each that is kept once.
        if room > 0 { cost.document = parts * (room + kept) / room }
      }
      costs[place] = cost
    }
  }
}
