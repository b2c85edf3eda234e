import MartletValues

/// A field of a CSV file that says itself what it is: a text stands in quotes, a number does not, a blob is X'…'.
///
/// Always true: what `CSVPrinter` writes exactly comes back as the same value, whatever the table's column types make
/// of it then.
enum ExactField: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(ArraySlice<UInt8>)
  case blob([UInt8])

  /// Nil if the field is none of these.
  init?(_ bytes: ArraySlice<UInt8>, isQuoted: Bool, isNull: Bool) {
    if isNull {
      self = .null
    } else if isQuoted {
      self = .text(bytes)
    } else if let blob = Self.blob(bytes) {
      self = .blob(blob)
    } else {
      let text = String(decoding: bytes, as: UTF8.self)
      guard let first = bytes.first, first == UInt8(ascii: "-") || (48...57).contains(first) else { return nil }
      if let integer = Int64(text) {
        self = .integer(integer)
      } else if let real = Double(text) {
        self = .real(real)
      } else {
        return nil
      }
    }
  }

  private static func blob(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.count >= 3, bytes.first == UInt8(ascii: "X"), bytes.dropFirst().first == UInt8(ascii: "'"),
      bytes.last == UInt8(ascii: "'")
    else { return nil }
    let digits = Array(bytes.dropFirst(2).dropLast())
    guard digits.count.isMultiple(of: 2) else { return nil }
    var blob: [UInt8] = []
    blob.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
      blob.append(high << 4 | low)
    }
    return blob
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 48...57: digit - 48
    case 65...70: digit - 55
    case 97...102: digit - 87
    default: nil
    }
  }

  func append(to column: inout ColumnValues, row: Int) {
    switch self {
    case .null: column.appendNull(row: row)
    case .integer(let integer): column.appendInteger(integer, row: row)
    case .real(let real): column.appendReal(real, row: row)
    case .text(let bytes): bytes.withUnsafeBytes { column.appendText($0, row: row) }
    case .blob(let bytes): bytes.withUnsafeBytes { column.appendBlob($0, row: row) }
    }
  }

  /// What a column that is made for such fields is declared as.
  enum ColumnType: Equatable {
    case unknown
    case one(String)
    /// BLOB, which keeps every value as it is.
    case mixed

    mutating func seen(_ field: ExactField) {
      let word: String
      switch field {
      case .null: return
      case .integer: word = "INTEGER"
      case .real: word = "REAL"
      case .text: word = "TEXT"
      case .blob: word = "BLOB"
      }
      switch self {
      case .unknown: self = .one(word)
      case .one(word), .mixed: break
      case .one: self = .mixed
      }
    }

    var word: String {
      switch self {
      case .unknown: "TEXT"
      case .one(let word): word
      case .mixed: "BLOB"
      }
    }
  }
}
