/// Scripts for a part of the time that may be saved up.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct PartOfTimeTests {
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  @Test func `what is spent is followed by so much time for others, and what was saved can be used at once`() {
    var part = PartOfTime(percent: 10, savedMicroseconds: 10_000)
    #expect(part.isLeft(at: at(1_000)))
    // Ten milliseconds were saved and one came meanwhile; the next one has to be waited for.
    for ms in 1...11 {
      #expect(part.isLeft(at: at(1_000 + ms)))
      part.spend(1_000_000, until: at(1_000 + ms))
    }
    part.spend(1_000_000, until: at(1_012))
    #expect(!part.isLeft(at: at(1_013)) && part.isLeft(at: at(1_020)))
    // One that took long is paid for.
    part.spend(8_000_000, until: at(1_028))
    #expect(!part.isLeft(at: at(1_089)) && part.isLeft(at: at(1_120)))
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `never more is spent than the part, what was saved, and one piece`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let percent = [1, 5, 10, 25, 30, 50, 70, 100][Int(seed % 8)]
    let saved = 20
    var part = PartOfTime(percent: percent, savedMicroseconds: saved * 1_000)
    var (now, spent, longest) = (100_000, 0, 0)
    let start = now
    for _ in 0..<2_000 {
      now += Int.random(in: 0...3, using: &random)
      guard part.isLeft(at: at(now)) else { continue }
      let piece = Int.random(in: 0...9, using: &random)
      now += piece
      part.spend(UInt64(piece) * 1_000_000, until: at(now))
      spent += piece
      longest = max(longest, piece)
      #expect(spent <= (now - start) * percent / 100 + saved + longest + 1)
    }
    #expect(spent > 0)
  }

  @Test func `numbers beyond all bounds neither trap nor come back`() {
    var part = PartOfTime(percent: 1, savedMicroseconds: 1)
    part.spend(.max, until: .distantFuture)
    #expect(!part.isLeft(at: at(1_000_000)))
  }
}
