import MartletAST
import MartletSQLite
import MartletValues
import Synchronization

/// A read transaction: statements in order, on one connection, in one snapshot, until its owner or a limit ends it.
///
/// Always true: its begin is answered once; when the engine ends it, the begin's token hears so once, and what had
/// not run is refused. The rules are `ReadTransactionFlow`'s; this performs its actions.
final class ReadTransaction: Sendable {
  /// `.again`: it was put back, and is to be called once more, when there is room for a heavy read.
  typealias Work = @Sendable (ReadLease) -> Turn.Next
  typealias Refusal = @Sendable (RequestError) -> Void

  private enum Item {
    case stream(ReadStream)
    case work(Work, Refusal)
    case finish(RequestToken, any ReplySink)
  }

  private struct State {
    var flow: ReadTransactionFlow<Item>
    var reader: ReaderConnection?
    var current: ReadStream?
    /// The transaction's turn that runs or waits for a thread; its streams have turns of their own.
    var turn: Turn?
    var ending: RequestError?
    var sequence: UInt64 = 0
    var begun: MonotonicTime
    var registration: UInt64 = 0
  }

  private let pool: ReaderPool
  private let context: ReadContext
  let script: SetupScript
  private let kind: LeaseQueue.Kind
  /// The time that the transaction's work has used before.
  private let pace: TimeShares.Pace
  private let subject: Subject
  private let token: RequestToken
  private let sink: any ReplySink
  private let deadline: MonotonicTime
  /// The limits that the transaction began with.
  private let limits: ServingLimits
  private let state: Mutex<State>
  private let isInterrupted = Atomic<Bool>(false)
  private let isAbandoned = Atomic<Bool>(false)

  /// `kind` is what it holds a connection as.
  init(
    on pool: ReaderPool, deadline: MonotonicTime, subject: Subject, token: RequestToken, sink: any ReplySink,
    kind: LeaseQueue.Kind = .transaction, pace: TimeShares.Pace = TimeShares.Pace(), script: SetupScript = .empty
  ) {
    self.pool = pool
    context = pool.context
    self.script = script
    self.subject = subject
    self.kind = kind
    self.pace = pace
    self.deadline = deadline
    self.token = token
    self.sink = sink
    limits = context.limitsInForce.current
    let itemsMax = context.limits.requestsPerConnectionMax
    state = Mutex(State(flow: ReadTransactionFlow(itemsMax: itemsMax), begun: context.clock()))
  }

  var share: SessionShare { SessionShare(subject: subject.share, session: token.session) }

  // MARK: - What the owner says

  /// Waits for a connection. The token's completion comes when the transaction has its snapshot.
  func begin() {
    context.counters.readTransactions.wrappingAdd(1, ordering: .relaxed)
    let id = context.snapshots.enter(self, due: deadline)
    state.withLock { $0.registration = id }
    if let refusal = pool.lease(to: self, kind: kind) { end(refusal) }
  }

  /// Runs a read after those that came before it.
  func start(_ request: StatementRequest, plan: Plan, execution: Execution) throws(RequestError) {
    if plan.access == .write || plan.access == .schema { throw .writeAmongReads }
    let stream = ReadStream(request, plan: plan, execution: execution, context: context, home: self)
    stream.enter()
    arrive(.stream(stream))
  }

  /// A read is being planned, or no more is: meanwhile the owner is not waited for.
  func planning(isUnderWay: Bool) {
    state.withLock { state in
      guard kind == .transaction, state.flow.state == .idle, let reader = state.reader else { return }
      isUnderWay ? reader.resumed() : reader.paused(self)
    }
  }

  /// Runs `work` on the connection after what came before it, on a worker's thread; or tells `refused` why not.
  func perform(_ work: @escaping Work, refused: @escaping Refusal) { arrive(.work(work, refused)) }

  /// Ends the transaction after what came before; the token's completion comes when the snapshot is let go.
  func finish(token: RequestToken, sink: any ReplySink) { arrive(.finish(token, sink)) }

  /// Ends the transaction if it has not begun.
  func cancelBegin() { end(.cancelledByOwner, evenIfBegun: false) }

  /// The owner is gone: ends everything, tells nobody.
  func abandon() {
    isAbandoned.store(true, ordering: .releasing)
    end(.cancelledByOwner)
  }

  // MARK: - The flow's actions

  private func arrive(_ item: Item) {
    let action = state.withLock { state in
      let action = state.flow.arrived(item)
      if case .start = action, kind == .transaction { state.reader?.resumed() }
      return action
    }
    if case .refuse = action { refuse(item, with: refusal) } else { perform(action) }
  }

  /// Why the engine ended the transaction, or is about to; nil if it did not.
  var ending: RequestError? { state.withLock { $0.ending } }

