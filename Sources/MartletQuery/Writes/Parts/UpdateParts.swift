import MartletProtobuf

/// An UPDATE without its types.
///
/// Always true: without assignments it changes nothing.
struct UpdateParts: StatementTree {
  var or: ConflictResolution?
  var table: SourceFragment
  var assignments: [AssignmentPart]
  var from: SourceFragment?
  var joins: [JoinPart] = []
  var predicates: [QueryFragment]
  var returning: [QueryFragment] = []
  var order: [OrderingTerm] = []
  var limit: QueryFragment?
  var offset: QueryFragment?
  /// The column that is set to itself if nothing was assigned, so that the statement changes no row.
  var firstColumn: String

  var writes: Bool { true }

  /// Itself, or without assignments an UPDATE that changes no row and reads no other table.
  var complete: UpdateParts {
    guard assignments.isEmpty else { return self }
    var parts = self
    parts.assignments = [AssignmentPart(columns: [firstColumn], value: .column(firstColumn, table: ""))]
    parts.predicates = [.literal(integer: 0)]
    parts.from = nil
    parts.joins = []
    return parts
  }
}

extension UpdateParts {
  func write(to writer: inout TreeWriter) {
    guard !assignments.isEmpty else { return complete.write(to: &writer) }
    writer.within(table) { writer in
      writer.message(GrammarFields.Statement.update) {
        if let or { $0.word(GrammarFields.Update.or, or.tree) }
        $0.table(GrammarFields.Update.table, table)
        $0.text(GrammarFields.Update.alias, table.alias ?? "")
        $0.assignments(GrammarFields.Update.assignments, assignments)
        if let from { $0.source(GrammarFields.Update.from, from) }
        $0.joins(GrammarFields.Update.joins, joins)
        $0.predicates(GrammarFields.Update.where, predicates)
        $0.resultColumns(GrammarFields.Update.returning, table.returned(returning))
        $0.rowOrdering(GrammarFields.Update.orderBy, order)
        if let limit { $0.expression(GrammarFields.Update.limit, limit) }
        if let offset { $0.expression(GrammarFields.Update.offset, offset) }
      }
    }
  }
}
