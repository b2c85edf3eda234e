import MartletClient
import MartletValues

/// Runs statements of SQL text and prints what they return.
///
/// Always true: rows are printed as they arrive and none is kept longer than its printer needs, so a result may be
/// larger than memory; the printer's output for a statement that fails half-way is what arrived before.
struct StatementRun: Sendable {
  struct Outcome: Sendable {
    /// Nil if the statement has no result columns.
    var rowsRead: Int?
    var rowsChanged: Int64 = 0
    /// The person left the pager before the last row.
    var isStopped = false
    /// What a reader of the pager kept it waiting for.
    var waited = Duration.zero
    var digest = ResultDigest()

    /// Whether another run has shown the same.
    func isSame(as other: Outcome) -> Bool {
      rowsRead == other.rowsRead && rowsChanged == other.rowsChanged && digest == other.digest
    }
  }

  var session: ScriptSession
  var format: OutputFormat
  /// The most cells of each column of a table.
  var widths: [Int] = []
  /// Nil is each format's own.
  var hasHeaders: Bool?
  /// What stands for NULL; nil is each format's own.
  var nullText: String?
  /// The table that INSERT statements are for.
  var insertTable = "table"
  var drawsPlans = true
  /// Tables fit the terminal's width, and what takes long shows how far it is.
  var isForPerson = false
  /// What shows results that are longer than the screen; nil: nothing does.
  var pager: String?
  /// Where rows go: standard output, or a file.
  var descriptor: Int32 = 1

  /// Runs one statement of a script or a person, in the transaction that is open. `shown` is told of its rows.
  func run(_ sql: String, showing shown: ShownRows? = nil) async throws -> Outcome {
    let progress = isForPerson ? QueryProgress() : nil
    defer { progress?.ended() }
    let outcome = try await session.run(sql) { executor in
      try await print(.sql(sql), on: executor, printer: printer(for: sql), progress, shown)
    }
    // A statement that controls transactions has changed and read nothing itself.
    return outcome ?? Outcome()
  }

  /// Runs one statement and shows nothing.
  static func silent(_ sql: String, in session: ScriptSession) async throws -> Outcome {
    let outcome = try await session.run(sql) { executor in
      var outcome = Outcome()
      let batches = try await executor.batches(.sql(sql))
      let names = batches.columns.columns.map(\.name)
      outcome.digest.begin(columns: names)
      for try await batch in batches { outcome.digest.append(batch) }
      outcome.rowsRead = names.isEmpty ? nil : outcome.digest.rows
      outcome.rowsChanged = batches.completion?.rowsChanged ?? 0
      return outcome
    }
    return outcome ?? Outcome()
  }

  private func printer(for sql: String) -> any RowPrinter {
    if format == .table, drawsPlans, QueryPlanPrinter.isPlan(sql) { return QueryPlanPrinter() }
    return format.makePrinter(
      terminal: terminalColumns, isForTerminal: descriptor == 1 && StandardOutput.isOutputTerminal, widths: widths,
      hasHeader: hasHeaders, null: nullText, insertTable: insertTable)
  }

  /// The width of the terminal on which a person reads; nil: there is none.
  var terminalColumns: Int? {
    isForPerson && descriptor == 1 && StandardOutput.isOutputTerminal ? Terminal.columns : nil
  }

  /// Prints what a command of the shell's has to say, page by page if it is long.
  func show(_ bytes: [UInt8]) throws {
    guard let pages = makePager() else { return try StandardOutput.write(bytes, to: descriptor) }
    do {
      try pages.write(bytes)
    } catch is Pager.Closed {}
    try pages.finish()
  }

  private func makePager() -> Pager? {
    guard let pager, isForPerson, descriptor == 1, StandardOutput.isOutputTerminal else { return nil }
    return Pager(command: pager, lines: Terminal.rows, columns: Terminal.columns)
  }

  private func print(
    _ statement: RemoteStatement, on executor: any StatementExecutor, printer: any RowPrinter,
    _ progress: QueryProgress?, _ shown: ShownRows?
  ) async throws -> Outcome {
    var rows = RowOutput(output: StandardOutput(descriptor: descriptor), pages: makePager())
    var outcome = Outcome()
    var printer = printer
    let batches = try await executor.batches(statement)
    let names = batches.columns.columns.map(\.name)
    outcome.digest.begin(columns: names)
    // Rows on the same terminal show for themselves how far the query is.
    if descriptor == 1, !rows.isPaged { progress?.ended() }
    if !names.isEmpty { printer.begin(columns: names, to: &rows.output.buffer) }
    do {
      for try await batch in batches {
        if shown == nil { outcome.digest.count(batch) } else { outcome.digest.append(batch) }
        shown?.shown(outcome.digest.rows)
        progress?.rowsArrived(outcome.digest.rows)
        printer.append(batch, to: &rows.output.buffer)
        if !rows.output.buffer.isEmpty, rows.isPaged { progress?.ended() }
        try rows.flush()
      }
      if !names.isEmpty { printer.end(to: &rows.output.buffer) }
      progress?.ended()
      try rows.finish()
    } catch is Pager.Closed {
      // Leaving the loop has cancelled the rest.
      outcome.isStopped = batches.completion == nil
      try rows.pages?.finish()
    } catch {
      progress?.ended()
      rows.finishAnyway()
      throw error
    }
    outcome.rowsRead = names.isEmpty ? nil : outcome.digest.rows
    outcome.rowsChanged = batches.completion?.rowsChanged ?? 0
    outcome.waited = rows.pages?.waited ?? .zero
    return outcome
  }
}

/// The bytes of rows on their way: through a pager if there is one.
private struct RowOutput {
  var output: StandardOutput
  let pages: Pager?

  var isPaged: Bool { pages != nil }

  /// Passes on what has come, if it is much or a pager shows it: then the progress line goes when rows do.
  mutating func flush() throws {
    if pages == nil { try output.flushIfLarge() } else { try pass() }
  }

  /// Passes on the rest, and waits for the reader of a pager.
  mutating func finish() throws {
    try pass()
    try pages?.finish()
  }

  /// The same after a failure, which is what is told.
  mutating func finishAnyway() {
    try? pass()
    try? pages?.finish()
  }

  private mutating func pass() throws {
    guard let pages else { return try output.flush() }
    let bytes = ShownText.onTerminal(output.buffer)
    output.buffer.removeAll(keepingCapacity: true)
    try pages.write(bytes)
  }
}
