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

  private func word(_ turn: Lanes.Turn) -> String { turn.word(since: at(0)) }

  private func share(_ session: UInt64, of subject: UInt64 = 1) -> SessionShare {
    SessionShare(subject: subject, session: session)
  }

  @discardableResult
  private func add(
    _ job: String, _ company: WriteCompany = .shared, session: UInt64 = 1, subject: UInt64 = 1, deadline: Int? = nil,
    standing: WriteJudgement.Standing = .light, to lanes: inout Lanes
  ) -> UInt64? {
    lanes.jobArrived(
      job,
      .init(
        company: company, deadline: deadline.map(at) ?? .distantFuture, bytes: 1, share: share(session, of: subject),
        standing: standing))
  }

  /// A lane of long writes that has used its share up, until `until`.
  private func indebted(until: Int) -> Lanes {
    var lanes = Lanes(limits: limits)
    // What was saved up, and a tenth of the time from the start to that moment.
    let saved = limits.longWriteSavedMs
    lanes.longEnded(at(0), contended: UInt64(saved) * 1_000_000)
    lanes.groupEnded(at(-100))
    lanes.longEnded(at(0), contended: UInt64(until + saved) * 100_000)
    lanes.groupEnded(at(-100))
    return lanes
  }

  @Test func `short writes join the group that runs, unless somebody waits whose turn it is then`() {
    for other in ["nobody", "unknown", "long", "begin", "change"] {
      var lanes = Lanes(limits: limits)
      add("a", to: &lanes)
      #expect(word(lanes.nextTurn(at(0))) == "a")
      switch other {
      case "unknown": add("b", session: 2, standing: .unknown, to: &lanes)
      case "long": add("b", session: 2, standing: .long, to: &lanes)
      case "begin": add("b", .exclusive, session: 2, to: &lanes)
      case "change":
        _ = lanes.jobArrived(
          "b", .init(company: .alone, deadline: .distantFuture, share: share(2), standing: .light, changesSchema: true))
      default: break
      }
      add("c", session: 3, to: &lanes)
      #expect(lanes.joiners(most: 9) == (other == "nobody" ? ["c"] : []), "\(other)")
    }
  }

  @Test func `ordinary writes go in groups, and a transaction waits for its place among them`() {
    var lanes = Lanes(limits: limits)
    for job in ["a", "b"] { add(job, to: &lanes) }
    add("t", .exclusive, session: 2, to: &lanes)
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
    lanes.exclusiveEnded(at(30), contended: 30_000_000, cost: (share(0), 30_000_000))
    #expect(word(lanes.nextTurn(at(30))) == "write")
    lanes.groupEnded(at(31))
    for now in [31, 40, 50] {
      #expect(word(lanes.nextTurn(at(now))) == (now < 51 ? "idle until 51" : "begin 1"))
    }
    add("again", to: &lanes)
    #expect(word(lanes.nextTurn(at(50))) == "again")
    lanes.groupEnded(at(59))
    add("third", to: &lanes)
    #expect(word(lanes.nextTurn(at(60))) == "begin 1", "its time has come, and a group has gone before it")
  }

  @Test func `writes without end do not keep a transaction from its turn`() {
    var lanes = Lanes(limits: limits)
    for number in 0..<50 { add("w\(number)", session: UInt64(number), to: &lanes) }
    add("t", .exclusive, session: 100, to: &lanes)
    guard case .group = lanes.nextTurn(at(0)) else {
      Issue.record("no group")
      return
    }
    lanes.groupEnded(at(20))
    for number in 0..<50 { add("x\(number)", session: UInt64(number), to: &lanes) }
    #expect(word(lanes.nextTurn(at(20))) == "begin t")
  }

  @Test func `a session with a hundred transactions has one share of the begins`() {
    var lanes = Lanes(limits: limits)
    for number in 0..<100 { add("a\(number)", .exclusive, session: 1, to: &lanes) }
    for (session, job) in [(2, "b"), (3, "c")] { add(job, .exclusive, session: UInt64(session), to: &lanes) }
    var order: [String] = []
    for (turn, session) in [1, 2, 3, 1].enumerated() {
      order.append(word(lanes.nextTurn(at(turn * 50))))
      lanes.exclusiveEnded(at(turn * 50 + 50), contended: 0, cost: (share(UInt64(session)), 50_000_000))
    }
    #expect(order == ["begin a0", "begin b", "begin c", "begin a1"])
  }

  @Test func `long writes have a tenth of the time while others wait, and all of it while nobody does`() {
    var lanes = indebted(until: 900)
    add("long", standing: .long, to: &lanes)
    add("a", to: &lanes)
    #expect(word(lanes.nextTurn(at(1))) == "a")
    lanes.groupEnded(at(2))
    #expect(word(lanes.nextTurn(at(3))) == "idle until 22", "writes come so often that the next is not far")
    guard case .long(let write, let grant) = lanes.nextTurn(at(22)) else {
      Issue.record("no turn")
      return
    }
    #expect(grant == 0, "it gives way to the first who comes")
    lanes.longEnded(at(30), contended: 1_000_000)
    lanes.longUndone(write, grantMs: grant)
    add("b", to: &lanes)
    #expect(word(lanes.nextTurn(at(30))) == "b")
    lanes.groupEnded(at(31))
    add("c", to: &lanes)
    #expect(word(lanes.nextTurn(at(908))) == "c")
    lanes.groupEnded(at(908))
    add("d", to: &lanes)
    #expect(word(lanes.nextTurn(at(910))) == "long long for 25", "ten times the millisecond that it took came on top")
  }

  @Test func `a long write's turns grow, and others have nine times as much between them`() {
    var lanes = indebted(until: 900)
    add("long", standing: .long, to: &lanes)
    var now = 900
    for expected in [25, 100, 400, 1_600, 1_600] {
      add("a", to: &lanes)
      guard case .long(let write, let grant) = lanes.nextTurn(at(now)) else {
        Issue.record("no turn")
        return
      }
      #expect(grant == expected)
      now += grant
      lanes.longEnded(at(now), contended: UInt64(grant) * 1_000_000)
      lanes.longUndone(write, grantMs: grant)
      #expect(word(lanes.nextTurn(at(now))) == "a")
      lanes.groupEnded(at(now))
      now += 9 * grant
    }
  }

  @Test
  func `the first long write has a short turn, however long there was none, and a rare one soon has what it needs`() {
    var lanes = Lanes(limits: limits)
    add("rare", standing: .long, to: &lanes)
    var now = 0
    var grants: [Int] = []
    // Others always wait, and each has its turn between two of the long one's.
    for number in 0..<6 {
      add("\(number)", session: 2, to: &lanes)
      guard case .long(let write, let grant) = lanes.nextTurn(at(now)) else { break }
      grants.append(grant)
      now += grant
      lanes.longEnded(at(now), contended: UInt64(grant) * 1_000_000, cost: (share(1), UInt64(grant) * 1_000_000))
      lanes.longUndone(write, grantMs: grant)
      #expect(word(lanes.nextTurn(at(now))) == "\(number)")
      now += 1
      lanes.groupEnded(at(now))
    }
    #expect(grants == [25, 100, 400, 1_600], "until what was saved up is used up")
  }

  @Test func `where nobody may go the next look is in the future, also with a long write that has just gone`() {
    var lanes = Lanes(limits: limits)
    add("t0", .exclusive, to: &lanes)
    #expect(word(lanes.nextTurn(at(0))) == "begin t0")
    lanes.exclusiveEnded(at(30), contended: 60_000_000, cost: (share(1), 30_000_000))
    add("a", to: &lanes)
    #expect(word(lanes.nextTurn(at(30))) == "a")
    lanes.groupEnded(at(31))
    add("t1", .exclusive, session: 2, to: &lanes)
    for job in ["x", "y"] { add(job, session: 3, standing: .long, to: &lanes) }
    #expect(word(lanes.nextTurn(at(31))) == "long x for 25")
    lanes.longEnded(at(40), contended: 9_000_000, cost: (share(3), 9_000_000))
    #expect(word(lanes.nextTurn(at(40))) == "idle until 51")
    #expect(word(lanes.nextTurn(at(51))) == "begin t1")
  }

  @Test func `a session with a hundred long writes has one share, and so has a subject`() {
    var lanes = Lanes(limits: limits)
    for number in 0..<100 { add("x\(number)", session: 1, standing: .long, to: &lanes) }
    add("y", session: 2, standing: .long, to: &lanes)
    add("z", session: 3, standing: .long, to: &lanes)
    add("other", session: 9, subject: 2, standing: .long, to: &lanes)
    var order: [String] = []
    for _ in 0..<6 {
      guard case .long(let write, _) = lanes.nextTurn(at(0)) else {
        Issue.record("no turn")
        return
      }
      lanes.longEnded(at(0), contended: 0, cost: (write.share, 25_000_000))
      order.append(write.job)
    }
    #expect(order == ["x0", "other", "y", "z", "x1", "x2"])
    #expect(lanes.longCount == 97 && lanes.longCount(of: share(1)) == 97)
  }

  @Test func `a session whose writes had to be undone sends unknown ones to the long lane, and known ones not`() {
    var lanes = indebted(until: 9_000)
    _ = lanes.writeUndone("slow", of: share(1), deadline: .distantFuture, now: at(0))
    add("unknown", session: 1, standing: .unknown, to: &lanes)
    add("known", session: 1, standing: .light, to: &lanes)
    add("another's", session: 2, standing: .unknown, to: &lanes)
    #expect(
      word(lanes.nextTurn(at(1))) == "another's known", "an unknown one of that session came before the known one")
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
    #expect(lanes.isFull)
    #expect(add("too many", to: &lanes) == nil)
    #expect(lanes.earliestDeadline == at(10))
    #expect(lanes.ticked(at(9)) == [] && lanes.ticked(at(30)) == ["t", "l"])
    #expect(lanes.earliestDeadline == at(50))
    for (id, expected) in zip(ids, ["a", nil, nil, "m"]) {
      let share = share(expected == "m" ? 2 : 1)
      #expect(id.flatMap { lanes.withdrawn($0, of: share) } == expected)
    }
    #expect(lanes.isEmpty && lanes.closed() == [])
    for number in 0..<4 { add("\(number)", standing: number == 1 ? .long : .light, to: &lanes) }
    #expect(Set(lanes.closed()) == ["0", "1", "2", "3"] && lanes.isEmpty)
  }

  @Test func `a job that comes back has its place in its session again`() {
    var lanes = Lanes(limits: limits)
    let id = add("first", to: &lanes)
    add("second", to: &lanes)
    guard case .group(["first", "second"]) = lanes.nextTurn(at(0)), let id else {
      Issue.record("no group")
      return
    }
    lanes.groupEnded(at(20))
    add("third", to: &lanes)
    for (offset, job) in ["first", "second"].enumerated().reversed() {
      lanes.jobReturned(
        job, .init(company: .shared, deadline: .distantFuture, share: share(1), standing: .light),
        id: id + UInt64(offset))
    }
    #expect(word(lanes.nextTurn(at(20))) == "first second third")
  }

  @Test func `where the queue is full, whoever has the most waiting gives way`() {
    var limits = limits
    limits.writeQueueMax = 5
    var lanes = Lanes(limits: limits)
    for number in 0..<3 { add("\(number)", to: &lanes) }
    for number in 0..<2 { add("t\(number)", .exclusive, to: &lanes) }
    #expect(lanes.displaced(by: share(1)) == nil)
    #expect(lanes.displaced(by: share(2)) == "2" && !lanes.isFull)
  }

  @Test func `a subject that fills one lane throws nobody out of another`() {
    var limits = limits
    limits.writeQueueMax = 1_000
    var lanes = Lanes(limits: limits)
    for number in 0..<998 { add("\(number)", session: UInt64(number % 4), subject: 1, to: &lanes) }
    for number in 0..<2 { add("t\(number)", .exclusive, session: 9, subject: 2, to: &lanes) }
    #expect(lanes.isFull)
    // The last two sessions have one less than the first two, and nobody of the subject has two more than another.
    for session in 0..<4 as Range<UInt64> { #expect(lanes.displaced(by: share(session, of: 1)) == nil) }
    #expect(lanes.displaced(by: share(7, of: 1)) == "997", "a new session of it has the place of one of its own")
    add("x", session: 7, subject: 1, to: &lanes)
    #expect(lanes.displaced(by: share(9, of: 2)) == "996", "the fuller subject gives way, whichever lane it is in")
    #expect(lanes.ordinaryCount == 999 && lanes.sharedCount == 997)
  }

  @Test func `what somebody has in several lanes is counted together, and the fullest of his lanes gives`() {
    var limits = limits
    limits.writeQueueMax = 9
    var lanes = Lanes(limits: limits)
    for number in 0..<3 { add("l\(number)", session: 1, subject: 1, standing: .long, to: &lanes) }
    for number in 0..<2 { add("t\(number)", .exclusive, session: 1, subject: 1, to: &lanes) }
    for number in 0..<4 { add("w\(number)", session: 2, subject: 2, to: &lanes) }
    #expect(lanes.displaced(by: share(3, of: 3)) == "l2", "five in two lanes are more than four in one")
    #expect(lanes.displaced(by: share(1, of: 1)) == nil, "it has as many as anybody else")
  }

  @Test func `a shape that was long finds its way back`() {
    var judgement = WriteJudgement()
    judgement.ranWithinSlice()
    #expect(judgement.standing == .light)
    judgement.wasUndone()
    #expect(judgement.standing == .long)
    for _ in 1..<EngineLimits.longWriteTurnsMin { judgement.ranBeyondSlice() }
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
