import Foundation
import MartletSQLite
import MartletThreads
import MartletValues
import Synchronization

/// The thread of one writer with its connections: takes turns from the queue in front of it, and carries them out.
///
/// Always true: everything that changes the file runs on this thread, checkpoints included; a reply leaves only after
/// the commit that it tells of has returned; after a commit of unknown outcome nothing is written any more.
struct WriterThread {
  private let desk: Writer
  private let files: DatabaseFiles
  private let configuration: EngineConfiguration
  private let commitClock: CommitClock
  private let diskGuard: DiskGuard
  private let log: LogMeter
  private let endSnapshots: @Sendable (_ logBytes: Int) -> Void

  private var clock: @Sendable () -> MonotonicTime { configuration.clock }
  private var counters: WriterCounters { desk.counters }

  /// Opens the file, makes it if it does not exist, and starts the thread.
  static func start(
    files: DatabaseFiles, configuration: EngineConfiguration, planCounters: PlanCacheCounters,
    feed: CommitFeed, recoveries: Recoveries, log: LogMeter,
    endSnapshots: @escaping @Sendable (_ logBytes: Int) -> Void,
    endOldSnapshots: @escaping @Sendable (_ writtenBytes: UInt64) -> Void
  ) throws(RequestError) -> Writer {
    let desk = Writer(configuration: configuration, schema: feed.clock.schema)
    let own = WriterThread(
      desk: desk, files: files, configuration: configuration, commitClock: feed.clock,
      diskGuard: DiskGuard(
        database: files.name, bytesMin: configuration.limits.diskFreeBytesMin, report: configuration.report
      ) { [path = files.directory.path] in TemporaryFileRoom.freeBytes(of: path) }, log: log,
      endSnapshots: endSnapshots)
    let handOver = HandOver(
      try WriterConnections(
        files: files, configuration: configuration, planCounters: planCounters, counters: desk.counters, feed: feed,
        recoveries: recoveries, endOldSnapshots: endOldSnapshots))
    // The thread keeps the writer alive until it is closed.
    ThreadStarter.shared.start(named: "martlet-w-\(files.name)") {
      if let writers = handOver.take() { own.run(writers) }
      // By here nothing refers to the connections any more, so they are closed.
      desk.change { $0.closed() }
    }
    return desk
  }

  /// Carries the connections to the thread. Unchecked because they are taken once, by the thread, and not touched
  /// before.
  private final class HandOver: @unchecked Sendable {
    private var writers: WriterConnections?

    init(_ writers: WriterConnections) { self.writers = writers }

    func take() -> WriterConnections? {
      defer { writers = nil }
      return writers
    }
  }

  // MARK: - Turns

  private func run(_ connections: WriterConnections) {
    var writers = connections
    let first = writers.first
    var keeper = LogKeeper(
      writer: first, rescue: writers.rescue, limits: configuration.limits, counters: counters, meter: log,
      pace: desk.copyPace, endSnapshots: endSnapshots, report: configuration.report, clock: clock)
    // Whose turn made the log as long as it is.
    var spent = WriterSchedule<WriteJob>.Spent.group([])
    while true {
      var isHeld = false
      switch nextTurn(keeper) {
      case .group(let jobs):
        isHeld = jobs[0].isVacuum
        let turn = runGroup(jobs, on: &writers)
        // A copy that is owed is owed because of the turn before.
        if !keeper.owesCopy { spent = turn }
      case .transaction(let job):
        isHeld = true
        spent = runTransaction(job, on: &writers)
      case .long(let write, let grantMs):
        isHeld = true
        spent = runLong(write, grantMs: grantMs, on: &writers)
      case .expired(let jobs):
        desk.expire(jobs)
        continue
      case .retired(let setups):
        writers.close(setups)
        continue
      case .idle:
        writers.releaseMemory()
        continue
      case .housekeeping: break
      case .end:
        end(&writers)
        return
      }
      if let fault = files.fault { first.fence(for: fault) }
      copyLog(&keeper, because: spent, isOthersTurn: isHeld && desk.withLock { $0.ordinaryCount > 0 })
      // Nobody is to blame for what is copied later.
      if !keeper.owesCopy { spent = .group([]) }
      writers.tick(now: clock())
      if let error = first.fenceError {
        writers.fence(error)
        fenceQueue(error)
      }
    }
  }

