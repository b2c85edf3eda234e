import MartletSQLite
import MartletValues
import Synchronization

/// Carries one read out on a leased connection: a batch at a time, as far as its owner's credit goes.
///
/// Always true: the statement is touched only by the thread that runs the stream, or, while it is paused, by the one
/// that ends it; it is reset before its end is told; what was delivered is never delivered again. The rules are
/// `StreamFlow`'s; this performs its actions.
final class ReadStream: Sendable {
  private struct State {
    var flow = StreamFlow()
    var reader: ReaderConnection?
    var ending: RequestError?
    var progress = Progress()
    /// What is on a thread, or waits for one.
    var turn: Turn?
    var pace = TimeShares.Pace()
  }

  /// What the running thread knows of the execution; handed from one to the next through the lock.
  private struct Progress {
    var hasStarted = false
    var sequence: UInt64 = 0
    var rows: Int64 = 0
    var nanoseconds: UInt64 = 0
    /// To be told before the first rows.
    var columns: ResultColumns?
    var copy = RowCopy()
    /// What its quotas are counted in: rows and bytes that were fetched, the steps that are left, and its memory.
    var fetched = (rows: 0, bytes: 0)
    var checks: Int?
    var memory: StatementMemory?
    /// Something was delivered, or a batch is full: it cannot begin again.
    var isFirm = false
  }

  let execution: Execution
  private let request: StatementRequest
  private let plan: Plan
  private let context: ReadContext
  private let home: any StreamHome
  let script: SetupScript
  /// It has a snapshot and a connection of its own, and is not one of a transaction's.
  private let isAlone: Bool
  private let registration: Mutex<UInt64>
  private let state = Mutex(State())
  private let isInterrupted = Atomic<Bool>(false)

  init(
    _ request: StatementRequest, plan: Plan, execution: Execution, context: ReadContext, home: any StreamHome,
    script: SetupScript = .empty
  ) {
    self.script = script
    self.request = request
    self.plan = plan
    self.execution = execution
    self.context = context
    self.home = home
    isAlone = home.transactionStatus == .none
    registration = Mutex(0)
  }

  var share: SessionShare { execution.sessionShare }

  /// From here on the stream hears of its deadline, of credit and of cancellation.
  func enter() {
    let id = context.snapshots.enter(self, due: execution.deadline)
    registration.withLock { $0 = id }
    execution.setDriver(self)
    if execution.isCancelled { stop(.cancelledByOwner) }
  }

  /// Reads of its shape had to begin again lately: it waits with the heavy ones from the start.
  func presumeHeavy() { state.withLock { $0.pace.isHeavy = true } }

  /// Ends the stream soon, from any thread, with `failed(error)`.
  func stop(_ error: RequestError) {
    let action = state.withLock { state in
      let action = state.flow.stopped()
      if action != .none, state.ending == nil { state.ending = error }
      return action
    }
    perform(action)
  }

  func refused(_ error: RequestError) { stop(error) }

  /// Others need the connection of this stream, which waits for its client.
  func reclaim() { perform(state.withLock { $0.flow.reclaimed() }) }

  /// What was not started on a thread: the rest is decided there.
  private func perform(_ action: StreamFlow.Action) {
    switch action {
    case .run: submit { stream, turn in stream.run(turn) }
    case .copy: submit { stream, turn in stream.copy(turn) }
    case .interrupt:
      isInterrupted.store(true, ordering: .releasing)
      state.withLock { $0.turn }?.stop()
    case .finish: finish(nil)
    case .withdraw:
      home.streamWithdrew(self)
      settle(nil)
    case .none, .next, .pause, .yield, .giveBack, .detach, .beginAgain: break
    }
  }

