import MartletValues

/// Whose turn at the one writer it is: ordinary writes, interactive transactions, or writes that run long.
///
///     arrived ─▶ ordinary ──(ran past its slice while others waited, and was undone)──▶ long ─▶ …
///          └───▶ begins                                                          arrived ──┘ (known to be long)
///
/// What changes the schema waits before any of these until readers have time for that.
///
/// Ordinary writes go in groups, begins one by one, and a long write alone, for a turn at a time. Within each lane the
/// time is shared by subject and session. While others wait, the others get enough time after each long write that long
/// writes have their share and no more. Ordinary writes that wait when a long write's turn ends all go before the next
/// long one, for as long as the longest turn of one at most. After an interactive transaction, ordinary writes get as
/// much time as it kept them waiting, before the next transaction of any session but those whose own are brief: they go
/// on as soon as the ordinary writes that waited for it have gone, most often in one group, or ordinary writes have had
/// as much time or that of a brief one. If that is long, so do on trial those of which nothing is known, until one of
/// them is long, too.
///
/// Always true: each lane has its turn, however full the others are; after a transaction or a long write the ordinary
/// writes that wait come first; all lanes together hold at most `limits.writeQueueMax` jobs, and who gives way there is
/// chosen by what each has in all of them.
struct WriteLanes<Job> {
  private struct Waiting {
    let job: Job
    let id: UInt64
    let share: SessionShare
    let deadline: MonotonicTime
    let isKnownLight: Bool
  }

  private let limits: Limits
  /// What is known by now of one that waits: another of its kind may have been long since it arrived.
  private let isLongByNow: @Sendable (Job) -> Bool
  private var shared: WriteQueue<Waiting>
  private var begins: WriteQueue<Waiting>
  private var long = FairQueue<LongWrite<Job>>()
  private var changes = SchemaLane<Job>()
  private var strikes = WriteStrikes()
  /// What waits in all lanes; kept while they are full.
  private var crowd = WaitingCounts()
  private var nextID: UInt64 = 1
  /// The part of the time in which others wait.
  private var longPart: PartOfTime
  private var pace = TransactionPace()
  /// From here on nobody seems to write ordinarily, unless something arrives.
  private var quietAt = MonotonicTime(nanoseconds: 0)
  private var wasExclusive = false
  private var wasLong = false
  /// The ordinary writes that the last long write kept waiting.
  private var behindLong = EarlierWaiters()
  /// The ordinary writes that the last transaction kept waiting.
  private var behindTransaction = EarlierWaiters()
  /// A group has gone before the begins that wait, or there was none to go.
  private var areBeginsDue = false

  init(limits: Limits, isLongByNow: @escaping @Sendable (Job) -> Bool = { _ in false }) {
    self.limits = limits
    self.isLongByNow = isLongByNow
    shared = WriteQueue(capacity: .max)
    begins = WriteQueue(capacity: .max)
    longPart = PartOfTime(
      percent: limits.longWriteSharePercent, savedMicroseconds: limits.longWriteSavedMs * 1_000)
  }

  var count: Int { shared.count + begins.count + long.count + changes.count }
  var isEmpty: Bool { count == 0 }
  var sharedCount: Int { shared.count }
  /// Ordinary writes and begins.
  var ordinaryCount: Int { shared.count + begins.count }
  var longCount: Int { long.count }
  func longCount(of share: SessionShare) -> Int { long.count(of: share) }

  var earliestDeadline: MonotonicTime {
    min(shared.earliestDeadline, begins.earliestDeadline, long.earliestDeadline, changes.earliestDeadline)
  }

  // MARK: Arrivals and departures

  /// The number by which the job can be withdrawn; nil if as many wait as may.
  mutating func jobArrived(_ job: Job, _ arrival: WriteArrival) -> UInt64? {
    guard !isFull else { return nil }
    let id = nextID
    nextID += 1
    wait(job, arrival, id)
    assert(count <= limits.writeQueueMax, "more jobs wait than may")
    return id
  }

