import MartletValues

/// What the writer does next: turns of those that wait, housekeeping between them, and its end.
///
///     open ─▶ draining ─▶ drained ─▶ closing ─▶ closed
///
/// Whose turn it is among those that wait say its `WriteLanes`, which nobody else has.
///
/// Always true: nobody waits once it is fenced or drained; how long others waited is measured while something keeps the
/// writer for more than a slice, and only then.
struct WriterSchedule<Job> {
  typealias Costs = WriteLanes<Job>.Costs
  typealias Spent = WriteLanes<Job>.Spent

  /// Can only move forward.
  enum Phase: Int {
    case open
    /// Takes nothing more, and finishes what it has.
    case draining
    /// Has nothing to do any more; the connection is still open, so that readers may close first.
    case drained
    case closing
    case closed
  }

  /// What became of a job that wants to wait.
  enum Admission {
    /// It waits, and can be withdrawn by that number.
    case queued(UInt64)
    case refused(RequestError)
  }

  enum Turn {
    case group([Job])
    case transaction(Job)
    case long(LongWrite<Job>, grantMs: Int)
    /// Jobs whose deadlines passed while they waited.
    case expired([Job])
    case retired([ShapeID])
    /// Nobody has written for a while.
    case idle
    case housekeeping
    case end
  }

  enum Next {
    case turn(Turn)
    /// Wait until something changes, or for `nanoseconds`.
    case wait(nanoseconds: UInt64?)
  }

  /// What keeps the writer for more than a slice.
  enum Hold {
    case none
    case transaction
    case longWrite
  }

  private var lanes: WriteLanes<Job>
  private(set) var phase = Phase.open
  /// The error for writes since the database is fenced.
  private(set) var fenceError: RequestError?
  /// An interactive transaction holds the writer.
  private(set) var hasTransaction = false
  /// When the connections were used last; nil while their page caches are as good as empty.
  private var usedAt: MonotonicTime?
  /// Setups whose sessions have all gone; their connections may close.
  private var retiredSetups: [ShapeID] = []
  private var hold = Hold.none
  /// Since when others have waited for what holds the writer.
  private var contendedSince: MonotonicTime?

  init(limits: Limits, isLongByNow: @escaping @Sendable (Job) -> Bool = { _ in false }) {
    lanes = WriteLanes(limits: limits, isLongByNow: isLongByNow)
  }

  // MARK: Who waits

  /// Why nothing may come any more; nil if it may.
  var refusal: RequestError? { fenceError ?? (phase == .open ? nil : .shuttingDown) }

  /// Who waits, as others may know without the schedule: a copy of that is dear.
  struct Waiting {
    var ordinary: Int
    var long: Int
    var all: Int
    var isFenced: Bool
  }

  var waiting: Waiting {
    Waiting(ordinary: ordinaryCount, long: longCount, all: waitingCount, isFenced: fenceError != nil)
  }

  var waitingCount: Int { lanes.count }
  /// Writes and transactions that are not known to be long.
  var ordinaryCount: Int { lanes.ordinaryCount }
  var longCount: Int { lanes.longCount }

  /// A job has come. `displaced` gets the one that gives way to it, if as many wait as may.
  mutating func jobArrived(
    _ job: Job, _ arrival: WriteArrival, displacing displaced: inout Job?, _ clock: () -> MonotonicTime
  ) -> Admission {
    defer { invariant() }
    if let refusal { return .refused(refusal) }
    if lanes.isFull { displaced = lanes.displaced(by: arrival.share) }
    guard let id = lanes.jobArrived(job, arrival) else { return .refused(.writeQueueFull) }
    if hold != .none, contendedSince == nil, isContended { contendedSince = clock() }
    return .queued(id)
  }

  /// The job, if it was still waiting.
  mutating func withdrawn(_ id: UInt64, of share: SessionShare) -> Job? { lanes.withdrawn(id, of: share) }

  /// The jobs whose deadlines have passed while they waited; they are gone.
  mutating func expired(_ now: MonotonicTime) -> [Job] { lanes.ticked(now) }

  // MARK: Events

  mutating func setupsRetired(_ setups: [ShapeID]) { retiredSetups += setups }

  /// Nothing is written any more: returns what waited, and whether it is fenced only now.
  mutating func fenced(_ error: RequestError) -> (isFirst: Bool, waiting: [Job]) {
    defer { invariant() }
    let isFirst = fenceError == nil
    fenceError = error
    return (isFirst, lanes.closed())
  }

  mutating func drainAsked() { if phase == .open { phase = .draining } }

  mutating func drained() {
    defer { invariant() }
    phase = .drained
  }

  mutating func closeAsked() { if phase == .drained { phase = .closing } }

  mutating func closed() { phase = .closed }

  // MARK: The next turn

