import MartletValues

/// Whose turn at the one writer it is: ordinary writes, interactive transactions, or writes that run long.
///
///     arrived ─▶ ordinary ──(ran past its slice while others waited, and was undone)──▶ long ─▶ …
///          └───▶ begins                                                          arrived ──┘ (known to be long)
///
/// Ordinary writes go in groups, in the order of arrival. A long write runs alone, for a turn at a time. While others
/// wait, what the long ones have taken is followed by so much time for the others that long writes have their share and
/// no more; what an interactive transaction has kept ordinary writes waiting is followed by as much time for those.
///
/// Always true: each lane has its turn, however full the others are; after a transaction the ordinary writes that wait
/// come first; all lanes together hold at most `capacity` jobs.
struct WriteLanes<Job> {
  typealias Company = WriteQueue<Job>.Company

  /// What is known of a job when it arrives.
  struct Arrival {
    var company: Company
    var deadline: MonotonicTime
    var bytes = 0
    var setup = DatabaseSetup.empty.id
    var session: UInt64 = 0
    var standing = WriteJudgement.Standing.unknown
  }

  enum Turn {
    /// Nothing may run before that moment, unless something arrives.
    case idle(until: MonotonicTime)
    case group([Job])
    case exclusive(Job)
    /// Alone; it has `grantMs` before it gives way to others than long writes, and `entry.askMs` before it does to
    /// those.
    case long(LongLane<Job>.Entry, grantMs: Int)
  }

  private struct Waiting {
    let job: Job
    let id: UInt64
    let session: UInt64
    let deadline: MonotonicTime
    let isKnownLight: Bool
  }

  private let limits: Limits
  private var shared: WriteQueue<Waiting>
  private var begins: WriteQueue<Waiting>
  private var long = LongLane<Job>()
  private var strikes = WriteStrikes()
  private var nextID: UInt64 = 1
  private var longFreeAt = MonotonicTime(nanoseconds: 0)
  private var exclusiveFreeAt = MonotonicTime(nanoseconds: 0)
  /// From here on nobody seems to write ordinarily, unless something arrives.
  private var quietAt = MonotonicTime(nanoseconds: 0)
  private var wasExclusive = false

  init(limits: Limits) {
    self.limits = limits
    shared = WriteQueue(capacity: .max)
    begins = WriteQueue(capacity: .max)
  }

  var count: Int { shared.count + begins.count + long.count }
  var isEmpty: Bool { count == 0 }
  var sharedCount: Int { shared.count }
  /// Ordinary writes and begins.
  var ordinaryCount: Int { shared.count + begins.count }
  var longCount: Int { long.count }
  func longCount(without session: UInt64) -> Int { long.count(without: session) }

  var earliestDeadline: MonotonicTime { min(shared.earliestDeadline, begins.earliestDeadline, long.earliestDeadline) }

  // MARK: Arrivals and departures

  /// The number by which the job can be withdrawn; nil where as many wait as may.
  mutating func jobArrived(_ job: Job, _ arrival: Arrival) -> UInt64? {
    guard count < limits.writeQueueMax else { return nil }
    let id = nextID
    nextID += 1
    if arrival.company != .exclusive, arrival.standing == .long {
      long.arrived(entry(job, id, arrival.session, arrival.deadline))
      return id
    }
    let waiting = Waiting(
      job: job, id: id, session: arrival.session, deadline: arrival.deadline,
      isKnownLight: arrival.standing == .light)
    if arrival.company == .exclusive {
      return begins.jobArrived(
        waiting, company: .exclusive, deadline: arrival.deadline, bytes: 0, setup: arrival.setup, id: id)
    }
    let company: WriteQueue<Waiting>.Company = arrival.company == .alone ? .alone : .shared
    return shared.jobArrived(
      waiting, company: company, deadline: arrival.deadline, bytes: arrival.bytes, setup: arrival.setup, id: id)
  }

  private func entry(
    _ job: Job, _ id: UInt64, _ session: UInt64, _ deadline: MonotonicTime
  ) -> LongLane<Job>.Entry {
    .init(id: id, job: job, session: session, deadline: deadline, askMs: limits.longWriteTurnMs)
  }

  /// The job, if it was still waiting.
  mutating func withdrawn(_ id: UInt64) -> Job? {
    shared.withdrawn(id)?.job ?? begins.withdrawn(id)?.job ?? long.withdrawn(id)
  }

  /// The jobs whose deadline has passed while they waited; they are gone.
  mutating func ticked(_ now: MonotonicTime) -> [Job] {
    guard earliestDeadline <= now else { return [] }
    return shared.ticked(now).map(\.job) + begins.ticked(now).map(\.job) + long.ticked(now)
  }

