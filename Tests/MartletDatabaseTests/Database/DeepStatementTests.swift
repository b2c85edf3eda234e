/// Statements that a program nests without end in a closure that runs on a thread of the pool: its stack is enough for
/// them in a debug build, too, until they are refused.
import MartletDatabase
import MartletQuery
import Testing

@Suite struct DeepStatementTests {
  private static let shapes: [(String, @Sendable (SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool>)] = [
    ("upper", { SQLQueryExpression($0.hex().upper().length().gt(0).queryFragment, as: Bool.self) }),
    ("in", { inner in Item.columns.id.in(Item.where { _ in inner }.select(\.id)) }),
    ("exists", { inner in Item.where { _ in inner }.exists() }),
    (
      "arithmetic",
      { SQLQueryExpression("1", as: Int.self).eq(SQLQueryExpression($0.queryFragment, as: Int.self) * 1 + 1) }
    ),
    ("case", { SQLQueryExpression(Case().when($0, then: true).else(false).queryFragment, as: Bool.self) }),
    ("not", { SQLQueryExpression((!$0).queryFragment, as: Bool.self) }),
    (
      "||",
      { inner in
        let text = SQLQueryExpression(inner.queryFragment, as: String.self)
        return (Item.columns.title + text).upper().neq("x")
      }
    ),
    ("json", { inner in SQLQueryExpression("json_array(\(inner)) <> ''", as: Bool.self) }),
    (
      "a window's frame",
      { SQLQueryExpression(rowNumber().over(Window().rows(.preceding($0))).queryFragment, as: Bool.self) }
    ),
  ]

  @Test(arguments: shapes.indices)
  func `a statement of any depth returns rows or is refused`(index: Int) async throws {
    let (name, around) = Self.shapes[index]
    let open = try Home.queue.open()
    try await open.database.write { db in
      for depth in [60, 100, 150, 200, 300, 400, 600, 800, 1_000] {
        var condition = SQLQueryExpression("1", as: Bool.self)
        for _ in 0..<depth { condition = around(condition) }
        // The limit is met when the statement is built, or when it is sent.
        do { _ = try Item.where { _ in condition }.fetchAll(db) } catch {
          #expect("\(error)".contains("nests deeper"), "\(name), \(depth): \(error)")
        }
      }
    }
  }
}
