import MartletAST

/// Rows in sections: a query that also gives, behind its own columns, what its rows are grouped by.
///
/// Always true: the rows of one section stand together, because the query is ordered by the section first.
extension SelectStatement where QueryValue: QueryRepresentable {
  /// The query, ordered by the section first, with the section's text as its last column.
  ///
  /// - Parameter section: an expression, or a term of ORDER BY such as `$0.title.desc()`.
  package func sectioned(by section: some QueryExpression) -> Select<(QueryValue, String?), Sources> {
    let terms = OrderingTerm.terms(of: section)
    var parts = asSelect().complete
    let text = terms.map { QueryFragment(.cast($0.fragment, type: "TEXT")) }
    parts.columns.append(text.count == 1 ? text[0] : .function("json_array", text))
    parts.order = terms + parts.order
    return Select<(QueryValue, String?), Sources>(parts: parts)
  }

  /// The same of a closure over the query's columns.
  package func sectioned<E: QueryExpression>(
    by section: (Sources.Columns) -> E
  ) -> Select<(QueryValue, String?), Sources> { sectioned(by: section(Sources.columns)) }
}
