/// Expressions that a program nests without end: an error, and never the end of the stack.
import MartletQuery
import MartletValues
import Testing

@Suite struct DepthTests {
  private static let endless: [(String, @Sendable (SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool>)] = [
    ("or", { SQLQueryExpression((Reminder.columns.isCompleted || $0).queryFragment, as: Bool.self) }),
    ("not", { SQLQueryExpression((!$0).queryFragment, as: Bool.self) }),
    ("raw", { SQLQueryExpression("(\((!$0).queryFragment))", as: Bool.self) }),
    ("exists", { condition in Reminder.where { _ in condition }.exists() }),
  ]

  @Test(arguments: endless.indices)
  func `an expression of any depth is an error`(index: Int) {
    let (name, around) = Self.endless[index]
    var expression = SQLQueryExpression("1", as: Bool.self)
    for _ in 0..<20_000 { expression = around(expression) }
    let query = Reminder.where { _ in expression }
    #expect(query.serialized.failure?.description.contains("nests deeper") == true, "\(name)")
  }

  @Test func `what a server can be set to take is written`() {
    var expression = SQLQueryExpression("1", as: Int.self)
    for _ in 0..<1_000 { expression = SQLQueryExpression(expression.abs()) }
    #expect(Values(expression).serialized.failure == nil)
  }

  @Test func `a chain of operators is no depth`() {
    var expression = SQLQueryExpression("1", as: Bool.self)
    for _ in 0..<2_000 {
      expression = SQLQueryExpression(
        (expression || Reminder.columns.isCompleted).queryFragment, as: Bool.self)
    }
    #expect(Reminder.where { _ in expression }.serialized.failure == nil)
  }
}
