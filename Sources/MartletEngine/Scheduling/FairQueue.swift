package import MartletValues

/// Whose job is next when one thread does the jobs of many sessions: each has a queue, and they share the time.
///
/// Time is counted for each subject, and within it for each session. Next is the session that would have had the least
/// after its next job, if that takes what its jobs took so far. So a session with a hundred jobs has one share, a
/// subject with a hundred sessions has one, and short jobs do not wait for a row of long ones. Between subjects, and
/// between a subject's sessions, a tenth of the time goes by age (`TurnsByAge`), so that one that is slow need not wait
/// until all the others have had as much.
///
/// Always true: the jobs of a session keep their order; while a job waits at the front of its session no other session
/// has much more time than a share of it and those tenths, even if it is a new one; what is remembered of sessions
/// without jobs is bounded.
package struct FairQueue<Job> {
  /// What becomes of the job that is next.
  enum Verdict {
    case take
    /// The job stays in the queue, and so do the later jobs of its session.
    case pass
    /// The job stays in the queue, and no other is taken.
    case stop
  }

  /// The order of a turn, by the places of subjects and sessions.
  private typealias Order = FairOrder<Dictionary<UInt64, FairSubject<Job>>.Index, FairSubject<Job>.Place>

  private var level = TimeLevel()
  private var subjects: [UInt64: FairSubject<Job>] = [:]
  /// Subjects with jobs.
  private var waitingSubjects = 0
  /// Sessions without jobs of which something is known.
  private var remembered = 0
  private var nextID: UInt64 = 1
  /// Kept while the queue is full.
  private var crowd = WaitingCounts()
  package private(set) var count = 0

  /// No waiting job's deadline is earlier; may be too early after a withdrawal.
  package private(set) var earliestDeadline = MonotonicTime.distantFuture

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// How many jobs of the session wait.
  package func count(of share: SessionShare) -> Int { subjects[share.subject]?.count(of: share.session) ?? 0 }

  /// Whether one of those waits that came up to the job of that number.
  func hasWaiting(upTo id: UInt64) -> Bool {
    subjects.values.contains { $0.waitingSessions.contains { ($0.queue.firstID ?? .max) <= id } }
  }

  // MARK: - Arrivals and departures

  /// Returns the number by which the job can be withdrawn. `id`: one of the caller's choosing, above all before it,
  /// unless the job comes back.
  @discardableResult
  package mutating func arrived(
    _ job: consuming Job, of share: SessionShare, deadline: MonotonicTime = .distantFuture, id chosen: UInt64? = nil
  ) -> UInt64 {
    defer { invariant() }
    let id = chosen ?? nextID
    let isBack = id < nextID
    nextID = max(nextID, id + 1)
    let account = level.opened()
    let arrival = subjects[share.subject, default: FairSubject(account: account)].insert(
      FairSlot(id: id, deadline: deadline, job: job), of: share.session, &level, isBack: isBack)
    if arrival.isFirstOfSubject { waitingSubjects += 1 }
    if arrival.wasRemembered { remembered -= 1 }
    count += 1
    crowd.came(share)
    earliestDeadline = min(earliestDeadline, deadline)
    return id
  }

  /// The job, if it was still waiting.
  package mutating func withdrawn(_ id: UInt64, of share: SessionShare) -> Job? {
    defer { invariant() }
    guard let job = subjects[share.subject]?.change(of: share.session, { $0.remove(id) }) ?? nil else { return nil }
    left(share, 1)
    return job
  }

  /// The jobs whose deadline has passed while they waited; they are gone from the queue.
  package mutating func ticked(_ now: MonotonicTime) -> [Job] {
    guard earliestDeadline <= now else { return [] }
    return removed { $0.deadline <= now }
  }

  /// Everything that waits; the queue is empty afterwards.
  package mutating func closed() -> [Job] { removed { _ in true } }

  /// The jobs that nobody wants any more; they are gone from the queue.
  package mutating func withdrawn(where isUnwanted: (Job) -> Bool) -> [Job] {
    removed { $0.job.map(isUnwanted) ?? false }
  }

  /// In the order of their numbers.
  private mutating func removed(where isConcerned: (FairSlot<Job>) -> Bool) -> [Job] {
    defer { invariant() }
    var gone: [FairSlot<Job>] = []
    var earliest = MonotonicTime.distantFuture
    for share in waitingShares {
      let found: ([FairSlot<Job>], MonotonicTime?)? = subjects[share.subject]?.change(of: share.session) { queue in
        let slots = queue.remove(where: isConcerned)
        return (slots, queue.earliestDeadline)
      }
      guard let (slots, next) = found else { continue }
      gone += slots
      earliest = min(earliest, next ?? .distantFuture)
      if !slots.isEmpty { left(share, slots.count) }
    }
    earliestDeadline = earliest
    return gone.sorted { $0.id < $1.id }.compactMap(\.job)
  }

  /// If as many wait as may: makes room for one of that session, if somebody has more waiting than it would have.
  /// Returns the last job of whoever has the most, in the subject that has the most.
  package mutating func displaced(by share: SessionShare) -> Job? {
    if !crowd.isKept {
      var counts = WaitingCounts()
      addCounts(to: &counts)
      counts.keep()
      crowd = counts
    }
    return crowd.whoGivesWay(to: share).flatMap { removedLast(of: $0) }
  }

  /// Adds how many of each session wait.
  func addCounts(to counts: inout WaitingCounts) {
    for (key, subject) in subjects {
      for (session, queue) in subject.waitingSessions {
        counts.add(queue.count, of: SessionShare(subject: key, session: session))
      }
    }
  }

  /// The job of the session that came last.
  mutating func removedLast(of share: SessionShare) -> Job? {
    defer { invariant() }
    guard let job = subjects[share.subject]?.change(of: share.session, { $0.removeLast() }) ?? nil else { return nil }
    left(share, 1)
    return job
  }

  private var waitingShares: [SessionShare] {
    subjects.flatMap { key, subject in
      subject.waitingSessions.map { SessionShare(subject: key, session: $0.session) }
    }
  }

  // MARK: - Turns

  /// Takes what is next, which is the caller's to do now; `charge` says afterwards how long it took.
  package mutating func next() -> Job? {
    defer { invariant() }
    return leader.flatMap { taken(by: $0) }
  }

  /// Takes the first job of the session whose turn it is.
  private mutating func taken(by next: FairOrder<UInt64, UInt64>.Next) -> Job? {
    chosen(next)
    let share = SessionShare(subject: next.subject, session: next.session)
    let job = subjects[share.subject]?.first(of: share.session)?.job
    _ = subjects[share.subject]?.change(of: share.session) { $0.removeFirst() }
    left(share, 1)
    return job
  }

  /// The same among the jobs that are welcome at this moment; others keep their places, and so does what their
  /// sessions have behind them.
  package mutating func next(where isWelcome: (Job) -> Bool) -> Job? {
    // Most often the first one is welcome, and the others need no order.
    if let next = leader, let job = subjects[next.subject]?.first(of: next.session)?.job, isWelcome(job) {
      defer { invariant() }
      return taken(by: next)
    }
    var found: Job?
    take { job in
      if found != nil { return .stop }
      guard isWelcome(job) else { return .pass }
      found = job
      return .take
    }
    return found
  }

  /// Whether `next` would return one of these.
  package func hasNext(where isWelcome: (Job) -> Bool) -> Bool {
    subjects.values.contains { $0.waitingSessions.contains { $0.queue.first?.job.map(isWelcome) ?? false } }
  }

  /// Whose job is next: the first of the `FairOrder` of all subjects, without making the whole order.
  private var leader: FairOrder<UInt64, UInt64>.Next? {
    var best: (rank: UInt64, id: UInt64, next: FairOrder<UInt64, UInt64>.Next)?
    var longest: (since: UInt64, next: FairOrder<UInt64, UInt64>.Next, id: UInt64)?
    for (key, subject) in subjects where subject.waiting > 0 {
      let (rank, since) = (subject.account.rank, subject.account.waitsSince)
      let isBehind = best.map { $0.rank < rank } ?? false
      if isBehind, since > longest?.since ?? .max { continue }
      guard let (session, isByAge, id) = subject.leader else { continue }
      if (since, id) < (longest?.since ?? .max, longest?.id ?? .max) {
        longest = (since, .init(subject: key, session: session, isByAge: (true, isByAge)), id)
      }
      if isBehind { continue }
      if let best, (best.rank, best.id) < (rank, id) { continue }
      best = (rank, id, .init(subject: key, session: session, isByAge: (false, isByAge)))
    }
    if let longest, level.isDue(since: longest.since, of: waitingSubjects) { return longest.next }
    return best?.next
  }

  /// Raises the levels of time to what the chosen session and its subject have used.
  private mutating func chosen(_ next: FairOrder<UInt64, UInt64>.Next) {
    guard let place = subjects.index(forKey: next.subject) else { return }
    if !next.isByAge.subject { level.chosen(subjects.values[place].account) }
    let job = subjects.values[place].first(of: next.session)?.id ?? 0
    level.turnTaken(by: &subjects.values[place].account, job: job, isByAge: next.isByAge.subject)
    subjects.values[place].chosen(next.session, isByAge: next.isByAge.session)
  }

  /// Goes through the jobs in the order in which they are next, for as long as `decide` says.
  ///
  /// Within one call each job counts as what its session's jobs took so far.
  mutating func take(_ decide: (Job) -> Verdict) {
    defer { invariant() }
    var parties = parties()
    if let longest = parties.indices.min(by: { parties[$0].age < parties[$1].age }),
      level.isDue(since: parties[longest].waitsSince, of: parties.count)
    {
      parties[longest].isNextByAge()
    }
    var order = FairOrder(parties)
    var last: (subject: Dictionary<UInt64, FairSubject<Job>>.Index, session: FairSubject<Job>.Place)?
    var hasChosen = false
    scan: while let next = order.first {
      // The subject is changed where it lies, and not copied.
      switch subjects.values[next.subject].offer(next, isFirst: !hasChosen, &level, decide) {
      case .stopped: break scan
      case .passed: order.passed()
      case .taken(let nextID):
        count -= 1
        if crowd.isKept { crowd.left(share(at: next.subject, next.session)) }
        if nextID == nil { emptied(next.subject) }
        last = (next.subject, next.session)
        order.taken(nextID: nextID)
      }
      hasChosen = hasChosen || !next.isByAge.subject && !next.isByAge.session
    }
    if count == 0 { earliestDeadline = .distantFuture }
    if let last { forget(sparing: share(at: last.subject, last.session)) }
  }

  private func share(
    at subject: Dictionary<UInt64, FairSubject<Job>>.Index, _ session: FairSubject<Job>.Place
  ) -> SessionShare {
    SessionShare(subject: subjects.keys[subject], session: subjects.values[subject].session(at: session))
  }

  /// The subjects with jobs, by their places, which stay true while nobody comes or is forgotten.
  private mutating func parties() -> [Order.Party] {
    var parties: [Order.Party] = []
    parties.reserveCapacity(waitingSubjects)
    var place = subjects.startIndex
    while place != subjects.endIndex {
      // Asked where it lies: a copy would count references.
      if let party = subjects.values[place].party(place) { parties.append(party) }
      subjects.formIndex(after: &place)
    }
    return parties
  }

  /// One of the subject's sessions has no more jobs.
  private mutating func emptied(_ place: Dictionary<UInt64, FairSubject<Job>>.Index) {
    if subjects.values[place].waiting == 0 { waitingSubjects -= 1 }
    remembered += 1
  }

  /// Charges the session for its job that was taken. Called when the job's turn is over.
  package mutating func charge(_ nanoseconds: UInt64, to share: SessionShare) { charge([(share, nanoseconds)]) }

  /// The same for the jobs of one turn, each with what it took.
  mutating func charge(_ costs: [(share: SessionShare, nanoseconds: UInt64)]) {
    var index = 0
    while index < costs.count {
      let subject = costs[index].share.subject
      var (total, jobs) = (UInt64(0), 0)
      var place = subjects.index(forKey: subject)
      while index < costs.count, costs[index].share.subject == subject {
        charge(costs[index], at: &place)
        total &+= costs[index].nanoseconds
        jobs += 1
        index += 1
      }
      guard let place else { continue }
      let sharers = waitingSubjects + (subjects.values[place].waiting > 0 ? 0 : 1)
      level.charge(total, jobs: jobs, to: &subjects.values[place].account, sharers: sharers)
    }
  }

  /// `place`: of the subject, which may be another one afterwards; nil if nothing is known of it.
  private mutating func charge(
    _ cost: (share: SessionShare, nanoseconds: UInt64), at place: inout Dictionary<UInt64, FairSubject<Job>>.Index?
  ) {
    if let place, subjects.values[place].charge(cost.nanoseconds, to: cost.share.session) { return }
    remember(cost.share)
    place = subjects.index(forKey: cost.share.subject)
    if let place { _ = subjects.values[place].charge(cost.nanoseconds, to: cost.share.session) }
  }

  /// `jobs` jobs of the session have left the queue.
  private mutating func left(_ share: SessionShare, _ jobs: Int) {
    count -= jobs
    crowd.left(share, jobs)
    if count == 0 { earliestDeadline = .distantFuture }
    guard let subject = subjects[share.subject], subject.count(of: share.session) == 0 else { return }
    if subject.waiting == 0 { waitingSubjects -= 1 }
    remembered += 1
    forget(sparing: share)
  }

  /// A session that was forgotten while its job ran is known again.
  private mutating func remember(_ share: SessionShare) {
    guard subjects[share.subject]?.knows(share.session) != true else { return }
    let account = level.opened()
    subjects[share.subject, default: FairSubject(account: account)].remember(share.session)
    remembered += 1
    forget(sparing: share)
  }

  /// If too many are remembered: lets go of sessions without jobs, and first of those for which it makes no
  /// difference. Not of the one whose job has just been taken or charged, because its costs count.
  private mutating func forget(sparing share: SessionShare) {
    guard remembered > EngineLimits.idleSessionsMax + count else { return }
    forget(sparing: share) { level, session in level.isSettled(session.account) }
    if remembered > EngineLimits.idleSessionsMax / 2 + count { forget(sparing: share) { _, _ in true } }
  }

  private mutating func forget(sparing share: SessionShare, where isForgotten: (TimeLevel, FairSession<Job>) -> Bool) {
    for key in Array(subjects.keys) {
      let spared = key == share.subject ? share.session : nil
      remembered -= subjects[key]?.forget(sparing: spared, where: isForgotten) ?? 0
      if subjects[key]?.isEmpty == true { subjects[key] = nil }
    }
  }

  // MARK: - Invariants

  private func invariant() {
    assert(count + remembered > EngineLimits.countedMax || contradiction == nil, contradiction ?? "")
  }

  /// A sentence for the first thing that must be true and is not; nil if all is well.
  var contradiction: String? {
    let sessions = subjects.values.flatMap { Array($0.queues) }
    if sessions.reduce(0, { $0 + $1.count }) != count { return "jobs are miscounted" }
    if sessions.filter({ $0.count == 0 }).count != remembered { return "who is remembered is miscounted" }
    if let contradiction = subjects.values.lazy.compactMap(\.contradiction).first { return contradiction }
    if subjects.values.filter({ $0.waiting > 0 }).count != waitingSubjects { return "subjects are miscounted" }
    if remembered > EngineLimits.idleSessionsMax + count { return "too many are remembered" }
    if sessions.contains(where: { !$0.isInOrder }) { return "a session's jobs are out of order" }
    var counts = WaitingCounts()
    addCounts(to: &counts)
    if crowd.isKept, crowd.all != counts.all { return "a full queue is miscounted" }
    return nil
  }
}
