/// Rows as comma-separated values: a header, then a row a line, quoted as RFC 4180 has it.
///
/// Always true: NULL is an empty field and an empty text is `""`, so the two stay apart; a blob is hexadecimal digits.
import MartletAST

struct CSVPrinter: RowPrinter {
  mutating func begin(columns: [String], to output: inout [UInt8]) {
    for (index, name) in columns.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      Self.append(field: Array(name.utf8), to: &output)
    }
    output.append(UInt8(ascii: "\n"))
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      for (index, column) in batch.columns.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        switch column.kind(at: row) {
        case .null, .mixed: break
        case .integer: output.append(text: String(column.integers[row]))
        case .real: output.append(text: RealText.of(column.reals[row]))
        case .text: Self.append(field: column.data[column.range(at: row)], to: &output)
        case .blob: output.append(hex: column.data[column.range(at: row)])
        }
      }
      output.append(UInt8(ascii: "\n"))
    }
  }

  mutating func end(to output: inout [UInt8]) {}

  static func append(field bytes: some Collection<UInt8>, to output: inout [UInt8]) {
    let needsQuotes =
      bytes.isEmpty || bytes.first == UInt8(ascii: " ")
      || bytes.contains {
        $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
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
