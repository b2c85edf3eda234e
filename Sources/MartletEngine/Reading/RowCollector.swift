/// Steps a statement and fills a batch with its rows, column by column: the way of every row that leaves the engine.
///
/// Always true: a batch ends after the row that brought it to its size, so it holds at least one row unless there are
/// no more; a row that could not travel is an error and not a batch.
import MartletAST
import MartletSQLite

enum RowCollector {
  enum Outcome: Sendable, Equatable {
    /// The batch has its size; there may be more rows.
    case full
    /// There are no more rows.
    case done
  }

  /// Empties `rows` and fills it until it has about `byteLimit` bytes. Throws what SQLite reports, and TOOBIG for a row
  /// beyond `rowBytesMax`.
  static func fill(
    _ rows: inout RowBatch, from statement: Statement, byteLimit: Int, rowBytesMax: Int
  ) throws(SQLiteError) -> Outcome {
    // The number of columns is certain only after the first step, because that may compile the statement anew.
    var hasRow = try statement.step()
    let columnCount = statement.columnCount
    rows.reset(columnCount: columnCount)
    var row = 0
    var bytes = 0
    let values = RowValues(statement, columnCount: columnCount)
    let outcome: Outcome = try rows.columns.withUnsafeMutableBufferPointer { columns throws(SQLiteError) in
      while hasRow {
        let size = values.append(to: columns, row: row)
        row += 1
        bytes += size
        if size > rowBytesMax {
          throw SQLiteError(extendedCode: SQLiteCode.tooBig, message: "A row is too large.")
        }
        if bytes >= byteLimit { return .full }
        hasRow = try statement.step()
      }
      return .done
    }
    rows.rowCount = row
    return outcome
  }
}

/// The current row of a statement, read in one go.
struct RowValues {
  private let statement: Statement
  private let columnCount: Int

  init(_ statement: Statement, columnCount: Int) {
    self.statement = statement
    self.columnCount = columnCount
  }

  /// Appends the current row to `columns`, which has room for all of them. Gives about the bytes that it took.
  @inline(__always)
  func append(to columns: UnsafeMutableBufferPointer<ColumnValues>, row: Int) -> Int {
    var size = 8 * columnCount
    for index in 0..<min(columnCount, columns.count) {
      let value = statement.value(at: index)
      switch value.rawType {
      case RowValue.Kind.integer.rawValue:
        columns[index].appendInteger(value.integer, row: row)
      case RowValue.Kind.text.rawValue:
        let text = value.textBytes
        columns[index].appendText(text, row: row)
        size += text.count
      case RowValue.Kind.real.rawValue:
        columns[index].appendReal(value.real, row: row)
      case RowValue.Kind.blob.rawValue:
        let blob = value.blobBytes
        columns[index].appendBlob(blob, row: row)
        size += blob.count
      default:
        columns[index].appendNull(row: row)
      }
    }
    return size
  }
}