  private var refusal: RequestError {
    state.withLock { state in
      guard state.flow.isOver else { return .transactionFull }
      return state.ending.map(RequestError.transactionOver(because:)) ?? .transactionOver
    }
  }

  private func perform(_ action: ReadTransactionFlow<Item>.Action) {
    switch action {
    case .none, .refuse, .giveBack: break
    case .open:
      submit { transaction, turn in
        turn.preparingBegan()
        transaction.open()
        return .done
      }
    case .start(let item): start(item)
    case .interrupt:
      isInterrupted.store(true, ordering: .releasing)
      let (current, turn, ending) = state.withLock { ($0.current, $0.turn, $0.ending) }
      if let turn { context.workers.stop(turn) }
      // The statement that runs gets the cause itself; only later statements are told that the transaction has ended.
      current?.stop(ending ?? .transactionOver)
    case .withdraw:
      pool.withdraw(self)
      tellEnd()
    case .close: close()
    }
  }

  private func open() {
    guard let reader = state.withLock({ $0.reader }) else { return }
    let sequence = context.commits.sequence
    do throws(RequestError) {
      let session = try reader.session()
      do throws(SQLiteError) {
        try session.takeSnapshot(following: context.commits.schema, for: share.session, at: context.clock())
      } catch {
        throw RequestError(error)
      }
    } catch {
      end(error)
      return perform(state.withLock { $0.flow.opened() })
    }
    let (id, hasBegun) = state.withLock { state in
      state.sequence = sequence
      state.begun = context.clock()
      return (state.registration, state.flow.snapshotTaken())
    }
    context.snapshots.snapshotTaken(by: id)
    watchIdle()
    if hasBegun {
      deliver(.completed(Completion(commitSequence: sequence, transaction: .read)))
    }
    perform(state.withLock { state in noted(state.flow.opened(), in: state) })
  }

  private func start(_ item: Item) {
    guard let reader = state.withLock({ $0.reader }) else { return }
    watchTotal()
    switch item {
    case .stream(let stream):
      state.withLock { $0.current = stream }
      if isCancelled { stream.stop(refusal) }
      stream.leased(reader)
    case .work(let work, let refused):
      submit(pace) { transaction, turn in
        if transaction.run(work, refused, on: reader, turn) == .again { return .again }
        transaction.itemEnded()
        return .done
      }
    case .finish(let token, let sink):
      submit { transaction, _ in
        transaction.finishNow(token, sink)
        return .done
      }
    }
  }

  private func finishNow(_ token: RequestToken, _ sink: any ReplySink) {
    let dropped = state.withLock { $0.flow.finished() }
    giveUpConnection()
    sink.deliver(.completed(Completion(commitSequence: snapshotSequence ?? 0)), to: token)
    for item in dropped { refuse(item, with: .transactionOver) }
  }

  private func submit(
    _ pace: TimeShares.Pace = TimeShares.Pace(), _ body: @escaping @Sendable (ReadTransaction, Turn) -> Turn.Next
  ) {
    // A transaction holds its connection in any case, so its statements need not say when they turn out to be long.
    let seat = kind == .transaction ? nil : state.withLock { $0.reader }
    let turn = Turn(
      on: context.workers, as: .init(database: context.database, subject: share.subject, session: share.session),
      pace: pace,
      clock: context.clock,
      seat: seat
    ) { [self] turn in body(self, turn) }
    state.withLock { $0.turn = turn }
    context.workers.submit(turn)
    if isCancelled { context.workers.stop(turn) }
  }

  private func run(_ work: Work, _ refused: Refusal, on reader: ReaderConnection, _ turn: Turn) -> Turn.Next {
    if isCancelled {
      refused(refusal)
      return .done
    }
    do throws(RequestError) {
      let session = try reader.session()
      return work(
        ReadLease(
          session: session, reader: reader, snapshotSequence: snapshotSequence ?? 0, transaction: self, turn: turn))
    } catch {
      refused(error)
      return .done
    }
  }

  private func itemEnded() {
    let isSnapshotGone = state.withLock { state in
      state.current = nil
      state.turn = nil
      return state.reader.map { !$0.hasSnapshot } ?? false
    }
    // Each later statement would see a snapshot of its own.
    if isSnapshotGone { end(.transactionEnded(.rolledBackBySQLite, limits: context.limits)) }
    let action = state.withLock { state in noted(state.flow.itemEnded(), in: state) }
    if case .none = action { watchIdle() }
    perform(action)
  }

  /// The same action. A transaction that does nothing now waits for its client, and others may need the connection.
  private func noted(_ action: ReadTransactionFlow<Item>.Action, in state: State) -> ReadTransactionFlow<Item>.Action {
    if state.flow.state == .idle, let reader = state.reader { waits(on: reader) }
    return action
  }

