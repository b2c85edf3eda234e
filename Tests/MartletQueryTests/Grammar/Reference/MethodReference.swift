/// All examples, and docs/METHODS.md, which is made of them.
///
/// Always true: the page says nothing of a method that its example does not: its Swift text, its SQL, its version.
import Foundation

enum MethodReference {
  static var topics: [MethodTopic] {
    [
      .tables, .scopes, .clauses, .joins, .compounds, .comparisons, .memberships, .rowValues, .booleans, .cases,
      .arithmetic, .numbers, .nulls, .types, .texts, .dates, .dateParts, .aggregates, .windows, .frames, .search,
      .jsonMembers, .jsonChanges, .jsonRows, .jsonValues, .inserts, .conflicts, .updates, .assignments, .deletes,
      .createTables, .constraints, .alterations, .indexes, .triggers, .fullTextTables, .fullTextCommands,
    ]
  }

  static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../docs/METHODS.md")
    .standardized

  /// The page, as it is when it is fresh.
  static func page(of topics: [MethodTopic] = topics) -> String {
    ([introduction(topics)] + topics.map(section)).joined(separator: "\n\n") + "\n"
  }

  private static func introduction(_ topics: [MethodTopic]) -> String {
    let links = topics.map { topic in
      let anchor = topic.title.lowercased().replacing(/[^a-z0-9 -]/, with: "").replacing(" ", with: "-")
      return "[\(topic.title)](#\(anchor))"
    }
    return """
      # Methods and their SQL

      Every public method of the query builder with the SQL that it makes. [QUERY.md](QUERY.md) and
      [SCHEMA.md](SCHEMA.md) tell what they are for; this page is for looking things up. It is written by
      `MARTLET_WRITE_PAGES=1 swift test --filter MethodReferenceTests` from the examples in
      `Tests/MartletQueryTests/Grammar/Methods`; tests run each of them and prove that the page is fresh.

      In the tables, `$0` is the columns of a row: a reminder's unless the SQL names another table. The values of `?1`,
      `?2`, … travel beside the SQL; `martlet_list`, `martlet_rows` and `uuid` are functions of the engine. What needs
      an SQLite newer than 3.40 says so; the others run on 3.40.1. ORDER BY within an aggregate is SQLite's own from
      3.44 on; before that, an aggregate of the engine stands in. REGEXP calls a function `regexp` that the program
      registers.

      \(links.joined(separator: " ·\n"))
      """
  }

  private static func section(_ topic: MethodTopic) -> String {
    var parts = ["## \(topic.title)"]
    let expressions = topic.examples.filter(\.isExpression)
    if !expressions.isEmpty {
      let rows = expressions.map { "| \(cell($0.spelling)) | \(cell($0.sql))\(version($0)) |" }
      parts.append((["| Swift | SQL |", "|---|---|"] + rows).joined(separator: "\n"))
    }
    for example in topic.examples where !example.isExpression {
      parts.append("`\(example.members.joined(separator: "`, `"))`\(version(example))")
      parts.append("```swift\n\(example.spelling)\n```\n\n```sql\n\(example.sql)\n```")
    }
    return parts.joined(separator: "\n\n")
  }

  private static func version(_ example: MethodExample) -> String {
    example.needs.map { " (SQLite \($0))" } ?? ""
  }

  /// A code span on one line; a pipe would end the cell.
  private static func cell(_ text: String) -> String {
    let text = text.trimmingPrefix("_ in ")
    let line = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    return "`\(line.replacing("|", with: "\\|"))`"
  }
}
