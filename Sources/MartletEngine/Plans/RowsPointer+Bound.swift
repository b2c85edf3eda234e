import MartletSQLite
import MartletValues

/// Turns a list parameter into rows that SQLite can read as a table.
///
/// Always true: what it returns was checked against its own arrays, whoever filled them.
extension RowsPointer {
  /// A copy of a batch; nil if its columns do not agree with its row count.
  static func copy(of batch: RowBatch) -> RowsPointer? {
    let rows = RowsPointer(rowCount: batch.rowCount, columnCount: batch.columns.count)
    for (index, column) in batch.columns.enumerated() {
      guard rows.set(index, column) else { return nil }
    }
    return rows
  }

  private func set(_ index: Int, _ column: ColumnValues) -> Bool {
    guard let kind = Kind(rawValue: column.kind.rawValue) else { return false }
    return column.nulls.withUnsafeBufferPointer { nulls in
      column.tags.withUnsafeBufferPointer { tags in
        column.integers.withUnsafeBufferPointer { integers in
          column.reals.withUnsafeBufferPointer { reals in
            column.ends.withUnsafeBufferPointer { ends in
              column.data.withUnsafeBufferPointer { data in
                setColumn(
                  index,
                  Source(
                    kind: kind, nulls: nulls, tags: tags, integers: integers, reals: reals, ends: ends, data: data))
              }
            }
          }
        }
      }
    }
  }
}
