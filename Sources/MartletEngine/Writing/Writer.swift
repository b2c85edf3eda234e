import Foundation
import MartletSQLite
import MartletValues
import Synchronization

/// The one writer of a database: a thread with its connections, and the queue in front of it.
///
/// Always true: everything that changes the file runs on this thread, checkpoints included; a reply leaves only after
/// the commit that it tells of has returned; after a commit of unknown outcome nothing is written any more.
final class Writer: Sendable {
  let counters: WriterCounters
  private let feed: CommitFeed
  private let files: DatabaseFiles
  private let monitor: Monitor<WriterState>
  private let configuration: EngineConfiguration
  private let log: LogMeter
  private let endSnapshots: @Sendable (_ logBytes: Int) -> Void
  private let watch: WriteWatch

  /// Opens the file, makes it where it does not exist, and starts the thread.
  init(
    files: DatabaseFiles, configuration: EngineConfiguration, planCounters: PlanCacheCounters,
    feed: CommitFeed, recoveries: Recoveries, log: LogMeter,
    endSnapshots: @escaping @Sendable (_ logBytes: Int) -> Void
  ) throws(RequestError) {
    counters = WriterCounters()
    watch = WriteWatch(clock: configuration.clock)
    monitor = Monitor(WriterState(limits: configuration.limits, watch: watch))
    self.configuration = configuration
    self.feed = feed
    self.log = log
    self.endSnapshots = endSnapshots
    self.files = files
    let shared = PreparedWriters.Shared(
      files: files, configuration: configuration, planCounters: planCounters, counters: counters,
      feed: feed, recoveries: recoveries, watch: watch,
      diskGuard: DiskGuard(directory: files.directory.path, limits: configuration.limits))
    let handOver = HandOver(try PreparedWriters(shared))
    // The thread keeps the writer alive until it is closed.
    let thread = Thread { [self] in
      if let writers = handOver.take() { run(writers) }
      // By here nothing refers to the connections any more, so they are closed.
      monitor.change { $0.phase = .closed }
    }
    thread.name = "martlet-w-\(files.name)"
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Carries the connections to the thread. Unchecked because they are taken once, by the thread, and not touched
  /// before.
  private final class HandOver: @unchecked Sendable {
    private var writers: PreparedWriters?

    init(_ writers: PreparedWriters) { self.writers = writers }

    func take() -> PreparedWriters? {
      defer { writers = nil }
      return writers
    }
  }

  // MARK: - Arrivals, on any thread

  func enqueue(_ job: WriteJob, company: WriteCompany, bytes: Int) {
    job.execution.setDriver(self)
    var displaced: WriteJob?
    let refusal: RequestError? = monitor.change { state in
      if let error = state.fenceError { return error }
      if state.phase != .open { return .shuttingDown }
      if state.lanes.isFull { displaced = state.lanes.displaced(by: job.share) }
      let arrival = WriteLanes<WriteJob>.Arrival(
        company: company, deadline: job.execution.deadline, bytes: bytes, setup: job.script.id, share: job.share,
        standing: job.standing)
      guard let id = state.lanes.jobArrived(job, arrival) else { return .writeQueueFull }
      job.arrival = arrival
      job.number = id
      job.execution.queued(at: id)
      state.jobArrived(configuration.clock)
      publish(state)
      return nil
    }
    if let refusal { Self.refuse(job, refusal) }
    if let displaced { Self.refuse(displaced, .writeQueueFull) }
  }

  /// With the lock held, after each change of who waits.
  private func publish(_ state: WriterState) {
    state.publish()
    counters.queueDepth.store(Int64(state.lanes.count), ordering: .relaxed)
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
        let execution = transaction.execution
        if let place = execution.placeInQueue { _ = state.lanes.withdrawn(place, of: execution.sessionShare) }
        publish(state)
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
    let now = configuration.clock()
    let idleMs = configuration.limits.idleCacheMs
    let isTimed = monitor.withLock {
      $0.hasTransaction || !$0.lanes.isEmpty || $0.isCacheIdle(now: now, afterMs: idleMs)
    }
    if isTimed { wake() }
  }

  /// Looks at the clock and at what has changed.
  func wake() { monitor.change { _ in } }

  /// The sessions of these setups have gone; connections that are prepared with them close soon.
  func close(setups: [ShapeID]) {
    if !setups.isEmpty { monitor.change { $0.retiredSetups += setups } }
  }

  var isFenced: Bool { fenceError != nil }

  /// What writes are told since the database is fenced; nil where it is not.
  var fenceError: RequestError? { monitor.withLock { $0.fenceError } }

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
    case long(LongWrite<WriteJob>, grantMs: Int)
    case expired([WriteJob])
    case retired([ShapeID])
    case idle
    case housekeeping
    case end
  }

