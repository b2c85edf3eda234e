import MartletSQLite
import MartletValues

/// Steps the statement and fills a batch with its rows, column by column: the way of every row that leaves the engine.
///
/// Always true: a batch ends after the row that brought it to its size, so it holds at least one row unless there are
/// no more; every text in it is UTF-8; a row that could not travel is an error and not a batch.
extension PreparedPlan {
  enum Filling: Sendable, Equatable {
    /// The batch has its size; there may be more rows.
    case full
    /// There are no more rows.
    case done
  }

  /// Empties `rows` and fills it until it has about `byteLimit` bytes. Throws what SQLite reports, how long a
  /// row is that goes beyond `rowBytesMax`, and which column holds a text that is not UTF-8.
  func fill(_ rows: inout RowBatch, byteLimit: Int, rowBytesMax: Int) throws(RowFault) -> Filling {
    // The number of columns is certain only after the first step, because that may compile the statement anew.
    var hasRow = try step()
    let columnCount = statement.columnCount
    rows.reset(columnCount: columnCount)
    if hasRow { makeRoom(in: &rows) }
    var row = 0
    var bytes = 0
    let outcome: Filling = try rows.columns.withUnsafeMutableBufferPointer { columns throws(RowFault) in
      while hasRow {
        let size = try append(to: columns, columnCount: columnCount, row: row)
        row += 1
        bytes += size
        if size > rowBytesMax { throw .tooLong(bytes: size) }
        if bytes >= byteLimit || row == ValueLimits.batchRowsMax { break }
        hasRow = try step()
      }
      try checkTexts(of: columns, rowCount: row)
      return hasRow ? .full : .done
    }
    rows.rowCount = row
    noteRoom(of: rows, outcome, byteLimit: byteLimit)
    return outcome
  }

  /// The batches of a long result are of about the same size.
  @inline(__always)
  private func makeRoom(in rows: inout RowBatch) {
    guard room.count == rows.columns.count else { return }
    for index in rows.columns.indices { rows.columns[index].reserve(room[index]) }
  }

  /// A batch of one large row says nothing about the next one.
  @inline(__always)
  private func noteRoom(of rows: RowBatch, _ outcome: Filling, byteLimit: Int) {
    if outcome == .full, rows.byteCount <= 2 * byteLimit {
      room = rows.columns.map(\.room)
    } else if !room.isEmpty {
      room = []
    }
  }

  @inline(__always)
  private func step() throws(RowFault) -> Bool {
    do throws(SQLiteError) { return try statement.step() } catch { throw .sqlite(error) }
  }

  /// Appends the current row to `columns`, which has room for all of them. Returns about how many bytes it took.
  @inline(__always)
  private func append(
    to columns: UnsafeMutableBufferPointer<ColumnValues>, columnCount: Int, row: Int
  ) throws(RowFault) -> Int {
    var size = 8 * columnCount
    for index in 0..<min(columnCount, columns.count) {
      let value = statement.value(at: index)
      switch value.rawType {
      case RowValue.Kind.integer.rawValue:
        columns[index].appendInteger(value.integer, row: row)
      case RowValue.Kind.text.rawValue:
        let text = value.textBytes
        // Even an empty text has an address, unless SQLite had no memory to convert it from UTF-16.
        guard text.baseAddress != nil else { throw .noMemory }
        columns[index].appendText(text, row: row)
        size += text.count
      case RowValue.Kind.real.rawValue:
        columns[index].appendReal(value.real, row: row)
      case RowValue.Kind.blob.rawValue:
        let blob = value.blobBytes
        // A blob of zeros is written out only now, which takes memory that there may not be.
        if blob.baseAddress == nil, !value.isEmpty { throw .noMemory }
        columns[index].appendBlob(blob, row: row)
        size += blob.count
      default:
        columns[index].appendNull(row: row)
      }
    }
    return size
  }

  /// Throws if a text is not UTF-8, and names the first column that holds such a text.
  @inline(__always)
  private func checkTexts(of columns: UnsafeMutableBufferPointer<ColumnValues>, rowCount: Int) throws(RowFault) {
    guard let first = columns.baseAddress.map({ UnsafePointer($0) }) else { return }
    for index in 0..<columns.count where !(first + index).isTextValid(rowCount: rowCount) {
      throw .notUTF8(column: index + 1, name: StatementRow(statement).name(at: Int32(clamping: index)))
    }
  }
}
