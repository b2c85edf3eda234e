/// The copy of the log is time of the turn that made it necessary.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct LogCopyTests {
  private typealias Lanes = WriteLanes<String>

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private func share(_ session: UInt64) -> SessionShare { SessionShare(subject: 1, session: session) }

  private func add(_ job: String, _ company: WriteCompany = .shared, session: UInt64, to lanes: inout Lanes) {
    _ = lanes.jobArrived(
      job, .init(company: company, deadline: .distantFuture, share: share(session), standing: .light))
  }

  private func word(_ lanes: inout Lanes, _ now: Int) -> String { lanes.nextTurn(at(now)).word(since: at(0)) }

  @Test func `ordinary writes have the time of a copy that they waited for before the next transaction`() {
    var lanes = Lanes(limits: Limits())
    add("t", .exclusive, session: 1, to: &lanes)
    #expect(word(&lanes, 0) == "begin t")
    add("a", session: 2, to: &lanes)
    lanes.exclusiveEnded(at(100), contended: 100_000_000, cost: (share(1), 100_000_000))
    add("again", .exclusive, session: 1, to: &lanes)
    #expect(word(&lanes, 100) == "a")
    lanes.groupEnded(at(101))
    add("b", session: 2, to: &lanes)
    lanes.copyEnded(at(150), nanoseconds: 49_000_000, after: .exclusive((share(1), 100_000_000)))
    #expect(word(&lanes, 150) == "b")
    lanes.groupEnded(at(151))
    // 100 ms after the transaction, and 49 for the copy.
    for (now, turn) in [(200, "write"), (230, "write"), (248, "write"), (249, "begin again")] {
      add("write", session: 2, to: &lanes)
      #expect(word(&lanes, now) == turn)
      lanes.groupEnded(at(now))
    }
  }

  @Test func `a session whose turns make the log long has fewer of them`() {
    // Two sessions whose writes take as long as each other's; those of one make copies of three times that.
    var turns = [0, 0]
    var limits = Limits()
    limits.groupMembersMax = 1
    var lanes = Lanes(limits: limits)
    for number in 0..<800 { add("\(number % 2) \(number)", session: UInt64(number % 2), to: &lanes) }
    for turn in 0..<400 {
      guard case .group(let jobs) = lanes.nextTurn(at(turn)), let first = jobs.first?.first else { break }
      let session = first == "0" ? 0 : 1
      turns[session] += 1
      let costs: Lanes.Costs = [(share(UInt64(session)), 1_000_000)]
      lanes.groupEnded(at(turn), costs: costs)
      if session == 0 { lanes.copyEnded(at(turn), nanoseconds: 3_000_000, after: .group(costs)) }
    }
    #expect(turns[0] + turns[1] == 400)
    #expect(turns[0] > 70 && turns[0] < 90, "\(turns): a fifth of the turns, which take half of the time")
  }

  @Test func `a group's copy is charged by what each of its jobs took`() {
    var lanes = Lanes(limits: Limits())
    for session in 1...3 as ClosedRange<UInt64> { add("\(session)", session: session, to: &lanes) }
    #expect(word(&lanes, 0) == "1 2 3")
    let costs: Lanes.Costs = [(share(1), 0), (share(2), 1), (share(3), UInt64.max / 2)]
    lanes.groupEnded(at(1), costs: [])
    // Nothing overflows.
    lanes.copyEnded(at(2), nanoseconds: .max / 4, after: .group(costs))
    lanes.copyEnded(at(2), nanoseconds: 5, after: .group([]))
    for session in [3, 2, 1] as [UInt64] { add("\(session) again", session: session, to: &lanes) }
    #expect(word(&lanes, 3) == "2 again 1 again 3 again", "the third has had it all")
  }

  @Test func `the copy of what brief transactions wrote keeps no other one waiting`() {
    var pace = TransactionPace()
    for _ in 0..<2 {
      pace.began(ahead: nil)
      pace.ended(of: 1, contended: 1_000_000, at(0))
    }
    pace.began(ahead: .brief)
    pace.ended(of: 1, contended: 1_000_000, at(1))
    let free = pace.freeAt
    pace.copied(nanoseconds: 500_000_000, at(1))
    #expect(pace.freeAt == free)
    pace.began(ahead: nil)
    pace.ended(of: 2, contended: 50_000_000, at(60))
    pace.copied(nanoseconds: 500_000_000, at(600))
    #expect(pace.freeAt == at(1_100))
  }
}
