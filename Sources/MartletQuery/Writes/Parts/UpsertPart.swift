import MartletProtobuf

/// ON CONFLICT: what an INSERT does instead if the row exists already.
///
/// Always true: no assignments mean DO NOTHING. Columns of the row that is there are the table's own, those of the row
/// that was to be inserted are `excluded`'s.
struct UpsertPart: Sendable {
  var target: [QueryFragment] = []
  var targetPredicates: [QueryFragment] = []
  var assignments: [AssignmentPart] = []
  var predicates: [QueryFragment] = []

  init(
    target: [QueryFragment] = [], targetPredicates: [QueryFragment] = [], assignments: [AssignmentPart] = []
  ) {
    self.target = target
    self.targetPredicates = targetPredicates
    self.assignments = assignments
  }

  /// On a conflict of columns that a closure chose. A choice of no columns is refused, because it does not mean all.
  init(on columns: [QueryFragment], where targetPredicates: [QueryFragment] = []) {
    let reason = "A conflict of no column would be any conflict. Name a column, or write onConflictDoUpdate."
    let none = QueryFragment.bind(.invalid(QueryBindingFailure(reason)))
    let target = columns.map { $0.writtenColumn ?? $0 }
    self.init(target: columns.isEmpty ? [none] : target, targetPredicates: targetPredicates)
  }
}

extension UpsertPart {
  func write(to writer: inout TreeWriter) {
    for column in target {
      writer.message(GrammarFields.Upsert.target) {
        $0.expression(GrammarFields.IndexedColumn.expression, column.unqualified)
      }
    }
    if let predicate = QueryFragment.all(of: targetPredicates) {
      // A literal, because SQLite looks for an index with the same filter, and cannot compare a parameter with it.
      writer.inlining { $0.expression(GrammarFields.Upsert.targetWhere, predicate.unqualifiedColumns) }
    }
    writer.assignments(GrammarFields.Upsert.assignments, assignments)
    writer.predicates(GrammarFields.Upsert.where, predicates)
  }
}
