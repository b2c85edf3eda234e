/// Columns that know their table's type.
///
/// Always true: a column carries all that tells its table from others of the query.
extension QueryFragment {
  /// A column by all that tells its table from others of the query: its name here, or its schema and its own name.
  static func column<T: Table>(
    _ name: String, of table: T.Type, in place: ColumnPlace = ColumnPlace()
  ) -> QueryFragment {
    if let alias = T.tableAlias { return column(name, table: alias, in: place) }
    return QueryFragment(.column(schema: T.qualifyingSchema, table: T.tableName, name: name, place: place))
  }

  /// The same expression over the same table under another name.
  ///
  /// - Parameter place: that of its columns; without one, each keeps its own.
  func renaming<T: Table>(_ table: T.Type, to alias: String, in place: ColumnPlace? = nil) -> QueryFragment {
    let raw = RawRenaming(table: T.qualifier, alias: alias)
    return mapping(
      ColumnMapping(raw: raw) { column in
        column.isOf(T.self) ? .column(column.name, table: alias, in: place ?? column.place) : nil
      })
  }

  /// The same expression with the place for its columns, those within queries aside.
  func placed(in place: ColumnPlace) -> QueryFragment {
    mapping(
      ColumnMapping(seesSubqueries: false) { column in
        QueryFragment(.column(schema: column.schema, table: column.table, name: column.name, place: place))
      })
  }
}

extension QueryFragment.ColumnName {
  func isOf<T: Table>(_ type: T.Type) -> Bool { table == T.qualifier && schema == T.qualifyingSchema }
}
