import MartletValues

/// Rows with a byte between their values and another behind them, and nothing else: for a person's next program.
///
/// Always true: a text or a blob is its bytes, so one that holds a line's end takes several lines; on a terminal it has
/// no control characters.
struct ListPrinter: RowPrinter {
  var hasHeader = false
  var null = ""
  var isForTerminal = false
  var columnEnd = UInt8(ascii: "|")
  var rowEnd = UInt8(ascii: "\n")

  mutating func begin(columns: [String], to output: inout [UInt8]) {
    guard hasHeader else { return }
    for (index, name) in columns.enumerated() {
      if index > 0 { output.append(columnEnd) }
      output.append(text: isForTerminal ? CellText.escaped(name) : name)
    }
    output.append(rowEnd)
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      for (index, column) in batch.columns.enumerated() {
        if index > 0 { output.append(columnEnd) }
        switch column.kind(at: row) {
        case .null, .mixed: output.append(text: null)
        case .text where !isForTerminal, .blob where !isForTerminal:
          output.append(contentsOf: column.data[column.range(at: row)])
        default: output.append(text: CellText.of(column, row: row))
        }
      }
      output.append(rowEnd)
    }
  }

  mutating func end(to output: inout [UInt8]) {}
}
