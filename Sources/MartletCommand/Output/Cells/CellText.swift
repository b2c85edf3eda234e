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

  static func escaped(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { !isControl($0) }
    if isPlain { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0": result += "\\0"
      case _ where isControl(scalar): result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    // Beside the two control blocks: the ends of lines and paragraphs, and the marks that change a line's direction.
    return value < 0x20 || (value >= 0x7F && value < 0xA0) || (0x2028...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }

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
