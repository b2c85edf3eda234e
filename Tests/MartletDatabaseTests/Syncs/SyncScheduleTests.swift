import Testing

@testable import MartletDatabase

/// Which commits a sync covers, as scripts of events.
@Suite struct SyncScheduleTests {
  private func begins(_ schedule: inout SyncSchedule) -> Bool { schedule.syncBegins() }

  private func commit(_ schedule: inout SyncSchedule) -> UInt64 {
    let number = schedule.commitBegins()
    schedule.commitMade()
    return number
  }

  @Test func `a sync covers what was committed before it began, and nothing later`() {
    var schedule = SyncSchedule()
    #expect(begins(&schedule) == false)
    let first = commit(&schedule)
    let second = commit(&schedule)
    #expect(begins(&schedule) == true)
    let third = commit(&schedule)
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
    _ = commit(&schedule)
    #expect(begins(&schedule) == true)
    _ = commit(&schedule)
    #expect(begins(&schedule) == false)
    schedule.syncEnded(hasFailed: false)
    #expect(begins(&schedule) == true)
  }

  @Test func `after a sync that failed nobody can say, and there is no other`() {
    var schedule = SyncSchedule()
    let kept = commit(&schedule)
    #expect(begins(&schedule) == true)
    schedule.syncEnded(hasFailed: false)
    let covered = commit(&schedule)
    #expect(begins(&schedule) == true)
    let later = commit(&schedule)
    schedule.syncEnded(hasFailed: true)
    #expect(schedule.verdict(on: kept) == .durable)
    #expect(schedule.verdict(on: covered) == .unknown)
    #expect(schedule.verdict(on: later) == .unknown)
    #expect(begins(&schedule) == false)
    let last = commit(&schedule)
    #expect(schedule.verdict(on: last) == .unknown)
  }

  @Test func `whoever may have seen a commit that is on its way waits for it, and no sync covers it before it is made`()
  {
    var schedule = SyncSchedule()
    let first = commit(&schedule)
    #expect(begins(&schedule) == true)
    let second = schedule.commitBegins()
    schedule.syncEnded(hasFailed: false)
    #expect(schedule.verdict(on: first) == .durable)
    #expect(schedule.verdict(on: second) == nil)
    #expect(begins(&schedule) == false)
    schedule.commitMade()
    #expect(begins(&schedule) == true)
    schedule.syncEnded(hasFailed: false)
    #expect(schedule.verdict(on: second) == .durable)
  }

  @Test func `a commit that wrote nothing, or failed, is there as soon as those before it are`() {
    var schedule = SyncSchedule()
    let alone = schedule.commitBegins()
    schedule.commitNeedsNoSync()
    #expect(schedule.verdict(on: alone) == .durable)
    let before = commit(&schedule)
    let waiting = schedule.commitBegins()
    schedule.commitNeedsNoSync()
    #expect(schedule.verdict(on: waiting) == nil)
    #expect(begins(&schedule) == true)
    let beside = schedule.commitBegins()
    schedule.commitNeedsNoSync()
    schedule.syncEnded(hasFailed: false)
    for number in [before, waiting, beside] { #expect(schedule.verdict(on: number) == .durable) }
    #expect(begins(&schedule) == false)
  }

  @Test func `a log that nobody can sync any more leaves what is on the disk, and nothing else`() {
    var schedule = SyncSchedule()
    let first = commit(&schedule)
    #expect(begins(&schedule) == true)
    schedule.syncEnded(hasFailed: false)
    let second = commit(&schedule)
    schedule.syncIsImpossible()
    #expect(schedule.verdict(on: first) == .durable)
    #expect(schedule.verdict(on: second) == .unknown)
    #expect(begins(&schedule) == false)
  }

  @Test func `nothing was committed, so nothing is waited for`() {
    #expect(SyncSchedule().verdict(on: 0) == .durable)
  }
}
