/// Rows of short texts in columns, for the pages that a person reads.
///
/// Always true: columns are as wide as their widest text; no line ends in blanks.
enum TextColumns {
  /// `numbers` are the columns that stand to the right.
  static func lines(header: [String], rows: [[String]], numbers: Set<Int>) -> [String] {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
    return all.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        if column > 0 { line += "  " }
        let padding = String(repeating: " ", count: widths[column] - DisplayWidth.of(text))
        line += numbers.contains(column) ? padding + text : text + (column < row.count - 1 ? padding : "")
      }
      return line
    }
  }
}

/// Numbers as people read them: three or four digits and a unit.
enum ByteText {
  static func of(_ bytes: UInt64) -> String {
    guard bytes >= 1_024 else { return "\(bytes) B" }
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var value = Double(bytes)
    var unit = -1
    while value >= 1_024, unit < units.count - 1 {
      value /= 1_024
      unit += 1
    }
    return CountText.digits(value) + " " + units[unit]
  }
}

enum CountText {
  /// `950`, `12.3k`, `4.56M`.
  static func of(_ value: Double) -> String {
    switch value {
    case ..<1_000: return digits(value)
    case ..<1_000_000: return digits(value / 1_000) + "k"
    case ..<1_000_000_000: return digits(value / 1_000_000) + "M"
    default: return digits(value / 1_000_000_000) + "G"
    }
  }

  /// Three digits that count, and no more than the value has.
  static func digits(_ value: Double) -> String {
    let whole = value.rounded()
    if value >= 100 || value == whole { return Int(exactly: whole).map { String($0) } ?? "\(whole)" }
    let tenths = value >= 10
    let scaled = Int((value * (tenths ? 10 : 100)).rounded())
    let (before, rest) = scaled.quotientAndRemainder(dividingBy: tenths ? 10 : 100)
    return "\(before)." + (tenths ? "\(rest)" : rest < 10 ? "0\(rest)" : "\(rest)")
  }

  /// `12 µs`, `1.23 ms`, `4.5 s`; a dash if there is none.
  static func time(us: UInt64?) -> String {
    guard let us else { return "-" }
    switch us {
    case ..<1_000: return "\(us) µs"
    case ..<1_000_000: return digits(Double(us) / 1_000) + " ms"
    default: return digits(Double(us) / 1_000_000) + " s"
    }
  }

  /// The same of milliseconds.
  static func time(ms: UInt64) -> String { time(us: min(ms, .max / 1_000) * 1_000) }

  /// `45 s`, `3 min`, `2 h 5 min`, `3 d 4 h`.
  static func age(ms: UInt64) -> String {
    let seconds = ms / 1_000
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3_600: return "\(seconds / 60) min"
    case ..<86_400: return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    default: return "\(seconds / 86_400) d \(seconds % 86_400 / 3_600) h"
    }
  }
}
