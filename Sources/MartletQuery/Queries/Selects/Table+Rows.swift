/// A query of rows that the program holds, in the place of a table's.
extension Table {
  /// Rows of the program as a query of their own. They are no rows of the stored table, whose default scope they do
  /// not see.
  ///
  /// ```swift
  /// Item.join(Price.rows(prices)) { $0.id.eq($1.itemID) }
  /// ```
  ///
  /// `FROM (SELECT +("c0") AS "itemID", ... FROM "martlet_rows"(?1)) AS "prices"`; columns of texts and bytes without
  /// the plus.
  public static func rows(_ rows: some Sequence<Self>) -> SelectOf<Self> {
    var parts = SelectParts()
    let columns = TableColumns.allColumns
    let query = RowsParts(
      names: columns.map(\.name), rows: rows.map(\.columnFragments),
      areNumbers: columns.map { ["INTEGER", "REAL"].contains($0.valueType.sqlType) })
    // Beside the stored table of that name, the rows need another name.
    let schema = qualifyingSchema
    let alias = schema.isEmpty ? qualifier : "\(schema).\(tableName)"
    parts.source = SourceFragment(
      schema: schema.isEmpty ? nil : schema, name: tableName, alias: alias, subquery: StatementFragment(query).bounded)
    return Select(parts: parts)
  }
}
