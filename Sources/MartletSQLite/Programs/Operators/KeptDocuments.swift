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

  init(_ program: [Instruction], _ values: ValueOrigins, _ last: LastValues) {
    guard program.contains(where: Self.reads) else { return }
    var (last, calls) = (last, [(place: Int, documents: Documents)]())
    var (known, constants, others) = (Set<OperatorTally.Origin>(), Set<String>(), 0)
    for (place, instruction) in program.enumerated() {
      last.reach(place)
      if Self.reads(instruction) {
        let register = instruction.second
        var documents = Documents.unknown
        if case .origin(let origin) = last[register] {
          documents = .known([origin])
        } else if let wholes = values.wholes(of: register) {
          documents = .known(wholes.origins)
          constants.formUnion(wholes.constants)
        } else if !values.isLong(register) {
          // A short one costs nothing, but it takes a place.
          others += 1
        }
        if case .known(let origins) = documents { known.formUnion(origins) }
        calls.append((place, documents))
      }
      last.note(instruction)
    }
    charge(calls, program, kept: known.count + constants.count + others)
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
