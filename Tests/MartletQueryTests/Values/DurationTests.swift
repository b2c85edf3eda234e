/// Durations as seconds.
import MartletQuery
import Testing

@Suite struct DurationTests {
  @Test(arguments: [
    Duration.seconds(Int64.max) * 16, .zero - .seconds(Int64.max) * 16, .seconds(9_000_000_000_000_000_000),
  ])
  func `a duration of more seconds than 64 bits hold is refused`(duration: Duration) {
    guard case .invalid(let error) = duration.queryBinding else { return #expect(Bool(false)) }
    #expect("\(error)".hasPrefix("A duration of 9e18 seconds or more"))
  }

  @Test func `others are their seconds`() {
    guard case .double(let seconds) = Duration.milliseconds(-1_500).queryBinding else { return #expect(Bool(false)) }
    #expect(seconds == -1.5)
  }
}
