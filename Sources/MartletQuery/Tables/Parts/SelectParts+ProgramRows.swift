/// The names, in a query, of columns of rows that the program holds.
///
/// Always true: a query of such rows is written without a schema, and so are its columns.
extension SelectParts {
  /// Rows of the program are in no schema, although their type may be a table's that is in one.
  var namingRows: SelectParts {
    var parts = self
    parts.nameRows()
    return parts
  }

  mutating func nameRows() {
    if hasSource(where: \.isRowsOfSchema) { self = mapping(withoutSchemaOfRows) }
  }

  /// The expression with columns of such rows as they are called here.
  func withoutSchemaOfRows(_ fragment: QueryFragment) -> QueryFragment {
    let rows = sources.filter(\.isRowsOfSchema)
    guard !rows.isEmpty else { return fragment }
    return fragment.mappingColumns { column in
      rows.first { $0.schema == column.schema && $0.name == column.table }
        .map { .column(column.name, table: $0.qualifier) }
    }
  }
}

extension SourceFragment {
  fileprivate var isRowsOfSchema: Bool { subquery != nil && schema != nil }
}