  /// If as many wait as may: makes room for one of that session, if somebody has more waiting in all lanes together
  /// than it would have. Returns the last job of the one that has the most, in the lane where it has the most.
  mutating func displaced(by share: SessionShare) -> Job? {
    if !crowd.isKept { crowd = counted }
    guard let victim = crowd.whoGivesWay(to: share) else { return nil }
    crowd.left(victim)
    let ordinary = shared.count(of: victim)
    let (beginning, slow, changing) = (begins.count(of: victim), long.count(of: victim), changes.count(of: victim))
    if ordinary >= max(beginning, slow, changing) { return shared.removedLast(of: victim)?.job }
    if beginning >= max(slow, changing) { return begins.removedLast(of: victim)?.job }
    return slow >= changing ? long.removedLast(of: victim)?.job : changes.removedLast(of: victim)
  }

  private var counted: WaitingCounts {
    var counts = WaitingCounts()
    shared.addCounts(to: &counts)
    begins.addCounts(to: &counts)
    long.addCounts(to: &counts)
    changes.addCounts(to: &counts)
    counts.keep()
    return counts
  }

  var isFull: Bool { count >= limits.writeQueueMax }

  /// A job that was taken for a group comes back, because there was no time for it: to its place in its session.
  mutating func jobReturned(_ job: Job, _ arrival: WriteArrival, id: UInt64) { wait(job, arrival, id) }

  private mutating func wait(_ job: Job, _ arrival: WriteArrival, _ id: UInt64) {
    crowd.came(arrival.share)
    guard arrival.changesSchema else { return enter(job, arrival, id) }
    changes.arrived(job, arrival, id)
    invariant()
  }

  private mutating func enter(_ job: Job, _ arrival: WriteArrival, _ id: UInt64) {
    defer { invariant() }
    if arrival.company != .exclusive, arrival.standing == .long {
      return waitLong(job, id, arrival.share, arrival.deadline)
    }
    let waiting = Waiting(
      job: job, id: id, share: arrival.share, deadline: arrival.deadline, isKnownLight: arrival.standing == .light)
    if arrival.company == .exclusive {
      if begins.isEmpty { areBeginsDue = shared.isEmpty }
      _ = begins.jobArrived(
        waiting, of: arrival.share, company: .exclusive, deadline: arrival.deadline, bytes: 0, setup: arrival.setup,
        id: id)
    } else {
      _ = shared.jobArrived(
        waiting, of: arrival.share, company: arrival.company, deadline: arrival.deadline, bytes: arrival.bytes,
        setup: arrival.setup, id: id)
    }
  }

  private mutating func waitLong(_ job: Job, _ id: UInt64, _ share: SessionShare, _ deadline: MonotonicTime) {
    wait(LongWrite(id: id, job: job, share: share, deadline: deadline, askMs: limits.longWriteTurnMs))
  }

  private mutating func wait(_ write: LongWrite<Job>) {
    long.arrived(write, of: write.share, deadline: write.deadline, id: write.id)
    invariant()
  }

  /// The job, if it was still waiting.
  mutating func withdrawn(_ id: UInt64, of share: SessionShare) -> Job? {
    let job =
      shared.withdrawn(id, of: share)?.job ?? begins.withdrawn(id, of: share)?.job ?? long.withdrawn(id, of: share)?.job
      ?? changes.withdrawn(id, of: share)
    if job != nil { crowd.left(share) }
    return job
  }

  /// The jobs whose deadline has passed while they waited; they are gone.
  mutating func ticked(_ now: MonotonicTime) -> [Job] {
    guard earliestDeadline <= now else { return [] }
    let late =
      (shared.ticked(now) + begins.ticked(now)).map { ($0.job, $0.share) }
      + long.ticked(now).map { ($0.job, $0.share) } + changes.ticked(now).map { ($0.job, $0.arrival.share) }
    for (_, share) in late { crowd.left(share) }
    return late.map(\.0)
  }

  /// Everything that waits; the lanes are empty afterwards.
  mutating func closed() -> [Job] {
    crowd = WaitingCounts()
    return
      shared.closed().map(\.job) + begins.closed().map(\.job) + long.closed().map(\.job) + changes.closed()
  }

  // MARK: Turns

