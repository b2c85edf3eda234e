import MartletValues

/// How far a transfer is, as one line that a terminal redraws.
///
/// Always true: a line is given out at most ten times a second, and none if the output is no terminal; time is
/// passed in.
struct ProgressBar {
  private static let barCells = 24

  private let label: String
  private let total: Int
  private let isEnabled: Bool
  private let start: MonotonicTime
  private var drawn: MonotonicTime?

  /// `total` is what `done` comes to in the end; 0 if that is not known.
  init(label: String, total: Int, isEnabled: Bool, now: MonotonicTime) {
    self.label = label
    self.total = total
    self.isEnabled = isEnabled
    start = now
  }

  /// The bytes to write now, or nothing. `rows` is shown beside the bar.
  mutating func advanced(done: Int, rows: Int?, now: MonotonicTime) -> String? {
    guard isEnabled else { return nil }
    if let drawn, now.nanoseconds &- drawn.nanoseconds < CommandLimits.progressIntervalNs { return nil }
    drawn = now
    return "\r" + line(done: done, rows: rows, now: now) + "\u{1B}[K"
  }

  /// Takes the bar off the terminal, so that what comes next begins a clean line.
  func finished() -> String? {
    drawn == nil ? nil : "\r\u{1B}[K"
  }

  private func line(done: Int, rows: Int?, now: MonotonicTime) -> String {
    let seconds = Double(now.nanoseconds &- start.nanoseconds) / 1e9
    let counts: String
    if let rows {
      let speed = seconds > 0 ? Int(min(Double(rows) / seconds, 1e15)) : 0
      counts = "\(Count.grouped(rows)) rows  \(Count.grouped(speed))/s"
    } else {
      counts = ""
    }
    guard total > 0 else { return "\(label)  \(counts)" }
    let share = min(1, max(0, Double(done) / Double(total)))
    let full = Int(share * Double(Self.barCells))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.barCells - full)
    return "\(label)  \(bar) \(Int(share * 100)) %  \(counts)"
  }
}

/// Numbers for people: 1,234,567.
enum Count {
  static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return value < 0 ? "-" + result : result
  }

  static func rows(_ value: Int) -> String { of(Int64(value), "row") }

  /// `1 row`, `2 rows`.
  static func of(_ value: Int64, _ what: String) -> String {
    value == 1 ? "1 \(what)" : "\(grouped(Int(clamping: value))) \(what)s"
  }
}
