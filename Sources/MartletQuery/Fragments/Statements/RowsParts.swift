import MartletAST
import MartletProtobuf
import MartletValues

/// Rows of the program as a table of a query: to join, to compare and to update from.
///
/// Always true: rows of plain values are one parameter, however many they are, so that 10 and 10,000 rows are the same
/// shape; rows that hold expressions are written as VALUES.
struct RowsParts: StatementTree {
  var names: [String]
  var columnNames: [String]? { names }
  var rows: [[QueryFragment]]
  /// By the columns: those of numbers. A number of a list is read with a plus, so that a stored text that it is
  /// compared with takes it for a text, as it takes one that is written out. Texts have none: SQLite indexes the rows
  /// of a LEFT JOIN by columns only.
  var areNumbers: [Bool] = []
}

extension RowsParts {
  func mapping(_ change: ColumnMapping) -> any StatementTree {
    RowsParts(names: names, rows: rows.map { $0.map { $0.mapping(change) } }, areNumbers: areNumbers)
  }

  func look(_ search: inout PlaceSearch) { for row in rows { row.look(&search) } }
}

extension RowsParts {
  func write(to writer: inout TreeWriter) {
    guard writer.values.hasLists, let (batch, failure) = QueryFragment.batch(of: rows, width: names.count) else {
      return writeNamedValues(to: &writer)
    }
    writer.message(GrammarFields.Statement.select) {
      $0.resultColumns(
        GrammarFields.Select.columns, names.indices.map { listColumn($0).named(names[$0]) })
      $0.message(GrammarFields.Select.from) {
        $0.parameter(GrammarFields.TableSource.rows, $0.values.bind(rows: batch, failure))
      }
    }
  }

  private func listColumn(_ index: Int) -> QueryFragment {
    let column = QueryFragment.column("c\(index)", table: "")
    return areNumbers.indices.contains(index) && areNumbers[index] ? .operation(.plus, column) : column
  }

  /// A SELECT of NULLs that returns no row names the columns of the VALUES behind it.
  private func writeNamedValues(to writer: inout TreeWriter) {
    guard !rows.isEmpty else { return writeNames(to: &writer) }
    writer.message(GrammarFields.Statement.compound) {
      $0.message(GrammarFields.Compound.first) { writeNames(to: &$0) }
      $0.message(GrammarFields.Compound.terms) {
        $0.word(GrammarFields.Compound.Term.operator, ASTCompound.Operator.unionAll)
        $0.message(GrammarFields.Compound.Term.query) {
          $0.message(GrammarFields.Statement.values) { $0.rows(GrammarFields.Values.rows, rows) }
        }
      }
    }
  }

  private func writeNames(to writer: inout TreeWriter) {
    writer.message(GrammarFields.Statement.select) {
      $0.resultColumns(GrammarFields.Select.columns, names.map { QueryFragment.null.named($0) })
      $0.predicates(GrammarFields.Select.where, [.literal(integer: 0)])
    }
  }
}

extension QueryFragment {
  /// Rows of plain values as one value; nil if one of them is an expression.
  static func batch(of rows: [[QueryFragment]], width: Int) -> (RowBatch, QueryBindingFailure?)? {
    var batch = RowBatch(columnCount: width)
    var failure: QueryBindingFailure?
    for row in rows {
      guard row.count == width else { return nil }
      for (index, fragment) in row.enumerated() {
        guard let binding = fragment.binding else { return nil }
        failure = failure ?? binding.failure
        batch.columns[index].append(binding.value, row: batch.rowCount)
      }
      batch.rowCount += 1
    }
    return (batch, failure)
  }
}
