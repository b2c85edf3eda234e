/// The read-only connections of one database for sessions of one setup, leased to streams and read transactions.
///
/// Always true: no more connections than the limit for its kind of setup, each with one holder; who waits is served in
/// turn and never longer than its deadline. Connections open when first leased and close with the pool.
import Dispatch
import MartletAST
import Synchronization

/// Who wants a connection.
protocol LeaseHolder: AnyObject, Sendable {
  /// The connection is the holder's until it gives it back. Called on any thread; must not block.
  func leased(_ reader: ReaderConnection)
}

final class ReaderPool: Sendable {
  private struct State {
    var queue: LeaseQueue
    var readers: [ReaderConnection] = []
    var waiting: [UInt64: any LeaseHolder] = [:]
    var lastTicket: UInt64 = 0
    var isClosed = false
  }

  let context: ReadContext
  private let path: String
  private let files: DatabaseFiles?
  private let script: SetupScript
  private let plans: PlanCache
  private let state: Mutex<State>
  /// Signalled when a pool that closes has got its last connection back.
  private let drained = DispatchSemaphore(value: 0)

  init(
    path: String, files: DatabaseFiles? = nil, limits: Limits, clock: @escaping @Sendable () -> MonotonicTime,
    commits: CommitClock, plans: PlanCache, workers: WorkerThreads, counters: ReadCounters = ReadCounters(),
    script: SetupScript = .empty
  ) {
    self.path = path
    self.files = files
    self.script = script
    self.plans = plans
    context = ReadContext(
      limits: limits, clock: clock, commits: commits, snapshots: SnapshotRegistry(limits: limits, clock: clock),
      workers: workers, counters: counters)
    let most = script.isEmpty ? limits.readerConnectionsMax : limits.setupReaderConnectionsMax
    state = Mutex(
      State(queue: LeaseQueue(connectionsMax: most, waitingMax: limits.readQueueMax)))
  }

  // MARK: - Reads

  /// Runs one read in a snapshot of its own.
  func start(_ request: StatementRequest, plan: Plan, token: RequestToken, sink: any ReplySink) -> Execution {
    let execution = Execution(
      token: token, sink: sink, deadline: request.deadline, credit: request.credit, account: request.account)
    let stream = ReadStream(request, plan: plan, execution: execution, context: context, home: self)
    context.counters.poolReads.wrappingAdd(1, ordering: .relaxed)
    stream.enter()
    if let refusal = lease(to: stream) { stream.stop(refusal) }
    return execution
  }

  /// Begins a read transaction: its token's completion comes when it has its snapshot.
  func begin(deadline: MonotonicTime, token: RequestToken, sink: any ReplySink) -> ReadTransaction {
    let transaction = ReadTransaction(pool: self, deadline: deadline, token: token, sink: sink)
    context.counters.readTransactions.wrappingAdd(1, ordering: .relaxed)
    transaction.enter()
    if let refusal = lease(to: transaction) { transaction.end(refusal) }
    return transaction
  }

  // MARK: - Limits

  /// Ends reads that are over their deadline, too old or idle. Called every 50 to 100 ms while the database is open.
  func tick(now: MonotonicTime) {
    context.snapshots.expire(now: now)
    releaseIdleMemory(now: now)
  }

  /// Empties the page cache of one connection that has been idle for a while; with the lock held, so that nobody leases
  /// it meanwhile, and of one at a time, because of those who wait for the lock.
  private func releaseIdleMemory(now: MonotonicTime) {
    state.withLock { state in
      for number in state.queue.idleNumbers where number < state.readers.count {
        let reader = state.readers[number]
        guard let since = reader.idleSince, since.advanced(milliseconds: context.limits.idleCacheMs) <= now else {
          continue
        }
        return reader.releaseMemory()
      }
    }
  }

  /// Ends the oldest snapshot, after a checkpoint that left the log over its limit.
  func walIsOverLimit() { context.snapshots.logIsOverLimit() }

  /// Ends all reads and closes the connections. Blocks until that is done; not to be called on a worker's thread.
  func shutdown() {
    let isIdle = state.withLock { state in
      state.isClosed = true
      return state.queue.leasedCount == 0
    }
    context.snapshots.shutDown()
    if !isIdle { drained.wait() }
    let readers = state.withLock { state in
      let readers = state.readers
      state.readers = []
      return readers
    }
    for reader in readers { reader.close() }
  }

  // MARK: - Leases

  /// Nil where the holder has a connection or will get one; otherwise why it will not.
  func lease(to holder: any LeaseHolder) -> RequestError? {
    let (reader, refusal) = state.withLock { state -> (ReaderConnection?, RequestError?) in
      if state.isClosed { return (nil, .shuttingDown) }
      state.lastTicket += 1
      switch state.queue.arrived(state.lastTicket) {
      case .leased(let number): return (self.reader(number, in: &state), nil)
      case .refused: return (nil, .readersOverloaded)
      case .waiting:
        state.waiting[state.lastTicket] = holder
        return (nil, nil)
      }
    }
    if let reader { holder.leased(reader) }
    return refusal
  }

  func giveBack(_ reader: ReaderConnection) {
    reader.idleSince = context.clock()
    if MemoryBudget.wantsSmallerCaches { reader.releaseMemory() }
    let (next, isDrained) = state.withLock { state -> ((any LeaseHolder)?, Bool) in
      if let ticket = state.queue.returned(reader.number) { return (state.waiting.removeValue(forKey: ticket), false) }
      return (nil, state.isClosed && state.queue.leasedCount == 0)
    }
    next?.leased(reader)
    if isDrained { drained.signal() }
  }

  /// A holder no longer waits. Where its connection is on the way already, it gives it back on arrival.
  func withdraw(_ holder: any LeaseHolder) {
    state.withLock { state in
      guard let ticket = state.waiting.first(where: { $0.value === holder })?.key else { return }
      if state.queue.withdrew(ticket) { state.waiting[ticket] = nil }
    }
  }

  private func reader(_ number: Int, in state: inout State) -> ReaderConnection {
    while state.readers.count <= number {
      state.readers.append(
        ReaderConnection(
          number: state.readers.count, path: path, files: files, limits: context.limits, clock: context.clock,
          counters: plans.counters, script: script, recoveries: context.counters.recoveries))
    }
    return state.readers[number]
  }

  // MARK: - Gauges

  var leasedCount: Int { state.withLock { $0.queue.leasedCount } }
  var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

  /// Reads that run, stream, are paused or wait.
  var openReads: Int { context.snapshots.count }

  func oldestSnapshotAgeMs(now: MonotonicTime) -> Int { context.snapshots.oldestAgeMs(now: now) }
}

extension ReaderPool: StreamHome {
  var transactionStatus: TransactionStatus { .none }
  var snapshotSequence: UInt64? { nil }
  func streamEnded(_ reader: ReaderConnection) { giveBack(reader) }
  func streamWithdrew(_ stream: ReadStream) { withdraw(stream) }
}
