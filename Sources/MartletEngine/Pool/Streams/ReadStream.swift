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
    var copy = RowCopy()
    /// Something was delivered, or a batch is full: it cannot begin again.
    var isFirm = false
    /// The stream's turn that runs or waits for a thread; nil if there is none.
    var turn: Turn?
    var pace = TimeShares.Pace()
  }

  private let source: StreamSource
  let script: SetupScript
  private let state = Mutex(State())
  private let isInterrupted = Atomic<Bool>(false)

  init(
    _ request: StatementRequest, plan: Plan, execution: Execution, context: ReadContext, home: any StreamHome,
    script: SetupScript = .empty
  ) {
    self.script = script
    source = StreamSource(request, plan: plan, execution: execution, context: context, home: home)
  }

  /// Runs one read in a snapshot of its own, on a connection of the pool, for which it waits to its deadline at most.
  static func start(
    _ request: StatementRequest, plan: Plan, execution: Execution, on pool: ReaderPool, script: SetupScript = .empty
  ) {
    let stream = ReadStream(
      request, plan: plan, execution: execution, context: pool.context, home: pool, script: script)
    pool.context.counters.poolReads.wrappingAdd(1, ordering: .relaxed)
    stream.enter()
    let isLong = plan.isPresumedLong()
    // Reads of the shape had to begin again lately: the stream waits with the heavy ones from the start.
    if isLong { stream.state.withLock { $0.pace.isHeavy = true } }
    let isKnown = !isLong && plan.isKnownBrief
    if isKnown { stream.state.withLock { $0.pace.isKnown = true } }
    let kind: LeaseQueue.Kind = isLong ? .long : isKnown ? .known : .brief
    if let refusal = pool.lease(to: stream, kind: kind) { stream.stop(refusal) }
  }

  var execution: Execution { source.execution }

  var share: SessionShare { execution.sessionShare }

  /// From here on the stream hears of its deadline, of credit and of cancellation.
  func enter() {
    let id = source.context.snapshots.enter(self, due: execution.deadline)
    source.entered(as: id)
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

  /// Carries out actions on any thread. The other actions are for the thread that runs the statement: see `run`.
  private func perform(_ action: StreamFlow.Action) {
    switch action {
    case .run: submit { stream, turn in stream.run(turn) }
    case .copy: submit { stream, turn in stream.copy(turn) }
    case .interrupt:
      isInterrupted.store(true, ordering: .releasing)
      if let turn = state.withLock({ $0.turn }) { source.context.workers.stop(turn) }
    case .finish: finish(nil)
    case .withdraw:
      source.home.streamWithdrew(self)
      settle(nil)
    case .none, .next, .pause, .yield, .giveBack, .detach, .beginAgain: break
    }
  }

  private func submit(_ body: @escaping @Sendable (ReadStream, Turn) -> Turn.Next) {
    let (pace, reader) = state.withLock { ($0.pace, $0.reader) }
    reader?.resumed()
    let turn = Turn(
      on: source.context.workers,
      as: .init(database: source.context.database, subject: share.subject, session: share.session),
      pace: pace,
      deadline: execution.deadline, clock: source.context.clock, seat: source.isAlone ? reader : nil
    ) { [self] turn in body(self, turn) }
    state.withLock { $0.turn = turn }
    source.context.workers.submit(turn)
    // A stop that came before it was submitted did not reach it.
    if isInterrupted.load(ordering: .acquiring) { source.context.workers.stop(turn) }
  }

  // MARK: - On a worker's thread

  private func run(_ turn: Turn) -> Turn.Next {
    if state.withLock({ $0.isFirm }) { turn.becomeFirm() }
    while true {
      let part = next(turn)
      switch part {
      case .batch(let rows):
        // A statement may return rows before it hears that it was put back. It begins again, so they are not delivered.
        guard turn.displacement != .putBack, isRoomFor(rows, turn) else { return beginAgain(turn) }
        deliver(rows, turn)
      case .displaced where turn.displacement == .putBack: return beginAgain(turn)
      case .displaced: return conclude(.failed(.noRoomForLongRead), turn)
      case .last, .failed: return conclude(part, turn)
      }
      let action = state.withLock { state in
        let action = state.flow.batchDelivered(hasCredit: execution.hasCredit, othersWait: turn.shouldLeave)
        if action == .pause {
          noteTurn(turn, in: &state)
          if let reader = state.reader { source.home.streamWaits(self, on: reader) }
        }
        return action
      }
      switch action {
      case .next: if let error = shareExceeded() { return conclude(.failed(error), turn) }
      case .yield: return .again
      case .pause:
        source.home.streamPaused()
        return .done
      default:
        rest(turn)
        perform(action)
        return .done
      }
    }
  }

  /// Takes rows from the copy first, if there is one, and then from the statement.
  private func next(_ turn: Turn) -> StreamSource.Part {
    let (copied, reader) = state.withLock { ($0.copy.take(), $0.reader) }
    if let copied {
      source.context.workers.copies.giveBack(copied.byteCount)
      return .batch(copied)
    }
    guard let reader else { return .last(RowBatch()) }
    return source.fetch(from: reader, turn, for: self)
  }

  /// A read with more than a batch is a long one, and those leave some connections to others.
  private func isRoomFor(_ rows: RowBatch, _ turn: Turn) -> Bool {
    guard !state.withLock({ $0.isFirm }) else { return true }
    if source.isAlone, let reader = state.withLock({ $0.reader }), !reader.becomeLong() { return false }
    state.withLock { $0.isFirm = true }
    turn.becomeFirm()
    return true
  }

  /// Why a stream that runs well must end: its session has so many that others get none.
  private func shareExceeded() -> RequestError? {
    guard source.isAlone, let reader = state.withLock({ $0.reader }), reader.isWanted, reader.isOverShare
    else { return nil }
    source.context.counters.evictions.wrappingAdd(1, ordering: .relaxed)
    return .connectionsShared
  }

  private func rest(_ turn: Turn) { state.withLock { noteTurn(turn, in: &$0) } }

  /// The stream leaves its thread. Its next turn goes on counting from the time that it has used.
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
      switch source.fetch(from: reader, turn, for: self) {
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
      source.context.counters.evictions.wrappingAdd(1, ordering: .relaxed)
      if action == .finish { finish(failure) }
      return .done
    }
    detach(from: reader)
    perform(state.withLock { $0.flow.detached(hasCredit: execution.hasCredit) })
    return .done
  }

  /// Nil if there is room for the rows.
  private func keep(_ rows: RowBatch) -> RequestError? {
    let bytes = rows.byteCount
    guard rows.rowCount > 0 else { return nil }
    let kept = state.withLock { $0.copy.byteCount }
    guard kept + bytes <= source.context.limits.streamCopyBytesMax, source.context.workers.copies.take(bytes) else {
      return .pausedTooLong
    }
    state.withLock { $0.copy.keep(rows) }
    return nil
  }

  private func detach(from reader: ReaderConnection) {
    reader.endStatement()
    state.withLock { $0.reader = nil }
    source.context.snapshots.snapshotReleased(by: source.registration)
    source.context.counters.copies.wrappingAdd(1, ordering: .relaxed)
    source.home.streamEnded(reader)
  }

  /// Ends the statement, of which nothing was delivered, and waits with the long ones.
  private func beginAgain(_ turn: Turn) -> Turn.Next {
    turn.beginAgain()
    source.plan.wasLong()
    let reader = state.withLock { $0.reader }
    reader?.endStatement()
    if source.isAlone { source.context.snapshots.snapshotReleased(by: source.registration) }
    source.context.counters.putBack.wrappingAdd(1, ordering: .relaxed)
    source.beginsAgain()
    let action = state.withLock { state in
      if !source.isAlone { return StreamFlow.Action.yield }
      let action = state.flow.putBack()
      if action == .beginAgain { state.reader = nil }
      return action
    }
    // In a transaction the connection stays where it is.
    if action == .yield { return .again }
    rest(turn)
    if action == .beginAgain, let reader { source.home.streamPutBack(self, from: reader) } else { perform(action) }
    return .done
  }

  private func conclude(_ part: StreamSource.Part, _ turn: Turn) -> Turn.Next {
    var failure: RequestError?
    switch part {
    case .batch, .displaced: break
    case .last(let rows): deliver(rows, turn)
    case .failed(let error): failure = error
    }
    rest(turn)
    let action = state.withLock { state in
      // If all rows were there when the stop came, the stream ends well.
      if failure == nil { state.ending = nil } else if state.ending == nil { state.ending = failure }
      return state.flow.rowsEnded()
    }
    if action == .finish { finish(failure) }
    return .done
  }

  private func deliver(_ rows: RowBatch, _ turn: Turn) {
    if let columns = source.rowsLeave(rows.rowCount) {
      turn.becomeFirm()
      execution.deliver(.columns(columns))
    }
    guard rows.rowCount > 0 else { return }
    execution.spendCredit(rows.byteCount)
    execution.deliver(.rows(rows))
  }

  // MARK: - The end

  /// Resets the statement, answers, and gives the connection back. Nobody else uses the statement any more.
  private func finish(_ failure: RequestError?) {
    let (reader, copied) = state.withLock { state in
      defer { state.reader = nil }
      return (state.reader, state.copy.removeAll())
    }
    source.context.workers.copies.giveBack(copied)
    reader?.endStatement()
    // A read of its own frees its connection first, so that the client, once answered, finds it free.
    if source.isAlone, let reader { source.home.streamEnded(reader) }
    settle(failure)
    if !source.isAlone, let reader { source.home.streamEnded(reader) }
  }

  private func settle(_ failure: RequestError?) {
    source.context.snapshots.leave(source.registration)
    execution.setDriver(nil)
    let (isFirm, ending) = state.withLock { ($0.isFirm, $0.ending) }
    execution.deliver(source.ended(ending ?? failure, isFirm: isFirm))
  }
}

extension ReadStream: LeaseHolder {
  func refused(_ error: RequestError) { stop(error) }

  func reclaim() { perform(state.withLock { $0.flow.reclaimed() }) }

  func leased(_ reader: ReaderConnection) {
    let action = state.withLock { state in
      let action = state.flow.leased()
      if action == .run { state.reader = reader }
      return action
    }
    if action == .giveBack { source.home.streamEnded(reader) } else { perform(action) }
  }
}

extension ReadStream: ExecutionDriver {
  func creditExtended(_ execution: Execution) {
    // The new credit may not make up for the last batch's overdraft yet.
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
    switch end {
    case .logGrew, .logLost: source.context.counters.evictions.wrappingAdd(1, ordering: .relaxed)
    case .due, .shutDown: break
    }
    stop(source.snapshotEnded(end))
  }
}
