import MartletValues

/// Whose job it is: time is shared between subjects, and within a subject between its sessions.
package struct SessionShare: Hashable, Sendable {
  package var subject: UInt64
  package var session: UInt64

  package init(subject: UInt64, session: UInt64) {
    self.subject = subject
    self.session = session
  }
}

/// A place in a session's queue.
struct FairSlot<Job> {
  let id: UInt64
  let deadline: MonotonicTime
  /// The job; nil once it has been taken.
  fileprivate(set) var job: Job?

  init(id: UInt64, deadline: MonotonicTime, job: consuming Job) {
    self.id = id
    self.deadline = deadline
    self.job = job
  }
}

/// The jobs of one session, and what it has had.
///
/// Always true: their numbers grow from the front to the end.
struct FairSession<Job> {
  fileprivate(set) var account: TimeAccount
  private var slots: [FairSlot<Job>] = []
  private var head = 0

  init(account: TimeAccount) { self.account = account }

  var count: Int { slots.count - head }
  var first: FairSlot<Job>? { head < slots.count ? slots[head] : nil }
  /// The number of the first, for those who do not need its job.
  var firstID: UInt64? { head < slots.count ? slots[head].id : nil }
  /// What `decide` says of the first job, which stays; nil if there is none.
  func judged<Verdict>(by decide: (Job) -> Verdict) -> Verdict? {
    guard head < slots.count, let job = slots[head].job else { return nil }
    return decide(job)
  }

  var earliestDeadline: MonotonicTime? { slots[head...].lazy.map(\.deadline).min() }
  var isInOrder: Bool { zip(slots[head...], slots[head...].dropFirst()).allSatisfy { $0.id < $1.id } }

  /// Inserts the slot where its number belongs: at the end, unless it comes back.
  mutating func insert(_ slot: consuming FairSlot<Job>) {
    if head == slots.count {
      slots.removeAll(keepingCapacity: slots.count <= EngineLimits.sessionSlotsKept)
      head = 0
    }
    let index = self.index(of: slot.id)
    if index == slots.count { slots.append(slot) } else { slots.insert(slot, at: index) }
  }

  mutating func remove(_ id: UInt64) -> Job? {
    let index = self.index(of: id)
    guard index < slots.count, slots[index].id == id else { return nil }
    return slots.remove(at: index).job
  }

  mutating func removeLast() -> Job? { count > 0 ? slots.removeLast().job : nil }

  mutating func remove(where isConcerned: (FairSlot<Job>) -> Bool) -> [FairSlot<Job>] {
    let gone = slots[head...].filter(isConcerned)
    guard !gone.isEmpty else { return [] }
    slots = slots[head...].filter { !isConcerned($0) }
    head = 0
    return gone
  }

  /// Returns the number of the next one.
  mutating func removeFirst() -> UInt64? {
    slots[head].job = nil
    head += 1
    if head == slots.count {
      slots.removeAll(keepingCapacity: slots.count <= EngineLimits.sessionSlotsKept)
      head = 0
    } else if head > EngineLimits.sessionSlotsKept, head * 2 > slots.count {
      // Moving what is left costs no more than the jobs that have left.
      slots.removeFirst(head)
      head = 0
    }
    return firstID
  }

