/// Scripts for what the writer's thread does next, with the time passed in.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct WriterScheduleTests {
  private typealias Schedule = WriterSchedule<String>

  private let limits = Limits()
  private let share = SessionShare(subject: 1, session: 1)

  /// Long after the start, so that the long writes' unused share is known to be full.
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private func add(
    _ job: String, _ company: WriteCompany = .shared, deadline: Int? = nil,
    standing: WriteJudgement.Standing = .light, at ms: Int = 0, to schedule: inout Schedule
  ) {
    let arrival = WriteArrival(
      company: company, deadline: deadline.map(at) ?? .distantFuture, bytes: 1, share: share, standing: standing)
    var displaced: String?
    let admission = schedule.jobArrived(job, arrival, displacing: &displaced) { at(ms) }
    guard case .queued = admission, displaced == nil else {
      Issue.record("\(job): \(admission), \(displaced ?? "nobody") displaced")
      return
    }
  }

  /// What comes next, in a word.
  private func next(
    _ schedule: inout Schedule, _ ms: Int, housekeepingAt: MonotonicTime = .distantFuture, hasFault: Bool = false
  ) -> String {
    switch schedule.nextTurn(
      at(ms), housekeepingAt: housekeepingAt, idleMs: limits.idleCacheMs, hasFault: hasFault)
    {
    case .wait(let nanoseconds): nanoseconds.map { "wait \($0 / 1_000_000)" } ?? "wait"
    case .turn(.group(let jobs)): jobs.joined(separator: " ")
    case .turn(.transaction(let job)): "begin \(job)"
    case .turn(.long(let write, let grantMs)): "long \(write.job) for \(grantMs)"
    case .turn(.expired(let jobs)): "expired " + jobs.joined(separator: " ")
    case .turn(.retired(let setups)): "retired \(setups.count)"
    case .turn(.idle): "idle"
    case .turn(.housekeeping): "housekeeping"
    case .turn(.end): "end"
    }
  }

  @Test func `who is late is answered first, then what has gone closes, then whose turn it is`() {
    var schedule = Schedule(limits: limits)
    add("late", deadline: 5, to: &schedule)
    add("a", to: &schedule)
    schedule.setupsRetired([DatabaseSetup.empty.id])
    schedule.setupsRetired([])
    #expect(next(&schedule, 5) == "expired late")
    #expect(next(&schedule, 5) == "retired 1")
    #expect(next(&schedule, 5) == "a")
    #expect(next(&schedule, 5) == "wait")
  }

  @Test func `it waits for the log, and for the first deadline of who cannot run yet`() {
    var schedule = Schedule(limits: limits)
    #expect(next(&schedule, 0, housekeepingAt: at(30)) == "wait 30")
    #expect(next(&schedule, 30, housekeepingAt: at(30)) == "housekeeping")
    #expect(schedule.nanoseconds(until: .distantFuture, now: at(0)) == nil)
    add("a", deadline: 20, to: &schedule)
    #expect(schedule.nanoseconds(until: at(30), now: at(0)) == 20_000_000)
    #expect(schedule.nanoseconds(until: at(30), now: at(25)) == 0)
  }

  @Test func `a fault of the files is looked at once nothing else is to be done, and not when it is fenced`() {
    var schedule = Schedule(limits: limits)
    add("a", to: &schedule)
    #expect(next(&schedule, 0, hasFault: true) == "a")
    #expect(next(&schedule, 0, hasFault: true) == "housekeeping")
    let fence = schedule.fenced(.fenced)
    #expect(fence.isFirst)
    #expect(next(&schedule, 0, hasFault: true) == "wait")
  }

  @Test func `the caches go once, when nobody has written for a while`() {
    var schedule = Schedule(limits: limits)
    #expect(!schedule.isTimed(at(0), idleMs: limits.idleCacheMs))
    add("a", to: &schedule)
    #expect(schedule.isTimed(at(0), idleMs: limits.idleCacheMs))
    #expect(next(&schedule, 0) == "a")
    #expect(next(&schedule, limits.idleCacheMs - 1) == "wait")
    #expect(schedule.isTimed(at(limits.idleCacheMs), idleMs: limits.idleCacheMs))
    #expect(next(&schedule, limits.idleCacheMs) == "idle")
    #expect(next(&schedule, limits.idleCacheMs) == "wait")
  }

  @Test func `what a transaction kept ordinary writes waiting, the next one waits`() {
    var schedule = Schedule(limits: limits)
    add("t", .exclusive, to: &schedule)
    #expect(next(&schedule, 0) == "begin t")
    schedule.transactionOpened()
    #expect(schedule.isTimed(at(limits.idleCacheMs), idleMs: limits.idleCacheMs))
    add("a", at: 10, to: &schedule)
    add("b", at: 15, to: &schedule)
    add("u", .exclusive, at: 15, to: &schedule)
    schedule.transactionClosed()
    schedule.transactionEnded(at(40), cost: (share, 40_000_000))
    #expect(next(&schedule, 40) == "a b")
    schedule.groupEnded(at(41), costs: [], began: at(40))
    #expect(next(&schedule, 41) == "wait \(limits.writeSliceMs)")
    #expect(next(&schedule, 41 + limits.writeSliceMs) == "begin u")
  }

  @Test func `a long write counts as such while it runs`() {
    var schedule = Schedule(limits: limits)
    for job in ["l", "m"] { add(job, standing: .long, to: &schedule) }
    #expect(next(&schedule, 0) == "long l for \(limits.longWriteTurnMs)")
    #expect(schedule.longBegan(at(0), of: share) == 1)
    add("a", at: 5, to: &schedule)
    schedule.longEnded(at(25), cost: (share, 25_000_000))
    #expect(next(&schedule, 25) == "a", "others waited, so it is their turn")
  }

  @Test func `where no more may wait, who has the most there gives way, or who comes is refused`() {
    var limits = limits
    limits.writeQueueMax = 2
    var schedule = Schedule(limits: limits)
    func come(_ job: String, session: UInt64) -> String {
      let arrival = WriteArrival(
        company: .shared, deadline: .distantFuture, share: SessionShare(subject: 1, session: session))
      var displaced: String?
      let admission = schedule.jobArrived(job, arrival, displacing: &displaced) { at(0) }
      let word = if case .refused(let error) = admission { "\(error.reason)" } else { "queued" }
      return displaced.map { "\(word) for \($0)" } ?? word
    }
    #expect(come("a", session: 1) == "queued")
    #expect(come("b", session: 1) == "queued")
    #expect(come("c", session: 2) == "queued for b")
    #expect(come("d", session: 2) == "\(RequestError.writeQueueFull.reason)")
    #expect(schedule.waitingCount == 2)
    #expect(next(&schedule, 0) == "a c")
    schedule.drainAsked()
    #expect(come("e", session: 3) == "\(RequestError.shuttingDown.reason)")
  }

  @Test func `it drains: nobody comes any more, who waits has his turn, and then it ends`() {
    var schedule = Schedule(limits: limits)
    #expect(schedule.refusal == nil)
    add("a", to: &schedule)
    schedule.drainAsked()
    #expect(schedule.refusal == .shuttingDown)
    #expect(next(&schedule, 0) == "a")
    #expect(next(&schedule, 0) == "end")
    schedule.closeAsked()
    #expect(schedule.phase == .draining, "not before it is drained")
    schedule.drained()
    schedule.drainAsked()
    #expect(schedule.phase == .drained)
    schedule.closeAsked()
    #expect(schedule.phase == .closing)
    schedule.closed()
    #expect(schedule.phase == .closed)
  }

  @Test func `a fence hands back who waits, once, and refuses with its own words`() {
    var schedule = Schedule(limits: limits)
    add("a", to: &schedule)
    add("t", .exclusive, to: &schedule)
    let first = schedule.fenced(.fenced)
    #expect(first.isFirst && first.waiting == ["a", "t"])
    let second = schedule.fenced(.fenced)
    #expect(!second.isFirst && second.waiting.isEmpty)
    schedule.drainAsked()
    #expect(schedule.refusal == .fenced)
    #expect(next(&schedule, 0) == "end")
  }
}
