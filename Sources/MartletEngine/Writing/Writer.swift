/// The one writer of a database: a thread with a connection, and the queue in front of it.
///
/// Always true: everything that changes the file runs on this thread, checkpoints included; a reply leaves only after
/// the commit that it tells of has returned; after a commit of unknown outcome nothing is written any more.
import Foundation
import MartletAST
import MartletSQLite
import Synchronization

final class Writer: Sendable {
  let counters: WriterCounters
  let commitClock: CommitClock
  private let monitor: Monitor<WriterState>
  private let configuration: EngineConfiguration
  private let evictOldest: @Sendable () -> Void

  /// Opens the file, makes it where it does not exist, and starts the thread.
  init(
    path: String, name: String, configuration: EngineConfiguration, planCounters: PlanCacheCounters,
    commitClock: CommitClock, evictOldest: @escaping @Sendable () -> Void
  ) throws(SQLiteError) {
    counters = WriterCounters()
    monitor = Monitor(WriterState(limits: configuration.limits))
    self.configuration = configuration
    self.commitClock = commitClock
    self.evictOldest = evictOldest
    let connection = try WriterConnection(
      path: path, configuration: configuration, planCounters: planCounters, clock: commitClock)
    let handOver = HandOver(connection)
    // The thread keeps the writer alive until it is closed.
    let thread = Thread { [self] in
      if let connection = handOver.take() { run(connection) }
      // By here nothing refers to the connection any more, so it is closed.
      monitor.change { $0.phase = .closed }
    }
    thread.name = "martlet-w-\(name)"
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Carries the connection to the thread. Unchecked because it is taken once, by the thread, and not touched before.
  private final class HandOver: @unchecked Sendable {
    private var connection: WriterConnection?

    init(_ connection: WriterConnection) { self.connection = connection }

    func take() -> WriterConnection? {
      defer { connection = nil }
      return connection
    }
  }

  // MARK: - Arrivals, on any thread

  func enqueue(_ job: WriteJob, company: WriteQueue<WriteJob>.Company, bytes: Int) {
    job.execution.setDriver(self)
    let refusal: RequestError? = monitor.change { state in
      if state.isFenced { return .fenced }
      if state.phase != .open { return .shuttingDown }
      let id = state.queue.jobArrived(job, company: company, deadline: job.execution.deadline, bytes: bytes)
      guard let id else { return .writeQueueFull }
      job.execution.ticket.store(id, ordering: .releasing)
      counters.queueDepth.store(Int64(state.queue.count), ordering: .relaxed)
      return nil
    }
    if let refusal { Self.refuse(job, refusal) }
  }

  func commandArrived(
    _ command: WriteTransaction.Command, for transaction: WriteTransaction
  ) -> TransactionLease<WriteTransaction.Command>.Answer {
    monitor.change { _ in transaction.lease.commandArrived(command) }
  }

  func ownerGone(of transaction: WriteTransaction) {
    monitor.change { state in
      transaction.isAbandoned = true
      transaction.running?.abandon()
      if transaction.lease.state == .waiting {
        _ = state.queue.withdrawn(transaction.execution.ticket.load(ordering: .acquiring))
        _ = transaction.lease.ended(.ownerGone)
      }
    }
  }

  /// The commands that wait behind a begin that failed.
  func turnRefused(to transaction: WriteTransaction) -> [WriteTransaction.Command] {
    monitor.withLock { _ in transaction.lease.ended(.neverOpened) }
  }

  /// Lets the thread look at the clock where something waits for a moment.
  func tick() {
    let isTimed = monitor.withLock { $0.hasTransaction || !$0.queue.isEmpty }
    if isTimed { wake() }
  }

  /// Looks at the clock and at what has changed.
  func wake() { monitor.change { _ in } }

  var isFenced: Bool { monitor.withLock { $0.isFenced } }

  // MARK: - Ends

  /// Takes nothing more and returns when everything that was taken has been answered.
  func drain() {
    monitor.change { state in if state.phase == .open { state.phase = .draining } }
    monitor.wait { $0.phase.rawValue >= WriterState.Phase.drained.rawValue ? .found(()) : .wait(nanoseconds: nil) }
  }

  /// Closes the connection; readers have closed theirs by then.
  func close() {
    drain()
    monitor.change { state in if state.phase == .drained { state.phase = .closing } }
    monitor.wait { $0.phase == .closed ? .found(()) : .wait(nanoseconds: nil) }
  }

  // MARK: - The thread

  private enum Turn {
    case group([WriteJob])
    case transaction(WriteJob)
    case expired([WriteJob])
    case housekeeping
    case end
  }

  private func run(_ connection: WriterConnection) {
    let limits = configuration.limits
    let diskGuard = DiskGuard(directory: configuration.directory, limits: limits)
    let runner = StatementRunner(
      connection: connection.connection, prepared: connection.prepared, limits: limits, clock: configuration.clock,
      counters: counters)
    var group = GroupRunner(
      writer: connection, runner: runner, configuration: configuration, counters: counters, commitClock: commitClock,
      diskGuard: diskGuard)
    var keeper = LogKeeper(
      writer: connection, limits: limits, counters: counters, evictOldest: evictOldest, clock: configuration.clock)
    while true {
      switch nextTurn(keeper) {
      case .group(let jobs): group.run(jobs)
      case .transaction(let job):
        guard case .transaction(let transaction) = job.work else { continue }
        TransactionRunner(
          transaction: transaction, monitor: monitor, writer: connection, runner: runner, limits: limits,
          clock: configuration.clock, counters: counters, commitClock: commitClock, diskGuard: diskGuard
        ).run()
      case .expired(let jobs):
        Self.expire(jobs)
        continue
      case .housekeeping: break
      case .end:
        waitForClose()
        return
      }
      keeper.transactionEnded()
      if connection.isFenced { fenceQueue() }
    }
  }

  private func nextTurn(_ keeper: LogKeeper) -> Turn {
    let limits = configuration.limits
    return monitor.wait { state in
      let now = configuration.clock()
      let expired = state.queue.ticked(now)
      if !expired.isEmpty { return .found(.expired(expired)) }
      let turn = state.queue.nextTurn(membersMax: limits.groupMembersMax, bytesMax: limits.groupBytesMax)
      counters.queueDepth.store(Int64(state.queue.count), ordering: .relaxed)
      switch turn {
      case .group(let jobs): return .found(.group(jobs))
      case .exclusive(let job): return .found(.transaction(job))
      case .idle: break
      }
      if state.phase != .open { return .found(.end) }
      let due = keeper.nextLook
      if due <= now { return .found(.housekeeping) }
      return .wait(nanoseconds: state.nanoseconds(until: due, now: now))
    }
  }

  private func waitForClose() {
    monitor.change { $0.phase = .drained }
    monitor.wait { $0.phase == .closing ? .found(()) : .wait(nanoseconds: nil) }
  }

  private func fenceQueue() {
    let waiting: [WriteJob] = monitor.change { state in
      state.isFenced = true
      return state.queue.closed()
    }
    counters.fenced.store(1, ordering: .relaxed)
    for job in waiting { Self.refuse(job, .fenced) }
  }

  // MARK: - Answers without work

  static func expire(_ jobs: [WriteJob]) {
    for job in jobs { refuse(job, .deadlineInQueue) }
  }

  private static func refuse(_ job: WriteJob, _ error: RequestError) {
    if case .transaction(let transaction) = job.work {
      transaction.refuseTurn(error)
    } else {
      job.execution.deliver(.failed(error))
    }
  }
}

extension Writer: ExecutionDriver {
  func creditExtended(_ execution: Execution) {}

  func cancelled(_ execution: Execution) {
    let ticket = execution.ticket.load(ordering: .acquiring)
    guard ticket != 0, let job = monitor.withLock({ $0.queue.withdrawn(ticket) }) else { return }
    Self.refuse(job, .cancelledByOwner)
  }
}
