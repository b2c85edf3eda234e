import MartletProtobuf

/// Rows that the program holds, as `SELECT` or `VALUES`.
///
/// Always true: every row has as many columns as the first.
struct ValuesParts: StatementTree {
  var rows: [[QueryFragment]]

  /// The row, if there is only one.
  var row: [QueryFragment]? { rows.count == 1 ? rows[0] : nil }

  var columnNames: [String]? { row?.map(\.resultName) }
}

extension ValuesParts {
  func mapping(_ change: ColumnMapping) -> any StatementTree {
    ValuesParts(rows: rows.map { $0.map { $0.mapping(change) } })
  }

  func look(_ search: inout PlaceSearch) { for row in rows { row.look(&search) } }
}

extension ValuesParts {
  func write(to writer: inout TreeWriter) {
    guard let row else {
      return writer.message(GrammarFields.Statement.values) { $0.rows(GrammarFields.Values.rows, rows) }
    }
    writer.message(GrammarFields.Statement.select) { $0.resultColumns(GrammarFields.Select.columns, row) }
  }
}