  /// Everything that waits; the lanes are empty afterwards.
  mutating func closed() -> [Job] { shared.closed().map(\.job) + begins.closed().map(\.job) + long.closed() }

  // MARK: Turns

  mutating func nextTurn(_ now: MonotonicTime) -> Turn {
    if now >= longFreeAt, let entry = long.next() { return .long(entry, grantMs: grantMs(of: entry, now)) }
    while true {
      if isTurnOfBegins(now), case .exclusive(let waiting) = begins.nextTurn(membersMax: 1, bytesMax: .max) {
        return .exclusive(waiting.job)
      }
      let turn = shared.nextTurn(membersMax: limits.groupMembersMax, bytesMax: limits.groupBytesMax)
      guard case .group(let waiting) = turn else { break }
      let jobs = withoutSuspects(waiting, now)
      if !jobs.isEmpty { return .group(jobs) }
    }
    // Nobody is there whom a long write could keep waiting, and should somebody come, it gives way at once.
    if now >= quietAt, let entry = long.next() { return .long(entry, grantMs: 0) }
    var due = MonotonicTime.distantFuture
    if !long.isEmpty { due = min(due, longFreeAt, quietAt) }
    if !begins.isEmpty { due = min(due, exclusiveFreeAt, quietAt) }
    return .idle(until: due)
  }

  /// What the long ones have not used of their share can be used at once, so that a rare one has all the time it needs.
  private func grantMs(of entry: LongLane<Job>.Entry, _ now: MonotonicTime) -> Int {
    let share = min(max(limits.longWriteSharePercent, 1), 99)
    let unused = min(now.milliseconds(since: longFreeAt), 1_000_000) * share / (100 - share)
    return max(min(unused, limits.longWriteTurnMaxMs), min(entry.askMs, 16 * limits.longWriteTurnMs))
  }

  private func isTurnOfBegins(_ now: MonotonicTime) -> Bool {
    guard let begin = begins.frontID else { return false }
    guard let write = shared.frontID else { return now >= exclusiveFreeAt || now >= quietAt }
    return !wasExclusive && now >= exclusiveFreeAt && begin < write
  }

  /// Writes that nobody knows to be short, of sessions whose writes were not, go to the long ones.
  private mutating func withoutSuspects(_ waiting: [Waiting], _ now: MonotonicTime) -> [Job] {
    if strikes.isEmpty { return waiting.map(\.job) }
    var jobs: [Job] = []
    for one in waiting {
      if !one.isKnownLight, strikes.isStruck(one.session, now) {
        long.arrived(entry(one.job, one.id, one.session, one.deadline))
      } else {
        jobs.append(one.job)
      }
    }
    return jobs
  }

  // MARK: What came of a turn

  mutating func groupEnded(_ now: MonotonicTime) {
    wasExclusive = false
    quietAt = now.advanced(milliseconds: limits.writeSliceMs)
  }

  /// `contended`: for so many nanoseconds of it ordinary writes waited.
  mutating func exclusiveEnded(_ now: MonotonicTime, contended: UInt64) {
    wasExclusive = true
    exclusiveFreeAt = MonotonicTime(nanoseconds: now.nanoseconds &+ contended)
  }

  /// `contended`: for so many nanoseconds of it others waited than long writes.
  mutating func longEnded(_ now: MonotonicTime, contended: UInt64) {
    guard contended > 0 else { return }
    let share = UInt64(min(max(limits.longWriteSharePercent, 1), 100))
    let (debt, overflow) = contended.multipliedReportingOverflow(by: (100 - share) / share)
    let base = max(now, longFreeAt).nanoseconds
    longFreeAt = overflow ? .distantFuture : MonotonicTime(nanoseconds: base &+ debt)
  }

  /// An ordinary write ran past its slice and was undone; gives the number by which it can be withdrawn now.
  mutating func writeUndone(_ job: Job, session: UInt64, deadline: MonotonicTime, now: MonotonicTime) -> UInt64 {
    strikes.strike(session, now, sliceMs: limits.writeSliceMs)
    let id = nextID
    nextID += 1
    long.arrived(entry(job, id, session, deadline))
    return id
  }

  /// A long write was undone at the end of its turn; the next one is longer, unless this one was only by the way.
  mutating func longUndone(_ entry: LongLane<Job>.Entry, grantMs: Int) {
    var entry = entry
    if grantMs > 0 { entry.askMs = min(entry.askMs * 4, 2 * limits.longWriteTurnMaxMs) }
    long.returned(entry)
  }
}