  /// What exists for a batch alone never waits for its client.
  private func waits(on reader: ReaderConnection) { if kind == .transaction { reader.paused(self) } }

  // MARK: - The end

  /// Ends the transaction for the engine's own reasons.
  func end(_ error: RequestError, evenIfBegun: Bool = true) {
    let (action, dropped) = state.withLock { state in
      let wasOver = state.flow.isOver
      let stopped = evenIfBegun ? state.flow.stopped() : state.flow.beginCancelled()
      if state.ending == nil && !wasOver && state.flow.isOver { state.ending = error }
      return stopped
    }
    perform(action)
    let refusal = refusal
    for item in dropped { refuse(item, with: refusal) }
  }

  private func close() {
    giveUpConnection()
    tellEnd()
  }

  private func giveUpConnection() {
    let (reader, id) = state.withLock { state in
      let reader = state.reader
      state.reader = nil
      // The turn keeps the transaction alive.
      state.turn = nil
      return (reader, state.registration)
    }
    context.snapshots.leave(id)
    guard let reader else { return }
    reader.endStatement()
    reader.endSnapshot()
    pool.giveBack(reader)
  }

  private func tellEnd() {
    let (ending, hasBegun, begun, id) = state.withLock {
      ($0.ending, $0.flow.hasBegun, $0.begun, $0.registration)
    }
    context.snapshots.leave(id)
    guard let ending else { return }
    if hasBegun {
      deliver(.transactionEnded(ending, ageMs: context.clock().milliseconds(since: begun)))
    } else {
      deliver(.failed(ending))
    }
  }

  private func refuse(_ item: Item, with error: RequestError) {
    switch item {
    // Told even if the owner is gone: the owner also goes when its begin has failed, and waits for these answers then.
    case .stream(let stream): stream.stop(error)
    case .work(_, let refused): refused(error)
    case .finish(let token, let sink): sink.deliver(.failed(error), to: token)
    }
  }

  private func deliver(_ event: ReplyEvent) {
    if !isAbandoned.load(ordering: .acquiring) { sink.deliver(event, to: token) }
  }

  // MARK: - Time

  private func watchIdle() { watch(idleMs: limits.transactionIdleMs) }
  private func watchTotal() { watch(idleMs: limits.transactionTotalMs) }

  private func watch(idleMs: Int) {
    // One that exists for a batch alone lasts as long as the batch may.
    guard kind == .transaction else { return }
    let (begun, id) = state.withLock { ($0.begun, $0.registration) }
    let last = begun.advanced(milliseconds: limits.transactionTotalMs)
    context.snapshots.move(id, due: min(last, context.clock().advanced(milliseconds: idleMs)))
  }
}

extension ReadTransaction: LeaseHolder {
  func refused(_ error: RequestError) { end(error) }

  /// It ends, because a snapshot cannot be taken anew; unless its owner has sent something that is still under way.
  func reclaim() {
    sink.listen(for: token) { [self] in
      guard state.withLock({ $0.reader?.isReclaimed ?? false }) else { return }
      context.counters.evictions.wrappingAdd(1, ordering: .relaxed)
      end(.readTransactionReclaimed(idleMs: EngineLimits.idleReadMs))
    }
  }

  func leased(_ reader: ReaderConnection) {
    let action = state.withLock { state in
      let action = state.flow.leased()
      if case .open = action { state.reader = reader }
      return action
    }
    if case .giveBack = action { pool.giveBack(reader) } else { perform(action) }
  }
}

extension ReadTransaction: StreamHome {
  var transactionStatus: TransactionStatus { .read }
  var snapshotSequence: UInt64? { state.withLock { $0.sequence } }
  func streamEnded(_ reader: ReaderConnection) { itemEnded() }
  func streamWaits(_ stream: any LeaseHolder, on reader: ReaderConnection) { waits(on: reader) }
}

extension ReadTransaction: CancellationSource {
  var isCancelled: Bool { isInterrupted.load(ordering: .acquiring) }
}

extension ReadTransaction: SnapshotHolder {
  func snapshotMustEnd(_ end: SnapshotEnd) {
    switch end {
    case .due:
      let (hasBegun, begun) = state.withLock { ($0.flow.hasBegun, $0.begun) }
      let age = context.clock().milliseconds(since: begun)
      // What exists for a batch alone is due with the batch.
      let isOpen = hasBegun && kind == .transaction
      self.end(isOpen ? .readTransactionIdle(ageMs: age, limits: limits) : .deadlinePassed)
    case .shutDown: self.end(.shuttingDown)
    case .logGrew, .logLost:
      context.counters.evictions.wrappingAdd(1, ordering: .relaxed)
      self.end(.snapshotEnded(end))
    }
  }
}