  private func submit(_ body: @escaping @Sendable (ReadStream, Turn) -> Turn.Next) {
    let (pace, reader) = state.withLock { ($0.pace, $0.reader) }
    if isAlone { reader?.seat.resumed() }
    let turn = Turn(
      on: context.workers, as: .init(database: context.database, subject: share.subject, session: share.session),
      pace: pace,
      deadline: execution.deadline, clock: context.clock, seat: isAlone ? reader?.seat : nil
    ) { [self] turn in body(self, turn) }
    state.withLock { $0.turn = turn }
    turn.submit()
    // A stop that came before it was submitted did not reach it.
    if isInterrupted.load(ordering: .acquiring) { turn.stop() }
  }

  // MARK: - On a worker's thread

  private func run(_ turn: Turn) -> Turn.Next {
    if state.withLock({ $0.progress.isFirm }) { turn.becomeFirm() }
    while true {
      let part = next(turn)
      switch part {
      case .batch(let rows):
        guard isRoomFor(rows, turn) else { return beginAgain(turn) }
        deliver(rows, turn)
      case .displaced where turn.displacement == .putBack: return beginAgain(turn)
      case .displaced: return conclude(.failed(.noRoomForLongRead), turn)
      case .last, .failed: return conclude(part, turn)
      }
      let action = state.withLock { state in
        let action = state.flow.batchDelivered(hasCredit: execution.hasCredit, othersWait: turn.shouldLeave)
        if action == .pause {
          noteTurn(turn, in: &state)
          if isAlone { state.reader?.seat.paused(self) }
        }
        return action
      }
      switch action {
      case .next: if let error = shareExceeded() { return conclude(.failed(error), turn) }
      case .yield: return .again
      case .pause:
        if isAlone { home.streamPaused() }
        return .done
      default:
        rest(turn)
        perform(action)
        return .done
      }
    }
  }

  private enum Part {
    /// There may be more.
    case batch(RowBatch)
    case last(RowBatch)
    case failed(RequestError)
    /// Others need its place; see `Turn.displacement`.
    case displaced
  }

  /// From the copy first, where there is one, and then from the statement.
  private func next(_ turn: Turn) -> Part {
    let (copied, reader) = state.withLock { ($0.progress.copy.take(), $0.reader) }
    if let copied {
      context.workers.copies.giveBack(copied.byteCount)
      return .batch(copied)
    }
    guard let reader else { return .last(RowBatch()) }
    return fetch(from: reader, turn)
  }

  /// A read with more than a batch is a long one, and those leave some connections to others.
  private func isRoomFor(_ rows: RowBatch, _ turn: Turn) -> Bool {
    guard !state.withLock({ $0.progress.isFirm }) else { return true }
    if isAlone, let reader = state.withLock({ $0.reader }), !reader.seat.becomeLong() { return false }
    state.withLock { $0.progress.isFirm = true }
    turn.becomeFirm()
    return true
  }

  /// Why a stream that runs well must end: its session has so many that others get none.
  private func shareExceeded() -> RequestError? {
    guard isAlone, let reader = state.withLock({ $0.reader }), reader.seat.isWanted, reader.seat.isOverShare
    else { return nil }
    context.counters.evictions.wrappingAdd(1, ordering: .relaxed)
    return .connectionsShared
  }

  private func rest(_ turn: Turn) { state.withLock { noteTurn(turn, in: &$0) } }

  /// It leaves its thread, and begins with what it has had the next time.
  private func noteTurn(_ turn: Turn, in state: inout State) {
    state.pace = turn.paceNow
    state.turn = nil
  }

  /// Keeps the rest of the rows in memory, so that the connection is free for others.
  private func copy(_ turn: Turn) -> Turn.Next {
    turn.becomeFirm()
    guard let reader = state.withLock({ $0.reader }) else { return .done }
    var isComplete = false
    var failure: RequestError?
    while failure == nil, !isComplete {
      switch fetch(from: reader, turn) {
      case .batch(let rows): failure = keep(rows)
      case .last(let rows):
        failure = keep(rows)
        isComplete = failure == nil
      case .failed(let error): return conclude(.failed(error), turn)
      case .displaced: failure = .pausedTooLong
      }
    }
    let action = state.withLock { state in
      noteTurn(turn, in: &state)
      return state.flow.copied(isComplete: isComplete)
    }
    guard action == .detach else {
      context.counters.evictions.wrappingAdd(1, ordering: .relaxed)
      if action == .finish { finish(failure) }
      return .done
    }
    detach(from: reader)
    perform(state.withLock { $0.flow.detached(hasCredit: execution.hasCredit) })
    return .done
  }

