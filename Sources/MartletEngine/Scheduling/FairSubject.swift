/// The sessions of one subject, and what it has had.
///
/// A turn goes through the sessions with jobs only, and finds each where it lies.
///
/// Always true: each session has one place, until one is forgotten; those with jobs are listed once, and no others.
struct FairSubject<Job> {
  /// Where a session lies, until one is forgotten.
  typealias Place = Int

  private struct Entry {
    let session: UInt64
    var queue: FairSession<Job>
    /// Where it is in the list of those with jobs; nil if it has none.
    var listed: Int?
  }

  var account: TimeAccount
  private(set) var level = TimeLevel()
  private var entries: [Entry] = []
  private var places: [UInt64: Place] = [:]
  /// Sessions with jobs, in no order.
  private var waitingPlaces: [Place] = []

  init(account: TimeAccount) { self.account = account }

  /// How many sessions have jobs.
  var waiting: Int { waitingPlaces.count }

  var isEmpty: Bool { entries.isEmpty }

  /// What is known of all sessions.
  var queues: some Sequence<FairSession<Job>> { entries.lazy.map(\.queue) }

  /// The sessions with jobs.
  var waitingSessions: some Sequence<(session: UInt64, queue: FairSession<Job>)> {
    waitingPlaces.lazy.map { (entries[$0].session, entries[$0].queue) }
  }

  func knows(_ session: UInt64) -> Bool { places[session] != nil }

  /// How many jobs of the session wait.
  func count(of session: UInt64) -> Int { places[session].map { entries[$0].queue.count } ?? 0 }

  func session(at place: Place) -> UInt64 { entries[place].session }

  // MARK: Arrivals and departures

  struct Arrival {
    var isFirstOfSubject = false
    var wasRemembered = false
  }

  /// `above`: the level of all subjects. `isBack`: the job was taken and has not run.
  mutating func insert(
    _ slot: consuming FairSlot<Job>, of session: UInt64, _ above: inout TimeLevel, isBack: Bool
  ) -> Arrival {
    var arrival = Arrival()
    let job = slot.id
    let known = places[session]
    let place = known ?? remember(session)
    if entries[place].listed == nil {
      arrival.wasRemembered = known != nil
      level.resumed(&entries[place].queue.account)
      if waitingPlaces.isEmpty {
        above.resumed(&account)
        arrival.isFirstOfSubject = true
      }
      entries[place].listed = waitingPlaces.count
      waitingPlaces.append(place)
    }
    entries[place].queue.insert(slot)
    if isBack {
      above.returned(job, of: &account)
      level.returned(job, of: &entries[place].queue.account)
    }
    return arrival
  }

  /// Makes an account for a session of which nothing is known.
  @discardableResult mutating func remember(_ session: UInt64) -> Place {
    entries.append(Entry(session: session, queue: FairSession(account: level.opened())))
    places[session] = entries.count - 1
    return entries.count - 1
  }

  /// Takes jobs out of the session's queue. Nil if nothing is known of it.
  mutating func change<Result>(
    of session: UInt64, _ body: (inout FairSession<Job>) -> Result
  ) -> Result? {
    guard let place = places[session] else { return nil }
    let result = body(&entries[place].queue)
    if entries[place].queue.count == 0 { unlist(place) }
    return result
  }

  private mutating func unlist(_ place: Place) {
    guard let index = entries[place].listed else { return }
    entries[place].listed = nil
    let last = waitingPlaces.removeLast()
    if last == place { return }
    waitingPlaces[index] = last
    entries[last].listed = index
  }

  /// Returns false if nothing is known of the session.
  mutating func charge(_ nanoseconds: UInt64, to session: UInt64) -> Bool {
    guard let place = places[session] else { return false }
    let sharers = waiting + (entries[place].listed == nil ? 1 : 0)
    level.charge(nanoseconds, to: &entries[place].queue.account, sharers: sharers)
    return true
  }

