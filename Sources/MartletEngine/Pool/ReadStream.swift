/// Carries one read out on a leased connection: a batch at a time, as far as its owner's credit goes.
///
/// Always true: the statement is touched only by the thread that runs the stream, or, while it is paused, by the one
/// that ends it; it is reset before its end is told. The rules are `StreamFlow`'s; this performs its actions.
import MartletAST
import MartletSQLite
import Synchronization

final class ReadStream: Sendable {
  private struct State {
    var flow = StreamFlow()
    var reader: ReaderConnection?
    var ending: RequestError?
    var progress = Progress()
  }

  /// What the running thread knows of the execution; handed from one to the next through the lock.
  private struct Progress {
    var hasStarted = false
    var sequence: UInt64 = 0
    var rows: Int64 = 0
    var nanoseconds: UInt64 = 0
  }

  let execution: Execution
  private let request: StatementRequest
  private let plan: Plan
  private let context: ReadContext
  private let home: any StreamHome
  private let registration: Mutex<UInt64>
  private let state = Mutex(State())
  private let isInterrupted = Atomic<Bool>(false)

  init(
    _ request: StatementRequest, plan: Plan, execution: Execution, context: ReadContext, home: any StreamHome
  ) {
    self.request = request
    self.plan = plan
    self.execution = execution
    self.context = context
    self.home = home
    registration = Mutex(0)
  }

  /// From here on the stream hears of its deadline, of credit and of cancellation.
  func enter() {
    let id = context.snapshots.enter(self, due: execution.deadline)
    registration.withLock { $0 = id }
    execution.setDriver(self)
    if execution.isCancelled { stop(.cancelledByOwner) }
  }

  /// Ends the stream soon, from any thread, with `failed(error)`.
  func stop(_ error: RequestError) {
    let action = state.withLock { state in
      let action = state.flow.stopped()
      if action != .none, state.ending == nil { state.ending = error }
      return action
    }
    perform(action)
  }

  private func perform(_ action: StreamFlow.Action) {
    switch action {
    case .run, .yield: context.workers.submit { [self] in run() }
    case .interrupt: isInterrupted.store(true, ordering: .releasing)
    case .finish: finish(nil)
    case .withdraw:
      home.streamWithdrew(self)
      settle(nil)
    case .none, .next, .pause, .giveBack: break
    }
  }

  // MARK: - On a worker's thread

  private func run() {
    guard let reader = state.withLock({ $0.reader }) else { return }
    while true {
      let slice = fetch(from: reader)
      guard case .batch(let rows) = slice else { return conclude(slice) }
      deliver(rows)
      let action = state.withLock {
        $0.flow.batchDelivered(hasCredit: execution.hasCredit, othersWait: context.workers.hasWaiting)
      }
      if action == .next { continue }
      return perform(action)
    }
  }

  private enum Slice {
    /// There may be more.
    case batch(RowBatch)
    case last(RowBatch)
    case failed(RequestError)
  }

  private func conclude(_ slice: Slice) {
    var failure: RequestError?
    switch slice {
    case .batch: break
    case .last(let rows): deliver(rows)
    case .failed(let error): failure = error
    }
    let action = state.withLock { state in
      // Rows that were all there when the stop came are a good end.
      if failure == nil { state.ending = nil } else if state.ending == nil { state.ending = failure }
      return state.flow.rowsEnded()
    }
    if action == .finish { finish(failure) }
  }

  private func fetch(from reader: ReaderConnection) -> Slice {
    if isCancelled { return .failed(.cancelledByOwner) }
    let start = context.clock()
    if start >= execution.deadline { return .failed(.deadlinePassed) }
    defer {
      let elapsed = context.clock().nanoseconds &- start.nanoseconds
      state.withLock { $0.progress.nanoseconds &+= elapsed }
    }
    do throws(RequestError) {
      let session = try reader.session()
      session.connection.limiter.arm(deadlineNanoseconds: execution.deadline.nanoseconds, cancellation: self)
      defer { session.connection.limiter.disarm() }
      let isFirst = !state.withLock { $0.progress.hasStarted }
      if isFirst { try begin(on: reader, session) }
      guard let prepared = reader.running else { return .failed(.cancelledByOwner) }
      var rows = RowBatch()
      let outcome = try collect(&rows, prepared, session)
      if isFirst { deliverColumns(of: prepared) }
      return outcome == .done ? .last(rows) : .batch(rows)
    } catch {
      return .failed(error)
    }
  }

