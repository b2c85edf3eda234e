import MartletAST

extension Table {
  /// Rows of the program as a query of their own. They are no rows of the stored table, whose default scope they do
  /// not see.
  ///
  /// ```swift
  /// Item.join(Price.rows(prices)) { $0.id.eq($1.itemID) }
  /// ```
  ///
  /// `FROM (SELECT "c0" AS "itemID", ... FROM "martlet_rows"(?1)) AS "prices"`.
  public static func rows(_ rows: some Sequence<Self>) -> SelectOf<Self> {
    var parts = SelectParts()
    let query = RowsParts(names: TableColumns.allColumns.map(\.name), rows: rows.map(\.columnFragments))
    // Beside the stored table of the name, rows need another one.
    let schema = qualifyingSchema
    let alias = schema.isEmpty ? qualifier : "\(schema).\(tableName)"
    parts.source = SourceFragment(
      schema: schema.isEmpty ? nil : schema, name: tableName, alias: alias, subquery: StatementFragment(query))
    return Select(parts: parts)
  }
}

extension SelectParts {
  /// Rows of the program are in no schema, although their type may be a table's that is in one.
  var namingRows: SelectParts {
    guard hasSource(where: \.isRowsOfSchema) else { return self }
    return mapping(withoutSchemaOfRows)
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

/// Rows of the program as a table of a query: to join, to compare and to update from.
///
/// Always true: rows of plain values are one parameter, however many they are, so that 10 and 10,000 rows are the same
/// shape; rows that hold expressions are written as VALUES.
struct RowsParts: StatementTree {
  var names: [String]
  var columnNames: [String]? { names }
  var rows: [[QueryFragment]]

}
