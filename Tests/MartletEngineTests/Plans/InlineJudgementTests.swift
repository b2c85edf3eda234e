/// Which shapes stay on an event loop.
import Testing

@testable import MartletEngine

@Suite struct InlineJudgementTests {
  /// How many reads are sent away before one may run.
  private func declines(_ judgement: inout InlineJudgement) -> Int {
    var count = 0
    while !judgement.readArrived() { count += 1 }
    return count
  }

  @Test func `a shape that is heavy again and again is tried less and less, but is tried`() {
    var judgement = InlineJudgement()
    var seen: [Int] = []
    for _ in 0..<11 {
      judgement.wasHeavy()
      seen.append(declines(&judgement))
    }
    #expect(seen == [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 4096, 4096])
  }

  @Test func `light reads bring it back`() {
    var judgement = InlineJudgement()
    for _ in 0..<5 { judgement.wasHeavy() }
    _ = declines(&judgement)
    for _ in 0..<10 { judgement.wasLight() }
    judgement.wasHeavy()
    #expect(declines(&judgement) == 16)
  }

  @Test func `a shape is known to be light after some light reads, and no more after a heavy one`() {
    var judgement = InlineJudgement()
    for _ in 0..<3 { judgement.wasLight() }
    #expect(!judgement.isKnownLight)
    judgement.wasLight()
    #expect(judgement.isKnownLight)
    judgement.wasHeavy()
    #expect(!judgement.isKnownLight)
    // One that took its time among many means nothing, two do.
    for _ in 0..<20 { judgement.wasLight() }
    judgement.wasNotBrief()
    #expect(judgement.isKnownLight)
    judgement.wasNotBrief()
    #expect(!judgement.isKnownLight)
  }

  @Test func `a slow read among light ones means nothing, three in a row do`() {
    var judgement = InlineJudgement()
    for _ in 0..<20 {
      judgement.wasSlow()
      for _ in 0..<10 { judgement.wasLight() }
      #expect(judgement.readArrived() == true)
    }
    for _ in 0..<3 { judgement.wasSlow() }
    #expect(declines(&judgement) == 16)
  }
}