  private func begin(on reader: ReaderConnection, _ session: ReaderConnection.Session) throws(RequestError) {
    let sequence = home.snapshotSequence ?? context.commits.sequence
    state.withLock { state in
      state.progress.hasStarted = true
      state.progress.sequence = sequence
    }
    guard execution.hasRoomForAnswer else { throw .noMemory("another answer to this connection") }
    let prepared = try session.plans.prepared(for: plan)
    guard prepared.statement.isReadOnly else { throw .writeAmongReads }
    reader.running = prepared
    try ParameterBinder.bind(request.parameters, of: plan, to: prepared.statement, limits: context.limits)
    if home.snapshotSequence == nil { context.snapshots.snapshotTaken(by: registration.withLock { $0 }) }
  }

  private func collect(
    _ rows: inout RowBatch, _ prepared: PreparedPlan, _ session: ReaderConnection.Session
  ) throws(RequestError) -> RowCollector.Outcome {
    let outcome: RowCollector.Outcome
    do throws(RowFault) {
      outcome = try RowCollector.fill(
        &rows, from: prepared.statement, byteLimit: context.limits.rowBatchBytes,
        rowBytesMax: context.limits.rowBytesMax)
    } catch {
      throw RequestError(error, plan: plan, limits: context.limits, stop: session.connection.limiter.stop)
    }
    guard execution.hasRoom(forRowBytes: rows.byteCount) else { throw .noMemory("a row of this size") }
    return outcome
  }

  private func deliverColumns(of prepared: PreparedPlan) {
    prepared.refreshColumns()
    if prepared.columns.version != request.columnsVersion { execution.deliver(.columns(prepared.columns)) }
  }

  private func deliver(_ rows: RowBatch) {
    guard rows.rowCount > 0 else { return }
    state.withLock { $0.progress.rows += Int64(rows.rowCount) }
    execution.spendCredit(rows.byteCount)
    execution.deliver(.rows(rows))
  }

  // MARK: - The end

  /// Resets the statement, answers, and gives the connection back. Nobody else uses the statement any more.
  private func finish(_ failure: RequestError?) {
    let reader = state.withLock { state in
      let reader = state.reader
      state.reader = nil
      return reader
    }
    reader?.endStatement()
    // A read of its own frees its connection first, so that whoever was answered finds it free.
    let isAlone = home.snapshotSequence == nil
    if isAlone, let reader { home.streamEnded(reader) }
    settle(failure)
    if !isAlone, let reader { home.streamEnded(reader) }
  }

  private func settle(_ failure: RequestError?) {
    context.snapshots.leave(registration.withLock { $0 })
    execution.setDriver(nil)
    let (progress, ending) = state.withLock { ($0.progress, $0.ending) }
    let error = ending ?? failure
    if progress.hasStarted {
      plan.counters.record(rows: progress.rows, nanoseconds: progress.nanoseconds, failed: error != nil)
    }
    if let error { return execution.deliver(.failed(error)) }
    var completion = Completion(
      rowsReturned: progress.rows, commitSequence: progress.sequence, transaction: home.transactionStatus)
    if case .statement = request.source { completion.shape = plan.shape }
    execution.deliver(.completed(completion))
  }
}

extension ReadStream: LeaseHolder {
  func leased(_ reader: ReaderConnection) {
    let action = state.withLock { state in
      let action = state.flow.leased()
      if action == .run { state.reader = reader }
      return action
    }
    if action == .giveBack { home.streamEnded(reader) } else { perform(action) }
  }
}

extension ReadStream: ExecutionDriver {
  func creditExtended(_ execution: Execution) {
    // It may not make up for the last batch's overdraft yet.
    guard execution.hasCredit else { return }
    perform(state.withLock { $0.flow.creditExtended() })
  }

  func cancelled(_ execution: Execution) { stop(.cancelledByOwner) }
}

extension ReadStream: CancellationSource {
  var isCancelled: Bool { isInterrupted.load(ordering: .acquiring) || execution.isCancelled }
}

extension ReadStream: SnapshotHolder {
  func snapshotMustEnd(_ end: SnapshotLedger.End) {
    if end != .due && end != .shutDown { context.counters.evictions.wrappingAdd(1, ordering: .relaxed) }
    stop(.snapshotEnded(end))
  }
}
