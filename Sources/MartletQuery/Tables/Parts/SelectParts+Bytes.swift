import MartletProtobuf

/// A SELECT as bytes.
///
/// Always true: clauses are written in the order of the SQL, so that parameters are numbered as they are read.
extension SelectParts {
  /// Writes it with the clauses of its default scopes. Most tables have none, and nothing is copied then.
  func writeWithScopes(to writer: inout TreeWriter) {
    let own = clausesOfScope
    guard own != nil || !hasNamesOnly else { return write(to: &writer) }
    var parts = self
    parts.addScope(own)
    parts.settleAll()
    parts.write(to: &writer)
  }

  func write(to writer: inout TreeWriter) {
    writer.checkNames(predicates + having + joins.compactMap(\.on), of: source)
    writer.within(source, joins) { writer in
      writer.message(GrammarFields.Statement.select) {
        $0.flag(GrammarFields.Select.distinct, distinct)
        $0.resultColumns(GrammarFields.Select.columns, columns)
        if let source { $0.source(GrammarFields.Select.from, source) }
        $0.joins(GrammarFields.Select.joins, joins)
        $0.predicates(GrammarFields.Select.where, allPredicates)
        $0.expressions(GrammarFields.Select.groupBy, group)
        $0.predicates(GrammarFields.Select.having, having)
        for named in windows {
          $0.message(GrammarFields.Select.windows) {
            $0.text(GrammarFields.NamedWindow.name, named.name)
            $0.window(GrammarFields.NamedWindow.window, named.window)
          }
        }
        $0.ordering(GrammarFields.Select.orderBy, order)
        if let limit { $0.expression(GrammarFields.Select.limit, limit) }
        if let offset { $0.expression(GrammarFields.Select.offset, offset) }
      }
    }
  }
}