  /// Nil where there is room for the rows.
  private func keep(_ rows: RowBatch) -> RequestError? {
    let bytes = rows.byteCount
    guard rows.rowCount > 0 else { return nil }
    let kept = state.withLock { $0.progress.copy.byteCount }
    guard kept + bytes <= context.limits.streamCopyBytesMax, context.workers.copies.take(bytes) else {
      return .pausedTooLong
    }
    state.withLock { $0.progress.copy.keep(rows) }
    return nil
  }

  private func detach(from reader: ReaderConnection) {
    reader.endStatement()
    state.withLock { $0.reader = nil }
    context.snapshots.snapshotReleased(by: registration.withLock { $0 })
    context.counters.copies.wrappingAdd(1, ordering: .relaxed)
    home.streamEnded(reader)
  }

  /// Ends the statement, of which nothing was delivered, and waits with the long ones.
  private func beginAgain(_ turn: Turn) -> Turn.Next {
    turn.beginAgain()
    plan.wasLong()
    let reader = state.withLock { $0.reader }
    reader?.endStatement()
    if isAlone { context.snapshots.snapshotReleased(by: registration.withLock { $0 }) }
    context.counters.putBack.wrappingAdd(1, ordering: .relaxed)
    let action = state.withLock { state in
      state.progress.hasStarted = false
      state.progress.columns = nil
      state.progress.fetched = (0, 0)
      state.progress.checks = nil
      state.progress.memory = nil
      if !isAlone { return StreamFlow.Action.yield }
      let action = state.flow.putBack()
      if action == .beginAgain { state.reader = nil }
      return action
    }
    // In a transaction the connection stays where it is.
    if action == .yield { return .again }
    rest(turn)
    if action == .beginAgain, let reader { home.streamPutBack(self, from: reader) } else { perform(action) }
    return .done
  }

  private func conclude(_ part: Part, _ turn: Turn) -> Turn.Next {
    var failure: RequestError?
    switch part {
    case .batch, .displaced: break
    case .last(let rows): deliver(rows, turn)
    case .failed(let error): failure = error
    }
    rest(turn)
    let action = state.withLock { state in
      // Rows that were all there when the stop came are a good end.
      if failure == nil { state.ending = nil } else if state.ending == nil { state.ending = failure }
      return state.flow.rowsEnded()
    }
    if action == .finish { finish(failure) }
    return .done
  }

  private func fetch(from reader: ReaderConnection, _ turn: Turn) -> Part {
    if isCancelled { return .failed(.cancelledByOwner) }
    let start = context.clock()
    if start >= execution.deadline { return .failed(.deadlinePassed) }
    defer {
      let elapsed = context.clock().nanoseconds &- start.nanoseconds
      state.withLock { $0.progress.nanoseconds &+= elapsed }
    }
    do throws(RequestError) {
      let session = try reader.session()
      arm(session.connection.limiter, turn)
      turn.watch.begin(plan.shape, deadline: execution.deadline)
      turn.watch.expose(session.connection)
      defer {
        turn.watch.cover()
        turn.watch.end()
        if quotas != nil { keepChecks(session.connection.limiter.checksLeft) }
        session.connection.limiter.disarm()
      }
      let isFirst = !state.withLock { $0.progress.hasStarted }
      if isFirst { try begin(on: reader, session) }
      guard let prepared = reader.running else { return .failed(.cancelledByOwner) }
      var rows = RowBatch()
      guard let outcome = try collect(&rows, prepared, session) else { return .displaced }
      if isFirst {
        try prepared.checkRules()
        noteColumns(of: prepared)
      }
      return outcome == .done ? .last(rows) : .batch(rows)
    } catch {
      return .failed(error)
    }
  }

