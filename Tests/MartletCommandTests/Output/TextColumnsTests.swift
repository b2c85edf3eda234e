/// Numbers as people read them, of any size.
import Testing

@testable import MartletCommand

struct TextColumnsTests {
  @Test(arguments: [
    (0.0, "0"), (1.5, "1.50"), (12.34, "12.3"), (99.96, "100.0"), (123.4, "123"), (1e18, "1000000000000000000"),
    (1e300, "1e+300"), (-1e300, "-1e+300"), (.infinity, "inf"),
  ])
  func `a number of any size has digits`(value: Double, expected: String) {
    #expect(CountText.digits(value) == expected)
  }

  @Test func `milliseconds of any number are a time`() {
    #expect(CountText.time(ms: 5) == "5 ms" && CountText.time(ms: .max).hasSuffix(" s"))
  }
}
