internal import Dispatch
internal import MartletProtocol
package import MartletValues
internal import Synchronization

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

  // MARK: - Transactions

  /// Asks for a transaction and does not wait for it, so the first statement travels with it.
  package func begin(_ mode: TransactionMode) throws {
    let database = database
    transaction = try Blocking.wait { try await database.begin(mode) }
    self.mode = mode
    deferred = DeferredStatements()
  }

  /// Ends the transaction well. A read's end is not waited for, since nothing depends on it; a commit follows the
  /// deferred statements at once, and is one only if all of them succeeded. Throws the error of the first that did not.
  package func finish() throws {
    bufferStreams()
    guard let transaction else { return }
    if let failure = deferred.failure { throw failure }
    self.transaction = nil
    if mode == .read { return transaction.leave() }
    let (required, lastDeadline) = (deferred.count, deferred.lastDeadline)
    do {
      _ = try Blocking.wait { try await transaction.commit(required: required, lastDeadline: lastDeadline) }
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
      return try Blocking.wait { try await transaction.waitUntilBegun() }
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
      .plain(.savepoint(transaction: transaction, action, number: number)), isRead: false)
    while try reply.next() != nil {}
  }

  // MARK: - Statements

  /// Starts a statement. Rows of earlier ones that were not read yet are fetched first, into memory.
  package func start(_ statement: RemoteStatement, _ parameters: [Value]) throws -> BlockingRows {
    try start(.execute(statement, parameters), isRead: statement.isRead)
  }

  /// Whether statements can be sent without waiting for them.
  package var canDefer: Bool { transaction?.canDefer == true }

  /// Sends a statement of a write transaction and does not wait for its answer; `settle` does, or the commit. Rows that
  /// it gives are dropped. `sql` is for its error.
  package func sendDeferred(
    _ statement: RemoteStatement, _ parameters: [Value], sql: @escaping @Sendable () -> String,
    completed: (BlockingRows) -> Void
  ) throws {
    if !deferred.hasRoom { try settle(completed) }
    guard let transaction else { throw PinnedRoute.over }
    try checkStart()
    let rows = BlockingRows(isRead: false, dropsRows: true, canceller: canceller)
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

  private func start(_ kind: ClientRequest.Kind, isRead: Bool) throws -> BlockingRows {
    try checkStart(isEnd: kind.isEnd)
    let rows = BlockingRows(isRead: isRead, canceller: canceller)
    let request = request(kind)
    if let transaction {
      rows.attach(try transaction.start(request, to: rows))
    } else {
      let route = database.runner.route
      rows.attach(try Blocking.wait { try await route.submit(request, to: rows) })
    }
    streams.append(rows)
    return rows
  }

  private func checkStart(isEnd: Bool = false) throws {
    try Blocking.checkThread()
    if let failure = deferred.failure { throw failure }
    if !isEnd { try Deadline.check() }
    bufferStreams()
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

/// Lets any thread end the requests of a session.
package final class RequestCanceller: Sendable {
  private struct State {
    var isCancelled = false
    var requests: [UInt32: InFlightRequest] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock(\.isCancelled) }

  package func cancel() {
    let requests = state.withLock { state in
      state.isCancelled = true
      return Array(state.requests.values)
    }
    for request in requests { request.cancel() }
  }

  /// Ends the requests that are on their way; those that come later run.
  package func interrupt() {
    let requests = state.withLock { Array($0.requests.values) }
    for request in requests { request.cancel() }
  }

  func add(_ request: InFlightRequest) {
    let isCancelled = state.withLock { state in
      state.requests[request.id] = request
      return state.isCancelled
    }
    if isCancelled { request.cancel() }
  }

  func remove(_ request: InFlightRequest) { state.withLock { _ = $0.requests.removeValue(forKey: request.id) } }
}

/// The rows of one statement, batch by batch.
package final class BlockingRows: ReplyReceiver {
  private struct State {
    var batches: [RowBatch] = []
    var layout = ColumnLayout.empty
    var taken = 0
    var end: Result<Completion, ReplyError>?
    var isWaiting = false
    var request: InFlightRequest?
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)
  private let isRead: Bool
  private let dropsRows: Bool
  private let canceller: RequestCanceller

  init(isRead: Bool, dropsRows: Bool = false, canceller: RequestCanceller) {
    self.isRead = isRead
    self.dropsRows = dropsRows
    self.canceller = canceller
  }

  func attach(_ request: InFlightRequest) {
    state.withLock { $0.request = request }
    canceller.add(request)
  }

  func receive(_ part: ReplyPart) {
    let wakes = state.withLock { state in
      guard state.end == nil else { return false }
      switch part {
      case .rows(_, let batch, let layout):
        if dropsRows { return false }
        state.batches.append(batch)
        state.layout = layout
      case .completed(_, let completion, _): state.end = .success(completion)
      case .failed(_, let error): state.end = .failure(error)
      case .answered: state.end = .success(Completion())
      }
      defer { state.isWaiting = false }
      return state.isWaiting
    }
    if wakes { arrival.signal() }
  }

  /// What the statement did; nil before its end.
  package var completion: Completion? { state.withLock { try? $0.end?.get() } }

  /// What the server says of the result's columns; none before the first batch.
  package var columns: ResultColumns { state.withLock { $0.layout.columns } }

  /// The next batch, or nil after the last. An error comes after the batches that arrived before it.
  package func next() throws -> RowBatch? {
    while true {
      let (batch, request, end) = state.withLock { state in
        var batch: RowBatch?
        if state.taken < state.batches.count {
          batch = state.batches[state.taken]
          // The array lets go of what was taken, so that a long result does not stay in memory.
          state.batches[state.taken] = RowBatch()
          state.taken += 1
        } else {
          state.batches.removeAll(keepingCapacity: true)
          state.taken = 0
          state.isWaiting = state.end == nil
        }
        return (batch, state.request, state.end)
      }
      if let batch {
        if end == nil { request?.extendCredit(batch.byteCount) }
        return batch
      }
      if let end {
        if let request { canceller.remove(request) }
        if case .failure(let error) = end { throw error.thrown }
        return nil
      }
      arrival.wait()
    }
  }

  /// Nobody wants what it does any more, because its transaction is undone.
  func cancel() { state.withLock(\.request)?.cancel() }

  /// Nobody wants the rest: a query is stopped, a write runs to its end.
  package func abandon() {
    let (request, isOver) = state.withLock { ($0.request, $0.end != nil) }
    if let request, isOver { canceller.remove(request) }
    guard !isOver else { return }
    if isRead {
      request?.cancel()
    } else {
      while (try? next()) != nil {}
    }
  }

  /// Lets the server send the rest, because a later statement waits behind it.
  func bufferRest() {
    let request = state.withLock { $0.end == nil ? $0.request : nil }
    request?.extendCredit(InFlightRequest.creditForAll)
  }
}
