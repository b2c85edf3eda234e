package import Foundation

/// Dates as ISO 8601 text, `2001-01-01 00:00:00.000`, by the rules of the proleptic Gregorian calendar, as SQLite has
/// them.
///
/// Always true: what `text` writes, `date` reads back; every library that reads rows reads dates here.
package enum ISODate {
  /// The milliseconds of the years -9999 to 9999, in which SQLite's functions work.
  private static let range: ClosedRange<Double> = -377_705_116_800_000...253_402_300_799_999

  /// Whether a text can name the date.
  package static func isInRange(_ date: Date) -> Bool { range.contains((date.timeIntervalSince1970 * 1000).rounded()) }

  /// Whether the text sorts as the date does. Before the year 0 a text begins with a sign, and the later date is less.
  package static func sortsAsText(_ date: Date) -> Bool {
    !((date.timeIntervalSince1970 * 1000).rounded() < -62_167_219_200_000)
  }

  /// What lies beyond the years is clamped; statements refuse it.
  package static func text(of date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let clamped = milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, range.lowerBound), range.upperBound))
    let day = floored(clamped, by: 86_400_000)
    let time = clamped - day * 86_400_000
    let (year, month, dayOfMonth) = civil(fromDay: day)
    var text = ""
    text.reserveCapacity(24)
    if year < 0 { text += "-" }
    append(abs(year), digits: 4, to: &text)
    text += "-"
    append(month, digits: 2, to: &text)
    text += "-"
    append(dayOfMonth, digits: 2, to: &text)
    text += " "
    append(time / 3_600_000, digits: 2, to: &text)
    text += ":"
    append(time / 60_000 % 60, digits: 2, to: &text)
    text += ":"
    append(time / 1000 % 60, digits: 2, to: &text)
    text += "."
    append(time % 1000, digits: 3, to: &text)
    return text
  }

  private static func append(_ number: Int64, digits: Int, to text: inout String) {
    let plain = String(number)
    for _ in 0..<max(0, digits - plain.count) { text += "0" }
    text += plain
  }

  private static func floored(_ value: Int64, by divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }

  /// Days since 1970 to a date, counted in eras of 400 years that begin on 1 March.
  private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = floored(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = floored(shifted, by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// `YYYY-MM-DD`, with `HH:MM`, `HH:MM:SS` or `HH:MM:SS.SSS` after a space or `T`, and `Z`, `±HH:MM` or `±HHMM` at the
  /// end; UTC without them, as SQLite's own functions mean it. Nil for any other text, and for a day or a time that
  /// does not exist: SQLite would take `2026-02-31` for the third of March.
  package static func date(of text: String) -> Date? {
    var rest = Array(text.utf8)[...]
    let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
    if sign < 0 { rest.removeFirst() }
    guard let digits = number(&rest, 4), take(&rest, "-"), let month = number(&rest, 2), take(&rest, "-"),
      let dayOfMonth = number(&rest, 2), (1...12).contains(month)
    else { return nil }
    let year = sign * digits
    guard (1...days(in: month, of: year)).contains(dayOfMonth) else { return nil }
    let midnight = day(year: year, month: month, day: dayOfMonth) * 86_400
    guard !rest.isEmpty else { return Date(seconds: midnight) }
    guard take(&rest, " ") || take(&rest, "T"), let time = time(&rest), let offset = offset(&rest) else { return nil }
    return Date(seconds: midnight + time.seconds - offset, time.digits, of: time.scale)
  }

  /// Seconds of the day, and digits behind their point as parts of a scale.
  private static func time(_ rest: inout ArraySlice<UInt8>) -> (seconds: Int64, digits: Int64, scale: Double)? {
    guard let hour = number(&rest, 2), take(&rest, ":"), let minute = number(&rest, 2), minute < 60 else { return nil }
    var time: (seconds: Int64, digits: Int64, scale: Double) = (hour * 3600 + minute * 60, 0, 1)
    if take(&rest, ":") {
      guard let second = number(&rest, 2), second < 60 else { return nil }
      time.seconds += second
      if take(&rest, ".") {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        // More digits than these make no difference to a date.
        for digit in digits.prefix(9) {
          time.digits = time.digits * 10 + Int64(digit - 0x30)
          time.scale *= 10
        }
        rest = rest.dropFirst(digits.count)
      }
    }
    // 24:00 is the end of a day, and nothing is later.
    guard time.seconds < 86_400 || (time.seconds == 86_400 && time.digits == 0) else { return nil }
    return time
  }

  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    if rest.isEmpty { return 0 }
    if take(&rest, "Z") { return rest.isEmpty ? 0 : nil }
    let sign: Int64 = take(&rest, "+") ? 1 : take(&rest, "-") ? -1 : 0
    guard sign != 0, let hours = number(&rest, 2), hours < 24 else { return nil }
    _ = take(&rest, ":")
    guard let minutes = number(&rest, 2), minutes < 60, rest.isEmpty else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ digits: Int) -> Int64? {
    guard rest.count >= digits else { return nil }
    var number: Int64 = 0
    for byte in rest.prefix(digits) {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 0x30)
    }
    rest = rest.dropFirst(digits)
    return number
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}

extension Date {
  /// The nearest date, counted from the moment from which `Date` itself counts. From another moment the sum would be
  /// rounded twice, and a stored date would not be equal to the one that was stored.
  fileprivate init(seconds: Int64, _ part: Int64 = 0, of scale: Double = 1) {
    let sinceReference = seconds - 978_307_200
    guard scale > 1 else {
      self.init(timeIntervalSinceReferenceDate: Double(sinceReference))
      return
    }
    // Up to milliseconds both numbers are whole and the division is the only rounding.
    let whole = Double(sinceReference) * scale + Double(part)
    self.init(timeIntervalSinceReferenceDate: whole / scale)
  }
}
