import MartletProtobuf

/// What columns are set to: one, or several to a row value.
struct AssignmentPart: Sendable {
  var columns: [String]
  var value: QueryFragment
}

extension AssignmentPart: PlacedClauses {
  mutating func refuseMistakes(of search: PlaceSearch) { value.refuseMistakes(of: search) }
}

extension TreeWriter {
  mutating func assignments(_ field: UInt32, _ assignments: [AssignmentPart]) {
    for assignment in assignments {
      message(field) {
        for column in assignment.columns { $0.presentText(GrammarFields.Assignment.columns, column) }
        $0.expression(GrammarFields.Assignment.value, assignment.value)
      }
    }
  }
}
