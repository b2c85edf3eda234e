package import MartletQuery
internal import MartletSQLite
package import MartletValues

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
  /// The values of the row that the statement is at. Throws where a text is not UTF-8, which no Swift text can hold.
  fileprivate func values() throws -> [Value] {
    try [Value](unsafeUninitializedCapacity: Int(row.columnCount)) { buffer, count in
      // Each place is filled in its turn, and `count` says how many are, because an error may end it early.
      while count < buffer.count {
        buffer.initializeElement(at: count, to: try value(at: Int32(truncatingIfNeeded: count)))
        count += 1
      }
    }
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
        throw RequestError(
          .invalidArgument, .notUTF8, "Column \(column) holds a text that is not UTF-8. Select it as a blob.")
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
