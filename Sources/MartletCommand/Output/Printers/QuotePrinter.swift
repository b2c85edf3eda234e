import MartletValues

/// Rows as literals of SQL with commas between them, a row a line.
struct QuotePrinter: RowPrinter {
  var hasHeader = false

  mutating func begin(columns: [String], to output: inout [UInt8]) {
    guard hasHeader else { return }
    for (index, name) in columns.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      SQLLiteral.append(text: Array(name.utf8)[...], to: &output)
    }
    output.append(UInt8(ascii: "\n"))
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      for (index, column) in batch.columns.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        SQLLiteral.append(column, row: row, to: &output)
      }
      output.append(UInt8(ascii: "\n"))
    }
  }

  mutating func end(to output: inout [UInt8]) {}
}
