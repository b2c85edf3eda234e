import Dispatch
import MartletValues
import Synchronization

/// The read-only connections of one database, and who has them: for the sessions without a setup, or for those that
/// have one, whichever that is.
///
/// Always true: no more connections than its limit, each with one holder; who waits is served by `LeaseQueue`'s rules.
/// Connections open when first leased, and anew if they are prepared with another setup than their holder's; they close
/// at the shutdown, or once they have been idle for long. It knows its holders by `LeaseHolder` only: streams and
/// transactions stand above it.
final class ReaderPool: Sendable {
  fileprivate struct State {
    var queue: LeaseQueue
    var readers: [ReaderConnection] = []
    var waiting: [UInt64: any LeaseHolder] = [:]
    /// Of those that wait.
    var tickets: [ObjectIdentifier: UInt64] = [:]
    /// Streams and transactions that wait for their clients, by their connections.
    var paused: [Int: any LeaseHolder] = [:]
    var lastTicket: UInt64 = 0
    var isClosed = false

    mutating func waits(_ holder: any LeaseHolder) {
      waiting[lastTicket] = holder
      tickets[ObjectIdentifier(holder)] = lastTicket
    }

    mutating func noLongerWaits(_ ticket: UInt64) -> (any LeaseHolder)? {
      let holder = waiting.removeValue(forKey: ticket)
      if let holder, tickets[ObjectIdentifier(holder)] == ticket { tickets[ObjectIdentifier(holder)] = nil }
      return holder
    }

    /// Nobody can lease them while the lock is held.
    var idleReaders: [ReaderConnection] {
      queue.idleNumbers.lazy.filter { $0 < readers.count }.map { readers[$0] }
    }
  }

  let context: ReadContext
  private let path: String
  private let files: DatabaseFiles?
  private let plans: PlanCache
  fileprivate let state: Mutex<State>
  fileprivate let wanted = Atomic<Bool>(false)
  /// Signalled when all that were leased at the shutdown are back.
  private let drained = DispatchSemaphore(value: 0)

  init(
    path: String, files: DatabaseFiles? = nil, limits: Limits, limitsInForce: LimitsInForce? = nil,
    clock: @escaping @Sendable () -> MonotonicTime, commits: CommitClock, plans: PlanCache, workers: WorkerThreads,
    counters: ReadCounters = ReadCounters(), log: LogMeter = LogMeter(), connectionsMax: Int? = nil
  ) {
    self.path = path
    self.files = files
    self.plans = plans
    context = ReadContext(
      limits: limits, limitsInForce: limitsInForce ?? LimitsInForce(limits), clock: clock, commits: commits,
      snapshots: SnapshotRegistry(limits: limits, clock: clock, log: log), workers: workers, counters: counters,
      database: path.hashValue)
    state = Mutex(
      State(
        queue: LeaseQueue(
          connectionsMax: connectionsMax ?? limits.readerConnectionsMax, waitingMax: limits.readQueueMax,
          pauseMs: limits.pausedStreamMs)))
  }

  // MARK: - Leases

  /// Nil if the holder has a connection or will get one; otherwise why it will not.
  func lease(to holder: any LeaseHolder, kind: LeaseQueue.Kind) -> RequestError? {
    var displaced: (any LeaseHolder)?
    let (reader, refusal, waits) = state.withLock { state -> (ReaderConnection?, RequestError?, Bool) in
      if state.isClosed { return (nil, .shuttingDown, false) }
      state.lastTicket += 1
      var grant = ask(for: holder, kind, in: &state)
      if grant == .refused, let ticket = state.queue.displaced(by: holder.share) {
        displaced = state.noLongerWaits(ticket)
        grant = ask(for: holder, kind, in: &state)
      }
      switch grant {
      case .leased(let number): return (self.reader(number, for: holder.script, in: &state), nil, false)
      case .refused: return (nil, .readersOverloaded, false)
      case .waiting:
        state.waits(holder)
        wanted.store(true, ordering: .relaxed)
        return (nil, nil, true)
      }
    }
    if let reader { holder.leased(reader) }
    displaced?.refused(.readersOverloaded)
    if waits { reclaim() }
    return refusal
  }

