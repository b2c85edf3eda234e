import MartletClient
import MartletValues

/// Runs statements of SQL text and prints what they give.
///
/// Always true: rows are printed as they arrive and none is kept longer than its printer needs, so a result may be
/// larger than memory; the printer's output for a statement that fails half-way is what arrived before.
struct StatementRun: Sendable {
  struct Outcome: Sendable {
    /// Nil where the statement has no result columns.
    var rowsRead: Int?
    var rowsChanged: Int64 = 0
  }

  var session: ScriptSession
  var format: OutputFormat
  /// The most cells of each column of a table.
  var widths: [Int] = []
  var hasHeaders = true
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

  /// Runs one statement of a script or a person, in the transaction that is open.
  func run(_ sql: String) async throws -> Outcome {
    let progress = isForPerson ? QueryProgress() : nil
    defer { progress?.ended() }
    let outcome = try await session.run(sql) { executor in
      try await print(.sql(sql), on: executor, printer: printer(for: sql), progress)
    }
    // A statement that controls transactions has changed and read nothing itself.
    return outcome ?? Outcome()
  }

  private func printer(for sql: String) -> any RowPrinter {
    if format == .table, drawsPlans, QueryPlanPrinter.isPlan(sql) { return QueryPlanPrinter() }
    let terminal = isForPerson && descriptor == 1 && StandardOutput.isOutputTerminal ? Terminal.columns : nil
    return format.makePrinter(
      terminal: terminal, widths: widths, hasHeader: hasHeaders, null: nullText, insertTable: insertTable)
  }

  private func makePager() -> Pager? {
    guard let pager, isForPerson, descriptor == 1, StandardOutput.isOutputTerminal else { return nil }
    return Pager(command: pager, lines: Terminal.rows, columns: Terminal.columns)
  }

  private func print(
    _ statement: RemoteStatement, on executor: any StatementExecutor, printer: any RowPrinter,
    _ progress: QueryProgress?
  ) async throws -> Outcome {
    var output = StandardOutput(descriptor: descriptor)
    let pages = makePager()
    func flush(atEnd: Bool = false) throws {
      guard let pages else { return atEnd ? try output.flush() : try output.flushIfLarge() }
      // Whatever has come is shown, so that the progress line goes when rows do.
      let bytes = output.buffer
      output.buffer.removeAll(keepingCapacity: true)
      try pages.write(bytes)
    }
    var printer = printer
    var count = 0
    let batches = try await executor.batches(statement)
    let names = batches.columns.columns.map(\.name)
    // Rows on the same terminal show for themselves how far the query is.
    if descriptor == 1, pages == nil { progress?.ended() }
    if !names.isEmpty { printer.begin(columns: names, to: &output.buffer) }
    do {
      for try await batch in batches {
        count += batch.rowCount
        progress?.rowsArrived(count)
        printer.append(batch, to: &output.buffer)
        if !output.buffer.isEmpty, pages != nil { progress?.ended() }
        try flush()
      }
      if !names.isEmpty { printer.end(to: &output.buffer) }
      progress?.ended()
      try flush(atEnd: true)
      try pages?.finish()
    } catch is Pager.Closed {
      // Leaving the loop has cancelled the rest.
      try pages?.finish()
    } catch {
      progress?.ended()
      try? flush(atEnd: true)
      try? pages?.finish()
      throw error
    }
    return Outcome(
      rowsRead: names.isEmpty ? nil : count, rowsChanged: batches.completion?.rowsChanged ?? 0)
  }
}
