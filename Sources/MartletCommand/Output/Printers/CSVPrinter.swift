import MartletValues

/// Rows as comma-separated values, or with another byte between them: a header, then a row a line, quoted as RFC 4180
/// has it.
///
/// Always true: NULL is an empty field, or a word of a person's choice; a text that is the same stands in quotes, so
/// the two stay apart; a blob is hexadecimal digits.
struct CSVPrinter: RowPrinter {
  private let delimiter: UInt8
  private let hasHeader: Bool
  /// No two different values are written alike: see `ExactField`.
  private let isExact: Bool
  private let null: [UInt8]

  init(delimiter: UInt8 = UInt8(ascii: ","), hasHeader: Bool = true, isExact: Bool = false, null: String = "") {
    self.delimiter = delimiter
    self.isExact = isExact
    self.null = Array(null.utf8)
    self.hasHeader = hasHeader
  }

  mutating func begin(columns: [String], to output: inout [UInt8]) {
    guard hasHeader else { return }
    for (index, name) in columns.enumerated() {
      if index > 0 { output.append(delimiter) }
      append(field: Array(name.utf8), to: &output)
    }
    output.append(UInt8(ascii: "\n"))
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      for (index, column) in batch.columns.enumerated() {
        if index > 0 { output.append(delimiter) }
        switch column.kind(at: row) {
        case .null, .mixed: output.append(contentsOf: null)
        case .integer: output.append(text: String(column.integers[row]))
        case .real: output.append(text: RealText.of(column.reals[row]))
        case .text: append(field: column.data[column.range(at: row)], to: &output)
        case .blob:
          if isExact { output.append(text: "X'") }
          output.append(hex: column.data[column.range(at: row)])
          if isExact { output.append(UInt8(ascii: "'")) }
        }
      }
      output.append(UInt8(ascii: "\n"))
    }
  }

  mutating func end(to output: inout [UInt8]) {}

  func append(field bytes: some Collection<UInt8>, to output: inout [UInt8]) {
    let needsQuotes =
      isExact || bytes.isEmpty || bytes.elementsEqual(null) || bytes.first == UInt8(ascii: " ")
      || bytes.contains {
        $0 == delimiter || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
      }
    guard needsQuotes else { return output.append(contentsOf: bytes) }
    output.append(UInt8(ascii: "\""))
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { output.append(byte) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "\""))
  }
}
