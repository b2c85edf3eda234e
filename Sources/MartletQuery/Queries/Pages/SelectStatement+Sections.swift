import MartletAST

/// Rows in sections: a query that also returns, after its own columns, what its rows are grouped by.
///
/// Always true: the rows of one section stand together, because the query is ordered by the section first. They are the
/// rows that the query returns without sections: a limit counts in the query's own order.
extension SelectStatement where QueryValue: QueryRepresentable {
  private func sectioned(_ terms: [OrderingTerm]) -> Select<(QueryValue, String?), Sources> {
    var parts = asSelect().complete
    let isNamed = parts.columns.count == QueryValue.columnWidth
    let text = terms.map { QueryFragment(.cast($0.fragment, type: "TEXT")) }
    parts.columns.append(text.count == 1 ? text[0] : .function("json_array", text))
    guard parts.limit != nil || parts.offset != nil else {
      parts.order = terms + parts.order
      return Select<(QueryValue, String?), Sources>(parts: parts)
    }
    // Within the limit's query each column gets a name, which raw SQL of several has not.
    if !isNamed { parts.predicates += QueryFragment.refusedColumns(QueryValue.columnWidth).prefix(1) }
    return Select<(QueryValue, String?), Sources>(parts: parts.reordered(by: terms))
  }

  /// The query, ordered by the section first, with the section's text as its last column.
  ///
  /// - Parameter section: an expression, or a term of ORDER BY such as `$0.title.desc()`.
  package func sectioned<E: QueryExpression>(
    @ChoiceBuilder by section: (Sources.Columns) -> E
  ) -> Select<(QueryValue, String?), Sources> {
    sectioned(ColumnPlace.open { OrderingTerm.terms(of: section(Sources.placedColumns(in: $0))) })
  }
}

extension SelectParts {
  /// The rows within the limit, ordered by other terms before their own. The limit counts in the rows' own order.
  fileprivate func reordered(by terms: [OrderingTerm]) -> SelectParts {
    let order = terms + order
    var rows = self
    var outer = SelectParts()
    func column(_ index: Int) -> QueryFragment { .column("c\(index)", table: "") }
    rows.columns = (columns + order.map(\.fragment)).enumerated().map { $1.named("c\($0)") }
    outer.columns = columns.indices.map { column($0).named(columns[$0].resultName) }
    outer.order = order.indices.map { index in
      var term = order[index]
      term.fragment = column(columns.count + index)
      return term
    }
    if distinct {
      let reason =
        "Distinct rows within a limit have no order but their own. Make a common table of them, and sections of that."
      outer.predicates = [.bind(.invalid(QueryBindingFailure(reason)))]
    }
    outer.source = SourceFragment(name: "", subquery: StatementFragment(rows).bounded)
    return outer
  }
}
