/// Scripts for whose turn at the writer it is, with the time passed in.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct WriteLanesTests {
  private typealias Lanes = WriteLanes<String>

  private let limits = Limits()
  /// Long after the start, so that the long writes' unused share is known to be full.
  private static let start = 1_000_000

  private func at(_ ms: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0).advanced(milliseconds: Self.start + ms)
  }

  private func word(_ turn: Lanes.Turn) -> String {
    switch turn {
    case .idle(let until): until == .distantFuture ? "idle" : "idle until \(until.milliseconds(since: at(0)))"
    case .group(let jobs): jobs.joined(separator: " ")
    case .exclusive(let job): "begin " + job
    case .long(let entry, let grant): "long \(entry.job) for \(grant)"
    }
  }

  @discardableResult
  private func add(
    _ job: String, _ company: Lanes.Company = .shared, session: UInt64 = 1, deadline: Int? = nil,
    standing: WriteJudgement.Standing = .light, to lanes: inout Lanes
  ) -> UInt64? {
    lanes.jobArrived(
      job,
      .init(
        company: company, deadline: deadline.map(at) ?? .distantFuture, bytes: 1, session: session, standing: standing))
  }

  /// A lane of long writes that has used its share up, until `until`.
  private func indebted(until: Int) -> Lanes {
    var lanes = Lanes(limits: limits)
    let contended = UInt64(until) * 1_000_000 / 9
    lanes.longEnded(at(0), contended: contended)
    return lanes
  }

  @Test func `ordinary writes go in groups, and a transaction waits for its place among them`() {
    var lanes = Lanes(limits: limits)
    for job in ["a", "b"] { add(job, to: &lanes) }
    add("t", .exclusive, to: &lanes)
    add("c", to: &lanes)
    add("ddl", .alone, to: &lanes)
    #expect(word(lanes.nextTurn(at(0))) == "a b c")
    lanes.groupEnded(at(1))
    #expect(word(lanes.nextTurn(at(1))) == "begin t")
    lanes.exclusiveEnded(at(2), contended: 0)
    #expect(word(lanes.nextTurn(at(2))) == "ddl")
    #expect(word(lanes.nextTurn(at(2))) == "idle")
  }

  @Test func `after a transaction the writes that wait come first, however many begins are older`() {
    var lanes = Lanes(limits: limits)
    for number in 0..<1_000 { add("\(number)", .exclusive, session: UInt64(number), to: &lanes) }
    add("write", to: &lanes)
    #expect(word(lanes.nextTurn(at(0))) == "begin 0")
    // It kept the write waiting for 30 ms, so as much time is the writes' alone.
    lanes.exclusiveEnded(at(30), contended: 30_000_000)
    #expect(word(lanes.nextTurn(at(30))) == "write")
    lanes.groupEnded(at(31))
    for now in [31, 40, 50] {
      #expect(word(lanes.nextTurn(at(now))) == (now < 51 ? "idle until 51" : "begin 1"))
    }
    add("again", to: &lanes)
    #expect(word(lanes.nextTurn(at(50))) == "again")
    lanes.groupEnded(at(59))
    add("third", to: &lanes)
    #expect(word(lanes.nextTurn(at(60))) == "begin 1", "its time has come, and it is older")
  }

  @Test func `long writes have a tenth of the time while others wait, and all of it while nobody does`() {
    var lanes = indebted(until: 900)
    add("long", standing: .long, to: &lanes)
    add("a", to: &lanes)
    #expect(word(lanes.nextTurn(at(1))) == "a")
    lanes.groupEnded(at(2))
    #expect(word(lanes.nextTurn(at(3))) == "idle until 22", "writes come so often that the next is not far")
    guard case .long(let entry, let grant) = lanes.nextTurn(at(22)) else {
      Issue.record("no turn")
      return
    }
    #expect(grant == 0, "it gives way to the first who comes")
    lanes.longEnded(at(30), contended: 1_000_000)
    lanes.longUndone(entry, grantMs: grant)
    add("b", to: &lanes)
    #expect(word(lanes.nextTurn(at(30))) == "b")
    lanes.groupEnded(at(31))
    add("c", to: &lanes)
    #expect(word(lanes.nextTurn(at(908))) == "c")
    lanes.groupEnded(at(908))
    add("d", to: &lanes)
    #expect(word(lanes.nextTurn(at(909))) == "long long for 25", "nine times the millisecond that it took came on top")
  }

  @Test func `a long write's turns grow, and a rare one has all the time that it needs`() {
    var rare = Lanes(limits: limits)
    add("rare", standing: .long, to: &rare)
    add("a", to: &rare)
    #expect(word(rare.nextTurn(at(0))) == "long rare for \(limits.longWriteTurnMaxMs)")

    var lanes = indebted(until: 900)
    add("long", standing: .long, to: &lanes)
    var now = 900
    for expected in [25, 100, 400, 400] {
      add("a", to: &lanes)
      guard case .long(let entry, let grant) = lanes.nextTurn(at(now)) else {
        Issue.record("no turn")
        return
      }
      #expect(grant == expected)
      now += grant
      lanes.longEnded(at(now), contended: UInt64(grant) * 1_000_000)
      lanes.longUndone(entry, grantMs: grant)
      #expect(word(lanes.nextTurn(at(now))) == "a")
      lanes.groupEnded(at(now))
      now += 9 * grant
    }
  }

  @Test func `a session with a hundred long writes has one share`() {
    var lanes = Lanes(limits: limits)
    for number in 0..<100 { add("x\(number)", session: 1, standing: .long, to: &lanes) }
    add("y", session: 2, standing: .long, to: &lanes)
    add("z", session: 3, standing: .long, to: &lanes)
    var order: [String] = []
    for _ in 0..<5 {
      guard case .long(let entry, _) = lanes.nextTurn(at(0)) else {
        Issue.record("no turn")
        return
      }
      order.append(entry.job)
    }
    #expect(order == ["x0", "y", "z", "x1", "x2"])
    #expect(lanes.longCount == 97 && lanes.longCount(without: 1) == 0)
  }

  @Test func `a session whose writes had to be undone sends unknown ones to the long lane, and known ones not`() {
    var lanes = indebted(until: 9_000)
    _ = lanes.writeUndone("slow", session: 1, deadline: .distantFuture, now: at(0))
    add("unknown", session: 1, standing: .unknown, to: &lanes)
    add("known", session: 1, standing: .light, to: &lanes)
    add("another's", session: 2, standing: .unknown, to: &lanes)
    #expect(word(lanes.nextTurn(at(1))) == "known another's")
    #expect(lanes.longCount == 2)
    lanes.groupEnded(at(2))
    add("later", session: 1, standing: .unknown, to: &lanes)
    #expect(word(lanes.nextTurn(at(9 * limits.writeSliceMs))) == "later", "forgiven after a while")
  }

  @Test func `what waits in whichever lane can be withdrawn, expires, and counts against the capacity`() {
    var limits = limits
    limits.writeQueueMax = 4
    var lanes = Lanes(limits: limits)
    let ids = [
      add("a", deadline: 50, to: &lanes), add("t", .exclusive, deadline: 10, to: &lanes),
      add("l", deadline: 30, standing: .long, to: &lanes), add("m", session: 2, standing: .long, to: &lanes),
    ]
    #expect(add("too many", to: &lanes) == nil)
    #expect(lanes.earliestDeadline == at(10))
    #expect(lanes.ticked(at(9)) == [] && lanes.ticked(at(30)) == ["t", "l"])
    #expect(lanes.earliestDeadline == at(50))
    for (id, expected) in zip(ids, ["a", nil, nil, "m"]) { #expect(id.flatMap { lanes.withdrawn($0) } == expected) }
    #expect(lanes.isEmpty && lanes.closed() == [])
    for number in 0..<4 { add("\(number)", standing: number == 1 ? .long : .light, to: &lanes) }
    #expect(Set(lanes.closed()) == ["0", "1", "2", "3"] && lanes.isEmpty)
  }

  @Test func `a shape that was long finds its way back`() {
    var judgement = WriteJudgement()
    judgement.ranWithinSlice()
    #expect(judgement.standing == .light)
    judgement.wasUndone()
    #expect(judgement.standing == .long)
    for _ in 1..<WriteJudgement.turnsMin { judgement.ranBeyondSlice() }
    #expect(judgement.standing == .long)
    judgement.ranBeyondSlice()
    #expect(judgement.standing == .unknown, "it may try again")
    judgement.wasUndone()
    judgement.ranWithinSlice()
    #expect(judgement.standing == .unknown, "short at last")
    for _ in 0..<20 { judgement.wasUndone() }
    #expect(WriteJudgement(bits: judgement.bits) == judgement)
  }
}
