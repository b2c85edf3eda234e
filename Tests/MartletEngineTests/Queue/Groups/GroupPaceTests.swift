/// How long a member of a group may run, for the two kinds of turns.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct GroupPaceTests {
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  @Test func `a member has what is left of its slice`() {
    let pace = GroupPace.slices
    #expect(pace.turnEnds(at(100), ran: 0, sliceMs: 20) == at(120))
    #expect(pace.turnEnds(at(100), ran: 15_000_000, sliceMs: 20) == at(105))
    #expect(pace.turnEnds(at(100), ran: 25_000_000, sliceMs: 20) == at(100), "it ran for longer before")
  }

  @Test func `a long write has its turn, however long it ran before`() {
    let pace = GroupPace.turn(until: at(125), longUntil: at(400), longOfSession: 3)
    #expect(pace.turnEnds(at(100), ran: 900_000_000, sliceMs: 20) == at(125))
  }

  @Test func `a group keeps its own members waiting, and a long write other long ones`() {
    let slices = GroupPace.slices.others(hasCompany: true)
    #expect(slices.hasCompany && slices.longBeyond == nil)
    #expect(!GroupPace.slices.others(hasCompany: false).hasCompany)
    let turn = GroupPace.turn(until: at(125), longUntil: at(400), longOfSession: 3).others(hasCompany: true)
    #expect(!turn.hasCompany && turn.longBeyond == 3 && turn.longTurnEnds == at(400))
  }

  @Test func `a group ends after a slice, and a long write has no group`() {
    #expect(!GroupPace.slices.isOver(at(119), since: at(100), sliceMs: 20))
    #expect(GroupPace.slices.isOver(at(120), since: at(100), sliceMs: 20))
    let turn = GroupPace.turn(until: at(100), longUntil: at(100), longOfSession: 0)
    #expect(!turn.isOver(at(900), since: at(100), sliceMs: 20))
  }

  @Test(
    arguments: [
      // Its own deadline holds, for a victim only if it is later than the longest time of a write.
      (50, false, 50), (50, true, 1_100), (5_000, true, 5_000),
      // Without one, the longest time holds.
      (nil, false, 1_100), (nil, true, 1_100),
    ] as [(Int?, Bool, Int)])
  func `when a member must have ended`(own: Int?, isVictim: Bool, ends: Int) {
    let deadline = GroupPace.deadline(
      own: own.map(at) ?? .distantFuture, isVictim: isVictim, at(100), longestMs: 1_000)
    #expect(deadline == at(ends))
  }
}
