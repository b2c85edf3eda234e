import CSQLite

/// A cursor of SQLite's over bound rows, in the memory layout that SQLite prescribes: its own part first.
///
/// Always true: the pointers belong to a `RowsPointer` that the running statement's binding retains.
struct RowsCursor {
  /// SQLite's part; must stay the first member.
  var base = sqlite3_vtab_cursor()
  var row = 0
  var rowCount = 0
  var columnCount = 0
  var columns: UnsafeMutablePointer<RowsPointer.Column>?

  /// Starts over, with the rows behind a value that should be a bound pointer; anything else is no rows.
  mutating func start(with value: OpaquePointer?) {
    row = 0
    rowCount = 0
    columnCount = 0
    columns = nil
    // A static string's address is constant because it lies in the program's own data.
    let name = UnsafeRawPointer(RowsPointer.typeName.utf8Start).assumingMemoryBound(to: CChar.self)
    guard let value, let reference = sqlite3_value_pointer(value, name) else { return }
    // Unretained because the statement's binding holds a reference for as long as the statement runs.
    let rows = Unmanaged<RowsPointer>.fromOpaque(reference).takeUnretainedValue()
    rowCount = rows.rowCount
    columnCount = rows.columnCount
    columns = rows.columns
  }

  /// Hands SQLite the value of one column of the current row; what is missing is NULL.
  @inline(__always)
  func result(column index: Int, to context: OpaquePointer?) {
    guard let columns, index < columnCount, row < rowCount else { return sqlite3_result_null(context) }
    let column = columns + index
    var kind = column.pointee.kind
    if kind == .mixed {
      guard let tag = column.pointee.tags?[row], let found = RowsPointer.Kind(rawValue: tag) else {
        return sqlite3_result_null(context)
      }
      kind = found
    } else if let nulls = column.pointee.nulls, nulls[row >> 3] & (1 << UInt8(row & 7)) != 0 {
      return sqlite3_result_null(context)
    }
    switch kind {
    case .integer:
      guard let integers = column.pointee.integers else { break }
      return sqlite3_result_int64(context, integers[row])
    case .real:
      guard let reals = column.pointee.reals else { break }
      return sqlite3_result_double(context, reals[row])
    case .text, .blob:
      guard let ends = column.pointee.ends else { break }
      let start = row == 0 ? 0 : Int(ends[row - 1])
      let count = UInt64(Int(ends[row]) - start)
      // Never nil, because SQLite takes a missing address for NULL and an empty text is not NULL.
      let bytes = column.pointee.data.map { UnsafeRawPointer($0 + start) } ?? UnsafeRawPointer(columns)
      // Not copied, because the rows live until the binding is cleared, which is after the statement has ended.
      if kind == .text {
        return sqlite3_result_text64(
          context, bytes.assumingMemoryBound(to: CChar.self), count, nil, UInt8(SQLITE_UTF8))
      }
      return sqlite3_result_blob64(context, bytes, count, nil)
    case .null, .mixed: break
    }
    sqlite3_result_null(context)
  }
}
