import MartletValues
import Synchronization

/// The one writer of a database as all other threads know it: what they ask for waits here.
///
/// Always true: everything that changes the file runs on the writer's thread, checkpoints included; what was taken is
/// answered once; what waits is touched with the lock held, and how many they are is told with each change. It does not
/// know the thread, which knows it.
final class Writer: Sendable {
  let counters = WriterCounters()
  /// Reads how many wait while the thread runs something.
  let watch: WriteWatch
  let schema: SchemaChanges
  let copyPace = CopyPace()
  private let monitor: ArrivalMonitor<WriterSchedule<WriteJob>, WriteJob>
  /// Hears of credit and cancellation for statements of the transaction that holds the writer.
  let ownerBell: OwnerBell
  private let clock: @Sendable () -> MonotonicTime
  private let idleMs: Int

  init(configuration: EngineConfiguration, schema: SchemaChanges = SchemaChanges()) {
    self.schema = schema
    watch = WriteWatch(clock: configuration.clock)
    let schedule = WriterSchedule<WriteJob>(limits: configuration.limits) { $0.standing == .long }
    monitor = ArrivalMonitor(schedule) { [watch, counters, clock = configuration.clock] job, schedule in
      defer { Self.publish(schedule.waiting, watch, counters) }
      return Self.admit(job, to: &schedule, schema, clock)
    }
    ownerBell = OwnerBell(monitor: monitor)
    clock = configuration.clock
    idleMs = configuration.limits.idleCacheMs
  }

  // MARK: - Arrivals, on any thread

  /// Threads that bring jobs at once do not wait for each other, nor for the thread of the writer.
  func enqueue(_ job: WriteJob, company: WriteCompany, bytes: Int) {
    job.execution.setDriver(self)
    job.arrival = WriteArrival(
      company: company, deadline: job.execution.deadline, bytes: bytes, setup: job.script.id, share: job.share,
      standing: job.standing, changesSchema: job.changesSchema, isVacuum: job.isVacuum)
    monitor.arrive(job)
  }

  /// With the lock held. Returns what is left to do without it: to answer a job that is refused.
  private static func admit(
    _ job: WriteJob, to schedule: inout WriterSchedule<WriteJob>, _ schema: SchemaChanges,
    _ clock: @Sendable () -> MonotonicTime
  ) -> (@Sendable () -> Void)? {
    guard var arrival = job.arrival else { return nil }
    if arrival.company == .exclusive, schema.isChanger(job.share.session, at: clock()) {
      arrival.changesSchema = true
      job.arrival = arrival
    }
    var displaced: WriteJob?
    switch schedule.jobArrived(job, arrival, displacing: &displaced, clock) {
    case .refused(let error): return refusal(of: job, error)
    case .queued(let id):
      job.number = id
      let gone = displaced.map { refusal(of: $0, .writeQueueFull) }
      // Cancelled before it had a place: nobody could withdraw it.
      guard job.execution.queued(at: id), schedule.withdrawn(id, of: job.share) != nil else { return gone }
      let cancelled = refusal(of: job, .cancelledByOwner)
      return {
        gone?()
        cancelled()
      }
    }
  }

  /// With the lock held, before it is let go.
  private static func publish(
    _ waiting: WriterSchedule<WriteJob>.Waiting, _ watch: WriteWatch, _ counters: WriterCounters
  ) {
    watch.ordinaryWaiting.store(waiting.ordinary, ordering: .relaxed)
    watch.longWaiting.store(waiting.long, ordering: .relaxed)
    if waiting.isFenced { counters.fenceBegan() }
    counters.queueDepth.store(Int64(waiting.all), ordering: .relaxed)
  }

  /// The owner of the transaction sends its next command.
  func send(_ command: WriteTransaction.Command, to transaction: WriteTransaction) {
    switch change({ _ in transaction.lease.commandArrived(command) }) {
    case .queued: break
    case .refusedEnded(let end): transaction.refuse([command], end)
    case .refusedOverloaded: command.refuse(.transactionFull)
    }
  }

  /// A command for the transaction is being planned, or no more is: meanwhile its owner is not silent.
  func planning(for transaction: WriteTransaction, isUnderWay: Bool) {
    change { _ in
      if isUnderWay {
        transaction.lease.planningBegan()
      } else {
        transaction.lease.planningEnded(clock())
      }
    }
  }

  /// The owner of the transaction has gone: it is rolled back, and nobody is told.
  func abandon(_ transaction: WriteTransaction) {
    transaction.execution.abandon()
    change { schedule in
      transaction.isAbandoned = true
      transaction.running?.abandon()
      if transaction.lease.state == .waiting {
        let execution = transaction.execution
        if let place = execution.placeInQueue { _ = schedule.withdrawn(place, of: execution.sessionShare) }
        _ = transaction.lease.ended(.ownerGone)
      }
    }
  }

  /// Lets the thread look at the clock if something is due at a certain moment.
  func tick() {
    let now = clock()
    if monitor.withLock({ $0.isTimed(now, idleMs: idleMs) }) { wake() }
  }

