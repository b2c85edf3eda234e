/// Sends batches of rows to one table, a few at a time in flight.
///
/// Always true: at most `depth` batches are unanswered; the first failure stops the rest and is what is thrown.
import MartletAST
import MartletClient

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

  /// Adds a row of about `byteCount` bytes with `append`; sends what came before where the row would make it too large.
  mutating func append(byteCount: Int, _ append: (inout RowBatch) throws -> Void) async throws {
    let isFull = batch.rowCount >= Self.batchRows || batch.byteCount + byteCount > Self.batchBytes
    if isFull && batch.rowCount > 0 { try await sendBatch() }
    try append(&batch)
  }

  private mutating func sendBatch() async throws {
    let batch = batch
    self.batch.reset(columnCount: batch.columns.count)
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
    if batch.rowCount > 0 { try await sendBatch() }
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