  /// `housekeepingAt`: when the log is to be looked at. `hasFault`: something is wrong with the files.
  /// `owesCopy`: nothing but a group goes before the housekeeping. `schemaFreeAt`: when the schema may be changed; at
  /// once if nothing more is taken.
  mutating func nextTurn(
    _ now: MonotonicTime, housekeepingAt: MonotonicTime, owesCopy: Bool = false, idleMs: Int,
    schemaFreeAt: MonotonicTime = MonotonicTime(nanoseconds: 0), hasFault: @autoclosure () -> Bool
  ) -> Next {
    defer { invariant() }
    let expired = lanes.ticked(now)
    if !expired.isEmpty { return .turn(.expired(expired)) }
    if !retiredSetups.isEmpty {
      defer { retiredSetups = [] }
      return .turn(.retired(retiredSetups))
    }
    var due = housekeepingAt
    switch lanes.nextTurn(
      now, schemaFreeAt: phase == .open ? schemaFreeAt : MonotonicTime(nanoseconds: 0), groupsOnly: owesCopy)
    {
    case .group(let jobs):
      usedAt = now
      return .turn(.group(jobs))
    case .exclusive(let job):
      usedAt = now
      holdBegan(.transaction, now)
      return .turn(.transaction(job))
    case .long(let write, let grantMs):
      usedAt = now
      return .turn(.long(write, grantMs: grantMs))
    case .idle(let until):
      if phase != .open, lanes.isEmpty { return .turn(.end) }
      if due > now { due = min(due, until) }
    }
    if isCacheIdle(now: now, afterMs: idleMs) {
      usedAt = nil
      return .turn(.idle)
    }
    if fenceError == nil, hasFault() { return .turn(.housekeeping) }
    if due <= now { return .turn(.housekeeping) }
    return .wait(nanoseconds: nanoseconds(until: due, now: now))
  }

  /// The jobs that have come since the last group was taken, and that share its transaction.
  mutating func joiners(most: Int) -> [Job] {
    defer { invariant() }
    return fenceError == nil ? lanes.joiners(most: most) : []
  }

  /// Something may be due that the writer's thread has to be woken for.
  func isTimed(_ now: MonotonicTime, idleMs: Int) -> Bool {
    hasTransaction || !lanes.isEmpty || isCacheIdle(now: now, afterMs: idleMs)
  }

  /// Nobody has written for a while, so that the page caches are better given up.
  private func isCacheIdle(now: MonotonicTime, afterMs ms: Int) -> Bool {
    guard let usedAt, lanes.isEmpty, !hasTransaction else { return false }
    return usedAt.advanced(milliseconds: ms) <= now
  }

  /// How long to wait for `moment` or the next deadline in the queue; nil if nothing is due.
  func nanoseconds(until moment: MonotonicTime, now: MonotonicTime) -> UInt64? {
    let due = min(moment, lanes.earliestDeadline)
    guard due != .distantFuture else { return nil }
    return due > now ? due.nanoseconds - now.nanoseconds : 0
  }

  // MARK: Holding the writer

  /// The transaction whose turn it is has opened.
  mutating func transactionOpened() { hasTransaction = true }

  mutating func transactionClosed() { hasTransaction = false }

  /// A group's turn is over. `costs`: how long each of its jobs took.
  mutating func groupEnded(_ now: MonotonicTime, costs: Costs, began: MonotonicTime) {
    let nanoseconds = now.nanoseconds &- min(began.nanoseconds, now.nanoseconds)
    lanes.groupEnded(now, costs: costs, nanoseconds: nanoseconds)
  }

  /// A write of a group ran past its slice and was undone; returns the number by which it can be withdrawn now.
  mutating func writeUndone(_ job: Job, of share: SessionShare, deadline: MonotonicTime, now: MonotonicTime) -> UInt64 {
    defer { invariant() }
    return lanes.writeUndone(job, of: share, deadline: deadline, now: now)
  }

  /// A job of a group comes back to its place, because there was no time for it.
  mutating func jobReturned(_ job: Job, _ arrival: WriteArrival, id: UInt64) {
    defer { invariant() }
    lanes.jobReturned(job, arrival, id: id)
  }

  /// A transaction's turn is over, whatever came of it.
  mutating func transactionEnded(_ now: MonotonicTime, cost: Costs.Element) {
    defer { invariant() }
    lanes.exclusiveEnded(now, contended: holdEnded(now), cost: cost)
  }

  /// Returns how many other long writes of the same session wait.
  mutating func longBegan(_ now: MonotonicTime, of share: SessionShare) -> Int {
    holdBegan(.longWrite, now)
    return lanes.longCount(of: share)
  }

  mutating func longEnded(_ now: MonotonicTime, cost: Costs.Element) {
    defer { invariant() }
    lanes.longEnded(now, contended: holdEnded(now), cost: cost)
  }

  /// A long write was undone at the end of its turn, which was of `grantMs`, and waits for another one.
  mutating func longUndone(_ write: LongWrite<Job>, grantMs: Int) {
    defer { invariant() }
    lanes.longUndone(write, grantMs: grantMs)
  }

  /// The log was copied, because of that turn.
  mutating func copyEnded(_ now: MonotonicTime, nanoseconds: UInt64, after turn: Spent) {
    lanes.copyEnded(now, nanoseconds: nanoseconds, after: turn)
  }

  private mutating func holdBegan(_ hold: Hold, _ now: MonotonicTime) {
    self.hold = hold
    contendedSince = isContended ? now : nil
  }

  /// Whether the work that holds the writer keeps others waiting that count: ordinary writes always, transactions
  /// behind a long write.
  private var isContended: Bool {
    switch hold {
    case .none: false
    case .transaction: lanes.sharedCount > 0
    case .longWrite: lanes.ordinaryCount > 0
    }
  }

  /// For how many nanoseconds others have waited.
  private mutating func holdEnded(_ now: MonotonicTime) -> UInt64 {
    defer {
      hold = .none
      contendedSince = nil
    }
    return contendedSince.map { now.nanoseconds &- min($0.nanoseconds, now.nanoseconds) } ?? 0
  }

  private func invariant() {
    assert(fenceError == nil || lanes.isEmpty, "somebody waits for a writer that is fenced")
    assert(phase.rawValue < Phase.drained.rawValue || lanes.isEmpty, "somebody waits for a writer that is drained")
    assert(contendedSince == nil || hold != .none, "others wait for what nobody holds")
  }
}
