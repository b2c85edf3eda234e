/// The statements of one closure at a server.
///
/// Always true: used on the closure's thread; what a statement did is known when it has run to its end.
import MartletAST
import MartletClient
import MartletQuery
import MartletSQLite

final class RemoteSession: StatementHome {
  private let session: BlockingSession
  private(set) var lastInsertRowID: Int64 = 0
  private(set) var changesCount = 0
  private(set) var totalChangesCount = 0
  private var tracer: ((String) -> Void)?

  init(_ session: BlockingSession) { self.session = session }

  var isInTransaction: Bool { session.isInTransaction }

  func open(_ statement: SerializedStatement, outlivesCall: Bool) throws -> OpenedRows {
    .batches(RemoteRowsOfSession(try start(statement), of: self))
  }

  func run(_ statement: SerializedStatement) throws { try finish(start(statement)) }

  func run(script: String) throws {
    for sql in SQLiteLibrary.statements(of: script) {
      tracer?(sql)
      try finish(session.start(.sql(sql), []))
    }
  }

  private func start(_ statement: SerializedStatement) throws -> BlockingRows {
    if let failure = statement.failure { throw failure }
    if let tracer { tracer(statement.sql) }
    return try session.start(RemoteStatement(bytes: statement.bytes), statement.parameters)
  }

  private func finish(_ rows: BlockingRows) throws {
    while try rows.next() != nil {}
    completed(rows)
  }

  func completed(_ rows: BlockingRows) {
    guard let completion = rows.completion else { return }
    if completion.lastInsertRowID != 0 { lastInsertRowID = completion.lastInsertRowID }
    changesCount = Int(clamping: completion.rowsChanged)
    totalChangesCount += changesCount
  }

  func inTransaction<T>(_ body: () throws -> T) throws -> T {
    try session.begin(.write)
    do {
      let result = try body()
      try session.finish()
      return result
    } catch {
      throw session.rollBack(because: error)
    }
  }

  func savepoint(_ action: SavepointStep, depth: Int) throws {
    switch action {
    case .set: try session.setSavepoint(depth)
    case .release: try session.releaseSavepoint(depth)
    case .rollBackTo: try session.rollBackToSavepoint(depth)
    }
  }

  func add(_ function: any DatabaseFunction) throws { throw Self.noFunctions(function.name) }
  func remove(_ function: any DatabaseFunction) throws { throw Self.noFunctions(function.name) }

  static func noFunctions(_ name: String) -> RequestError {
    RequestError(
      .unimplemented, .unsupported,
      "The function \(name) is written in Swift in this program, and a server cannot call it. Use an embedded database."
    )
  }

  func trace(_ hook: ((String) -> Void)?) { tracer = hook }
}

/// The batches of one statement, whose end tells the session what it did.
private final class RemoteRowsOfSession: BatchSource {
  private let rows: BlockingRows
  private let session: RemoteSession

  init(_ rows: BlockingRows, of session: RemoteSession) {
    self.rows = rows
    self.session = session
  }

  func next() throws -> RowBatch? {
    if let batch = try rows.next() { return batch }
    session.completed(rows)
    return nil
  }

  func abandon() {
    rows.abandon()
    session.completed(rows)
  }
}