  private func run(_ prepared: PreparedWriters) {
    var writers = prepared
    let first = writers.first.connection
    var keeper = LogKeeper(
      writer: first, limits: configuration.limits, counters: counters, meter: log, endSnapshots: endSnapshots,
      clock: configuration.clock)
    while true {
      switch nextTurn(keeper) {
      case .group(let jobs): runGroup(jobs, on: &writers)
      case .transaction(let job):
        guard case .transaction(let transaction) = job.work else { continue }
        let began = configuration.clock()
        run([job], on: &writers) { run(transaction, on: $0) }
        monitor.withLock { state in
          let now = configuration.clock()
          state.lanes.exclusiveEnded(now, contended: state.holdEnded(now), cost: Self.cost(of: job, began, now))
        }
      case .long(let write, let grantMs): runLong(write, grantMs: grantMs, on: &writers)
      case .expired(let jobs):
        Self.expire(jobs)
        continue
      case .retired(let setups):
        writers.close(setups)
        continue
      case .idle:
        writers.releaseMemory()
        continue
      case .housekeeping: break
      case .end:
        // What is closed by its name must not take another file's log with it.
        if let fault = files.checkAll() { writers.fence(fault.fencedError(database: files.name)) }
        writers.closeOthers()
        waitForClose()
        return
      }
      if let fault = files.fault, !first.isFenced { fence(first, for: fault) }
      keeper.transactionEnded()
      writers.tick(now: configuration.clock())
      if let error = first.fenceError {
        writers.fence(error)
        fenceQueue(error)
      }
    }
  }

  private func runGroup(_ jobs: [WriteJob], on writers: inout PreparedWriters) {
    var (undone, unbegun): ([WriteJob], [WriteJob]) = ([], [])
    var cancelledMeanwhile: [WriteJob] = []
    let began = configuration.clock()
    run(jobs, on: &writers) { writer in
      if jobs[0].isVacuum { return vacuum(jobs[0], on: writer) }
      writer.group.run(jobs)
      (undone, unbegun) = (writer.group.undone, writer.group.unbegun)
    }
    let now = configuration.clock()
    let costs = Self.costs(of: jobs, unbegun: unbegun, began, now)
    let refused: [WriteJob] = monitor.withLock { state in
      defer { state.lanes.groupEnded(now, costs: costs) }
      if undone.isEmpty, unbegun.isEmpty { return [] }
      if state.fenceError != nil { return undone + unbegun }
      for job in undone {
        job.number = state.lanes.writeUndone(job, of: job.share, deadline: job.execution.deadline, now: now)
      }
      for job in unbegun {
        if let arrival = job.arrival { state.lanes.jobReturned(job, arrival, id: job.number) }
      }
      // While it had no place in the queue its cancellation was not heard.
      cancelledMeanwhile = (undone + unbegun).filter { $0.execution.queued(at: $0.number) }
      publish(state)
      return []
    }
    for job in refused { Self.refuse(job, .fenced) }
    for job in cancelledMeanwhile { cancelled(job.execution) }
  }

  /// What each had of the turn; who has not begun had nothing of it.
  private static func costs(
    of jobs: [WriteJob], unbegun: [WriteJob], _ began: MonotonicTime, _ ended: MonotonicTime
  ) -> WriteLanes<WriteJob>.Costs {
    if jobs.count == 1 { return [cost(of: jobs[0], began, ended)] }
    let waiting = Set(unbegun.map { ObjectIdentifier($0) })
    let served = jobs.filter { $0.turnNanoseconds > 0 || !waiting.contains(ObjectIdentifier($0)) }
    return served.map { ($0.share, $0.turnNanoseconds) }
  }

  private static func cost(
    of job: WriteJob, _ began: MonotonicTime, _ ended: MonotonicTime
  ) -> WriteLanes<WriteJob>.Costs.Element {
    (job.share, ended.nanoseconds &- min(began.nanoseconds, ended.nanoseconds))
  }

  private func runLong(_ write: LongWrite<WriteJob>, grantMs: Int, on writers: inout PreparedWriters) {
    WriterCounters.add(1, to: counters.longTurns)
    let job = write.job
    let ownOthers = monitor.withLock { state in
      state.holdBegan(.longWrite, configuration.clock())
      return state.lanes.longCount(of: write.share)
    }
    let began = configuration.clock()
    let pace = GroupRunner.Pace.turn(
      until: began.advanced(milliseconds: grantMs), longUntil: began.advanced(milliseconds: write.askMs),
      longOfSession: ownOthers)
    var isUndone = false
    run([job], on: &writers) { writer in
      writer.group.run([job], pace: pace)
      isUndone = !writer.group.undone.isEmpty
    }
    let isRefused: Bool = monitor.withLock { state in
      let now = configuration.clock()
      state.lanes.longEnded(now, contended: state.holdEnded(now), cost: Self.cost(of: job, began, now))
      guard isUndone else { return false }
      if state.fenceError == nil { state.lanes.longUndone(write, grantMs: grantMs) }
      publish(state)
      return state.fenceError != nil
    }
    if isRefused { Self.refuse(job, .fenced) }
    if isUndone, job.execution.isCancelled { cancelled(job.execution) }
  }

