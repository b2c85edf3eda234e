internal import MartletValues

/// Some rows of a result that were read together, which the rows that a program has share.
///
/// Always true: it does not change while a row holds it.
// Unchecked because only `take` changes it, and nobody but its caller has the block then.
@usableFromInline
final class RowBlock: @unchecked Sendable {
  private var batch: RowBatch

  init(_ batch: RowBatch) { self.batch = batch }

  /// A block of one row.
  convenience init(_ values: [SQLValue]) { self.init(RowBatch(rows: [values], columnCount: values.count)) }

  var rowCount: Int { batch.rowCount }

  /// The memory of a block that no row holds, for the next rows; of another one none.
  static func take(_ block: inout RowBlock) -> RowBatch {
    guard isKnownUniquelyReferenced(&block) else { return RowBatch() }
    var batch = RowBatch()
    swap(&batch, &block.batch)
    return batch
  }

  /// One row's value. Throws `QueryError` if it is a text that is not UTF-8; NULL for a column that is not there.
  func value(_ column: Int, _ row: Int, _ name: () -> String) throws -> SQLValue {
    guard column < batch.columns.count else { return .null }
    do {
      return try batch.columns[column].value(at: row)
    } catch {
      throw QueryError.unexpectedValue("The column \(name()) holds a text that is not UTF-8. Select it as a blob.")
    }
  }

  func isNull(_ column: Int, _ row: Int) -> Bool { at(column, row, or: true) { $0.kind(at: $1) == .null } }

  /// An integer that is kept as one; nil for another value.
  func integer(_ column: Int, _ row: Int) -> Int64? {
    at(column, row, or: nil) { $0.kind(at: $1) == .integer ? $0.pointee.integers[$1] : nil }
  }

  /// A real number that is kept as one; nil for another value.
  func real(_ column: Int, _ row: Int) -> Double? {
    at(column, row, or: nil) { $0.kind(at: $1) == .real ? $0.pointee.reals[$1] : nil }
  }

  /// A text; nil for another value, and if it is not UTF-8.
  func text(_ column: Int, _ row: Int) -> String? {
    at(column, row, or: nil) { column, row in
      guard column.kind(at: row) == .text else { return nil }
      let range = column.range(at: row)
      return column.pointee.data.withUnsafeBufferPointer {
        String(validUTF8: UnsafeBufferPointer(rebasing: $0[range]))
      }
    }
  }

  @inline(__always)
  private func at<T>(
    _ column: Int, _ row: Int, or other: T, _ body: (UnsafePointer<ColumnValues>, Int) -> T
  ) -> T {
    batch.columns.withUnsafeBufferPointer { columns in
      // The pointer stays within the columns, because their number is asked first.
      guard column < columns.count, row < batch.rowCount, let first = columns.baseAddress else { return other }
      return body(first + column, row)
    }
  }
}
