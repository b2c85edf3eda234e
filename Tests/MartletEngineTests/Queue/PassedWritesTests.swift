/// Ordinary writes that a long write kept waiting all have their turns before the next long one.
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct PassedWritesTests {
  private typealias Lanes = WriteLanes<String>

  private let limits = Limits()

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private func share(_ session: UInt64) -> SessionShare { SessionShare(subject: 1, session: session) }

  private func arrival(
    _ company: WriteCompany = .shared, session: UInt64, standing: WriteJudgement.Standing = .light
  ) -> WriteArrival {
    .init(company: company, deadline: .distantFuture, bytes: 1, share: share(session), standing: standing)
  }

  private func word(_ lanes: inout Lanes, _ now: Int) -> String { lanes.nextTurn(at(now)).word(since: at(0)) }

  /// A long write waits, and these writes, of as many sessions, have waited for the turn of another one, which took
  /// little of what was saved up for long ones.
  private func afterLongTurn(
    _ waiting: [(job: String, company: WriteCompany)], ofOneSession: Bool = false, _ limits: Limits? = nil
  ) -> Lanes {
    var lanes = Lanes(limits: limits ?? self.limits)
    _ = lanes.jobArrived("slow", arrival(session: 99, standing: .long))
    _ = lanes.jobArrived("slow too", arrival(session: 98, standing: .long))
    guard case .long = lanes.nextTurn(at(0)) else { return lanes }
    for (index, one) in waiting.enumerated() {
      _ = lanes.jobArrived(one.job, arrival(one.company, session: ofOneSession ? 1 : UInt64(index + 1)))
    }
    lanes.longEnded(at(25), contended: 20_000_000, cost: (share(99), 25_000_000))
    return lanes
  }

  private final class Known: Sendable {
    let isLong = Atomic(false)
  }

  @Test func `of a crowd of new writes of one kind only the first is tried, if that is long`() {
    let known = Known()
    var lanes = Lanes(limits: limits) { $0.hasPrefix("slow") && known.isLong.load(ordering: .relaxed) }
    for session in 1...100 as ClosedRange<UInt64> {
      _ = lanes.jobArrived("slow \(session)", arrival(.alone, session: session, standing: .unknown))
    }
    _ = lanes.jobArrived("quick", arrival(.alone, session: 200))
    _ = lanes.jobArrived("new", arrival(.alone, session: 201, standing: .unknown))
    #expect(word(&lanes, 0) == "slow 1")
    _ = lanes.writeUndone("slow 1", of: share(1), deadline: .distantFuture, now: at(20))
    known.isLong.store(true, ordering: .relaxed)
    lanes.groupEnded(at(20))
    for (now, job) in [(20, "quick"), (21, "new")] {
      #expect(lanes.nextTurn(at(now), groupsOnly: true).word(since: at(0)) == job)
      lanes.groupEnded(at(now + 1))
    }
    #expect(lanes.longCount == 100 && lanes.count == 100)
  }

  @Test func `a group that has room for some only does not let the next long write pass the rest`() {
    var lanes = afterLongTurn([("a", .alone), ("b", .alone), ("c", .alone)])
    for (index, job) in ["a", "b", "c"].enumerated() {
      #expect(word(&lanes, 25 + index) == job)
      _ = lanes.jobArrived("later \(job)", arrival(.alone, session: 50))
      lanes.groupEnded(at(26 + index), costs: [(share(UInt64(index + 1)), 1_000_000)])
    }
    #expect(word(&lanes, 28) == "long slow too for 25", "those that came later do not keep it away")
  }

  @Test func `a transaction between them does not either`() {
    var lanes = afterLongTurn([("t", .exclusive), ("a", .alone), ("b", .alone)])
    #expect(word(&lanes, 25) == "begin t")
    lanes.exclusiveEnded(at(26), contended: 1_000_000, cost: (share(1), 1_000_000))
    #expect(word(&lanes, 26) == "a")
    lanes.groupEnded(at(27))
    #expect(word(&lanes, 27) == "b")
    lanes.groupEnded(at(28))
    #expect(word(&lanes, 28) == "long slow too for 25")
  }

  @Test func `one that was handed back still goes before`() {
    var lanes = afterLongTurn([("a", .shared)])
    #expect(word(&lanes, 25) == "a")
    lanes.groupEnded(at(45), costs: [(share(1), 20_000_000)])
    lanes.jobReturned("a", arrival(session: 1), id: 3)
    #expect(word(&lanes, 45) == "a")
    lanes.groupEnded(at(46))
    #expect(word(&lanes, 46) == "long slow too for 25")
  }

  @Test func `those that have left keep nobody away`() {
    var lanes = afterLongTurn([("a", .alone), ("b", .alone)])
    #expect(word(&lanes, 25) == "a")
    lanes.groupEnded(at(26))
    #expect(lanes.withdrawn(4, of: share(2)) == "b")
    #expect(word(&lanes, 26) == "long slow too for 25")
  }

  @Test func `a VACUUM does not pass them`() {
    var lanes = afterLongTurn([("a", .alone), ("b", .alone)], ofOneSession: true)
    var vacuum = arrival(.alone, session: 70)
    (vacuum.changesSchema, vacuum.isVacuum) = (true, true)
    _ = lanes.jobArrived("vacuum", vacuum)
    for (now, job) in [(25, "a"), (26, "b")] {
      #expect(word(&lanes, now) == job)
      lanes.groupEnded(at(now + 1), costs: [(share(1), 1_000_000)])
    }
    #expect(word(&lanes, 27) == "long slow too for 25")
    lanes.longEnded(at(28), contended: 1_000_000, cost: (share(98), 1_000_000))
    #expect(word(&lanes, 28) == "vacuum")
  }

  @Test func `a queue full of them keeps a long write away for no longer than the longest turn of one`() {
    var limits = limits
    limits.longWriteTurnMaxMs = 100
    var lanes = afterLongTurn((0..<20).map { ("\($0)", .alone) }, limits)
    var (now, turns) = (25, 0)
    while turns < 20, !word(&lanes, now).hasPrefix("long") {
      now += 10
      turns += 1
      lanes.groupEnded(at(now), costs: [(share(UInt64(turns)), 10_000_000)])
    }
    #expect(turns == 10)
  }
}
