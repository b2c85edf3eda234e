import MartletValues

/// The type that a CSV column's fields have in common.
///
/// Always true: a field whose digits would not read back as they are written (a leading zero, a plus sign, an exponent,
/// more digits than a number holds) makes its column TEXT, so that a post code or a telephone number survives; of a
/// decimal fraction zeros at the end go. NULLs decide nothing.
struct ColumnTypeInference {
  enum ColumnType: String, Equatable {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
  }

  private var candidate: ColumnType?
  /// Some whole number is one that a real number does not hold.
  private var hasLargeInteger = false

  /// TEXT if no field has said otherwise.
  var type: ColumnType { candidate == .real && hasLargeInteger ? .text : candidate ?? .text }

  mutating func fieldSeen(_ bytes: some RandomAccessCollection<UInt8>, isNull: Bool, isQuoted: Bool) {
    guard !isNull, candidate != .text else { return }
    let seen = isQuoted ? .text : Self.type(of: bytes)
    // Fewer digits always fit.
    if seen == .integer, bytes.count > 15, let integer = Self.integer(bytes), Double(exactly: integer) == nil {
      hasLargeInteger = true
    }
    switch (candidate, seen) {
    case (nil, _): candidate = seen
    case (.integer, .real): candidate = .real
    case (.integer, .text), (.real, .text): candidate = .text
    default: break
    }
  }

  static func type(of bytes: some RandomAccessCollection<UInt8>) -> ColumnType {
    if integer(bytes) != nil { return .integer }
    return real(bytes) != nil ? .real : .text
  }

  static func integer(_ bytes: some RandomAccessCollection<UInt8>) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative ? bytes.dropFirst() : bytes[...]
    guard let first = digits.first, digits.count <= 19 else { return nil }
    guard first != UInt8(ascii: "0") || bytes.count == 1 else { return nil }
    // Nineteen digits fit the magnitude of an unsigned number, whatever they are.
    guard let magnitude = magnitude(of: digits) else { return nil }
    if !isNegative { return Int64(exactly: magnitude) }
    guard magnitude <= Int64.min.magnitude else { return nil }
    return Int64(truncatingIfNeeded: 0 &- magnitude)
  }

  static func real(_ bytes: some RandomAccessCollection<UInt8>) -> Double? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let unsigned = isNegative ? bytes.dropFirst() : bytes[...]
    guard let point = unsigned.firstIndex(of: UInt8(ascii: ".")) else { return exponential(bytes) }
    let whole = unsigned[..<point]
    let fraction = unsigned[unsigned.index(after: point)...]
    guard let first = whole.first, !fraction.isEmpty, whole.allSatisfy(isDigit) else { return nil }
    guard fraction.allSatisfy(isDigit) else { return exponential(bytes) }
    let count = whole.count + fraction.count
    guard first != UInt8(ascii: "0") || whole.count == 1 else { return nil }
    // A number of up to 15 digits and a power of ten of up to 22 are exact, so their quotient is the nearest number.
    if count <= 15, let left = magnitude(of: whole), let right = magnitude(of: fraction) {
      let power = powersOfTen[fraction.count]
      let value = Double(left * UInt64(power) + right) / power
      return isNegative ? -value : value
    }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)) else { return nil }
    return RealDigits.survive(bytes, as: value) ? value : nil
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// The number of up to 19 digits; nil if one of the bytes is no digit.
  private static func magnitude(of digits: some Collection<UInt8>) -> UInt64? {
    var magnitude: UInt64 = 0
    for byte in digits {
      guard isDigit(byte) else { return nil }
      magnitude = magnitude &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
    }
    return magnitude
  }

  /// A number with an exponent only if it is written as `export` writes it, so that `1e5` (a room, a grade) is text.
  private static func exponential(_ bytes: some RandomAccessCollection<UInt8>) -> Double? {
    guard bytes.contains(UInt8(ascii: "e")) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = Double(text) else { return nil }
    return RealText.of(value) == text ? value : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Writes one field into a column of `type`; a field that does not fit the type goes in as text.
  static func append(
    _ bytes: UnsafeRawBufferPointer, isNull: Bool, as type: ColumnType, to column: inout ColumnValues, row: Int
  ) {
    if isNull { return column.appendNull(row: row) }
    if type != .text, let integer = integer(bytes) { return column.appendInteger(integer, row: row) }
    if type == .real, let real = real(bytes) { return column.appendReal(real, row: row) }
    column.appendText(bytes, row: row)
  }
}
