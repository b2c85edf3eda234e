import MartletValues

/// Rows as INSERT statements for a table, which bring every value back with its type.
struct InsertPrinter: RowPrinter {
  private let beginning: String

  init(table: String) { beginning = "INSERT INTO \(SQLLiteral.quoted(table)) VALUES(" }

  mutating func begin(columns: [String], to output: inout [UInt8]) {}

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      output.append(text: beginning)
      for (index, column) in batch.columns.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        SQLLiteral.append(column, row: row, to: &output)
      }
      output.append(text: ");\n")
    }
  }

  mutating func end(to output: inout [UInt8]) {}
}
