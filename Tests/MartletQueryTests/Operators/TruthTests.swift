/// Whether a condition is true or false, for those that may be NULL.
import MartletAST
import MartletQuery
import MartletValues
import Testing

@Suite struct TruthTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  /// Of reminders 1 to 4 the priorities are high, none, low and medium: as a condition true, NULL, false, false.
  private let isHigh = Reminder.columns.priority.eq(.high)

  private func ids(_ condition: SQLQueryExpression<Bool>) throws -> [Int] {
    try sample.all(Reminder.where { _ in condition }.order(by: \.id).select(\.id))
  }

  @Test func `a condition that is NULL is neither true nor false`() throws {
    #expect(try ids(isHigh.isTrue()) == [1])
    #expect(try ids(isHigh.isNotTrue()) == [2, 3, 4])
    #expect(try ids(isHigh.isFalse()) == [3, 4])
    #expect(try ids(isHigh.isNotFalse()) == [1, 2])
  }

  @Test func `truth turns round with NOT, and a condition alone does not`() throws {
    #expect(try ids(!isHigh) == [3, 4])
    #expect(try ids(!isHigh.isTrue()) == [2, 3, 4])
    #expect(isHigh.isTrue().text == "((\"reminders\".\"priority\") = (3)) IS (TRUE)")
  }

  @Test func `whatever is not 0 is true`() throws {
    let two = SQLQueryExpression("2", as: Bool.self)
    #expect(try sample.value(two.isTrue()) == .integer(1))
    #expect(try sample.value(two.is(true)) == .integer(0))
  }
}
