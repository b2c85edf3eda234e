/// Long values and many operators: nothing can end SQLite between two operators, so what they may take together is
/// bounded before the first of them runs.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct LongValueTests {
  /// Sums of a parameter with itself, 400 operators and more: SQLite nests no deeper in text, and computes equal ones
  /// once.
  private static func sums(_ count: Int) -> String {
    (0..<count).map { Array(repeating: "?1", count: 401 + $0).joined(separator: " + ") }.joined(separator: ", ")
  }

  private func outcome(_ sql: String, _ values: [Value], _ change: (inout Limits) -> Void = { _ in }) throws
    -> RequestError?
  {
    let fixture = try ReadFixture(change)
    return fixture.sink.outcome(of: try fixture.start(sql, values).token).error
  }

  @Test func `a long value and many operators are refused with both numbers, and either alone is not`() throws {
    let long = Value.text(String(repeating: "1", count: 1_000_000))
    let refused = try #require(try outcome("SELECT \(Self.sums(3))", [long]))
    #expect(refused.reason == .limit && !refused.isRetryable)
    #expect(refused.message.contains("1000000 bytes") && refused.message.contains("operators"))
    #expect(try outcome("SELECT \(Self.sums(1))", [long]) == nil)
    #expect(try outcome("SELECT \(Self.sums(3))", [.text("12345")]) == nil)
    #expect(try outcome("SELECT length(?1)", [long]) == nil)
    #expect(try outcome("SELECT \(Self.sums(3))", [long]) { $0.longValueWorkMax = .max } == nil)
  }

  @Test func `the bound is exact, and no product of numbers overflows`() throws {
    let value = Value.text(String(repeating: "1", count: 200_000))
    let operators = 401 - 1
    // A row of one result has no other operator.
    #expect(try outcome("SELECT \(Self.sums(1))", [value]) { $0.longValueWorkMax = 200_000 * operators } == nil)
    let refused = try outcome("SELECT \(Self.sums(1))", [value]) { $0.longValueWorkMax = 200_000 * operators - 1 }
    #expect(refused?.reason == .limit)
    #expect(try outcome("SELECT \(Self.sums(1))", [value]) { $0.longValueWorkMax = 0 }?.reason == .limit)
  }
}
