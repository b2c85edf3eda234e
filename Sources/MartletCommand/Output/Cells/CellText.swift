import MartletValues

/// One value as the text of a table's cell.
///
/// Always true: the text holds no control character, so what a row holds can neither break the table's lines nor steer
/// the terminal.
enum CellText {
  static func of(_ column: ColumnValues, row: Int) -> String {
    switch column.kind(at: row) {
    case .null, .mixed: return "NULL"
    case .integer: return String(column.integers[row])
    case .real: return RealText.of(column.reals[row])
    case .text: return escaped(String(decoding: column.data[column.range(at: row)], as: UTF8.self))
    case .blob: return blob(column.data[column.range(at: row)])
    }
  }

  static func escaped(_ text: String) -> String { ShownText.escaped(text) }

  /// The same of a text of several lines.
  static func escapedLines(_ text: String) -> String { ShownText.escapedLines(text) }

  private static func blob(_ bytes: ArraySlice<UInt8>) -> String {
    var text = Array("x'".utf8)
    text.append(hex: bytes.prefix(CommandLimits.blobBytesShownMax))
    if bytes.count > CommandLimits.blobBytesShownMax {
      text.append(text: "…' (\(bytes.count) bytes)")
    } else {
      text.append(UInt8(ascii: "'"))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
