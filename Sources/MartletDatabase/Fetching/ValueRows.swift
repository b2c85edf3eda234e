internal import MartletEngine
package import MartletQuery
internal import MartletSQLite
package import MartletValues

#if Client
  internal import MartletClient
#endif

/// The rows of a statement one at a time, each as its values: for libraries that make of them what they want.
///
/// Always true: once it has ended (the last row, an error, `finish`) its statement is free for others.
package final class ValueRows {
  private enum Source {
    case statement(EmbeddedRows)
    case batches(any BatchSource)
  }

  private let source: Source
  private var batch = RowBatch()
  private var row = 0
  private var isOver = false
  /// What ended a batch that has rows: it is told behind them.
  private var failure: (any Error)?

  init(_ rows: OpenedRows) {
    switch rows {
    case .statement(let rows): source = .statement(rows)
    case .batches(let batches): source = .batches(batches)
    }
  }

  /// The values of the next row, or nil after the last.
  package func next() throws -> [Value]? {
    if isOver { return nil }
    do {
      if let values = try advance() { return values }
    } catch {
      finish()
      throw error
    }
    finish()
    return nil
  }

  /// Every row that is left, each with at least `width` values. Throws if a server answers with fewer.
  package func all(width: Int) throws -> [[Value]] {
    defer { finish() }
    var found: [[Value]] = []
    while let row = try next() {
      #if Client
        guard row.count >= width else { throw ClientError.otherAnswer }
      #endif
      found.append(row)
    }
    return found
  }

  /// Fills `batch` with the next rows; false after the last. Of a statement these are `rowsMax` at most, and no more
  /// once they have about `bytesMax` bytes; of a server what it sent together. An error comes behind the rows that were
  /// read before it.
  package func nextBatch(into batch: inout RowBatch, rowsMax: Int, bytesMax: Int) throws -> Bool {
    if isOver { return false }
    do {
      switch source {
      case .statement(let rows): if try gather(rows, &batch, rowsMax, bytesMax) { return true }
      case .batches(let batches): if try take(batches, &batch) { return true }
      }
    } catch {
      finish()
      throw error
    }
    finish()
    return false
  }

  /// A batch without rows is not the end.
  private func take(_ batches: any BatchSource, _ batch: inout RowBatch) throws -> Bool {
    while let next = try batches.next() {
      guard next.rowCount > 0 else { continue }
      batch = next
      return true
    }
    return false
  }

  private func gather(
    _ rows: EmbeddedRows, _ batch: inout RowBatch, _ rowsMax: Int, _ bytesMax: Int
  ) throws -> Bool {
    if let failure { throw failure }
    guard try rows.step() else { return false }
    // Their number is certain only after the first step, because that may compile the statement anew.
    batch.reset(columnCount: Int(rows.row.columnCount))
    var count = 0
    var bytes = 0
    try batch.columns.withUnsafeMutableBufferPointer { columns in
      repeat {
        bytes += try rows.append(to: columns, row: count)
        count += 1
      } while count < rowsMax && bytes < bytesMax && hasNext(rows)
    }
    batch.rowCount = count
    return true
  }

  /// False at the end, and if an error is to be told behind the rows that are read.
  private func hasNext(_ rows: EmbeddedRows) -> Bool {
    do { return try rows.step() } catch {
      failure = error
      return false
    }
  }

  private func advance() throws -> [Value]? {
    switch source {
    case .statement(let rows): return try rows.step() ? try rows.values() : nil
    case .batches(let batches):
      while row >= batch.rowCount {
        guard let next = try batches.next() else { return nil }
        batch = next
        row = 0
      }
      defer { row += 1 }
      return try batch.row(row)
    }
  }

  /// What SQLite says of the result's columns; at a server it is known when the first row is here.
  package var columns: [ResultColumns.Column] {
    switch source {
    case .statement(let rows): rows.resultColumns
    case .batches(let batches): batches.resultColumns
    }
  }

  /// Nobody wants the rest.
  package func finish() {
    guard !isOver else { return }
    isOver = true
    switch source {
    case .statement(let rows): rows.finish()
    case .batches(let batches): batches.abandon()
    }
  }

  deinit { finish() }
}

extension EmbeddedRows {
  /// The values of the row that the statement is at. Throws if a text is not UTF-8, which no Swift text can hold.
  fileprivate func values() throws -> [Value] {
    try [Value](unsafeUninitializedCapacity: Int(row.columnCount)) { buffer, count in
      // Each place is filled in its turn, and `count` says how many are, because an error may end it early.
      while count < buffer.count {
        buffer.initializeElement(at: count, to: try value(at: Int32(truncatingIfNeeded: count)))
        count += 1
      }
    }
  }

  /// Appends the row that the statement is at, and returns about how many bytes it has. Throws if SQLite has no memory
  /// to give a text; the batch is of no use then.
  fileprivate func append(to columns: UnsafeMutableBufferPointer<ColumnValues>, row number: Int) throws -> Int {
    var bytes = 8 * columns.count
    for column in columns.indices {
      let value = row.value(at: Int32(truncatingIfNeeded: column))
      switch value.type {
      case .integer: columns[column].appendInteger(value.integer, row: number)
      case .real: columns[column].appendReal(value.real, row: number)
      case .null: columns[column].appendNull(row: number)
      case .blob:
        let blob = value.blobBytes
        bytes += blob.count
        columns[column].appendBlob(blob, row: number)
      case .text:
        let text = value.textBytes
        // Even an empty text has an address, unless SQLite had no memory to convert it.
        guard text.baseAddress != nil else {
          throw RequestError(SQLiteError(extendedCode: SQLiteCode.noMemory, message: "out of memory"))
        }
        bytes += text.count
        columns[column].appendText(text, row: number)
      }
    }
    return bytes
  }

  private func value(at column: Int32) throws -> Value {
    let value = row.value(at: column)
    switch value.type {
    case .integer: return .integer(value.integer)
    case .real: return .real(value.real)
    case .null: return .null
    case .blob: return .blob(Array(value.blobBytes))
    case .text:
      guard let text = StatementDecoder.text(value.textBytes) else {
        throw RequestError.textNotUTF8(column: column)
      }
      return .text(text)
    }
  }
}

extension Database {
  /// Runs a query up to its first row. Other statements may run while its rows are read.
  package func rows(of statement: SerializedStatement) throws -> ValueRows {
    ValueRows(try openHome().open(statement, outlivesCall: true))
  }

  /// Runs a statement to its end.
  package func run(_ statement: SerializedStatement) throws { try openHome().run(statement) }

  /// Runs a script, whose own words may begin and end transactions.
  package func run(script: String) throws { try openHome().run(script: script) }

  /// Sets, releases or rolls back to a savepoint with a number of the caller's.
  package func savepoint(_ action: SavepointAction, number: Int) throws {
    try openHome().savepoint(action, depth: number)
  }
}
