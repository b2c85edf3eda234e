import MartletClient
import MartletValues

/// Sends batches of rows to one table, a few at a time in flight.
///
/// Always true: at most `depth` batches are unanswered; the first failure stops the rest and is what is thrown.
struct BulkWriter {
  static let depth = 3
  /// A batch is sent when it has grown to about this size: well under a frame, and enough to make a commit worth it.
  static let batchBytes = 1 << 20
  static let batchRows = 20_000

  private let executor: any StatementExecutor
  private let statement: RemoteStatement
  private let table: String
  private let frameBytesMax = Limits().frameBytesMax
  private var inFlight: [Task<Completion, any Error>] = []
  private var batch: RowBatch
  /// What the rows of `batch` were said to take.
  private var gatheredBytes = 0
  private let acknowledged: RowCount

  init(
    _ executor: any StatementExecutor, table: String, columns: [String], acknowledged: RowCount = RowCount()
  ) throws {
    self.executor = executor
    self.acknowledged = acknowledged
    self.table = table
    batch = RowBatch(columnCount: columns.count)
    statement = try RemoteStatement(Tree.insertRows(into: table, columns: columns))
  }

  /// Whether a row of about `byteCount` bytes fits what is gathered; a batch without rows takes any row.
  func hasRoom(for byteCount: Int) -> Bool {
    batch.rowCount == 0 || (batch.rowCount < Self.batchRows && gatheredBytes + byteCount <= Self.batchBytes)
  }

  /// Adds a row of about `byteCount` bytes with `append`. What has no room is sent before.
  mutating func append(byteCount: Int, _ append: (inout RowBatch) throws -> Void) rethrows {
    gatheredBytes += byteCount
    try append(&batch)
  }

  /// Sends what is gathered, and waits if `depth` batches are unanswered.
  mutating func send() async throws {
    if batch.rowCount > 0 { try await sendBatch() }
  }

  private mutating func sendBatch() async throws {
    let batch = batch
    self.batch = RowBatch(columnCount: batch.columns.count)
    gatheredBytes = 0
    // The envelope around the rows takes a little, the statement a little more.
    guard batch.byteCount + statement.bytes.count + 1_024 <= frameBytesMax else {
      throw CommandFailure(
        "A row of \(CellText.escaped(table)) is larger than the \(frameBytesMax >> 20) MiB that one message holds.")
    }
    if inFlight.count >= Self.depth { try await wait() }
    if Task.isCancelled {
      await stop()
      throw CancellationError()
    }
    let executor = executor
    let statement = statement
    inFlight.append(Task { try await executor.execute(statement, [.rows(batch)]) })
  }

  /// Sends what is left and waits for all answers.
  mutating func finish() async throws {
    try await send()
    while !inFlight.isEmpty { try await wait() }
  }

  private mutating func wait() async throws {
    do {
      acknowledged.rows += Int(try await inFlight.removeFirst().value.rowsChanged)
    } catch {
      await stop()
      throw CommandFailure.explaining(error, doing: CellText.escaped(table))
    }
  }

  /// Cancels what is in flight, and counts what was too late for that.
  private mutating func stop() async {
    for task in inFlight { task.cancel() }
    for task in inFlight { acknowledged.rows += Int((try? await task.value.rowsChanged) ?? 0) }
    inFlight = []
  }
}
