/// Columns that know their table's type.
///
/// Always true: a column carries all that tells its table from others of the query.
extension QueryFragment {
  /// A column by all that tells its table from others of the query: its name here, or its schema and its own name.
  static func column<T: Table>(_ name: String, of table: T.Type) -> QueryFragment {
    if let alias = T.tableAlias { return column(name, table: alias) }
    return QueryFragment(.column(schema: T.qualifyingSchema, table: T.tableName, name: name))
  }

  /// The same expression over the same table under another name.
  func renaming<T: Table>(_ table: T.Type, to alias: String) -> QueryFragment {
    let raw = RawRenaming(table: T.qualifier, alias: alias)
    return mapping(
      ColumnMapping(raw: raw) { column in column.isOf(T.self) ? .column(column.name, table: alias) : nil })
  }
}

extension QueryFragment.ColumnName {
  func isOf<T: Table>(_ type: T.Type) -> Bool { table == T.qualifier && schema == T.qualifyingSchema }
}
