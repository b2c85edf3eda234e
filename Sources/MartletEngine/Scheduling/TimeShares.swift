import MartletValues

/// Which reads run now when more are in progress than may run at once: the rules, without threads or a clock.
///
/// A read starts out light. One that has run for longer than a light read's slice is heavy from then on, and is parked
/// while light ones wait; heavy ones take turns. Light reads of shapes that were brief lately come before other light
/// ones, of which one comes after each `knownLeasesMax` of them. Time is counted for each database, within it for each
/// subject, and within that for each session; the one that has had the least is next. So many reads of one session have
/// one session's share, and many sessions of one subject have one subject's.
///
/// Always true: no more reads run than there are slots, but for those that were stopped and only have to unwind, and
/// for those that do not answer; a slot is empty only while no read that may run waits; no more heavy reads have been
/// started than there are seats for them, because a parked read holds a thread.
struct TimeShares {
  typealias Share = ShareAccounts.Share

  /// How time is shared out.
  struct Rules {
    /// Reads that run at once.
    var slots: Int
    /// Heavy reads that have been started and hold a thread, running or parked.
    var heavyMax: Int
    /// A read that has run for longer is heavy.
    var lightSliceNs = EngineLimits.lightSliceNs
    /// After this time heavy reads change places.
    var heavySliceNs = EngineLimits.heavySliceNs
    /// While light reads never cease, heavy ones get a turn of `heavyTurnNs` after this much of the light ones' time.
    var lightRunNs = EngineLimits.lightRunNs
    var heavyTurnNs = EngineLimits.heavyTurnNs
    /// After this time a heavy read may be put back to the start for one that waits for a seat. The time doubles with
    /// each restart, so that less time is lost than used.
    var seatTimeNs = EngineLimits.seatTimeNs
    var seatDoublings = EngineLimits.seatDoublingsMax
  }

  enum Action: Equatable {
    /// Give the read a thread.
    case start(UInt64)
    /// Wake the read's thread, which is parked.
    case resume(UInt64)
  }

  enum Verdict: Equatable {
    case goOn
    /// Wait on the read's thread until it is resumed.
    case park
    /// End the statement and begin it again later, as a heavy one.
    case putBack
    /// End the statement for good: no seat is free for a heavy read, and the statement cannot begin again.
    case giveUp
  }

  /// Which reads wait for a slot.
  enum Pressure: UInt8 {
    case none
    case heavy
    case light
  }

  /// The time that a read has used so far, and what follows from it; the read takes this along to its next turn.
  struct Pace: Equatable, Sendable {
    var isHeavy = false
    /// The last reads of its shape were brief.
    var isKnown = false
    var used: UInt64 = 0
    var timesPutBack = 0
  }

  private enum State: Equatable {
    case queued
    case running
    case parked
  }

  private struct Job {
    let share: Share
    var pace: Pace
    var state = State.queued
    var hasSeat = false
    /// The read only has to end: it runs beside the slots if it holds a thread, and goes first if it does not.
    var isStopping = false
    var takesSlot = false
    /// The statement did not ask for long whether to go on while others waited, so its slot was given away.
    var isAstray = false
    var grantedAt: UInt64 = 0
    /// Light reads do not take the read's slot before this moment.
    var keepsUntil: UInt64 = 0
    var seatUsed: UInt64 = 0
  }

  private let rules: Rules
  private var jobs: [UInt64: Job] = [:]
  /// The reads that are queued or parked.
  private var waiting: [UInt64] = []
  private var accounts = ShareAccounts()
  private var last: UInt64 = 0
  private(set) var slotsTaken = 0
  /// Seats that heavy reads have taken.
  private(set) var seatsTaken = 0
  /// Slot time of light reads since a heavy one last got a turn.
  private var lightTime: UInt64 = 0
  /// How many known reads were given a slot while other light ones waited, since one of those was.
  private var knownGranted = 0

  init(rules: Rules) { self.rules = rules }

  var count: Int { jobs.count }

  var pressure: Pressure {
    if waiting.isEmpty { return .none }
    return waiting.contains { id in jobs[id].map { isLight($0) } ?? false } ? .light : .heavy
  }

  /// Whether the read runs in one of the slots.
  func takesSlot(_ id: UInt64) -> Bool { jobs[id]?.takesSlot ?? false }

  func isStopping(_ id: UInt64) -> Bool { jobs[id]?.isStopping ?? false }

  // MARK: - Events

  /// A read, or the next part of one, wants to run.
  mutating func arrived(_ share: Share, pace: Pace, now: UInt64, _ actions: inout [Action]) -> UInt64 {
    defer { invariant() }
    last += 1
    accounts.enter(share)
    let job = Job(share: share, pace: pace)
    if waiting.isEmpty, slotsTaken < rules.slots, isLight(job) || seatsTaken < rules.heavyMax {
      grant(job, last, now: now, &actions)
    } else {
      jobs[last] = job
      waiting.append(last)
      fill(now: now, &actions)
    }
    return last
  }

