/// What is believed of how long the log's copies take.
import Testing

@testable import MartletEngine

@Suite struct CopyPaceTests {
  private let megabyte = 1 << 20

  @Test func `each byte is owed twice, for the commit and for the copy`() {
    let pace = CopyPace()
    #expect(pace.nanoseconds(owedFor: 0) == 0 && pace.nanoseconds(owedFor: -5) == 0)
    #expect(pace.nanoseconds(owedFor: 1_000) == 2 * 1_000 * EngineLimits.copyPicosecondsFirst / 1_000)
  }

  @Test func `it follows the copies slowly, and stays within its bounds`() {
    let first = CopyPace().nanoseconds(owedFor: megabyte)
    // Nanoseconds that copies of a megabyte took, and whether later ones are believed to take longer.
    for (copies, isLonger) in [([100_000_000], true), ([1], false), ([1, 1, .max], true)] as [([UInt64], Bool)] {
      let pace = CopyPace()
      for nanoseconds in copies { pace.copied(bytes: megabyte, nanoseconds: nanoseconds) }
      #expect((pace.nanoseconds(owedFor: megabyte) > first) == isLonger, "\(copies)")
    }
    let (slow, fast) = (CopyPace(), CopyPace())
    for _ in 0..<100 {
      slow.copied(bytes: megabyte, nanoseconds: .max)
      fast.copied(bytes: megabyte, nanoseconds: 0)
    }
    let (least, most) = (EngineLimits.copyPicosecondsMin, EngineLimits.copyPicosecondsMax)
    #expect(slow.nanoseconds(owedFor: 1_000) <= 2 * most && slow.nanoseconds(owedFor: 1_000) > most)
    #expect(fast.nanoseconds(owedFor: 1_000) >= 2 * least && fast.nanoseconds(owedFor: 1_000) < 4 * least)
    #expect(slow.nanoseconds(owedFor: .max) == .max, "nothing overflows")
  }

  @Test func `small copies tell nothing`() {
    let pace = CopyPace()
    for _ in 0..<100 { pace.copied(bytes: EngineLimits.copyBytesTold - 1, nanoseconds: .max) }
    #expect(pace.nanoseconds(owedFor: megabyte) == CopyPace().nanoseconds(owedFor: megabyte))
  }
}
