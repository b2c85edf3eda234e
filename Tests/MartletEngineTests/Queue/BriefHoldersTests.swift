/// Scripts for transactions beside one that holds the writer for seconds.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct BriefHoldersTests {
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
    for (job, session) in [("new", 3), ("long again", 2), ("brief again", 1)] as [(String, UInt64)] {
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
    #expect(word(lanes.nextTurn(at(6_020))) == "begin new")
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
    var holders = BriefHolders()
    #expect(!holders.contains(1, at(0)))
    holders.transactionEnded(of: 1, contended: EngineLimits.briefHoldNs, at(0))
    #expect(holders.contains(1, at(0)) && holders.contains(1, at(EngineLimits.briefHolderMs - 1)))
    #expect(!holders.contains(1, at(EngineLimits.briefHolderMs)))
    holders.transactionEnded(of: 1, contended: EngineLimits.briefHoldNs + 1, at(5))
    #expect(!holders.contains(1, at(6)))
  }

  @Test func `sessions that fill the list take no place away from those on it`() {
    var holders = BriefHolders()
    for session in 0..<UInt64(EngineLimits.penalizedSessionsMax + 100) {
      holders.transactionEnded(of: session, contended: 0, at(0))
    }
    #expect(holders.contains(0, at(1)) && !holders.contains(UInt64(EngineLimits.penalizedSessionsMax), at(1)))
    // Those of long ago make room.
    let later = at(EngineLimits.briefHolderMs + 1)
    holders.transactionEnded(of: 9_999, contended: 0, later)
    #expect(holders.contains(9_999, later) && !holders.contains(0, later))
  }
}