  /// Returns how many sessions without jobs it has let go of.
  mutating func forget(
    sparing spared: UInt64?, where isForgotten: (TimeLevel, FairSession<Job>) -> Bool
  ) -> Int {
    let before = entries.count
    let level = level
    // New ones, so that many that were here once keep no memory.
    let kept = entries.filter { $0.listed != nil || $0.session == spared || !isForgotten(level, $0.queue) }
    if kept.count == before { return 0 }
    entries = kept
    waitingPlaces = waitingPlaces.map { $0 }
    places = [:]
    for place in entries.indices {
      places[entries[place].session] = place
      if let index = entries[place].listed { waitingPlaces[index] = place }
    }
    return before - entries.count
  }

  // MARK: Turns

  /// The session of its own whose job is next, whether it is so by its age, and the number of the oldest job at a
  /// front, which decides between subjects that would have had the same. Nil if it has no jobs.
  var leader: (session: UInt64, isByAge: Bool, oldest: UInt64)? {
    var best: (rank: UInt64, id: UInt64, session: UInt64)?
    var longest: (since: UInt64, id: UInt64, session: UInt64)?
    var oldest = UInt64.max
    for place in waitingPlaces {
      guard let id = entries[place].queue.firstID else { continue }
      oldest = min(oldest, id)
      let (account, session) = (entries[place].queue.account, entries[place].session)
      if (account.waitsSince, id) < (longest?.since ?? .max, longest?.id ?? .max) {
        longest = (account.waitsSince, id, session)
      }
      if let best, (best.rank, best.id) <= (account.rank, id) { continue }
      best = (account.rank, id, session)
    }
    if let longest, level.isDue(since: longest.since, of: waiting) { return (longest.session, true, oldest) }
    return best.map { ($0.session, false, oldest) }
  }

  /// The session's first job, which stays; nil if it has none.
  func first(of session: UInt64) -> FairSlot<Job>? { places[session].flatMap { entries[$0].queue.first } }

  /// The session is next in a turn of its own.
  mutating func chosen(_ session: UInt64, isByAge: Bool) {
    guard let place = places[session] else { return }
    if !isByAge { level.chosen(entries[place].queue.account) }
    turnTaken(at: place, isByAge: isByAge)
  }

  /// The subject's sessions with jobs, for the order of a turn; nil if it has none. Mutating, so that the caller need
  /// not copy the subject.
  mutating func party<Key>(_ key: Key) -> FairOrder<Key, Place>.Party? {
    guard waiting > 0 else { return nil }
    var members: [FairOrder<Key, Place>.Runner<Place>] = []
    members.reserveCapacity(waiting)
    for place in waitingPlaces {
      guard let id = entries[place].queue.firstID else { continue }
      members.append(.init(place, entries[place].queue.account, id))
    }
    if let longest = members.indices.min(by: { members[$0].age < members[$1].age }),
      level.isDue(since: members[longest].waitsSince, of: waiting)
    {
      members[longest].isByAge = true
    }
    return FairOrder.Party(key, account, members)
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
    if isFirst, !next.isByAge.session { level.chosen(entries[place].queue.account) }
    guard let verdict = entries[place].queue.judged(by: decide) else { return .stopped }
    switch verdict {
    case .stop: return .stopped
    case .pass: return .passed
    case .take:
      let job = entries[place].queue.firstID ?? 0
      above.turnTaken(by: &account, job: job, isByAge: next.isByAge.subject)
      turnTaken(at: place, isByAge: next.isByAge.session)
      let nextID = entries[place].queue.removeFirst()
      if nextID == nil { unlist(place) }
      return .taken(nextID: nextID)
    }
  }

  /// Of its first job.
  private mutating func turnTaken(at place: Place, isByAge: Bool) {
    let job = entries[place].queue.firstID ?? 0
    level.turnTaken(by: &entries[place].queue.account, job: job, isByAge: isByAge)
  }

  // MARK: Invariants

  /// A sentence for the first thing that must be true and is not; nil if all is well.
  var contradiction: String? {
    if places.count != entries.count || entries.indices.contains(where: { places[entries[$0].session] != $0 }) {
      return "a session is not at its place"
    }
    if waitingPlaces.indices.contains(where: { entries[waitingPlaces[$0]].listed != $0 }) {
      return "a session is not where it is listed"
    }
    if entries.contains(where: { ($0.listed == nil) != ($0.queue.count == 0) }) {
      return "who waits is not who is listed"
    }
    if entries.lazy.filter({ $0.listed != nil }).count != waiting { return "who waits is miscounted" }
    return nil
  }
}