  /// The first that is not before it.
  private func index(of id: UInt64) -> Int {
    var low = head
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The sessions of one subject, and what it has had.
struct FairSubject<Job> {
  var account: TimeAccount
  private(set) var level = TimeLevel()
  var sessions: [UInt64: FairSession<Job>] = [:]
  /// Sessions with jobs.
  var waiting = 0

  init(account: TimeAccount) { self.account = account }

  struct Arrival {
    var isFirstOfSubject = false
    var wasRemembered = false
  }

  /// `above`: the level of all subjects. `isBack`: the job was taken and has not run.
  mutating func insert(
    _ slot: consuming FairSlot<Job>, of session: UInt64, _ above: inout TimeLevel, isBack: Bool
  ) -> Arrival {
    let job = slot.id
    defer { if isBack { cameBack(job, of: session, &above) } }
    var arrival = Arrival()
    let known = sessions.count
    let level = level
    let fresh = level.opened()
    let isFirst = Self.insert(slot, level, into: &sessions[session, default: FairSession(account: fresh)])
    guard isFirst else { return arrival }
    arrival.wasRemembered = sessions.count == known
    if waiting == 0 {
      above.resumed(&account)
      arrival.isFirstOfSubject = true
    }
    waiting += 1
    return arrival
  }

  private mutating func cameBack(_ job: UInt64, of session: UInt64, _ above: inout TimeLevel) {
    above.returned(job, of: &account)
    if let place = sessions.index(forKey: session) { level.returned(job, of: &sessions.values[place].account) }
  }

  /// Returns whether the slot is the only one of its session.
  private static func insert(
    _ slot: consuming FairSlot<Job>, _ level: TimeLevel, into session: inout FairSession<Job>
  ) -> Bool {
    let isFirst = session.count == 0
    if isFirst { level.resumed(&session.account) }
    session.insert(slot)
    return isFirst
  }

  mutating func chosen(_ session: UInt64, isByAge: Bool) {
    guard let place = sessions.index(forKey: session) else { return }
    if !isByAge { chosen(at: place) }
    turnTaken(at: place, isByAge: isByAge)
  }

  /// The number of the session's first job.
  func firstID(at place: Place) -> UInt64 { sessions.values[place].firstID ?? 0 }

  /// Returns false if nothing is known of the session.
  mutating func charge(_ nanoseconds: UInt64, to session: UInt64) -> Bool {
    guard let place = sessions.index(forKey: session) else { return false }
    let sharers = waiting + (sessions.values[place].count == 0 ? 1 : 0)
    level.charge(nanoseconds, to: &sessions.values[place].account, sharers: sharers)
    return true
  }

  /// Makes an account for a session that nobody remembers.
  mutating func remember(_ session: UInt64) {
    if sessions[session] == nil { sessions[session] = FairSession(account: level.opened()) }
  }

  /// Returns how many sessions without jobs it has let go of.
  mutating func forget(
    sparing spared: UInt64?, where isForgotten: (TimeLevel, FairSession<Job>) -> Bool
  ) -> Int {
    let before = sessions.count
    let level = level
    sessions = sessions.filter { $0.value.count > 0 || $0.key == spared || !isForgotten(level, $0.value) }
    return before - sessions.count
  }

  /// The session of its own whose job is next, whether it is so by its age, and the number of the oldest job at a
  /// front, which decides between subjects that would have had the same. Nil if it has no jobs.
  var leader: (session: UInt64, isByAge: Bool, oldest: UInt64)? {
    var best: (rank: UInt64, id: UInt64, session: UInt64)?
    var longest: (since: UInt64, id: UInt64, session: UInt64)?
    var oldest = UInt64.max
    for (session, queue) in sessions {
      guard let id = queue.firstID else { continue }
      oldest = min(oldest, id)
      let account = queue.account
      if (account.waitsSince, id) < (longest?.since ?? .max, longest?.id ?? .max) {
        longest = (account.waitsSince, id, session)
      }
      if let best, (best.rank, best.id) <= (account.rank, id) { continue }
      best = (account.rank, id, session)
    }
    if let longest, level.isDue(since: longest.since, of: waiting) { return (longest.session, true, oldest) }
    return best.map { ($0.session, false, oldest) }
  }

  // MARK: A turn

  /// Where a session lies, until one comes or goes.
  typealias Place = Dictionary<UInt64, FairSession<Job>>.Index

  /// The subject's sessions with jobs, for the order of a turn; nil if it has none.
  func party<Key>(_ key: Key) -> FairOrder<Key, Place>.Party? {
    guard waiting > 0 else { return nil }
    var members = sessions.indices.compactMap { place in
      sessions.values[place].firstID.map { id in
        FairOrder<Key, Place>.Member(session: place, account: sessions.values[place].account, id: id)
      }
    }
    if let longest = members.indices.min(by: { members[$0].age < members[$1].age }),
      level.isDue(since: members[longest].account.waitsSince, of: waiting)
    {
      members[longest].isByAge = true
    }
    return FairOrder.Party(subject: key, account: account, members: members)
  }

  /// What became of a session's first job.
  enum Offer {
    case taken(nextID: UInt64?)
    case passed
    case stopped
  }

  /// Lets `decide` look at the first job of the session that is next, and takes it if it says so. `isFirst`: no session
  /// was next by its share before in this turn; one that is has used the least. `above`: the level of all subjects.
  mutating func offer<Key>(
    _ next: FairOrder<Key, Place>.Next, isFirst: Bool, _ above: inout TimeLevel,
    _ decide: (Job) -> FairQueue<Job>.Verdict
  ) -> Offer {
    let place = next.session
    if isFirst, !next.isByAge.subject { above.chosen(account) }
    if isFirst, !next.isByAge.session { chosen(at: place) }
    guard let verdict = sessions.values[place].judged(by: decide) else { return .stopped }
    switch verdict {
    case .stop: return .stopped
    case .pass: return .passed
    case .take:
      above.turnTaken(by: &account, job: firstID(at: place), isByAge: next.isByAge.subject)
      turnTaken(at: place, isByAge: next.isByAge.session)
      return .taken(nextID: removeFirst(at: place))
    }
  }

  mutating func chosen(at place: Place) { level.chosen(sessions.values[place].account) }

  /// Of its first job.
  mutating func turnTaken(at place: Place, isByAge: Bool) {
    level.turnTaken(by: &sessions.values[place].account, job: firstID(at: place), isByAge: isByAge)
  }

  /// Returns the number of the next one; nil if the session has no more.
  mutating func removeFirst(at place: Place) -> UInt64? {
    let nextID = sessions.values[place].removeFirst()
    if nextID == nil { waiting -= 1 }
    return nextID
  }
}
