package import MartletProtocol
public import MartletValues
internal import Synchronization

/// An open transaction on one connection of a remote database.
///
/// Always true: it ends exactly once, with the closure that it was made for; its statements run at the server in the
/// order in which they were started.
public final class RemoteTransaction: StatementExecutor {

  public let runner: RequestRunner
  private let pinned: PinnedRoute
  private let begun: CollectedReply
  private let savepoints = Mutex<UInt32>(0)
  private let mode: TransactionMode
  private let sent = SentStatements()

  init(
    _ mode: TransactionMode, request: InFlightRequest, begun: CollectedReply, configuration: ClientConfiguration
  ) {
    self.mode = mode
    self.begun = begun
    pinned = PinnedRoute(begin: request)
    runner = RequestRunner(
      route: pinned, configuration: configuration, transaction: request.id, openStreams: OpenStreams(), sent: sent)
  }

  /// Sends a statement whose result nobody needs, and does not wait for its answer; its rows are dropped.
  ///
  /// Statements run in the order in which they were sent. If this one fails, its error is thrown by the next call that
  /// waits, or by the end of the closure, and the transaction is undone even if the error is caught. In a read
  /// transaction, and at a server too old to undo the transaction then, it waits like `execute`.
  public func send(
    _ statement: RemoteStatement, _ parameters: [Value] = [], deadline: Duration? = nil
  ) async throws {
    guard canDefer else {
      try await execute(statement, parameters, deadline: deadline)
      return
    }
    try Deadline.check(deadline)
    if sent.hasRoom { try sent.check() } else { try await sent.settle() }
    runner.openStreams?.bufferAll()
    let kind = ClientRequest.Kind.execute(statement, parameters)
    let limit = runner.configuration.deadline(of: kind, isQuery: false, isInTransaction: true)
    var request = ClientRequest(
      kind: kind, transaction: pinned.begin.id, deadline: Deadline.next(deadline, otherwise: limit),
      mayShortenDeadline: deadline == nil)
    request.isRequired = true
    let reply = CollectedReply(keepsRows: false)
    let inFlight = try pinned.start(request, to: reply)
    sent.sent(.init(reply: reply, request: inFlight), statement, parameters, deadline: request.deadline)
  }

