import MartletValues

/// Rows as one JSON array with an object per row, a row a line.
///
/// Always true: the bytes are one valid JSON text whatever the rows hold; integers are written in full, a blob as
/// base64, and a column's name that occurs twice gets `:2` behind it, so that no value hides another.
struct JSONPrinter: RowPrinter {
  private var keys: [[UInt8]] = []
  private var rowCount = 0

  mutating func begin(columns: [String], to output: inout [UInt8]) {
    name(columns)
    output.append(UInt8(ascii: "["))
  }

  /// The keys of the objects that follow.
  mutating func name(_ columns: [String]) {
    var seen: Set<String> = []
    keys = columns.map { name in
      var unique = name
      var number = 2
      while !seen.insert(unique).inserted {
        unique = "\(name):\(number)"
        number += 1
      }
      var key: [UInt8] = []
      Self.append(text: Array(unique.utf8), to: &key)
      key.append(UInt8(ascii: ":"))
      return key
    }
  }

  mutating func append(_ batch: RowBatch, to output: inout [UInt8]) {
    for row in 0..<batch.rowCount {
      output.append(text: rowCount == 0 ? "\n" : ",\n")
      rowCount += 1
      append(row: row, of: batch, to: &output)
    }
  }

  func append(row: Int, of batch: RowBatch, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    for (index, column) in batch.columns.enumerated() where index < keys.count {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output.append(contentsOf: keys[index])
      Self.append(column, row: row, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  mutating func end(to output: inout [UInt8]) {
    output.append(text: rowCount == 0 ? "]\n" : "\n]\n")
  }

  private static func append(_ column: ColumnValues, row: Int, to output: inout [UInt8]) {
    switch column.kind(at: row) {
    case .null, .mixed: output.append(text: "null")
    case .integer: output.append(text: String(column.integers[row]))
    case .real: output.append(text: RealText.of(column.reals[row]))
    case .text: append(text: column.data[column.range(at: row)], to: &output)
    case .blob:
      output.append(UInt8(ascii: "\""))
      append(base64: column.data[column.range(at: row)], to: &output)
      output.append(UInt8(ascii: "\""))
    }
  }

  /// A quoted string; bytes that are not UTF-8 become U+FFFD, because JSON has no way to say them.
  static func append(text bytes: some Collection<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    let needsRepair = bytes.contains { $0 >= 0x80 } && String(validating: bytes, as: UTF8.self) == nil
    if needsRepair {
      appendEscaped(Array(String(decoding: bytes, as: UTF8.self).utf8), to: &output)
    } else {
      appendEscaped(bytes, to: &output)
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func appendEscaped(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): output.append(text: "\\\"")
      case UInt8(ascii: "\\"): output.append(text: "\\\\")
      case UInt8(ascii: "\n"): output.append(text: "\\n")
      case UInt8(ascii: "\r"): output.append(text: "\\r")
      case UInt8(ascii: "\t"): output.append(text: "\\t")
      case 0..<0x20, 0x7F:
        output.append(text: "\\u00")
        output.append(hex: CollectionOfOne(byte))
      default: output.append(byte)
      }
    }
  }

  static func append(base64 bytes: some Collection<UInt8>, to output: inout [UInt8]) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        if position <= group.count {
          output.append(alphabet[Int(bits >> UInt32(18 - 6 * position)) & 63])
        } else {
          output.append(UInt8(ascii: "="))
        }
      }
    }
  }
}