  private func ask(for holder: any LeaseHolder, _ kind: LeaseQueue.Kind, in state: inout State) -> LeaseQueue.Grant {
    state.queue.arrived(
      state.lastTicket, session: holder.share.session, subject: holder.share.subject, kind: kind,
      setup: holder.script.id)
  }

  func giveBack(_ reader: ReaderConnection) {
    let now = context.clock()
    reader.endSnapshot()
    reader.idleSince = now
    reader.tick(now: now)
    if MemoryBudget.wantsSmallerCaches { reader.releaseMemory() }
    let (served, isDrained) = state.withLock { state in
      state.paused[reader.number] = nil
      let served = state.queue.returned(reader.number).map { next in
        let holder = state.noLongerWaits(next.ticket)
        return (holder, self.reader(next.connection, for: holder?.script ?? .empty, in: &state))
      }
      wanted.store(state.queue.isAnyWanted, ordering: .relaxed)
      return (served, state.isClosed && state.queue.leasedCount == 0)
    }
    for (holder, reader) in served { holder?.leased(reader) }
    if isDrained { drained.signal() }
  }

  /// A holder no longer waits. If its connection is on the way already, it gives it back on arrival.
  func withdraw(_ holder: any LeaseHolder) {
    state.withLock { state in
      guard let ticket = state.tickets[ObjectIdentifier(holder)] else { return }
      if state.queue.withdrew(ticket) { _ = state.noLongerWaits(ticket) }
      wanted.store(state.queue.isAnyWanted, ordering: .relaxed)
    }
  }

  private func reader(_ number: Int, for script: SetupScript, in state: inout State) -> ReaderConnection {
    while state.readers.count <= number { state.readers.append(unopened(state.readers.count)) }
    state.readers[number].script = script
    return state.readers[number]
  }

  private func unopened(_ number: Int) -> ReaderConnection {
    ReaderConnection(
      number: number, of: self, path: path, files: files, limits: context.limits,
      clock: context.clock, counters: plans.counters, recoveries: context.counters.recoveries)
  }

  // MARK: - Limits

  /// Ends reads that are over their deadline, or idle. Called every 50 to 100 ms while the database is open. If memory
  /// is short, no idle reader is kept.
  func tick(now: MonotonicTime, isMemoryShort: Bool = false) {
    context.snapshots.expire(now: now)
    reclaim()
    releaseIdleMemory(now: now)
    if isMemoryShort {
      closeIdleReader(now: now, afterMs: context.limits.idleCacheMs, kept: 0)
    } else {
      closeIdleReader(now: now, afterMs: context.limits.idleReaderMs, kept: context.limits.idleReadersKept)
    }
  }

  /// Empties the page cache of one connection that has been idle for a while; with the lock held, so that nobody leases
  /// it meanwhile, and of one at a time, because of those who wait for the lock.
  private func releaseIdleMemory(now: MonotonicTime) {
    state.withLock { state in
      let idle = state.idleReaders
      let found = idle.first { $0.keepsPages && $0.isIdle(for: context.limits.idleCacheMs, now: now) }
      found?.releaseMemory()
    }
  }

  /// Closes one connection that many needed at once and nobody has needed since; the lock is free meanwhile.
  private func closeIdleReader(now: MonotonicTime, afterMs ms: Int, kept: Int) {
    let reader = state.withLock { state -> ReaderConnection? in
      let open = state.idleReaders.filter(\.isOpen)
      guard open.count > kept else { return nil }
      guard let found = open.first(where: { $0.isIdle(for: ms, now: now) }) else { return nil }
      state.readers[found.number] = unopened(found.number)
      return found
    }
    reader?.close()
  }

  /// Nobody has these setups any more: connections that are prepared with them close. The lock is free meanwhile, and
  /// others find these connections not yet opened.
  func close(setups: [ShapeID]) {
    let gone = state.withLock { state in
      let gone = state.idleReaders.filter { setups.contains($0.script.id) }
      for reader in gone { state.readers[reader.number] = unopened(reader.number) }
      return gone
    }
    for reader in gone { reader.close() }
  }

