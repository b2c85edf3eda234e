/// Counts the operators of a statement's programs that may scan a long value. SQLite cannot be interrupted within one.
///
/// Always true: it counts too many rather than too few.
struct OperatorCount {
  /// Operators on what is read from tables or made.
  let onStored: Int
  /// The same, and those on bound values.
  let onAll: Int
  /// Operators on one and the same byte of a stored row, at most: those on different columns go through different ones.
  let onRow: Int
  /// The same of all values of a message, and of stored ones.
  let onMessage: Int

  /// Those outside of loops that look up after each round, and those of each such loop.
  private var outside = OperatorTally()
  private var rounds: [OperatorTally] = []

  /// Operators on one and the same byte of a stored row from one look to the next, if SQLite looks up often.
  var onRound: Int {
    var most = outside.onRow
    for round in rounds {
      var tally = outside
      tally.add(round)
      most = max(most, tally.onRow)
    }
    return most
  }

  /// `program`: the statement's, and those of its triggers behind it.
  init(_ program: [Instruction], endable: Set<String> = [], tables: VirtualTableCosts = VirtualTableCosts()) {
    let isFollowed = program.count <= SQLiteLimits.followedInstructionsMax
    for (number, places) in ProgramFlow.programs(in: program).enumerated() {
      let instructions = Array(program[places])
      let costs = OperatorCosts(of: instructions, endable: endable, tables: tables)
      let part = ProgramOperators(instructions, number: number, isFollowed: isFollowed, costs: costs)
      outside.add(part.outside)
      rounds += part.rounds
    }
    var tally = outside
    for round in rounds { tally.add(round) }
    (onStored, onAll) = (tally.stored, tally.all)
    (onRow, onMessage) = (tally.onRow, tally.onMessage)
  }
}
