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

  /// `program`: the statement's, and those of its triggers behind it.
  init(_ program: [Instruction], endable: Set<String> = [], tables: VirtualTableCosts = VirtualTableCosts()) {
    let isFollowed = program.count <= SQLiteLimits.followedInstructionsMax
    let costs = OperatorCosts(endable: endable, tables: tables)
    var tally = OperatorTally()
    for (number, places) in ProgramFlow.programs(in: program).enumerated() {
      let part = ProgramOperators(Array(program[places]), number: number, isFollowed: isFollowed, costs: costs)
      tally.add(part.tally)
    }
    (onStored, onAll) = (tally.stored, tally.all)
    (onRow, onMessage) = (tally.onRow, tally.onMessage)
  }
}
