import MartletProtobuf

/// A DELETE without its types.
///
/// Always true: it deletes the rows for which all of its conditions hold.
struct DeleteParts: StatementTree {
  var table: SourceFragment
  var predicates: [QueryFragment]
  var returning: [QueryFragment] = []
  var order: [OrderingTerm] = []
  var limit: QueryFragment?
  var offset: QueryFragment?

  var writes: Bool { true }
}

extension DeleteParts {
  func write(to writer: inout TreeWriter) {
    writer.within(table) { writer in
      writer.message(GrammarFields.Statement.delete) {
        $0.table(GrammarFields.Delete.from, table)
        $0.text(GrammarFields.Delete.alias, table.alias ?? "")
        $0.predicates(GrammarFields.Delete.where, predicates)
        $0.resultColumns(GrammarFields.Delete.returning, table.returned(returning))
        $0.rowOrdering(GrammarFields.Delete.orderBy, order)
        if let limit { $0.expression(GrammarFields.Delete.limit, limit) }
        if let offset { $0.expression(GrammarFields.Delete.offset, offset) }
      }
    }
  }
}