  /// A running read has reached the end of its slice, or of a moment in which somebody lighter waits.
  /// `isUndoable`: nothing of it has been delivered. `isLeaseWanted`: others wait for what it holds.
  mutating func sliceEnded(
    _ id: UInt64, isUndoable: Bool, isLeaseWanted: Bool = false, now: UInt64, _ actions: inout [Action]
  ) -> Verdict {
    defer { invariant() }
    guard var job = jobs[id], job.state == .running, !job.isStopping else { return .goOn }
    if job.isAstray { return cameBack(id, now: now, &actions) }
    charge(&job, now: now)
    if !job.pace.isHeavy, job.pace.used >= rules.lightSliceNs { job.pace.isHeavy = true }
    jobs[id] = job
    guard job.pace.isHeavy else { return .goOn }
    if !job.hasSeat {
      guard seatsTaken < rules.heavyMax else { return isUndoable ? putBack(id) : .giveUp }
      seatsTaken += 1
      jobs[id]?.hasSeat = true
    }
    if isUndoable, job.seatUsed >= seatTime(job), isLeaseWanted || isSeatWanted(byOthersThan: job.share) {
      return putBack(id)
    }
    guard let next, isBefore(next, job, now: now) else { return .goOn }
    jobs[id]?.state = .parked
    jobs[id]?.takesSlot = false
    slotsTaken -= 1
    fill(now: now, &actions)
    waiting.append(id)
    return .park
  }

  /// A running read has not answered for long, although others wait: they do not wait for it any more. False if nobody
  /// waits, or no seat is free for it.
  @discardableResult
  mutating func wentAstray(_ id: UInt64, now: UInt64, _ actions: inout [Action]) -> Bool {
    defer { invariant() }
    guard var job = jobs[id], job.takesSlot, pressure != .none else { return false }
    guard job.hasSeat || seatsTaken < rules.heavyMax else { return false }
    job.pace.isHeavy = true
    charge(&job, now: now)
    if !job.hasSeat { seatsTaken += 1 }
    job.hasSeat = true
    job.isAstray = true
    job.takesSlot = false
    jobs[id] = job
    slotsTaken -= 1
    fill(now: now, &actions)
    return true
  }

  /// A read whose slot was given away asks again whether to go on; it waits for a slot as others do.
  private mutating func cameBack(_ id: UInt64, now: UInt64, _ actions: inout [Action]) -> Verdict {
    guard var job = jobs[id] else { return .goOn }
    charge(&job, now: now)
    job.isAstray = false
    jobs[id] = job
    jobs[id]?.state = .parked
    waiting.append(id)
    fill(now: now, &actions)
    guard actions.last == .resume(id) else { return .park }
    actions.removeLast()
    return .goOn
  }

  /// The statement of a read must end: the read is told so wherever it waits.
  mutating func stopped(_ id: UInt64, now: UInt64, _ actions: inout [Action]) {
    defer { invariant() }
    guard let job = jobs[id], !job.isStopping else { return }
    jobs[id]?.isStopping = true
    switch job.state {
    case .running: break
    case .parked:
      waiting.removeAll { $0 == id }
      jobs[id]?.state = .running
      jobs[id]?.grantedAt = now
      actions.append(.resume(id))
    case .queued: fill(now: now, &actions)
    }
  }

  /// A read has left its thread: it has ended, or waits for something other than a slot.
  mutating func left(_ id: UInt64, now: UInt64, _ actions: inout [Action]) {
    defer { invariant() }
    guard var job = jobs[id] else { return }
    if job.state == .running { charge(&job, now: now) } else { waiting.removeAll { $0 == id } }
    if job.takesSlot { slotsTaken -= 1 }
    if job.hasSeat { seatsTaken -= 1 }
    jobs[id] = nil
    accounts.leave(job.share)
    fill(now: now, &actions)
  }

  // MARK: - Who is next

  private func isLight(_ job: Job) -> Bool { job.isStopping || !job.pace.isHeavy }

  private mutating func putBack(_ id: UInt64) -> Verdict {
    jobs[id]?.pace.isHeavy = true
    jobs[id]?.pace.timesPutBack += 1
    return .putBack
  }

  private func seatTime(_ job: Job) -> UInt64 {
    rules.seatTimeNs << UInt64(min(job.pace.timesPutBack, rules.seatDoublings))
  }

  /// A heavy read of somebody else waits for a seat, and none is left.
  private func isSeatWanted(byOthersThan share: Share) -> Bool {
    guard seatsTaken >= rules.heavyMax else { return false }
    return waiting.contains { id in
      jobs[id].map { $0.state == .queued && !isLight($0) && $0.share != share } ?? false
    }
  }

