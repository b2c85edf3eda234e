/// Which of the setups that nobody has may stay.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct IdleSetupsTests {
  private static func moment(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: UInt64(ms) * 1_000_000) }

  @Test(
    arguments: [
      (1_000, 100, nil), (400, 100, 100), (1_000, 25, 200), (1_000, 10, 300), (1_000, 0, 400), (100, 100, 400),
    ] as [(Int, Int, Int?)])
  func `the oldest go first, by their time and by what they come to`(idleMs: Int, keptBytes: Int, since: Int?) {
    var setups = IdleSetups()
    for ms in [300, 100, 400, 200] { setups.add(bytes: 10, since: Self.moment(ms)) }
    // Two have room within 25 bytes.
    let going = setups.goingSince(now: Self.moment(500), idleMs: idleMs, keptBytes: keptBytes)
    #expect(going == since.map(Self.moment))
  }

  @Test func `where there is none, none goes`() {
    #expect(IdleSetups().goingSince(now: Self.moment(500), idleMs: 0, keptBytes: 0) == nil)
  }
}
