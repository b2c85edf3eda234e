/// How many rows went where, shown while a transfer runs and when it is done.
///
/// Always true: the table of counts goes to standard output, what only a person wants to see to standard error.
import MartletAST

struct TransferReport {
  private(set) var counts: [(table: String, rows: Int)] = []
  private let bytesTotal: Int
  private var bytesDone = 0
  private var bar: ProgressBar
  private let start = ContinuousClock.now

  init(bytesTotal: Int) {
    self.bytesTotal = bytesTotal
    bar = ProgressBar(label: "", total: 0, isEnabled: false, now: Self.now(since: .now))
  }

  private static func now(since start: ContinuousClock.Instant) -> MonotonicTime {
    let elapsed = (ContinuousClock.now - start).components
    return MonotonicTime(
      nanoseconds: UInt64(elapsed.seconds) * 1_000_000_000 + UInt64(elapsed.attoseconds / 1_000_000_000))
  }

  mutating func tableBegun(_ name: String) {
    counts.append((name, 0))
    bar = ProgressBar(
      label: CellText.escaped(name), total: bytesTotal, isEnabled: StandardOutput.isErrorTerminal,
      now: Self.now(since: start))
  }

  mutating func rowsMoved(_ rows: Int, bytes: Int) {
    guard !counts.isEmpty else { return }
    counts[counts.count - 1].rows += rows
    bytesDone += bytes
    if let text = bar.advanced(done: bytesDone, rows: counts[counts.count - 1].rows, now: Self.now(since: start)) {
      StandardOutput.complain(text)
    }
  }

  mutating func ended() {
    if let text = bar.finished() { StandardOutput.complain(text) }
  }

  /// The counts as a table, and their sum.
  func text() -> String {
    var printer = TablePrinter()
    var output: [UInt8] = []
    printer.begin(columns: ["table", "rows"], to: &output)
    let rows = counts.map { [Value.text($0.table), Value.integer(Int64($0.rows))] }
    printer.append(RowBatch(rows: rows, columnCount: 2), to: &output)
    printer.end(to: &output)
    return String(decoding: output, as: UTF8.self) + summary + "\n"
  }

  /// The sum of the counts.
  var summary: String {
    let sum = counts.reduce(0) { $0 + $1.rows }
    let tables = counts.count == 1 ? "1 table" : "\(counts.count) tables"
    return "\(Count.rows(sum)) in \(tables)"
  }
}
