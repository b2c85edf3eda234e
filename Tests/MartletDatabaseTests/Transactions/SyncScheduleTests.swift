import Testing

@testable import MartletDatabase

/// Which commits a sync covers, as scripts of events.
@Suite struct SyncScheduleTests {
  private func begins(_ schedule: inout SyncSchedule) -> Bool { schedule.syncBegins() }

  @Test func `a sync covers what was committed before it began, and nothing later`() {
    var schedule = SyncSchedule()
    #expect(begins(&schedule) == false)
    let first = schedule.commitMade()
    let second = schedule.commitMade()
    #expect(begins(&schedule) == true)
    let third = schedule.commitMade()
    #expect(schedule.verdict(on: first) == nil)
    schedule.syncEnded(hasFailed: false)
    #expect(schedule.verdict(on: first) == .durable)
    #expect(schedule.verdict(on: second) == .durable)
    #expect(schedule.verdict(on: third) == nil)
    #expect(begins(&schedule) == true)
    schedule.syncEnded(hasFailed: false)
    #expect(schedule.verdict(on: third) == .durable)
    #expect(begins(&schedule) == false)
  }

  @Test func `one sync runs at a time`() {
    var schedule = SyncSchedule()
    _ = schedule.commitMade()
    #expect(begins(&schedule) == true)
    _ = schedule.commitMade()
    #expect(begins(&schedule) == false)
    schedule.syncEnded(hasFailed: false)
    #expect(begins(&schedule) == true)
  }

  @Test func `after a sync that failed nobody can say, and there is no other`() {
    var schedule = SyncSchedule()
    let kept = schedule.commitMade()
    #expect(begins(&schedule) == true)
    schedule.syncEnded(hasFailed: false)
    let covered = schedule.commitMade()
    #expect(begins(&schedule) == true)
    let later = schedule.commitMade()
    schedule.syncEnded(hasFailed: true)
    #expect(schedule.verdict(on: kept) == .durable)
    #expect(schedule.verdict(on: covered) == .unknown)
    #expect(schedule.verdict(on: later) == .unknown)
    #expect(begins(&schedule) == false)
    let last = schedule.commitMade()
    #expect(schedule.verdict(on: last) == .unknown)
  }

  @Test func `nothing was committed, so nothing is waited for`() {
    #expect(SyncSchedule().verdict(on: 0) == .durable)
  }
}
