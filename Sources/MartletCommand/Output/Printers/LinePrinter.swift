import MartletValues

/// Rows with one value a line, for results that are wider than any terminal.
///
/// Always true: a blank line stands between two rows, and the names of a row's columns end at one place.
struct LinePrinter: RowPrinter {
  private let null: String
  private var names: [String] = []
  private var rowCount = 0

  init(null: String = "NULL") { self.null = null }

  mutating func begin(columns: [String], to output: inout [UInt8]) {
    names = columns.map { CellText.escaped($0) }
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      if rowCount > 0 { output.append(UInt8(ascii: "\n")) }
      rowCount += 1
      Self.print(
        zip(names, batch.columns).map { ($0, $1.isNull(at: row) ? null : CellText.of($1, row: row)) }, to: &output)
    }
  }

  mutating func end(to output: inout [UInt8]) {}

  static func print(_ values: [(name: String, text: String)], to output: inout [UInt8]) {
    let width = values.map { DisplayWidth.of($0.name) }.max() ?? 0
    for (name, text) in values {
      output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, width - DisplayWidth.of(name))))
      output.append(text: "\(name) = \(text)\n")
    }
  }
}
