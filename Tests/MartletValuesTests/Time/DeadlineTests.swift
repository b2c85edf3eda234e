/// Durations that no clock can count to.
import Testing

@testable import MartletValues

@Suite struct DeadlineTests {
  /// Its seconds do not fit into 64 bits.
  private let longest = Duration.seconds(Int64.max) * 16

  @Test func `a duration of more seconds than 64 bits hold is a long one`() {
    let bound = Int(ValueLimits.durationSecondsMax) * 1_000
    #expect(longest.milliseconds == bound && Duration.seconds(Int64.max).milliseconds == bound)
    #expect((.zero - longest).milliseconds == 0 && Duration.zero.milliseconds == 0)
    #expect(Duration.nanoseconds(1).milliseconds == 1 && Duration.milliseconds(1_500).milliseconds == 1_500)
    #expect(Deadline.next(longest, otherwise: .zero) > Deadline.now())
    withDeadline(longest) { #expect(Deadline.current.map { $0 > Deadline.now() } == true) }
  }

  @Test func `durations are added up to the longest that counts`() {
    #expect(Duration.seconds(1).adding(milliseconds: 500) == .milliseconds(1_500))
    #expect(longest.adding(milliseconds: .max) == .seconds(ValueLimits.durationSecondsMax) * 2)
  }
}
