import MartletValues

/// RETURNING of a write under another name.
///
/// Always true: a query in RETURNING reads the row that was written. SQLite knows that row by its table's own name
/// there, and not by the name that the statement gave to it.
extension SourceFragment {
  /// The columns of RETURNING, as SQLite takes them.
  func returned(_ columns: [QueryFragment]) -> [QueryFragment] {
    let columns = columns.map(\.unqualifiedColumns)
    guard let alias, alias != name else { return columns }
    let toOwnName = ColumnMapping(newTable: name) { [name] column in
      column.table == alias ? .column(column.name, table: name, in: column.place) : nil
    }
    return columns.map { $0.mapping(toOwnName) }
  }
}
