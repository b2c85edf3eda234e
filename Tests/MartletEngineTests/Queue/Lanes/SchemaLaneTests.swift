/// Scripts for writes that change the schema while readers have had no time to read it anew.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SchemaLaneTests {
  private typealias Lanes = WriteLanes<String>

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private func word(_ turn: Lanes.Turn) -> String { turn.word(since: at(0)) }

  private func arrival(
    _ company: WriteCompany, session: UInt64, deadline: Int?, changesSchema: Bool,
    standing: WriteJudgement.Standing = .light, isVacuum: Bool = false
  ) -> WriteArrival {
    .init(
      company: company, deadline: deadline.map(at) ?? .distantFuture, bytes: 1,
      share: SessionShare(subject: 1, session: session), standing: standing, changesSchema: changesSchema,
      isVacuum: isVacuum)
  }

  @discardableResult
  private func add(
    _ job: String, _ company: WriteCompany = .shared, session: UInt64 = 1, deadline: Int? = nil, changes: Bool = false,
    standing: WriteJudgement.Standing = .light, to lanes: inout Lanes
  ) -> UInt64? {
    lanes.jobArrived(
      job, arrival(company, session: session, deadline: deadline, changesSchema: changes, standing: standing))
  }

  @Test func `changes wait until the schema is free, and nobody waits behind them`() {
    var lanes = Lanes(limits: Limits())
    add("create", .alone, changes: true, to: &lanes)
    add("t", .exclusive, changes: true, to: &lanes)
    add("a", to: &lanes)
    add("b", session: 2, to: &lanes)
    #expect(lanes.count == 4 && lanes.ordinaryCount == 2)
    #expect(word(lanes.nextTurn(at(0), schemaFreeAt: at(50))) == "a b")
    lanes.groupEnded(at(1))
    #expect(word(lanes.nextTurn(at(1), schemaFreeAt: at(50))) == "idle until 50")
    #expect(word(lanes.nextTurn(at(50), schemaFreeAt: at(50))) == "create")
    lanes.groupEnded(at(51))
    // The first change has used up what was left.
    #expect(word(lanes.nextTurn(at(51), schemaFreeAt: at(80))) == "idle until 80")
    #expect(word(lanes.nextTurn(at(80), schemaFreeAt: at(80))) == "begin t")
    #expect(lanes.isEmpty)
  }

  @Test func `a change goes to the lane where it would have gone, one at a turn`() {
    var lanes = Lanes(limits: Limits())
    add("index", .alone, changes: true, standing: .long, to: &lanes)
    add("create", .alone, session: 2, changes: true, to: &lanes)
    #expect(lanes.longCount == 0)
    #expect(word(lanes.nextTurn(at(0), schemaFreeAt: at(0))).hasPrefix("long index"))
    #expect(word(lanes.nextTurn(at(1), schemaFreeAt: at(0))) == "create")
  }

  @Test func `a change that waits can be withdrawn, ends at its deadline, and goes with the rest`() {
    var lanes = Lanes(limits: Limits())
    let withdrawn = add("withdrawn", .alone, changes: true, to: &lanes)
    add("late", .alone, deadline: 10, changes: true, to: &lanes)
    add("left", .exclusive, session: 2, changes: true, to: &lanes)
    #expect(lanes.withdrawn(withdrawn ?? 0, of: SessionShare(subject: 1, session: 1)) == "withdrawn")
    #expect(lanes.earliestDeadline == at(10))
    #expect(lanes.ticked(at(10)) == ["late"])
    #expect(lanes.closed() == ["left"])
    #expect(lanes.isEmpty && lanes.earliestDeadline == .distantFuture)
  }

  @Test func `who has most waiting gives way, among changes too`() {
    var limits = Limits()
    limits.writeQueueMax = 3
    var lanes = Lanes(limits: limits)
    for number in 0..<3 { add("\(number)", .alone, changes: true, to: &lanes) }
    #expect(lanes.isFull && add("other", session: 2, to: &lanes) == nil)
    #expect(lanes.displaced(by: SessionShare(subject: 1, session: 2)) == "2")
    #expect(lanes.count == 2)
  }

  @Test func `a session with one change does not wait for all the changes of one with many`() {
    var lanes = Lanes(limits: Limits())
    for number in 0..<100 { add("\(number)", .alone, session: 1, changes: true, to: &lanes) }
    #expect(word(lanes.nextTurn(at(0), schemaFreeAt: at(0))) == "0")
    add("one", .alone, session: 2, changes: true, to: &lanes)
    // Each change keeps the next one waiting for a second.
    #expect(word(lanes.nextTurn(at(1_000), schemaFreeAt: at(1_000))) == "one")
    for session in 3...42 as ClosedRange<UInt64> {
      add("of \(session)", .alone, session: session, changes: true, to: &lanes)
    }
    var next = 2_000
    for _ in 0..<30 {
      #expect(word(lanes.nextTurn(at(next), schemaFreeAt: at(next))) != "one")
      next += 1_000
    }
    // Sessions that had their turn go behind a new one.
    add("new", .alone, session: 99, changes: true, to: &lanes)
    let turns = (0..<12).map { word(lanes.nextTurn(at(next + $0 * 1_000), schemaFreeAt: at(next + $0 * 1_000))) }
    #expect(turns.contains("new"), "\(turns)")
  }

  @Test func `a change that comes back waits again`() {
    var lanes = Lanes(limits: Limits())
    let id = add("create", .alone, changes: true, to: &lanes) ?? 0
    #expect(word(lanes.nextTurn(at(0), schemaFreeAt: at(0))) == "create")
    lanes.jobReturned(
      "create", arrival(.alone, session: 1, deadline: nil, changesSchema: true), id: id)
    #expect(word(lanes.nextTurn(at(1), schemaFreeAt: at(5))) == "idle until 5")
    #expect(word(lanes.nextTurn(at(5), schemaFreeAt: at(5))) == "create")
  }

  @Test func `a writer that takes nothing more lets changes go at once`() {
    var schedule = WriterSchedule<String>(limits: Limits())
    var displaced: String?
    let change = arrival(.alone, session: 1, deadline: nil, changesSchema: true)
    _ = schedule.jobArrived("create", change, displacing: &displaced) { at(0) }
    func next() -> String {
      let next = schedule.nextTurn(
        at(1), housekeepingAt: .distantFuture, idleMs: 1_000, schemaFreeAt: at(5_000), hasFault: false)
      switch next {
      case .wait(let nanoseconds): return "wait \((nanoseconds ?? 0) / 1_000_000)"
      case .turn(.group(let jobs)): return jobs.joined(separator: " ")
      case .turn(.end): return "end"
      case .turn: return "something else"
      }
    }
    #expect(next() == "wait 4999")
    schedule.drainAsked()
    #expect(next() == "create")
    #expect(next() == "end")
  }

  @Test func `time in which nobody waited for a change is nobody's cost`() {
    var lanes = Lanes(limits: Limits())
    add("early", .alone, session: 1, changes: true, to: &lanes)
    #expect(word(lanes.nextTurn(at(0), schemaFreeAt: at(0))) == "early")
    // Nothing happens for 40 s; then one session changes the schema all the time, and the early one once more.
    for number in 0..<3 { add("\(number)", .alone, session: 2, changes: true, to: &lanes) }
    #expect(word(lanes.nextTurn(at(40_000), schemaFreeAt: at(0))) == "0")
    add("again", .alone, session: 1, changes: true, to: &lanes)
    let turns = [1, 2].map { word(lanes.nextTurn(at(40_000 + $0 * 1_000), schemaFreeAt: at(0))) }
    #expect(turns.contains("again"), "\(turns)")
  }

  private func addVacuum(_ job: String, session: UInt64, to lanes: inout Lanes) {
    _ = lanes.jobArrived(
      job, arrival(.alone, session: session, deadline: nil, changesSchema: true, isVacuum: true))
  }

  @Test func `a VACUUM waits for the time of long writes, and changes of the schema pass it`() {
    var lanes = Lanes(limits: Limits())
    let freeAt = at(0)
    addVacuum("vacuum", session: 1, to: &lanes)
    #expect(word(lanes.nextTurn(at(0), schemaFreeAt: freeAt)) == "vacuum", "nobody else writes")
    add("a", session: 2, to: &lanes)
    lanes.longEnded(at(2_000), contended: 2_000_000_000)
    addVacuum("next", session: 1, to: &lanes)
    #expect(word(lanes.nextTurn(at(2_000), schemaFreeAt: freeAt)) == "a")
    lanes.groupEnded(at(2_001))
    add("create", .alone, session: 3, changes: true, to: &lanes)
    #expect(word(lanes.nextTurn(at(2_002), schemaFreeAt: freeAt)) == "create")
    // Somebody writes all the time: the VACUUM has a tenth of it.
    var (now, writes) = (2_002, 0)
    var turn = ""
    while turn != "next", now < 60_000 {
      lanes.groupEnded(at(now))
      now += 10
      add("b", session: 2, to: &lanes)
      turn = word(lanes.nextTurn(at(now), schemaFreeAt: freeAt))
      writes += turn == "b" ? 1 : 0
    }
    #expect(turn == "next" && writes > 1_000, "\(turn) after \(writes) writes")
  }

  @Test func `a VACUUM that waits is looked for when writes have ended, and not before`() {
    var lanes = Lanes(limits: Limits())
    add("a", session: 2, to: &lanes)
    lanes.longEnded(at(0), contended: 5_000_000_000)
    #expect(word(lanes.nextTurn(at(0), schemaFreeAt: at(0))) == "a")
    lanes.groupEnded(at(1))
    addVacuum("vacuum", session: 1, to: &lanes)
    let quietAt = 1 + Limits().writeSliceMs
    #expect(word(lanes.nextTurn(at(1), schemaFreeAt: at(0))) == "idle until \(quietAt)")
    #expect(word(lanes.nextTurn(at(quietAt), schemaFreeAt: at(0))) == "vacuum")
  }
}
