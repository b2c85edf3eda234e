internal import MartletProtocol
package import MartletValues

/// Statements that a plain thread waits for, without a task for each: on their own, or in a transaction.
///
/// Always true: used on one thread at a time, which is never an event loop's; a cancel may come from any thread.
package final class BlockingSession {
  private let database: DatabaseClient
  private let canceller: RequestCanceller
  private var transaction: RemoteTransaction?
  private var streams: [BlockingRows] = []
  private var mode: TransactionMode?
  private var deferred = DeferredStatements<BlockingRows>()

  package init(_ database: DatabaseClient, canceller: RequestCanceller) {
    self.database = database
    self.canceller = canceller
  }

  package var isInTransaction: Bool { transaction != nil }

  /// What decides whether a read that failed before anything of it was seen is begun again; nil in a write.
  package var repeatRule: RepeatRule? {
    if transaction != nil, mode == .write { return nil }
    return RepeatRule(database.configuration, until: Deadline.current ?? .distantFuture)
  }

  // MARK: - Transactions

  /// Asks for a transaction and does not wait for it, so the first statement travels with it.
  package func begin(_ mode: TransactionMode) throws {
    transaction = try database.beginAndWait(mode, endedBy: canceller)
    self.mode = mode
    deferred = DeferredStatements()
  }

  /// Ends the transaction well. A read's end is not waited for, since nothing depends on it. A commit is sent right
  /// behind the deferred statements, and takes place only if all of them succeeded. Throws the error of the first that
  /// did not.
  package func finish() throws {
    bufferStreams()
    guard let transaction else { return }
    if let failure = deferred.failure { throw failure }
    // The program may have gone on without what was cancelled.
    if mode == .write { try checkCancellation() }
    self.transaction = nil
    if mode == .read { return transaction.leave() }
    let (required, lastDeadline) = (deferred.count, deferred.lastDeadline)
    do {
      try transaction.commitAndWait(required: required, lastDeadline: lastDeadline, canceller: canceller)
    } catch {
      try? settle { _ in }
      throw deferred.cause(of: error)
    }
  }

  /// Begins a transaction and waits for it. Returns the number of the commit that it sees.
  package func beginAndWait(_ mode: TransactionMode) throws -> UInt64 {
    try begin(mode)
    guard let transaction else { return 0 }
    do {
      return try Blocking.wait(endedBy: canceller) { try await transaction.waitUntilBegun() }
    } catch {
      throw rollBack(because: error)
    }
  }

  /// Asks whether the transaction is still there.
  package func probe() throws {
    try savepoint(.set, .max)
    try savepoint(.release, .max)
  }

  /// Undoes the transaction. Returns the error that explains `error`.
  package func rollBack(because error: any Error) -> any Error {
    for stream in streams { stream.abandon() }
    streams = []
    for entry in deferred.take() { entry.reply.cancel() }
    deferred = DeferredStatements()
    guard let transaction else { return error }
    self.transaction = nil
    return (try? Blocking.wait { await transaction.rollBack(because: error) }) ?? error
  }

  /// Sets, releases or rolls back to the savepoint that the caller numbered so.
  package func savepoint(_ action: SavepointAction, _ number: UInt32) throws {
    let transaction = transaction?.runner.transaction ?? 0
    let reply = try start(
      .plain(.savepoint(transaction: transaction, action, number: number)), isQuery: false)
    while try reply.next() != nil {}
  }

  /// The first statement of a read failed, and nothing of it was seen: after `pause` the read begins anew.
  package func beginAgain(after pause: Duration) throws {
    streams = []
    if pause > .zero { try Blocking.wait(endedBy: canceller) { try await Task.sleep(for: pause) } }
    guard mode == .read, let over = transaction else { return }
    over.leave()
    transaction = nil
    try begin(.read)
  }

  // MARK: - Statements

  /// Starts a statement. Rows of earlier ones that were not read yet are fetched first, into memory.
  package func start(_ statement: RemoteStatement, _ parameters: [Value]) throws -> BlockingRows {
    try start(.execute(statement, parameters), isQuery: statement.mayBeRead)
  }

  /// Whether statements can be sent without waiting for them.
  package var canDefer: Bool { transaction?.canDefer == true }

  /// Sends a statement of a write transaction and does not wait for its answer; `settle` does, or the commit. Its rows
  /// are dropped. `sql` is for its error.
  package func sendDeferred(
    _ statement: RemoteStatement, _ parameters: [Value], sql: @escaping @Sendable () -> String,
    completed: (BlockingRows) -> Void
  ) throws {
    if !deferred.hasRoom { try settle(completed) }
    guard let transaction else { throw ClientError.transactionOver }
    try checkStart()
    let rows = BlockingRows(isQuery: false, dropsRows: true, canceller: canceller)
    var request = request(.execute(statement, parameters))
    request.creditPolicy = .automatic
    request.isRequired = true
    rows.attach(try transaction.start(request, to: rows))
    deferred.sent(rows, statement, parameters, deadline: request.deadline, name: sql)
  }

  /// Waits for all that was sent without waiting, and tells of each that succeeded, in order. Throws the error of the
  /// first that failed, now and from now on: its transaction can only be undone.
  package func settle(_ completed: (BlockingRows) -> Void) throws {
    for entry in deferred.take() {
      do {
        while try entry.reply.next() != nil {}
        if deferred.failure == nil { completed(entry.reply) }
      } catch {
        deferred.failed(entry, error)
      }
    }
    if let failure = deferred.failure { throw failure }
  }

  private func start(_ kind: ClientRequest.Kind, isQuery: Bool) throws -> BlockingRows {
    try checkStart(isEnd: kind.isEnd)
    let rows = BlockingRows(
      isQuery: isQuery, mayBeCommitted: transaction == nil && !isQuery, canceller: canceller)
    let request = request(kind)
    if let transaction {
      // What ends a savepoint is done whatever becomes of the task, as a rollback is.
      rows.attach(try transaction.start(request, to: rows), isCancellable: !kind.isEnd)
    } else {
      rows.attach(try database.submitAndWait(request, to: rows, endedBy: canceller))
    }
    streams.append(rows)
    return rows
  }

  private func checkStart(isEnd: Bool = false) throws {
    try Blocking.checkThread()
    if let failure = deferred.failure { throw failure }
    if !isEnd {
      try checkCancellation()
      try Deadline.check()
    }
    bufferStreams()
  }

  /// A cancel that comes between two statements finds none to end.
  private func checkCancellation() throws {
    if canceller.isCancelled { throw RequestError.cancelledBetween }
  }

  private func request(_ kind: ClientRequest.Kind) -> ClientRequest {
    let configuration = database.configuration
    let limit =
      transaction != nil
      ? configuration.streamDeadline : configuration.deadline(of: kind, isQuery: true, isInTransaction: false)
    return ClientRequest(
      kind: kind, transaction: transaction?.runner.transaction ?? 0, deadline: Deadline.next(nil, otherwise: limit),
      creditPolicy: .byConsumer)
  }

  private func bufferStreams() {
    for stream in streams { stream.bufferRest() }
    streams.removeAll()
  }
}