  private var quotas: StatementQuotas? { execution.subject.quotas }

  private func arm(_ limiter: ExecutionLimiter, _ turn: Turn) {
    guard let quotas else {
      return limiter.arm(
        deadlineNanoseconds: execution.deadline.nanoseconds, cancellation: self, pacer: turn, isAlone: isAlone)
    }
    let (checks, memory) = state.withLock { state in
      if state.progress.memory == nil { state.progress.memory = quotas.makeMemory() }
      return (state.progress.checks, state.progress.memory)
    }
    limiter.arm(
      deadlineNanoseconds: execution.deadline.nanoseconds, steps: quotas.steps, checks: checks, cancellation: self,
      pacer: turn, memory: memory, isAlone: isAlone)
  }

  private func keepChecks(_ checks: Int) { state.withLock { $0.progress.checks = checks } }

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
    try ParameterBinder.bind(
      request.parameters, of: plan, to: prepared.statement, limits: context.limits,
      restriction: request.subject.restriction)
    if isAlone { context.snapshots.snapshotTaken(by: registration.withLock { $0 }) }
  }

  /// Nil where the statement was ended for others.
  private func collect(
    _ rows: inout RowBatch, _ prepared: PreparedPlan, _ session: ReaderConnection.Session
  ) throws(RequestError) -> RowCollector.Outcome? {
    let outcome: RowCollector.Outcome
    do throws(RowFault) {
      outcome = try RowCollector.fill(
        &rows, from: prepared.statement, byteLimit: context.limits.rowBatchBytes,
        rowBytesMax: context.limits.rowBytesMax)
    } catch {
      let stop = session.connection.limiter.interruption
      if stop == .displaced, case .sqlite(let error) = error, error.code == SQLiteCode.interrupt { return nil }
      let told = RequestError(error, plan: plan, limits: context.limits, stop: stop)
      throw quotas?.named(told, stop: stop, memory: state.withLock { $0.progress.memory }, writes: false) ?? told
    }
    if let quotas {
      let fetched = state.withLock { state in
        state.progress.fetched.rows += rows.rowCount
        state.progress.fetched.bytes += rows.byteCount
        return state.progress.fetched
      }
      try quotas.check(rows: fetched.rows, bytes: fetched.bytes)
    }
    guard execution.hasRoom(forRowBytes: rows.byteCount) else { throw .noMemory("a row of this size") }
    return outcome
  }

  private func noteColumns(of prepared: PreparedPlan) {
    prepared.refreshColumns()
    guard prepared.columns.version != request.columnsVersion else { return }
    let columns = prepared.columns
    state.withLock { $0.progress.columns = columns }
  }

  private func deliver(_ rows: RowBatch, _ turn: Turn) {
    let columns = state.withLock { state in
      defer { state.progress.columns = nil }
      return state.progress.columns
    }
    if let columns {
      turn.becomeFirm()
      execution.deliver(.columns(columns))
    }
    guard rows.rowCount > 0 else { return }
    state.withLock { $0.progress.rows += Int64(rows.rowCount) }
    execution.spendCredit(rows.byteCount)
    execution.deliver(.rows(rows))
  }

  // MARK: - The end

  /// Resets the statement, answers, and gives the connection back. Nobody else uses the statement any more.
  private func finish(_ failure: RequestError?) {
    let (reader, copied) = state.withLock { state in
      defer { state.reader = nil }
      return (state.reader, state.progress.copy.removeAll())
    }
    context.workers.copies.giveBack(copied)
    reader?.endStatement()
    // A read of its own frees its connection first, so that whoever was answered finds it free.
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
      if error == nil, !progress.isFirm { plan.wasBrief() }
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
  func snapshotMustEnd(_ end: SnapshotEnd) {
    if case .logGrew = end { context.counters.evictions.wrappingAdd(1, ordering: .relaxed) }
    stop(.snapshotEnded(end))
  }
}