  /// Takes connections from paused streams and idle transactions if others wait.
  private func reclaim() {
    guard wanted.load(ordering: .relaxed) else { return }
    let now = context.clock()
    let holders = state.withLock { state in
      let chosen = state.queue.reclaimed(now: now) + state.queue.reclaimedTransactions(now: now)
      return chosen.compactMap { state.paused[$0] }
    }
    for holder in holders { holder.reclaim() }
  }

  // MARK: - The end

  /// Leases no more, ends all reads, and closes the connections when all of them are back. Blocks until that is done;
  /// not to be called on a worker's thread.
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

  /// Ends what runs by SQLite's own means, if its limits did not.
  func interrupt() { for reader in state.withLock({ $0.readers }) { reader.interrupt() } }

  // MARK: - Gauges

  var leasedCount: Int { state.withLock { $0.queue.leasedCount } }
  var waitingCount: Int { state.withLock { $0.queue.waitingCount } }
  /// Streams that hold a connection while they wait for their clients.
  var pausedCount: Int { state.withLock { $0.queue.pausedCount } }
  /// Reads that run, stream, are paused or wait.
  var openReads: Int { context.snapshots.count }

  func oldestSnapshotAgeMs(now: MonotonicTime) -> Int { context.snapshots.oldestAgeMs(now: now) }

  // MARK: - For tests

  /// Connections that are open and that nobody holds.
  var idleCount: Int { state.withLock { $0.idleReaders.count(where: \.isOpen) } }
}

// MARK: - A connection as its holder sees it

extension ReaderConnection: ReadSeat {
  func becomeLong() -> Bool { pool.state.withLock { $0.queue.becameLong(number) } }

  var isWanted: Bool { pool.wanted.load(ordering: .relaxed) }

  var isWantedByOthers: Bool { pool.state.withLock { $0.queue.isWanted(byOthersThan: number) } }

  /// The session has so many connections that one is due to another session.
  var isOverShare: Bool { pool.state.withLock { $0.queue.isOverShare(number) } }

  var mustYield: Bool { pool.state.withLock { $0.queue.mustYield(number) } }

  /// Others were promised the connection, and its holder has not gone on since.
  var isReclaimed: Bool { pool.state.withLock { $0.queue.isReclaimed(number) } }

  /// The holder of the connection waits for its client.
  func paused(_ holder: any LeaseHolder) {
    let now = pool.context.clock()
    pool.state.withLock { state in
      state.paused[number] = holder
      state.queue.paused(number, now: now)
    }
  }

  func resumed() {
    pool.state.withLock { state in
      state.paused[number] = nil
      state.queue.resumed(number)
    }
  }
}

// MARK: - A stream of its own

extension ReaderPool: StreamHome {
  var transactionStatus: TransactionStatus { .none }
  var snapshotSequence: UInt64? { nil }
  func streamEnded(_ reader: ReaderConnection) { giveBack(reader) }
  func streamWithdrew(_ stream: any LeaseHolder) { withdraw(stream) }
  func streamWaits(_ stream: any LeaseHolder, on reader: ReaderConnection) { reader.paused(stream) }
  func streamPaused() { reclaim() }

  func streamPutBack(_ stream: any LeaseHolder, from reader: ReaderConnection) {
    giveBack(reader)
    if let refusal = lease(to: stream, kind: .long) { stream.refused(refusal) }
  }
}

/// Wants a connection, or has one, and is called back by the pool that lends it.
protocol LeaseHolder: AnyObject, Sendable {
  /// The connection is the holder's until it gives it back. Called on any thread; must not block.
  func leased(_ reader: ReaderConnection)
  /// The holder waits no more, because others wait that have less, or there is no connection for it.
  func refused(_ error: RequestError)
  /// The holder waited for its client, and others need the connection.
  func reclaim()
  var share: SessionShare { get }
  /// What the holder's connection is to be prepared with.
  var script: SetupScript { get }
}
