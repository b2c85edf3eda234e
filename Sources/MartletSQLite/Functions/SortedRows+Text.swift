import CSQLite

/// What the ordered aggregates make of sorted rows: concatenated text, and JSON as SQLite writes it.
///
/// Always true: numbers are written as SQLite converts them to text, texts that are JSON already are taken as they are.
extension SortedRows {
  /// The first argument of the rows if it is not NULL, with the second (by default a comma) before each but the
  /// first; NULL if there is none.
  static func concatenation(_ rows: [Row]) throws -> FunctionResult {
    var text: [UInt8] = []
    var isFirst = true
    for row in rows {
      guard let value = row.arguments.first, !value.isNull else { continue }
      if !isFirst {
        if row.arguments.count > 1 { text += bytes(of: row.arguments[1]) } else { text.append(UInt8(ascii: ",")) }
      }
      isFirst = false
      text += bytes(of: value)
    }
    return isFirst ? .null : .textBytes(text)
  }

  static func array(_ rows: [Row]) throws -> FunctionResult {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for row in rows {
      guard let value = row.arguments.first else { throw OrderedAggregateError.malformed }
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      try append(value, to: &text)
    }
    text.append(UInt8(ascii: "]"))
    return .json(text)
  }

  static func object(_ rows: [Row]) throws -> FunctionResult {
    var text: [UInt8] = [UInt8(ascii: "{")]
    for row in rows {
      guard row.arguments.count == 2 else { throw OrderedAggregateError.malformed }
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      append(quoted: bytes(of: row.arguments[0]), to: &text)
      text.append(UInt8(ascii: ":"))
      try append(row.arguments[1], to: &text)
    }
    text.append(UInt8(ascii: "}"))
    return .json(text)
  }

  private static func append(_ value: StoredValue, to text: inout [UInt8]) throws {
    switch value {
    case .null: text += Array("null".utf8)
    case .integer, .real: text += bytes(of: value)
    case .text(let json, isJSON: true): text += json
    case .text(let plain, isJSON: false): append(quoted: plain, to: &text)
    case .blob: throw OrderedAggregateError.blob
    }
  }

  private static func append(quoted bytes: [UInt8], to text: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    text.append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 8: text += Array("\\b".utf8)
      case 9: text += Array("\\t".utf8)
      case 10: text += Array("\\n".utf8)
      case 12: text += Array("\\f".utf8)
      case 13: text += Array("\\r".utf8)
      case 0..<0x20: text += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  /// The bytes of the text to which SQLite casts the value.
  private static func bytes(of value: StoredValue) -> [UInt8] {
    switch value {
    case .null: []
    case .integer(let integer): Array(String(integer).utf8)
    case .text(let bytes, _), .blob(let bytes): bytes
    case .real(let real): Array(SQLiteLibrary.text(of: real).utf8)
    }
  }
}

extension SQLiteLibrary {
  /// A real as SQLite writes it: 15 significant digits, and always a point or an exponent.
  static func text(of real: Double) -> String {
    if real.isInfinite { return real < 0 ? "-Inf" : "Inf" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      martlet_sqlite_write_real(buffer.baseAddress, 64, real)
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }
}