  /// Runs `body` inside a savepoint: what it did is undone if it throws, and the transaction goes on.
  @discardableResult
  public func savepoint<Success>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
  ) async throws -> Success {
    let number = nextSavepoint()
    try await savepoint(.set, number)
    do {
      let result = try await body()
      try await savepoint(.release, number)
      return result
    } catch {
      // The first error is the one to tell; if undoing fails too, the transaction cannot commit.
      try? await savepoint(.rollBackTo, number, isCancellable: false)
      try? await savepoint(.release, number, isCancellable: false)
      throw error
    }
  }

  func nextSavepoint() -> UInt32 {
    savepoints.withLock { number in
      number &+= 1
      return number
    }
  }

  func savepoint(_ action: SavepointAction, _ number: UInt32, isCancellable: Bool = true) async throws {
    _ = try await runner.collect(
      .plain(.savepoint(transaction: pinned.begin.id, action, number: number)), isCancellable: isCancellable)
  }

  package var schemaRoom: SchemaRoom { pinned.begin.connection.hello.schemaRoom }

  /// Whether statements need not be waited for, because the commit can depend on them.
  var canDefer: Bool { mode == .write && pinned.begin.connection.hello.countsRequired }

  /// Commits, and returns what the server said of it. The commit fails if fewer than `required` of the statements that
  /// the caller sent have succeeded, or if one that `send` sent has failed. If it fails, the transaction is over too.
  /// It comes behind those statements, so its time begins when theirs is over, at `lastDeadline`.
  @discardableResult
  func commit(
    required: Int = 0, lastDeadline: MonotonicTime = MonotonicTime(nanoseconds: 0)
  ) async throws -> Completion {
    guard pinned.close() else { throw ClientError.transactionOver }
    defer { release() }
    do {
      let wait = max(lastDeadline, sent.lastDeadline).milliseconds(since: Deadline.now())
      return try await finish(commit: true, required: required + sent.count, waitMs: wait)
    } catch {
      throw await reason(for: error)
    }
  }

  /// The twin of `commit` for a thread that may wait.
  func commitAndWait(required: Int, lastDeadline: MonotonicTime, canceller: RequestCanceller) throws {
    guard pinned.close() else { throw ClientError.transactionOver }
    defer { release() }
    let wait = max(lastDeadline, sent.lastDeadline).milliseconds(since: Deadline.now())
    let limit = runner.configuration.requestDeadline
    let required = UInt32(clamping: required + sent.count)
    let request = ClientRequest(
      kind: .plain(.finish(transaction: pinned.begin.id, commit: true, required: required)),
      transaction: pinned.begin.id,
      deadline: Deadline.next(wait > 0 ? limit.adding(milliseconds: wait) : nil, otherwise: limit),
      mayShortenDeadline: wait <= 0)
    let reply = BlockingRows(isQuery: false, canceller: canceller)
    // A commit is not cancelled: whether it happened could not be told.
    reply.attach(pinned.begin.connection.start(request, receiver: reply), isCancellable: false)
    do {
      while try reply.next() != nil {}
    } catch {
      throw try Blocking.wait { [self] in await reason(for: error) }
    }
  }

  /// Waits until the server has begun it, and returns the number of the commit that it sees.
  func waitUntilBegun() async throws -> UInt64 {
    do {
      return try await begun.wait(for: pinned.begin, isCancellable: true).completion.commitSequence
    } catch {
      throw error.thrownToTask
    }
  }

  /// Undoes everything.
  func rollBack() async { _ = await rollBack(because: CancellationError()) }

  /// Undoes everything. Returns the error that explains `error`: why the transaction never began, or `error` itself.
  func rollBack(because error: any Error) async -> any Error {
    guard pinned.close() else { return error }
    defer { release() }
    // A transaction that still waits for its turn need not wait any longer.
    let isWithdrawn = !begun.isOver
    if isWithdrawn { pinned.begin.cancel() }
    sent.cancel()
    _ = try? await finish(commit: false)
    let cause = await cause(of: error)
    // That it was withdrawn here explains nothing.
    return isWithdrawn && (cause as? RequestError)?.code == .cancelled ? error : cause
  }

  private func finish(commit: Bool, required: Int = 0, waitMs: Int = 0) async throws -> Completion {
    var runner = runner
    runner.route = PinnedRoute(begin: pinned.begin)
    return try await runner.collect(
      .plain(.finish(transaction: pinned.begin.id, commit: commit, required: UInt32(clamping: required))),
      deadline: waitMs > 0 ? runner.configuration.requestDeadline.adding(milliseconds: waitMs) : nil,
      isCancellable: false
    ).completion
  }

  /// Sends a request of the transaction to its connection, without waiting.
  func start(_ request: ClientRequest, to receiver: any ReplyReceiver) throws(ClientError) -> InFlightRequest {
    try pinned.start(request, to: receiver)
  }

  /// Ends a read transaction, and does not wait for the answer.
  func leave() {
    guard pinned.close() else { return }
    var end = ClientRequest(
      kind: .plain(.finish(transaction: pinned.begin.id, commit: false)),
      deadline: Deadline.next(nil, otherwise: runner.configuration.requestDeadline))
    end.creditPolicy = .automatic
    _ = pinned.begin.connection.start(end, receiver: LastWord { [self] in release() })
  }

  private func release() { pinned.begin.connection.transactionEnded() }

  /// Why a commit failed.
  private func reason(for error: any Error) async -> any Error {
    let error = await sent.cause(of: await cause(of: error))
    return runner.openStreams?.cause(of: error) ?? error
  }

  /// A statement of a transaction that never began fails because of that, so that is what to tell.
  private func cause(of error: any Error) async -> any Error {
    guard error is RequestError || error is ClientError else { return error }
    do {
      _ = try await begun.wait(for: pinned.begin, isCancellable: false)
      return error
    } catch {
      return error.thrown
    }
  }
}

/// Waits for the end of a request whose answer nobody reads.
private final class LastWord: ReplyReceiver {
  private let onEnd: @Sendable () -> Void

  init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  func receive(_ part: ReplyPart) { if part.isEnd { onEnd() } }
}

/// Sends the requests of one transaction to its connection.
final class PinnedRoute: RequestRoute {
  let begin: InFlightRequest
  private let isOpen = Atomic(true)

  init(begin: InFlightRequest) { self.begin = begin }

  /// False if the transaction was closed before.
  func close() -> Bool { isOpen.exchange(false, ordering: .acquiringAndReleasing) }

  func submit(_ request: ClientRequest, to receiver: any ReplyReceiver) async throws -> InFlightRequest {
    try start(request, to: receiver)
  }

  func start(_ request: ClientRequest, to receiver: any ReplyReceiver) throws(ClientError) -> InFlightRequest {
    guard isOpen.load(ordering: .acquiring) else { throw ClientError.transactionOver }
    var sent = begin.connection.start(request, receiver: receiver)
    sent.route = begin.route
    return sent
  }
}
