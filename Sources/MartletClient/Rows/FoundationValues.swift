internal import MartletValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Foundation's types as values of rows: bytes, dates in ISO 8601 text, UUIDs in text.
///
/// Always true: a date's text without a zone is UTC, as SQLite's own date functions mean it; what is not exactly of the
/// form is an error.
extension Data: RowValue {
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Data {
    Data(try [UInt8].read(column, at: row))
  }
}

/// `8-4-4-4-12` hexadecimal digits as text, or 16 bytes as a blob.
extension UUID: RowValue {
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> UUID {
    if column.values.kind(at: row) == .blob {
      let bytes = try [UInt8].read(column, at: row)
      guard bytes.count == 16 else { throw .form(expected: "a UUID") }
      var uuid = UUID().uuid
      withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
      return UUID(uuid: uuid)
    }
    guard let uuid = UUID(uuidString: try String.read(column, at: row)) else { throw .form(expected: "a UUID") }
    return uuid
  }
}

/// `2026-01-31`, `2026-01-31 12:30`, `…:45`, `….678`, with `T` for the space, and `Z` or `+01:00` behind.
extension Date: RowValue {
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Date {
    guard let date = Date(martletISO8601: try String.read(column, at: row)) else {
      throw .form(expected: "a date in ISO 8601")
    }
    return date
  }

  /// Nil where the text is not of one of the forms above, or the day does not exist.
  init?(martletISO8601 text: String) {
    var scanner = ISO8601Scanner(text)
    guard let seconds = scanner.date() else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}

/// Reads one date from left to right.
private struct ISO8601Scanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  /// Seconds since 1970.
  mutating func date() -> Double? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    var seconds = Double(Self.daysSince1970(year: year, month: month, day: day)) * 86_400
    if rest.isEmpty { return seconds }
    guard take("T") || take(" "), let time = time(), let offset = offset(), rest.isEmpty else { return nil }
    seconds += time - offset
    return seconds
  }

  private mutating func time() -> Double? {
    guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60 else { return nil }
    var seconds = Double(hour * 3_600 + minute * 60)
    guard take(":") else { return seconds }
    guard let second = number(2), second < 60 else { return nil }
    seconds += Double(second)
    guard take(".") else { return seconds }
    var scale = 1.0
    var fraction = 0.0
    var digits = 0
    while let digit = digit() {
      scale *= 10
      fraction = fraction * 10 + Double(digit)
      digits += 1
      guard digits <= 9 else { return nil }
    }
    return digits == 0 ? nil : seconds + fraction / scale
  }

  private mutating func offset() -> Double? {
    if rest.isEmpty || take("Z") { return 0 }
    let isEast = take("+")
    guard isEast || take("-"), let hours = number(2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    let seconds = Double(hours * 3_600 + minutes * 60)
    return isEast ? seconds : -seconds
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, (48...57).contains(byte) else { return nil }
    rest.removeFirst()
    return Int(byte) - 48
  }

  private mutating func number(_ digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The proleptic Gregorian calendar, with years that start in March so that the leap day is the last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
