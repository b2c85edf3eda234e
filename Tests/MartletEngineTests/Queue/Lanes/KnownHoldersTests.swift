/// Scripts for transactions beside one that holds the writer for seconds.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct KnownHoldersTests {
  private typealias Lanes = WriteLanes<String>

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private func word(_ turn: Lanes.Turn) -> String { turn.word(since: at(0)) }

  private func share(_ session: UInt64) -> SessionShare { SessionShare(subject: 1, session: session) }

  private func add(_ job: String, _ company: WriteCompany, session: UInt64, to lanes: inout Lanes) {
    _ = lanes.jobArrived(
      job,
      .init(company: company, deadline: .distantFuture, bytes: 1, share: share(session), standing: .light))
  }

  /// A transaction of the session that takes and contends so many milliseconds.
  private func hold(_ lanes: inout Lanes, session: UInt64, from start: Int, ms: Int) {
    lanes.exclusiveEnded(
      at(start + ms), contended: UInt64(ms) * 1_000_000, cost: (share(session), UInt64(ms) * 1_000_000))
  }

  @Test func `a session whose transactions are brief goes on after one group, whatever another has held`() {
    var lanes = Lanes(limits: Limits())
    add("brief", .exclusive, session: 1, to: &lanes)
    #expect(word(lanes.nextTurn(at(0))) == "begin brief")
    hold(&lanes, session: 1, from: 0, ms: 2)
    add("long", .exclusive, session: 2, to: &lanes)
    #expect(word(lanes.nextTurn(at(10))) == "begin long")
    for (job, session) in [("long again", 2), ("brief again", 1)] as [(String, UInt64)] {
      add(job, .exclusive, session: session, to: &lanes)
    }
    add("a", .shared, session: 4, to: &lanes)
    hold(&lanes, session: 2, from: 10, ms: 3_000)
    #expect(word(lanes.nextTurn(at(3_010))) == "a")
    lanes.groupEnded(at(3_011))
    add("b", .shared, session: 4, to: &lanes)
    #expect(word(lanes.nextTurn(at(3_011))) == "begin brief again")
    hold(&lanes, session: 1, from: 3_011, ms: 2)
    // Ordinary writes lose nothing of the time that they have for the long one.
    for time in stride(from: 3_015, to: 6_010, by: 10) {
      #expect(word(lanes.nextTurn(at(time))).hasPrefix("b"))
      lanes.groupEnded(at(time + 1))
      add("b", .shared, session: 4, to: &lanes)
    }
    #expect(word(lanes.nextTurn(at(6_020))) == "begin long again")
  }

  /// How many turns ordinary writes have between two transactions of 2 ms each, of eight sessions that begin again at
  /// once; a turn takes 0.1 ms. `writers`: sessions that write again at once.
  private func turnsBetween(_ company: WriteCompany, writers: Int) -> [Int] {
    var lanes = Lanes(limits: Limits())
    var (now, counts, turns) = (0, [Int](), 0)
    for session in 1...8 as ClosedRange<UInt64> { add("brief \(session)", .exclusive, session: session, to: &lanes) }
    for session in 100..<UInt64(100 + writers) { add("\(session)", company, session: session, to: &lanes) }
    while counts.count < 40 {
      let turn = word(lanes.nextTurn(at(now)))
      now += 1
      let sessions = turn.split(separator: " ").compactMap { UInt64($0) }
      if turn.hasPrefix("begin"), let session = sessions.first {
        counts.append(turns)
        turns = 0
        add("brief \(session)", .exclusive, session: session, to: &lanes)
        hold(&lanes, session: session, from: now, ms: 2)
        now += 2
      } else if !sessions.isEmpty {
        turns += 1
        let costs = sessions.map { (share: share($0), nanoseconds: 100_000 / UInt64(sessions.count)) }
        lanes.groupEnded(at(now), costs: costs, nanoseconds: 100_000)
        for session in sessions { add("\(session)", company, session: session, to: &lanes) }
      } else {
        Issue.record("nothing has its turn: \(turn)")
        break
      }
    }
    return counts
  }

  @Test func `writes that share no transaction have as much time after a brief one, or until all have gone`() {
    for (company, writers, turns) in [
      (WriteCompany.alone, 50, 20), (.alone, 5, 5), (.shared, 50, 1), (.shared, 2, 1),
    ] {
      let counts = turnsBetween(company, writers: writers).dropFirst(10)
      #expect(counts.count == 30 && counts.allSatisfy { $0 == turns }, "\(company), \(writers): \(counts)")
    }
  }

  /// Lanes in which the session has held the writer from 0 to 3,000 ms, and another writes.
  private func lanesBesideHolder(_ session: UInt64) -> Lanes {
    var lanes = Lanes(limits: Limits())
    add("long", .exclusive, session: session, to: &lanes)
    #expect(word(lanes.nextTurn(at(0))) == "begin long")
    add("a", .shared, session: 9, to: &lanes)
    hold(&lanes, session: session, from: 0, ms: 3_000)
    #expect(word(lanes.nextTurn(at(3_000))) == "a")
    lanes.groupEnded(at(3_001))
    add("a", .shared, session: 9, to: &lanes)
    return lanes
  }

  /// The first turn from `start` on, in steps of 10 ms, that is not a group; ordinary writes never end.
  private func nextBegin(_ lanes: inout Lanes, from start: Int, to end: Int) -> (turn: String, at: Int)? {
    for time in stride(from: start, through: end, by: 10) {
      let turn = word(lanes.nextTurn(at(time)))
      if turn.hasPrefix("begin") { return (turn, time) }
      lanes.groupEnded(at(time + 1))
      add("a", .shared, session: 9, to: &lanes)
    }
    return nil
  }

  @Test func `sessions of which nothing is known begin after one group, and not the one that held the writer`() {
    var lanes = lanesBesideHolder(1)
    add("long again", .exclusive, session: 1, to: &lanes)
    var now = 3_001
    for session in 2...6 as ClosedRange<UInt64> {
      add("new \(session)", .exclusive, session: session, to: &lanes)
      let begin = nextBegin(&lanes, from: now, to: now + 20)
      #expect(begin?.turn == "begin new \(session)")
      hold(&lanes, session: session, from: now, ms: 5)
      now += 25
    }
    let begin = nextBegin(&lanes, from: now, to: 7_000)
    #expect(begin?.turn == "begin long again")
    #expect((5_990...6_030).contains(begin?.at ?? 0))
  }

  @Test func `those on trial have a tenth of the time, and none of a short one`() {
    var lanes = lanesBesideHolder(1)
    var (now, begun) = (3_001, 0)
    for session in 11...40 as ClosedRange<UInt64> {
      add("new \(session)", .exclusive, session: session, to: &lanes)
      guard let begin = nextBegin(&lanes, from: now, to: now + 20) else { break }
      begun += 1
      hold(&lanes, session: session, from: begin.at, ms: 20)
      now = begin.at + 25
    }
    #expect(begun == 15, "15 of 20 ms are a tenth of 3 s")
    lanes = Lanes(limits: Limits())
    add("short", .exclusive, session: 1, to: &lanes)
    #expect(word(lanes.nextTurn(at(0))) == "begin short")
    hold(&lanes, session: 1, from: 0, ms: 199)
    add("new", .exclusive, session: 2, to: &lanes)
    add("a", .shared, session: 9, to: &lanes)
    #expect(nextBegin(&lanes, from: 199, to: 390) == nil)
    #expect(nextBegin(&lanes, from: 400, to: 420)?.turn == "begin new")
  }

  @Test func `after one that was long nobody is let in on trial for a while, and others have all of their time`() {
    var lanes = lanesBesideHolder(1)
    add("long too", .exclusive, session: 2, to: &lanes)
    #expect(nextBegin(&lanes, from: 3_001, to: 3_020)?.turn == "begin long too")
    hold(&lanes, session: 2, from: 3_011, ms: 3_000)
    // 3 s of the first, of which they had a moment, and 3 s of the second.
    add("new 3", .exclusive, session: 3, to: &lanes)
    let begin = nextBegin(&lanes, from: 6_011, to: 20_000)
    #expect(begin?.turn == "begin new 3")
    #expect((11_990...12_020).contains(begin?.at ?? 0))
    hold(&lanes, session: 3, from: 12_010, ms: 3_000)
    add("new 4", .exclusive, session: 4, to: &lanes)
    let next = nextBegin(&lanes, from: 15_010, to: 30_000)
    #expect(next?.turn == "begin new 4")
    #expect((18_000...18_040).contains(next?.at ?? 0))
    hold(&lanes, session: 4, from: next?.at ?? 0, ms: 3_000)
    // The pause is over some time after that.
    let later = 12_000 + EngineLimits.trialPauseMs
    add("long", .exclusive, session: 5, to: &lanes)
    #expect(nextBegin(&lanes, from: later, to: later + 20)?.turn == "begin long")
    hold(&lanes, session: 5, from: later, ms: 3_000)
    add("new 6", .exclusive, session: 6, to: &lanes)
    #expect(nextBegin(&lanes, from: later + 3_000, to: later + 3_020)?.turn == "begin new 6")
  }

  @Test func `a new session begins its transaction however many brief ones come, and beside writes without end`() {
    var lanes = Lanes(limits: Limits())
    var now = 0
    /// Runs one turn, 2 ms for a transaction and 1 for a group; what is brief or writes comes again at once.
    func turn() -> String {
      let turn = word(lanes.nextTurn(at(now)))
      if turn.hasPrefix("begin "), let session = turn.split(separator: " ").last.flatMap({ UInt64($0) }) {
        if turn.hasPrefix("begin brief") { add("brief \(session)", .exclusive, session: session, to: &lanes) }
        hold(&lanes, session: session, from: now, ms: 2)
        now += 2
      } else {
        add("write", .shared, session: 9, to: &lanes)
        now += 1
        lanes.groupEnded(at(now))
      }
      return turn
    }
    for session in 1...3 { add("brief \(session)", .exclusive, session: UInt64(session), to: &lanes) }
    add("write", .shared, session: 9, to: &lanes)
    for _ in 0..<100 { _ = turn() }
    for session in 11...13 as ClosedRange<UInt64> {
      add("new \(session)", .exclusive, session: session, to: &lanes)
      let before = now
      var last = ""
      while now < before + 20, last != "begin new \(session)" { last = turn() }
      #expect(last == "begin new \(session)")
    }
  }

  @Test func `who goes ahead and then holds the writer for long leaves ordinary writes as much time`() {
    var lanes = Lanes(limits: Limits())
    add("t", .exclusive, session: 1, to: &lanes)
    #expect(word(lanes.nextTurn(at(0))) == "begin t")
    hold(&lanes, session: 1, from: 0, ms: 5)
    add("u", .exclusive, session: 1, to: &lanes)
    #expect(word(lanes.nextTurn(at(6))) == "begin u")
    add("a", .shared, session: 4, to: &lanes)
    hold(&lanes, session: 1, from: 6, ms: 1_000)
    #expect(word(lanes.nextTurn(at(1_006))) == "a")
    lanes.groupEnded(at(1_007))
    add("v", .exclusive, session: 1, to: &lanes)
    add("b", .shared, session: 4, to: &lanes)
    #expect(word(lanes.nextTurn(at(1_007))) == "b")
    lanes.groupEnded(at(1_008))
    #expect(word(lanes.nextTurn(at(1_009))) == "idle until 1028")
  }

  @Test func `who holds the writer for long is not brief any more, and nobody is for ever`() {
    var holders = KnownHolders()
    #expect(!holders.isBrief(1, at(0)))
    holders.transactionEnded(of: 1, contended: EngineLimits.briefHoldNs, at(0))
    #expect(holders.isBrief(1, at(0)) && holders.isBrief(1, at(EngineLimits.knownHolderMs - 1)))
    #expect(!holders.isBrief(1, at(EngineLimits.knownHolderMs)))
    holders.transactionEnded(of: 1, contended: EngineLimits.briefHoldNs + 1, at(5))
    #expect(!holders.isBrief(1, at(6)) && !holders.isUnknown(1, at(6)))
    #expect(holders.isUnknown(1, at(EngineLimits.knownHolderMs + 5)) && holders.isUnknown(2, at(6)))
  }

  @Test func `sessions that fill the list take no place away from those on it`() {
    var holders = KnownHolders()
    for session in 0..<UInt64(EngineLimits.penalizedSessionsMax + 100) {
      holders.transactionEnded(of: session, contended: 0, at(0))
    }
    #expect(holders.isBrief(0, at(1)) && !holders.isBrief(UInt64(EngineLimits.penalizedSessionsMax), at(1)))
    // Those of long ago make room.
    let later = at(EngineLimits.knownHolderMs + 1)
    holders.transactionEnded(of: 9_999, contended: 0, later)
    #expect(holders.isBrief(9_999, later) && !holders.isBrief(0, later))
  }

  @Test func `a full list is looked through once a second, however many transactions end`() {
    var holders = KnownHolders()
    for session in 0..<UInt64(EngineLimits.penalizedSessionsMax) {
      holders.transactionEnded(of: session, contended: 0, at(session == 0 ? 0 : 100))
    }
    // The first one has to be forgotten at this moment, and nobody looks until the second is over.
    let due = EngineLimits.knownHolderMs
    holders.transactionEnded(of: 9_998, contended: 0, at(due - 10))
    for ms in due..<due + 90 { holders.transactionEnded(of: 9_999, contended: 0, at(ms)) }
    #expect(holders.isUnknown(9_999, at(due + 90)))
    // Those on the list are noted all the same.
    holders.transactionEnded(of: 7, contended: EngineLimits.briefHoldNs + 1, at(due))
    #expect(!holders.isUnknown(7, at(due + 100)) && !holders.isBrief(7, at(due + 100)))
    let next = due - 10 + EngineLimits.knownHoldersSweepMs
    holders.transactionEnded(of: 9_999, contended: 0, at(next))
    #expect(holders.isBrief(9_999, at(next)))
  }
}