  private mutating func fill(now: UInt64, _ actions: inout [Action]) {
    while slotsTaken < rules.slots, let id = next {
      waiting.removeAll { $0 == id }
      if let job = jobs[id] { grant(job, id, now: now, &actions) }
    }
  }

  /// Gives the read one of the slots, of which one is free.
  private mutating func grant(_ given: Job, _ id: UInt64, now: UInt64, _ actions: inout [Action]) {
    var job = given
    actions.append(job.state == .parked ? .resume(id) : .start(id))
    job.state = .running
    job.takesSlot = true
    slotsTaken += 1
    job.grantedAt = now
    if isLight(job) {
      // One that only has to end takes nobody's turn.
      if !job.isStopping { knownGranted = job.pace.isKnown && isUnknownWaiting ? knownGranted + 1 : 0 }
    } else {
      if !job.hasSeat { seatsTaken += 1 }
      job.hasSeat = true
      if lightTime >= rules.lightRunNs { job.keepsUntil = now &+ rules.heavyTurnNs }
      lightTime = 0
    }
    jobs[id] = job
  }

  private var isUnknownWaiting: Bool {
    waiting.contains { id in jobs[id].map { isLight($0) && !$0.isStopping && !$0.pace.isKnown } ?? false }
  }

  private var next: UInt64? {
    var light: UInt64?
    var heavy: UInt64?
    for id in waiting {
      guard let job = jobs[id] else { continue }
      if isLight(job) {
        if isLess(job, id, than: light) { light = id }
      } else if job.state == .parked || seatsTaken < rules.heavyMax {
        if isLess(job, id, than: heavy) { heavy = id }
      }
    }
    if let heavy, lightTime >= rules.lightRunNs { return heavy }
    return light ?? heavy
  }

  /// Reads that only have to end come first, then known light ones or, when it is their turn, other light ones, then
  /// the read that has used the least time, then the oldest.
  private func isLess(_ job: Job, _ id: UInt64, than other: UInt64?) -> Bool {
    guard let other, let present = jobs[other] else { return true }
    if job.isStopping != present.isStopping { return job.isStopping }
    if job.pace.isKnown != present.pace.isKnown, isLight(job), isLight(present) {
      return job.pace.isKnown == (knownGranted < EngineLimits.knownLeasesMax)
    }
    let (mine, its) = (rank(job), rank(present))
    return mine == its ? id < other : mine < its
  }

  /// Time used by the read's database, subject and session, and by the read itself: compared in this order.
  private func rank(_ job: Job) -> (UInt64, UInt64, UInt64, UInt64) {
    let used = accounts.used(job.share)
    return (used.database, used.subject, used.session, job.pace.used)
  }

  /// Whether the waiting read takes the slot of the heavy read that runs.
  private func isBefore(_ id: UInt64, _ running: Job, now: UInt64) -> Bool {
    guard let job = jobs[id] else { return false }
    if isLight(job) { return now >= running.keepsUntil }
    return now >= running.keepsUntil && rank(job) <= rank(running)
  }

  // MARK: - Time

  private mutating func charge(_ job: inout Job, now: UInt64) {
    let time = now > job.grantedAt ? now - job.grantedAt : 0
    job.grantedAt = now
    guard job.takesSlot || job.isAstray else { return }
    job.pace.used &+= time
    if job.hasSeat { job.seatUsed &+= time }
    accounts.charge(time, to: job.share)
    if !job.pace.isHeavy, waiting.contains(where: { id in jobs[id].map { !isLight($0) } ?? false }) {
      lightTime &+= time
    }
  }

  // MARK: - Invariants

  /// After each event of a debug build.
  private func invariant() {
    assert(jobs.count > EngineLimits.countedMax || contradiction == nil, contradiction ?? "")
  }

  /// A sentence for the first thing that must be true and is not; nil if all is well.
  var contradiction: String? {
    let running = jobs.values.filter { $0.state == .running }
    if running.filter(\.takesSlot).count != slotsTaken { return "slots are miscounted" }
    if slotsTaken > rules.slots { return "more run than there are slots" }
    if running.contains(where: { !$0.takesSlot && !$0.isStopping && !$0.isAstray }) { return "one runs without a slot" }
    if jobs.values.filter(\.hasSeat).count != seatsTaken { return "seats are miscounted" }
    if seatsTaken > rules.heavyMax { return "more are started than there are seats" }
    if jobs.values.contains(where: { $0.state == .parked && !$0.hasSeat }) { return "one is parked without a seat" }
    if Set(waiting) != Set(jobs.filter { $0.value.state != .running }.keys) { return "who waits is miscounted" }
    if slotsTaken < rules.slots, next != nil { return "a slot is empty while one waits" }
    return accounts.counts(jobs.count) ? nil : "accounts are miscounted"
  }

  // MARK: - For tests

  var parkedCount: Int { waiting.reduce(0) { $0 + (jobs[$1]?.state == .parked ? 1 : 0) } }
}
