import MartletValues
import Synchronization

/// How many rows went where, shown while a transfer runs and when it is done.
///
/// Always true: the table of counts goes to standard output, what only a person wants to see to standard error.
struct TransferReport {
  private(set) var counts: [(table: String, rows: Int)] = []
  private let bytesTotal: Int
  /// Rows that the server has acknowledged.
  let acknowledged = AcknowledgedRows()
  private var bytesDone = 0
  private var isMakingShown = false
  /// What a person should know beside the counts.
  private(set) var notes: [String] = []
  /// What came in and does not work.
  private(set) var faults: [String] = []
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

  mutating func noted(_ sentence: String) { notes.append(sentence) }

  static func rowIDsLost(of table: DatabaseSchema.Table) -> String {
    "The rows of \(CellText.escaped(table.name)) get new rowids: the table has \(table.columns.count) columns, and a "
      + "statement names no more."
  }

  mutating func faultFound(_ sentence: String) { faults.append(sentence) }

  /// Something that has no rows yet, such as a first look at the file.
  mutating func phaseBegun(_ name: String) {
    bytesDone = 0
    bar = ProgressBar(
      label: CellText.escaped(name), total: bytesTotal, isEnabled: StandardOutput.isErrorTerminal,
      now: Self.now(since: start))
  }

  mutating func bytesRead(_ bytes: Int) {
    bytesDone += bytes
    if let text = bar.advanced(done: bytesDone, rows: nil, now: Self.now(since: start)) {
      StandardOutput.complain(text)
    }
  }

  /// An index, view or trigger, which has no rows to count.
  mutating func makingShown(_ name: String) {
    guard StandardOutput.isErrorTerminal else { return }
    StandardOutput.complain("\rmaking \(CellText.escaped(name))\u{1B}[K")
    isMakingShown = true
  }

  mutating func phaseEnded() {
    ended()
    bytesDone = 0
  }

  /// The error, and what of the rows stays. `hasReplaced`: those that were there before are gone.
  func explaining(_ error: any Error, isAtomic: Bool, hasReplaced: Bool = false) -> any Error {
    let error = CommandFailure.explaining(error)
    guard let failure = error as? CommandFailure else { return error }
    if isAtomic {
      let unknown = " All of it was imported, or nothing. Look before you import it again."
      return failure.followed(by: failure.isOutcomeUnknown ? unknown : " Nothing was imported.")
    }
    guard let table = counts.last?.table else { return error }
    let rows = acknowledged.rows
    if failure.isOutcomeUnknown {
      return failure.followed(
        by:
          " At least \(Count.rows(rows)) of \(CellText.escaped(table)) \(rows == 1 ? "is" : "are") in the database, and "
          + "others may be. Look before you import it again.")
    }
    let replaced = hasReplaced ? " The rows that were there before are gone." : ""
    let former = counts.count > 1 ? ", and the tables before it are there as a whole" : ""
    return CommandFailure(
      failure.description + " \(Count.rows(rows)) of \(CellText.escaped(table)) \(rows == 1 ? "is" : "are") in the "
        + "database\(former).\(replaced)")
  }

  mutating func tableBegun(_ name: String) {
    counts.append((name, 0))
    acknowledged.rows = 0
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
    if isMakingShown { StandardOutput.complain("\r\u{1B}[K") }
    isMakingShown = false
    if let text = bar.finished() { StandardOutput.complain(text) }
  }

  func tellNotes() {
    for note in notes { StandardOutput.tell("Note: \(note)\n") }
    for fault in faults { StandardOutput.tell("Warning: \(fault)\n") }
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
    return "\(Count.rows(sum)) in \(Count.of(Int64(counts.count), "table"))"
  }
}

/// A count that a transfer's parts share; one task moves rows, and another may ask how many there are.
final class AcknowledgedRows: Sendable {
  private let count = Atomic(0)

  var rows: Int {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }

  /// Adds what a server says it has changed, which may be any number.
  func add(_ changed: Int64) {
    let (sum, isTooLarge) = rows.addingReportingOverflow(Int(clamping: max(0, changed)))
    rows = isTooLarge ? .max : sum
  }
}