  /// `schemaFreeAt`: the moment from which the schema may be changed. `groupsOnly`: transactions and long writes have
  /// no turn now.
  mutating func nextTurn(
    _ now: MonotonicTime, schemaFreeAt: MonotonicTime = MonotonicTime(nanoseconds: 0), groupsOnly: Bool = false
  ) -> Turn {
    changes.turnComes(now)
    if schemaFreeAt <= now { nextChangeEnters(now) }
    if !groupsOnly, !long.isEmpty, longPart.isLeft(at: now), !isOthersTurn, let write = long.next() {
      crowd.left(write.share)
      return .long(write, grantMs: grantMs(of: write))
    }
    while true {
      if !groupsOnly, let waiting = nextBegin(now) {
        areBeginsDue = false
        crowd.left(waiting.share)
        return .exclusive(waiting.job)
      }
      let turn = shared.nextTurn(membersMax: limits.groupMembersMax, bytesMax: limits.groupBytesMax)
      guard case .group(let waiting) = turn else { break }
      areBeginsDue = true
      let jobs = withoutSuspects(waiting, now)
      if !jobs.isEmpty { return .group(jobs) }
    }
    // Nobody would wait for a long write now. If somebody comes, it gives way at once.
    if !groupsOnly, now >= quietAt, let write = long.next() {
      crowd.left(write.share)
      return .long(write, grantMs: 0)
    }
    var due = MonotonicTime.distantFuture
    if !long.isEmpty { due = min(due, isOthersTurn ? quietAt : longPart.freeAt, quietAt) }
    if !begins.isEmpty { due = min(due, pace.freeAt, quietAt) }
    if !changes.isEmpty {
      due = min(due, changes.vacuumsAlone ? max(schemaFreeAt, min(longPart.freeAt, quietAt)) : schemaFreeAt)
    }
    return .idle(until: due)
  }

  /// The writes that have come since the last group was taken, and that share its transaction: only such as are known
  /// to be short, because its members wait for them; none if others wait whose turn it is then.
  mutating func joiners(most: Int) -> [Job] {
    guard begins.isEmpty, long.isEmpty, changes.isEmpty else { return [] }
    return shared.joiners(most: most) { $0.isKnownLight }.map { joiner in
      crowd.left(joiner.share)
      return joiner.job
    }
  }

  /// One at a time, because it may be what uses up the time that is left for changes. A VACUUM also waits for the part
  /// of the time that long writes have, or until nobody else writes.
  private mutating func nextChangeEnters(_ now: MonotonicTime) {
    guard !changes.isEmpty else { return }
    let takesVacuum = longPart.isLeft(at: now) && !areEarlierWaiting || now >= quietAt && ordinaryCount == 0
    guard let change = changes.next(now, takesVacuum: takesVacuum) else { return }
    enter(change.job, change.arrival, change.id)
  }

  /// A long write has gone, and others wait.
  private var isOthersTurn: Bool { wasLong && ordinaryCount > 0 || areEarlierWaiting }

  /// An ordinary write has waited since before the end of the last long one.
  private var areEarlierWaiting: Bool { areWaiting(behindLong) }

  private func areWaiting(_ earlier: EarlierWaiters) -> Bool {
    earlier.last.map { shared.hasWaiting(upTo: $0) } ?? false
  }

  private func grantMs(of write: LongWrite<Job>) -> Int { min(write.askMs, limits.longWriteTurnMaxMs) }

  /// The transaction that begins now; nil if none waits, or it is the turn of others.
  private mutating func nextBegin(_ now: MonotonicTime) -> Waiting? {
    guard !begins.isEmpty, shared.isEmpty || !wasExclusive && areBeginsDue && !areWaiting(behindTransaction) else {
      return nil
    }
    if now >= pace.freeAt || shared.isEmpty && now >= quietAt {
      pace.began(ahead: nil)
      return begins.next { _ in true }
    }
    let pace = pace
    for lead in pace.leads(at: now) {
      if let next = begins.next(where: { pace.allows($0.share.session, lead, now) }) {
        self.pace.began(ahead: lead)
        return next
      }
    }
    return nil
  }

