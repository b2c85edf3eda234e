import MartletValues

/// Rows with a bar between their values, and nothing else: for a person's next program.
///
/// Always true: a row is one line, whatever its values hold.
struct ListPrinter: RowPrinter {
  var hasHeader = true
  var null = ""

  mutating func begin(columns: [String], to output: inout [UInt8]) {
    if hasHeader { line(columns.map { CellText.escaped($0) }, to: &output) }
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      line(batch.columns.map { $0.isNull(at: row) ? null : CellText.of($0, row: row) }, to: &output)
    }
  }

  mutating func end(to output: inout [UInt8]) {}

  private func line(_ cells: [String], to output: inout [UInt8]) {
    output.append(text: cells.joined(separator: "|") + "\n")
  }
}
