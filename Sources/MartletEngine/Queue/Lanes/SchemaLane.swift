import MartletValues

/// What changes the schema waits here until it may, and goes to the lane of its kind then.
///
/// Always true: one at a time leaves; those of a session leave in their order; who has kept others waiting for a change
/// comes later.
struct SchemaLane<Job> {
  struct Change {
    let job: Job
    let arrival: WriteArrival
    let id: UInt64
  }

  private var changes = FairQueue<Change>()
  private var last: (share: SessionShare, at: MonotonicTime)?
  /// Since when changes have waited without a break.
  private var waitsSince: MonotonicTime?

  var count: Int { changes.count }
  var isEmpty: Bool { changes.isEmpty }
  var earliestDeadline: MonotonicTime { changes.earliestDeadline }
  func count(of share: SessionShare) -> Int { changes.count(of: share) }
  func addCounts(to counts: inout WaitingCounts) { changes.addCounts(to: &counts) }

  /// At the front of each session that waits is a VACUUM.
  var vacuumsAlone: Bool { !changes.hasNext { !$0.arrival.isVacuum } }

  mutating func arrived(_ job: Job, _ arrival: WriteArrival, _ id: UInt64) {
    changes.arrived(
      Change(job: job, arrival: arrival, id: id), of: arrival.share, deadline: arrival.deadline, id: id)
  }

  mutating func removedLast(of share: SessionShare) -> Job? { changes.removedLast(of: share)?.job }

  mutating func withdrawn(_ id: UInt64, of share: SessionShare) -> Job? { changes.withdrawn(id, of: share)?.job }

  mutating func ticked(_ now: MonotonicTime) -> [Change] { changes.ticked(now) }

  mutating func closed() -> [Job] { changes.closed().map(\.job) }

  /// Called before each turn, so that it is known for how long changes have waited.
  mutating func turnComes(_ now: MonotonicTime) { waitsSince = changes.isEmpty ? nil : waitsSince ?? now }

  /// The change whose turn it is. How long others had to wait for the change before is what that has cost its session.
  /// `takesVacuum`: there is time for one.
  mutating func next(_ now: MonotonicTime, takesVacuum: Bool) -> Change? {
    guard takesVacuum || !vacuumsAlone else { return nil }
    if let last {
      let began = max(last.at.nanoseconds, waitsSince?.nanoseconds ?? 0)
      changes.charge(now.nanoseconds &- min(began, now.nanoseconds), to: last.share)
    }
    guard let change = changes.next(where: { takesVacuum || !$0.arrival.isVacuum }) else { return nil }
    last = (change.arrival.share, now)
    if changes.isEmpty { waitsSince = nil }
    return change
  }
}