  /// Looks at the clock and at what has changed.
  func wake() { change { _ in } }

  /// The sessions of these setups have gone; connections that are prepared with them close soon.
  func close(setups: [ShapeID]) {
    if !setups.isEmpty { change { $0.setupsRetired(setups) } }
  }

  /// May be asked with any lock held.
  var isFenced: Bool { counters.fenced.load(ordering: .acquiring) != 0 }

  /// The error for writes since the database is fenced; nil if it is not.
  var fenceError: RequestError? { monitor.withLock { $0.fenceError } }

  // MARK: - The schedule

  /// Looks at the schedule or changes it, without telling anybody.
  func withLock<Result>(_ body: (inout WriterSchedule<WriteJob>) -> Result) -> Result {
    monitor.withLock { schedule in
      defer { Self.publish(schedule.waiting, watch, counters) }
      return body(&schedule)
    }
  }

  /// Changes the schedule, and wakes who waits for that.
  @discardableResult
  func change<Result>(_ body: (inout WriterSchedule<WriteJob>) -> Result) -> Result {
    monitor.change { schedule in
      defer { Self.publish(schedule.waiting, watch, counters) }
      return body(&schedule)
    }
  }

  typealias Look<Result> = ArrivalMonitor<WriterSchedule<WriteJob>, WriteJob>.Look<Result>

  /// Looks at the schedule until the look finds something.
  func wait<Result>(_ body: (inout WriterSchedule<WriteJob>) -> Look<Result>) -> Result {
    monitor.wait { schedule in
      defer { Self.publish(schedule.waiting, watch, counters) }
      return body(&schedule)
    }
  }

  /// Takes those who have come since the group was taken that runs now, and who share its transaction.
  func joiners(most: Int) -> [WriteJob] {
    guard watch.ordinaryWaiting.load(ordering: .relaxed) > 0 else { return [] }
    return withLock { schedule in
      let jobs = schedule.joiners(most: most)
      for job in jobs { job.execution.taken() }
      return jobs
    }
  }

  // MARK: - Ends

  /// Takes nothing more and returns when everything that was taken has been answered.
  func drain() {
    change { $0.drainAsked() }
    waitFor(.drained)
  }

  /// Closes the connection; readers have closed theirs by then.
  func close() {
    drain()
    change { $0.closeAsked() }
    waitFor(.closed)
  }

  private func waitFor(_ phase: WriterSchedule<WriteJob>.Phase) {
    wait { $0.phase.rawValue >= phase.rawValue ? .found(()) : .wait(nanoseconds: nil) }
  }

  // MARK: - Answers without work

  /// The deadlines of these jobs passed while they waited.
  func expire(_ jobs: [WriteJob]) {
    for job in jobs { refuse(job, job.lateError) }
  }

  func refuse(_ job: WriteJob, _ error: RequestError) {
    let answer = withLock { _ in Self.refusal(of: job, error) }
    answer()
  }

  /// Decided with the lock held, which guards the lease of a transaction. Returns what answers the job, to be called
  /// without the lock.
  private static func refusal(of job: WriteJob, _ error: RequestError) -> @Sendable () -> Void {
    if case .transaction(let transaction) = job.work {
      let left = transaction.lease.ended(.neverOpened)
      return { Self.answerRefused(transaction, error, left) }
    }
    if case .looseBatch = job.work, let step = job.resumesAtStep {
      return { job.refuseRest(from: step, error) }
    }
    return { job.execution.deliver(.failed(error)) }
  }

  /// A transaction's turn will not come: the begin and the commands behind it hear why.
  func refuseTurn(of transaction: WriteTransaction, _ error: RequestError) {
    let left = withLock { _ in transaction.lease.ended(.neverOpened) }
    Self.answerRefused(transaction, error, left)
  }

  private static func answerRefused(
    _ transaction: WriteTransaction, _ error: RequestError, _ commands: [WriteTransaction.Command]
  ) {
    transaction.execution.deliver(.failed(error))
    transaction.refuse(commands, .neverOpened)
  }
}

extension Writer: ExecutionDriver {
  func creditExtended(_ execution: Execution) {}

  func cancelled(_ execution: Execution) {
    // Every write that was answered comes here, too, and must not ask for the lock.
    guard execution.placeInQueue != nil else { return }
    let job: WriteJob? = withLock { schedule in
      // Asked once more, because it may just have been given its place.
      guard let place = execution.placeInQueue, place != 0 else { return nil }
      return schedule.withdrawn(place, of: execution.sessionShare)
    }
    guard let job else { return }
    refuse(job, .cancelledByOwner)
  }
}

/// Wakes the writer's thread if it waits for the owner of a statement that runs in a transaction.
final class OwnerBell: ExecutionDriver {
  private let monitor: ArrivalMonitor<WriterSchedule<WriteJob>, WriteJob>

  init(monitor: ArrivalMonitor<WriterSchedule<WriteJob>, WriteJob>) { self.monitor = monitor }

  func creditExtended(_ execution: Execution) { monitor.change { _ in } }
  func cancelled(_ execution: Execution) { monitor.change { _ in } }
}
