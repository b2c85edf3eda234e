import MartletValues

/// Names and values as SQL has them, for scripts that SQLite reads back.
///
/// Always true: what is read back is the same value of the same type, whatever bytes it holds.
enum SQLLiteral {
  static func quoted(_ name: String) -> String { name.quoted() }

  static func append(_ column: ColumnValues, row: Int, to output: inout [UInt8]) {
    switch column.kind(at: row) {
    case .null, .mixed: output.append(text: "NULL")
    case .integer: output.append(text: String(column.integers[row]))
    case .real: output.append(text: RealText.of(column.reals[row]))
    case .text: append(text: column.data[column.range(at: row)], to: &output)
    case .blob:
      output.append(text: "X'")
      output.append(hex: column.data[column.range(at: row)])
      output.append(UInt8(ascii: "'"))
    }
  }

  /// A text that no literal can hold is written as a blob that is cast to a text: a zero byte would end a literal,
  /// other bytes may not be UTF-8, and a text with a CR may already hold the mark for a CR.
  static func append(text bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
    let isAmbiguous = bytes.contains(carriageReturn) && bytes.firstRange(of: mark) != nil
    guard !bytes.contains(0), !isAmbiguous, String(validating: bytes, as: UTF8.self) != nil else {
      output.append(text: "CAST(X'")
      output.append(hex: bytes)
      return output.append(text: "' AS TEXT)")
    }
    guard bytes.contains(carriageReturn) else { return append(quoted: bytes, to: &output) }
    // SQLite's shell reads CR LF as the end of a line, inside of a text too, and so would lose the CR.
    output.append(text: "replace(")
    var marked: [UInt8] = []
    for byte in bytes {
      if byte == carriageReturn { marked += mark } else { marked.append(byte) }
    }
    append(quoted: marked[...], to: &output)
    output.append(text: ",'\\r',char(13))")
  }

  private static func append(quoted bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "'"))
    for byte in bytes {
      if byte == UInt8(ascii: "'") { output.append(byte) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "'"))
  }

  private static let carriageReturn = UInt8(ascii: "\r")

  /// Stands for a CR in a text that does not hold it.
  private static let mark = Array("\\r".utf8)
}
