import MartletValues

/// Rows as a table of Markdown, to be pasted into a page.
///
/// Always true: a row is one line, whatever its values hold; a bar inside of a value does not end its cell.
struct MarkdownPrinter: RowPrinter {
  var null = "NULL"

  mutating func begin(columns: [String], to output: inout [UInt8]) {
    line(columns.map { CellText.escaped($0) }, to: &output)
    output.append(text: "|" + String(repeating: " --- |", count: columns.count) + "\n")
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      line(batch.columns.map { $0.isNull(at: row) ? null : CellText.of($0, row: row) }, to: &output)
    }
  }

  mutating func end(to output: inout [UInt8]) {}

  private func line(_ cells: [String], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "|"))
    for cell in cells { output.append(text: " " + cell.replacingScalars { $0 == "|" ? "\\|" : nil } + " |") }
    output.append(UInt8(ascii: "\n"))
  }
}
