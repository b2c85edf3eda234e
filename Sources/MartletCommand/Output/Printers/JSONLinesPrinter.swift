import MartletValues

/// Rows as JSON objects, one a line, which other programs read as they come.
///
/// Always true: every line is a JSON text of its own, with the values and names of `JSONPrinter`.
struct JSONLinesPrinter: RowPrinter {
  private var objects = JSONPrinter()

  mutating func begin(columns: [String], to output: inout [UInt8]) { objects.name(columns) }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      objects.append(row: row, of: batch, to: &output)
      output.append(UInt8(ascii: "\n"))
    }
  }

  mutating func end(to output: inout [UInt8]) {}
}
