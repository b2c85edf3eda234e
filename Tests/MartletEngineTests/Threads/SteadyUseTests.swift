/// What is used again and again, and what only a few times.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SteadyUseTests {
  private let ms = EngineLimits.steadyUseMs

  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: 1_000_000 + ms) }

  private func use(at moments: [Int]) -> SteadyUse {
    var use = SteadyUse()
    for moment in moments { use.used(at: at(moment)) }
    return use
  }

  @Test func `it is steady only after a while without a pause, and until the next one`() {
    let cases: [(moments: [Int], now: Int, isSteady: Bool)] = [
      ([], 0, false),
      ([0], 0, false),
      ([0], ms, false),
      ([0, 1, 2], 3, false),
      ([0, ms - 1], ms, false),
      ([0, ms], ms, true),
      ([0, ms], 2 * ms, true),
      ([0, ms], 2 * ms + 1, false),
      ([0, ms, 2 * ms], 2 * ms, true),
      ([0, ms, 2 * ms + 1], 2 * ms + 1, false),
      ([0, ms, 2 * ms + 1, 3 * ms + 1], 3 * ms + 1, true),
    ]
    for (moments, now, isSteady) in cases {
      #expect(use(at: moments).isSteady(at: at(now)) == isSteady, "\(moments) at \(now)")
    }
  }

  @Test func `threads whose clocks were read in another order do not end it`() {
    var use = use(at: [0, 900])
    use.used(at: at(899))
    use.used(at: at(ms + 10))
    #expect(use.isSteady(at: at(ms + 10)) && use.since == at(0))
  }
}