  private func end(_ writers: inout WriterConnections) {
    let first = writers.first
    // SQLite removes the log by its name when it closes, and must not remove another file's log.
    if let fault = files.checkAll() { writers.fence(first.fence(for: fault)) }
    writers.closeOthers()
    waitForClose()
    // Nobody has a snapshot any more.
    writers.rescue.goOn(on: first)
  }

  /// Copies the log if it is time for that.
  private func copyLog(
    _ keeper: inout LogKeeper, because turn: WriterSchedule<WriteJob>.Spent, isOthersTurn: Bool = false
  ) {
    let nanoseconds = keeper.turnEnded(isOthersTurn: isOthersTurn)
    guard nanoseconds > 0 else { return }
    desk.withLock { $0.copyEnded(clock(), nanoseconds: nanoseconds, after: turn) }
  }

  private func nextTurn(_ keeper: LogKeeper) -> WriterSchedule<WriteJob>.Turn {
    desk.wait { schedule in
      let next = schedule.nextTurn(
        clock(), housekeepingAt: keeper.nextLook, owesCopy: keeper.owesCopy,
        idleMs: configuration.limits.idleCacheMs, schemaFreeAt: desk.schema.freeAt, hasFault: files.fault != nil)
      switch next {
      case .wait(let nanoseconds): return .wait(nanoseconds: nanoseconds)
      case .turn(let turn):
        if case .group(let jobs) = turn {
          for job in jobs { job.execution.taken() }
        }
        return .found(turn)
      }
    }
  }

  private func waitForClose() {
    desk.change { $0.drained() }
    desk.wait { $0.phase == .closing ? .found(()) : .wait(nanoseconds: nil) }
  }

  /// Gives the jobs the connection of their setup, which they have in common. A failure there is theirs alone.
  private func run(_ jobs: [WriteJob], on writers: inout WriterConnections, _ body: (WriterConnection) -> Void) {
    guard let script = jobs.first?.script else { return }
    do throws(RequestError) {
      let writer = script.isEmpty ? writers.first : try writers.connection(for: script)
      body(writer)
      if let error = writer.fenceError { writers.fence(error) }
    } catch {
      for job in jobs { desk.refuse(job, error) }
    }
  }

  // MARK: - A group

  private func runGroup(_ jobs: [WriteJob], on writers: inout WriterConnections) -> WriterSchedule<WriteJob>.Spent {
    if jobs[0].isVacuum { return runVacuum(jobs[0], on: &writers) }
    var (undone, unbegun, joined): ([WriteJob], [WriteJob], [WriteJob]) = ([], [], [])
    let began = clock()
    run(jobs, on: &writers) { writer in
      (undone, unbegun, joined) = carryOut(jobs, on: writer, joiners: desk.joiners(most:))
    }
    let now = clock()
    let costs = Self.costs(of: joined.isEmpty ? jobs : jobs + joined, unbegun: unbegun, began, now)
    let (refused, cancelled): ([WriteJob], [WriteJob]) = desk.withLock { schedule in
      defer { schedule.groupEnded(now, costs: costs, began: began) }
      if undone.isEmpty, unbegun.isEmpty { return ([], []) }
      if schedule.fenceError != nil { return (undone + unbegun, []) }
      for job in undone {
        job.number = schedule.writeUndone(job, of: job.share, deadline: job.execution.deadline, now: now)
      }
      for job in unbegun {
        if let arrival = job.arrival { schedule.jobReturned(job, arrival, id: job.number) }
      }
      // While the job had no place in the queue its cancellation was not heard.
      return ([], (undone + unbegun).filter { $0.execution.queued(at: $0.number) })
    }
    for job in refused { desk.refuse(job, .fenced) }
    for job in cancelled { desk.cancelled(job.execution) }
    return .group(costs)
  }

  /// Runs the jobs as one group, and returns what was undone, what has not begun, and who has joined them.
  private func carryOut(
    _ jobs: [WriteJob], on writer: WriterConnection, pace: GroupPace = .slices, joiners: GroupRunner.Joiners? = nil
  ) -> (undone: [WriteJob], unbegun: [WriteJob], joined: [WriteJob]) {
    var group = GroupRunner(
      on: writer, desk: desk, configuration: configuration, commitClock: commitClock, diskGuard: diskGuard)
    group.run(jobs, pace: pace, joiners: joiners)
    return (group.undone, group.unbegun, group.joined)
  }

