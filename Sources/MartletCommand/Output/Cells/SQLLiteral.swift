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

  /// A text that no literal can hold (a zero byte ends it, other bytes may be no UTF-8) is a blob that is made one.
  static func append(text bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
      output.append(text: "CAST(X'")
      output.append(hex: bytes)
      return output.append(text: "' AS TEXT)")
    }
    guard bytes.contains(carriageReturn) else { return append(quoted: bytes, to: &output) }
    // SQLite's shell reads CR LF as the end of a line, inside of a text too, and so would lose the CR.
    let mark = unusedMark(in: bytes)
    output.append(text: "replace(")
    var marked: [UInt8] = []
    for byte in bytes {
      if byte == carriageReturn { marked += mark } else { marked.append(byte) }
    }
    append(quoted: marked[...], to: &output)
    output.append(text: ",'")
    output += mark
    output.append(text: "',char(13))")
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

  /// What stands for a CR in a text that does not hold it: `\r`, and otherwise `(\r1)`, `(\r2)` and so on.
  ///
  /// No mark that has a digit is part of another, nor begins where another ends, so that only the marks are replaced.
  private static func unusedMark(in bytes: ArraySlice<UInt8>) -> [UInt8] {
    let short = Array("\\r".utf8)
    if bytes.firstRange(of: short) == nil { return short }
    var number = 1
    while bytes.firstRange(of: Array("(\\r\(number))".utf8)) != nil { number += 1 }
    return Array("(\\r\(number))".utf8)
  }
}
