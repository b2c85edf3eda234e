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

  @Test func `statements that nest hundreds of levels deep are written`() {
    var union = Reminder.select(\.id).union(Reminder.select(\.id))
    var with = With {
      Reminder.all
    } query: {
      Reminder.all
    }
    for _ in 0..<590 {
      union = Reminder.select(\.id).union(union)
      with = With {
        with
      } query: {
        Reminder.all
      }
    }
    #expect(union.serialized.failure == nil && with.serialized.failure == nil)
  }

  @Test func `a chain of operators is no depth`() {
    var expression = SQLQueryExpression("1", as: Bool.self)
    for _ in 0..<2_000 {
      expression = SQLQueryExpression(
        (expression || Reminder.columns.isCompleted).queryFragment, as: Bool.self)
    }
    #expect(Reminder.where { _ in expression }.serialized.failure == nil)
  }

  @Test func `statements of any depth are an error`() {
    var union = Reminder.select(\.id).union(Reminder.select(\.id))
    for _ in 0..<2_000 { union = Reminder.select(\.id).union(union) }
    #expect(union.serialized.failure?.description.contains("nests deeper") == true)
    var limited = union
    for _ in 0..<2_000 { limited = limited.limit(1).union(Reminder.select(\.id)) }
    #expect(limited.serialized.failure?.description.contains("nests deeper") == true)
    var with = With {
      Reminder.all
    } query: {
      Reminder.all
    }
    for _ in 0..<2_000 {
      with = With {
        with
      } query: {
        Reminder.all
      }
    }
    #expect(with.serialized.failure?.description.contains("nests deeper") == true)
    with = With {
      Reminder.all
    } query: {
      Reminder.all
    }
    for _ in 0..<2_000 {
      let inner = with
      with = With {
        Reminder.all
      } query: {
        inner
      }
    }
    #expect(with.serialized.failure?.description.contains("nests deeper") == true)
    var count = Reminder.select(\.id).union(Reminder.select(\.id)).count()
    for _ in 0..<2_000 { count = count.count() }
    #expect(count.serialized.failure?.description.contains("nests deeper") == true)
  }

  @Test(arguments: Self.throughStatements.indices)
  func `an expression that nests through statements is an error`(index: Int) {
    let (name, around) = Self.throughStatements[index]
    var expression = SQLQueryExpression("1", as: Bool.self)
    for _ in 0..<2_000 { expression = around(expression) }
    let query = Reminder.where { _ in expression }
    #expect(query.serialized.failure?.description.contains("nests deeper") == true, "\(name)")
  }

  private static let throughStatements: [(String, @Sendable (SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool>)] = [
    (
      "union",
      { inner in
        Reminder.where { _ in inner }.select(\.id).union(Reminder.select(\.id)).contains(Reminder.columns.id)
      }
    ),
    (
      "with",
      { inner in
        let with = With {
          Reminder.all
        } query: {
          Reminder.where { _ in inner }
        }
        return SQLQueryExpression("EXISTS (\(with))", as: Bool.self)
      }
    ),
    ("values", { inner in SQLQueryExpression(Values(inner).queryFragment, as: Bool.self) }),
    (
      "a window",
      { inner in
        let rows = Reminder.all.window("w") { _ in .order(by: inner) }.select { _ in rowNumber().over("w") }
        return rows.contains(Reminder.columns.id)
      }
    ),
    (
      "a frame",
      { inner in
        let window = Window().rows(.preceding(inner))
        return SQLQueryExpression(rowNumber().over(window).queryFragment, as: Bool.self)
      }
    ),
    (
      "a function in FROM",
      { inner in
        let array = SQLQueryExpression<[Int].JSONRepresentation>("\(inner)", as: [Int].JSONRepresentation.self)
        return SQLQueryExpression(array.jsonEach().select(\.value).exists().queryFragment, as: Bool.self)
      }
    ),
  ]
}
