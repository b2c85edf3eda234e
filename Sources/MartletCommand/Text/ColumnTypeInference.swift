/// The type that a CSV column's fields have in common.
///
/// Always true: a field that would not read back as it is written (a leading zero, a plus sign, an exponent, more
/// digits than a number holds) makes its column TEXT, so that a post code or a telephone number survives; NULLs
/// decide nothing.
import MartletAST

struct ColumnTypeInference {
  enum ColumnType: String, Equatable {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
  }

  private var candidate: ColumnType?

  /// TEXT where no field has said otherwise.
  var type: ColumnType { candidate ?? .text }

  mutating func fieldSeen(_ bytes: ArraySlice<UInt8>, isNull: Bool, isQuoted: Bool) {
    guard !isNull, candidate != .text else { return }
    let seen = isQuoted ? .text : Self.type(of: bytes)
    switch (candidate, seen) {
    case (nil, _): candidate = seen
    case (.integer, .real): candidate = .real
    case (.integer, .text), (.real, .text): candidate = .text
    default: break
    }
  }

  static func type(of bytes: ArraySlice<UInt8>) -> ColumnType {
    if integer(bytes) != nil { return .integer }
    return real(bytes) != nil ? .real : .text
  }

  static func integer(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    guard let first = digits.first, digits.count <= 19, digits.allSatisfy(isDigit) else { return nil }
    guard first != UInt8(ascii: "0") || bytes.count == 1 else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }

  static func real(_ bytes: ArraySlice<UInt8>) -> Double? {
    let unsigned = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    guard let point = unsigned.firstIndex(of: UInt8(ascii: ".")) else { return exponential(bytes) }
    let whole = unsigned[..<point]
    let fraction = unsigned[(point + 1)...]
    guard let first = whole.first, !fraction.isEmpty else { return nil }
    guard whole.allSatisfy(isDigit) else { return nil }
    guard fraction.allSatisfy(isDigit) else { return exponential(bytes) }
    guard first != UInt8(ascii: "0") || whole.count == 1, whole.count + fraction.count <= 17 else { return nil }
    return Double(String(decoding: bytes, as: UTF8.self))
  }

  /// A number with an exponent only where it is written as `export` writes it, so that `1e5` (a room, a grade) is text.
  private static func exponential(_ bytes: ArraySlice<UInt8>) -> Double? {
    guard bytes.contains(UInt8(ascii: "e")) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = Double(text) else { return nil }
    return RealText.of(value) == text ? value : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Writes one field into a column of `type`; a field that does not fit the type goes in as text.
  static func append(
    _ bytes: ArraySlice<UInt8>, isNull: Bool, as type: ColumnType, to column: inout ColumnValues, row: Int
  ) {
    if isNull { return column.appendNull(row: row) }
    if type != .text, let integer = integer(bytes) { return column.appendInteger(integer, row: row) }
    if type == .real, let real = real(bytes) { return column.appendReal(real, row: row) }
    bytes.withUnsafeBytes { column.appendText($0, row: row) }
  }
}