  /// Writes that are not known to be short go to the long ones, if other writes of their session or of their kind were
  /// long lately.
  private mutating func withoutSuspects(_ waiting: [Waiting], _ now: MonotonicTime) -> [Job] {
    var jobs: [Job] = []
    jobs.reserveCapacity(waiting.count)
    for one in waiting {
      if !one.isKnownLight, strikes.isStruck(one.share.session, now) || isLongByNow(one.job) {
        waitLong(one.job, one.id, one.share, one.deadline)
      } else {
        crowd.left(one.share)
        jobs.append(one.job)
      }
    }
    return jobs
  }

  // MARK: After a turn

  /// `costs`: how long each of its jobs took. `nanoseconds`: the whole turn, its commit included.
  mutating func groupEnded(_ now: MonotonicTime, costs: Costs = [], nanoseconds: UInt64 = 0) {
    shared.charge(costs)
    behindLong.served(costs.reduce(0) { $0 &+ $1.nanoseconds })
    behindTransaction.served(nanoseconds)
    wasExclusive = false
    wasLong = false
    quietAt = now.advanced(milliseconds: limits.writeSliceMs)
  }

  /// `contended`: nanoseconds of the transaction in which ordinary writes waited.
  mutating func exclusiveEnded(_ now: MonotonicTime, contended: UInt64, cost: Costs.Element? = nil) {
    if let cost { begins.charge([cost]) }
    wasExclusive = true
    wasLong = false
    // If it took longer, `pace` keeps the next transactions away, but for those that are brief.
    behindTransaction.turnEnded(newest: nextID - 1, most: min(contended, EngineLimits.briefHoldNs))
    pace.ended(of: cost?.share.session, contended: contended, now)
  }

  /// `contended`: nanoseconds of the long write in which writes other than long ones waited.
  mutating func longEnded(_ now: MonotonicTime, contended: UInt64, cost: Costs.Element? = nil) {
    if let cost { long.charge(cost.nanoseconds, to: cost.share) }
    behindLong.turnEnded(newest: nextID - 1, most: UInt64(max(0, limits.longWriteTurnMaxMs)) &* 1_000_000)
    guard contended > 0 else { return }
    wasLong = true
    longPart.spend(contended, until: now)
  }

  /// The log was copied, which took `nanoseconds`: that is time of the turn that made it necessary.
  mutating func copyEnded(_ now: MonotonicTime, nanoseconds: UInt64, after turn: Spent) {
    switch turn {
    case .group(let costs):
      let whole = max(1, costs.reduce(0) { $0 &+ $1.nanoseconds })
      let parts = costs.map { ($0.share, Self.part(of: nanoseconds, $0.nanoseconds, whole)) }
      shared.charge(parts.filter { $0.1 > 0 })
    case .exclusive(let cost):
      begins.charge([(cost.share, nanoseconds)])
      if !shared.isEmpty { pace.copied(nanoseconds: nanoseconds, now) }
    case .long(let cost):
      long.charge(nanoseconds, to: cost.share)
      if ordinaryCount > 0 { longPart.spend(nanoseconds, until: now) }
    }
  }

  /// An ordinary write ran past its slice and was undone; returns the number by which it can be withdrawn now.
  mutating func writeUndone(_ job: Job, of share: SessionShare, deadline: MonotonicTime, now: MonotonicTime) -> UInt64 {
    strikes.strike(share.session, now, sliceMs: limits.writeSliceMs)
    let id = nextID
    nextID += 1
    crowd.came(share)
    waitLong(job, id, share, deadline)
    return id
  }

  /// A long write was undone at the end of its turn; its next turn is longer, unless this one only used the time in
  /// which nobody else wrote.
  mutating func longUndone(_ write: LongWrite<Job>, grantMs: Int) {
    var write = write
    if grantMs > 0 { write.askMs = min(write.askMs * 4, limits.longWriteTurnMaxMs) }
    crowd.came(write.share)
    wait(write)
  }

  private func invariant() {
    // What comes back after a turn had its place before, which others may have taken meanwhile.
    assert(count <= limits.writeQueueMax + limits.groupMembersMax, "more jobs wait than may")
  }
}