  /// Gives the jobs the connection of their setup, which they have in common. A failure there is theirs alone.
  private func run(_ jobs: [WriteJob], on writers: inout PreparedWriters, _ body: (PreparedWriter) -> Void) {
    guard let script = jobs.first?.script else { return }
    do throws(RequestError) {
      let writer = try writers.writer(for: script)
      body(writer)
      if let error = writer.connection.fenceError { writers.fence(error) }
    } catch {
      for job in jobs { Self.refuse(job, error) }
    }
  }

  private func run(_ transaction: WriteTransaction, on writer: PreparedWriter) {
    TransactionRunner(
      transaction: transaction, monitor: monitor, writer: writer.connection, runner: writer.runner,
      limits: configuration.limits, clock: configuration.clock, counters: counters, commitClock: feed.clock,
      diskGuard: writer.diskGuard, watch: watch, quietReplies: QuietReplies()
    ).run()
  }

  private func vacuum(_ job: WriteJob, on writer: PreparedWriter) {
    VacuumRunner(
      writer: writer.connection, directory: configuration.directory, limits: configuration.limits,
      clock: configuration.clock, counters: counters
    ).run(job)
  }

  private func nextTurn(_ keeper: LogKeeper) -> Turn {
    monitor.wait { state in
      let now = configuration.clock()
      let expired = state.lanes.ticked(now)
      if !expired.isEmpty {
        publish(state)
        return .found(.expired(expired))
      }
      if !state.retiredSetups.isEmpty {
        defer { state.retiredSetups = [] }
        return .found(.retired(state.retiredSetups))
      }
      let turn = state.lanes.nextTurn(now)
      publish(state)
      var due = keeper.nextLook
      switch turn {
      case .group(let jobs):
        state.usedAt = now
        for job in jobs { job.execution.taken() }
        return .found(.group(jobs))
      case .exclusive(let job):
        state.usedAt = now
        state.holdBegan(.transaction, now)
        return .found(.transaction(job))
      case .long(let write, let grantMs):
        state.usedAt = now
        return .found(.long(write, grantMs: grantMs))
      case .idle(let until):
        if state.phase != .open, state.lanes.isEmpty { return .found(.end) }
        if due > now { due = min(due, until) }
      }
      if state.isCacheIdle(now: now, afterMs: configuration.limits.idleCacheMs) {
        state.usedAt = nil
        return .found(.idle)
      }
      if state.fenceError == nil, files.fault != nil { return .found(.housekeeping) }
      if due <= now { return .found(.housekeeping) }
      return .wait(nanoseconds: state.nanoseconds(until: due, now: now))
    }
  }

  private func waitForClose() {
    monitor.change { $0.phase = .drained }
    monitor.wait { $0.phase == .closing ? .found(()) : .wait(nanoseconds: nil) }
  }

  /// The files are not what they were, so nothing is written any more. Where only the log has lost its name, what it
  /// holds is copied into the database's file while it can still be read.
  private func fence(_ first: WriterConnection, for fault: FileFault) {
    if files.isLogAloneMissing {
      let isSaved = first.checkpoint(.restart, waitMs: configuration.limits.busyTimeoutMs).isComplete
      configuration.report(
        EngineNotice(
          isSaved ? .warning : .error, database: files.name,
          isSaved
            ? "The log was removed; all that it held was copied into the database's file"
            : "The log was removed, and what it held could not all be copied into the database's file"))
    }
    first.fence(fault.fencedError(database: files.name))
  }

  private func fenceQueue(_ error: RequestError) {
    let (isFirst, waiting) = monitor.change { state in
      let isFirst = state.fenceError == nil
      state.fenceError = error
      defer { publish(state) }
      return (isFirst, state.lanes.closed())
    }
    if isFirst {
      counters.fenced.store(1, ordering: .relaxed)
      WriterCounters.add(1, to: counters.fences)
      if files.fault != nil { WriterCounters.add(1, to: counters.fileFaults) }
      configuration.report(EngineNotice(.error, database: files.name, error.message))
    }
    for job in waiting { Self.refuse(job, error) }
  }

  // MARK: - Answers without work

  static func expire(_ jobs: [WriteJob]) {
    for job in jobs { refuse(job, .deadlineInQueue) }
  }

  private static func refuse(_ job: WriteJob, _ error: RequestError) {
    if case .transaction(let transaction) = job.work {
      transaction.refuseTurn(error)
    } else if case .looseBatch = job.work, let step = job.resumesAtStep {
      job.refuseRest(from: step, error)
    } else {
      job.execution.deliver(.failed(error))
    }
  }
}

extension Writer: ExecutionDriver {
  func creditExtended(_ execution: Execution) {}

  func cancelled(_ execution: Execution) {
    // Every write that was answered comes here, too, and must not ask for the lock.
    guard execution.placeInQueue != nil else { return }
    let job: WriteJob? = monitor.withLock { state in
      defer { publish(state) }
      // Once more: it may just have been given its place.
      guard let place = execution.placeInQueue, place != 0 else { return nil }
      return state.lanes.withdrawn(place, of: execution.sessionShare)
    }
    guard let job else { return }
    Self.refuse(job, .cancelledByOwner)
  }
}
