import MartletAST
import MartletClient
import MartletValues

/// Sends batches of rows to one table, a few at a time in flight.
///
/// Always true: at most `depth` batches are unanswered; the first failure stops the rest and is what is thrown. If
/// the lines of the rows are known, the row that is to blame is looked for; a row is blamed only if it was refused when
/// it came alone, or has a text that is not UTF-8. Rows with more columns than a list may have go one by one.
struct BulkWriter {
  /// The database did not take a row, which begins on a line of the file.
  struct RowRefused: Error {
    var line: Int
    var error: RequestError
  }

  private struct Sent {
    var task: Task<Completion, any Error>
    var batch: RowBatch
    var lines: [Int]
  }

  private let executor: any StatementExecutor
  private let statement: RemoteStatement
  private let table: String
  /// A row has more columns than a list parameter may have, so each of its values is a parameter.
  private let isWide: Bool
  private var inFlight: [Sent] = []
  private var batch: RowBatch
  /// On which line of the file each row of `batch` begins; none if nobody knows.
  private var lines: [Int] = []
  /// What the rows of `batch` were said to take.
  private var gatheredBytes = 0
  private let acknowledged: AcknowledgedRows

  init(
    _ executor: any StatementExecutor, table: String, columns: [String],
    acknowledged: AcknowledgedRows = AcknowledgedRows()
  ) throws {
    self.executor = executor
    self.acknowledged = acknowledged
    self.table = table
    batch = RowBatch(columnCount: columns.count)
    isWide = columns.count > CommandLimits.listColumnsMax
    let values = columns.indices.map { ASTExpression.parameter(UInt32($0 + 1)) }
    let insert: ASTStatement =
      isWide ? .insert(into: table, columns, values: values) : .insert(into: table, columns, rows: 1)
    statement = try RemoteStatement(insert)
  }

  /// Whether a row of about `byteCount` bytes fits what is gathered; a batch without rows takes any row.
  func hasRoom(for byteCount: Int) -> Bool {
    let rowsMax = isWide ? 1 : CommandLimits.batchRowsMax
    return batch.rowCount == 0
      || (batch.rowCount < rowsMax && gatheredBytes + byteCount <= CommandLimits.batchBytesMax)
  }

  /// Adds a row of about `byteCount` bytes with `append`, which begins on that line of its file. What has no room is
  /// sent before.
  mutating func append(byteCount: Int, line: Int? = nil, _ append: (inout RowBatch) throws -> Void) rethrows {
    gatheredBytes += byteCount
    if let line { lines.append(line) }
    try append(&batch)
  }

  /// Sends what is gathered, and waits if `depth` batches are unanswered.
  mutating func send() async throws {
    if batch.rowCount > 0 { try await sendBatch() }
  }

  private mutating func sendBatch() async throws {
    let (batch, lines) = (batch, lines)
    self.batch = RowBatch(columnCount: batch.columns.count)
    self.lines = []
    gatheredBytes = 0
    if inFlight.count >= CommandLimits.batchesInFlightMax { try await wait() }
    if Task.isCancelled {
      await stop()
      throw CancellationError()
    }
    let executor = executor
    let statement = statement
    let isWide = isWide
    let task = Task { try await executor.execute(statement, Self.parameters(of: batch, isWide: isWide)) }
    inFlight.append(Sent(task: task, batch: batch, lines: lines))
  }

  private static func parameters(of batch: RowBatch, isWide: Bool) throws -> [Value] {
    guard isWide else { return [.rows(batch)] }
    do { return try batch.row(0) } catch { throw RequestError.textNotUTF8 }
  }

  /// Sends what is left and waits for all answers.
  mutating func finish() async throws {
    try await send()
    while !inFlight.isEmpty { try await wait() }
  }

  private mutating func wait() async throws {
    let sent = inFlight.removeFirst()
    do {
      acknowledged.add(try await sent.task.value.rowsChanged)
    } catch {
      await stop()
      if let error = error as? RequestError, let refused = await refused(of: sent, error) { throw refused }
      throw CommandFailure.explaining(error, doing: CellText.escaped(table))
    }
  }

  /// The row of a batch that is to blame for its error: the rows before it are sent again, half by half. Nil if no
  /// row is to be blamed for it.
  private func refused(of sent: Sent, _ error: RequestError) async -> RowRefused? {
    guard sent.lines.count == sent.batch.rowCount else { return nil }
    if error.reason == .malformed {
      // A text that is not UTF-8, which cannot be sent alone, and shows here.
      let row = sent.lines.indices.first { (try? sent.batch.row($0)) == nil }
      return row.map { RowRefused(line: sent.lines[$0], error: error) }
    }
    guard Self.isOfRow(error) else { return nil }
    var search = RefusedRowSearch(rowCount: sent.batch.rowCount)
    var last = error
    while let rows = search.next {
      switch await again(rows, of: sent) {
      case .taken: search.answered(isTaken: true)
      case .refused(let error):
        search.answered(isTaken: false)
        last = error
      case .unclear: return nil
      }
    }
    return search.found.map { RowRefused(line: sent.lines[$0], error: last) }
  }

  private enum Again {
    case taken
    case refused(RequestError)
    /// A trigger may have rolled the whole transaction back, so that nothing more can be found out.
    case unclear
  }

  private func again(_ part: Range<Int>, of sent: Sent) async -> Again {
    guard !Task.isCancelled, let rows = try? part.map({ try sent.batch.row($0) }) else { return .unclear }
    do {
      let batch = RowBatch(rows: rows, columnCount: sent.batch.columns.count)
      let parameters = try Self.parameters(of: batch, isWide: isWide)
      acknowledged.add(try await executor.execute(statement, parameters).rowsChanged)
      return .taken
    } catch {
      guard let error = error as? RequestError, Self.isOfRow(error) else { return .unclear }
      return .refused(error)
    }
  }

  private static func isOfRow(_ error: RequestError) -> Bool {
    [.constraint, .notUTF8, .permission, .sqlite, .limit].contains(error.reason) && !error.isRetryable
  }

  /// Cancels what is in flight, and counts what was too late for that.
  private mutating func stop() async {
    for sent in inFlight { sent.task.cancel() }
    for sent in inFlight { acknowledged.add((try? await sent.task.value.rowsChanged) ?? 0) }
    inFlight = []
  }
}