  /// What each job had of the turn; one that has not begun had nothing of it.
  private static func costs(
    of jobs: [WriteJob], unbegun: [WriteJob], _ began: MonotonicTime, _ ended: MonotonicTime
  ) -> WriterSchedule<WriteJob>.Costs {
    if jobs.count == 1 { return [cost(of: jobs[0], began, ended)] }
    if unbegun.isEmpty { return jobs.map { ($0.share, $0.turnNanoseconds) } }
    let waiting = Set(unbegun.map { ObjectIdentifier($0) })
    let served = jobs.filter { $0.turnNanoseconds > 0 || !waiting.contains(ObjectIdentifier($0)) }
    return served.map { ($0.share, $0.turnNanoseconds) }
  }

  private static func cost(
    of job: WriteJob, _ began: MonotonicTime, _ ended: MonotonicTime
  ) -> WriterSchedule<WriteJob>.Costs.Element {
    (job.share, ended.nanoseconds &- min(began.nanoseconds, ended.nanoseconds))
  }

  // MARK: - One alone

  /// Others wait for a VACUUM as for a long write, so its time is of the same part.
  private func runVacuum(_ job: WriteJob, on writers: inout WriterConnections) -> WriterSchedule<WriteJob>.Spent {
    let began = clock()
    _ = desk.withLock { $0.longBegan(began, of: job.share) }
    run([job], on: &writers) { writer in
      VacuumRunner(
        writer: writer, directory: configuration.directory, limits: configuration.limits,
        limitsInForce: configuration.limitsInForce, clock: clock, counters: counters
      ).run(job)
    }
    let now = clock()
    desk.schema.ran(for: job.share.session, at: now)
    let cost = Self.cost(of: job, began, now)
    desk.withLock { $0.longEnded(now, cost: cost) }
    return .long(cost)
  }

  private func runTransaction(
    _ job: WriteJob, on writers: inout WriterConnections
  ) -> WriterSchedule<WriteJob>.Spent {
    guard case .transaction(let transaction) = job.work else { return .group([]) }
    let began = clock()
    run([job], on: &writers) { writer in
      var runner = TransactionRunner(
        transaction, on: writer, desk: desk, configuration: configuration, commitClock: commitClock,
        diskGuard: diskGuard)
      runner.run()
    }
    return desk.withLock { schedule in
      let now = clock()
      let cost = Self.cost(of: job, began, now)
      schedule.transactionEnded(now, cost: cost)
      return .exclusive(cost)
    }
  }

  private func runLong(
    _ write: LongWrite<WriteJob>, grantMs: Int, on writers: inout WriterConnections
  ) -> WriterSchedule<WriteJob>.Spent {
    WriterCounters.add(1, to: counters.longTurns)
    let job = write.job
    let ownOthers = desk.withLock { $0.longBegan(clock(), of: write.share) }
    let began = clock()
    let pace = GroupPace.turn(
      until: began.advanced(milliseconds: grantMs), longUntil: began.advanced(milliseconds: write.askMs),
      longOfSession: ownOthers)
    var isUndone = false
    run([job], on: &writers) { writer in
      isUndone = !carryOut([job], on: writer, pace: pace).undone.isEmpty
    }
    let now = clock()
    let cost = Self.cost(of: job, began, now)
    let isRefused: Bool = desk.withLock { schedule in
      schedule.longEnded(now, cost: cost)
      guard isUndone else { return false }
      if schedule.fenceError == nil { schedule.longUndone(write, grantMs: grantMs) }
      return schedule.fenceError != nil
    }
    if isRefused { desk.refuse(job, .fenced) }
    if isUndone, job.execution.isCancelled { desk.cancelled(job.execution) }
    return .long(cost)
  }

  // MARK: - Fencing

  private func fenceQueue(_ error: RequestError) {
    let (isFirst, waiting) = desk.change { schedule in
      return schedule.fenced(error)
    }
    if isFirst {
      WriterCounters.add(1, to: counters.fences)
      if files.fault != nil { WriterCounters.add(1, to: counters.fileFaults) }
      configuration.report(EngineNotice(.error, database: files.name, error.message))
    }
    for job in waiting { desk.refuse(job, error) }
  }
}
