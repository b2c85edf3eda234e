/// Placeholders that raw SQL holds itself: each would take the value of another one.
import MartletAST
import MartletQuery
import MartletValues
import Testing

@Suite struct PlaceholderTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test(arguments: [
    "id <> ?", "id <> ?1", "id <> :x", "id <> @x", "id <> $x", "id <> #1", "'a' <> ?", "[a] = ?",
    "CASE WHEN id THEN?1 END", "1 AND?", "title LIKE:x", "1 AND@x", "NOT?", "1 BETWEEN?1 AND 5", "title IS#1",
  ])
  func `a placeholder in raw SQL is refused with a sentence`(_ sql: String) throws {
    let wrong: [any MartletQuery.Statement] = [
      Reminder.where { SQLQueryExpression<Bool>(QueryFragment(sql), as: Bool.self) && $0.title.eq("Milk") },
      SQLQueryExpression<Int>(QueryFragment("SELECT 1 WHERE \(raw: sql) AND 1 = \(2)"), as: Int.self),
      Reminder.where { _ in SQLQueryExpression<Bool>("\(raw: sql) AND \(1)", as: Bool.self) }.delete(),
    ]
    for statement in wrong {
      #expect(statement.serialized.failure?.description.contains("placeholder") == true, "\(statement)")
    }
  }

  @Test func `what only looks like one is taken`() throws {
    let taken: [QueryFragment] = [
      "title <> '?' AND \"title\" <> ':x'", "1 -- ?\n AND 1", "/* :x ? */ 1", "[title] <> '@x' AND `title` <> '$x'",
      "title ->> '$.a' IS NULL OR 1", "'\(raw: "?")' <> ''", "\"\(raw: "title")\" <> '?'",
    ]
    for sql in taken {
      let query = Reminder.where { SQLQueryExpression<Bool>(sql, as: Bool.self) && $0.id.neq(9) }
      #expect(query.serialized.failure == nil, "\(query)")
    }
  }
}
