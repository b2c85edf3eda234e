/// The grammar is closed: what the builder makes is all of it, and each tree means the same wherever it goes.
///
/// Always true: what no expression of the builder makes stands in a list here with the reason; an entry that has become
/// wrong fails.
import Foundation
import MartletAST
import MartletQuery
import MartletSQLite
import MartletTestSupport
import Testing

@Suite struct GrammarTests {
  /// What the builder does not make, and why.
  static let notBuilt: [String: String] = {
    let reasons: [String: [String]] = [
      "NATURAL compares whatever columns two tables share by chance, so a migration changes a query that nobody touched":
        ["Join.natural"],
      "FTS5 runs no NOT MATCH, and SQLite has no other: it would compile and never run": [
        "Operator.OPERATOR_NOT_MATCH"
      ],
      "the builder makes tables of FTS5, whose tokenizers have their arguments inside of the value": [
        "ModuleArgument.Option.arguments"
      ],
      "SQLite finds out by itself that a table reads itself": ["With.recursive"],
    ]
    return reasons.reduce(into: [:]) { result, entry in for name in entry.value { result[name] = entry.key } }
  }()

  @Test func `the builder makes every node, field and value of the grammar`() throws {
    let grammar = try GrammarText()
    let examples = GrammarExamples.all + MethodReference.topics.flatMap(\.examples).map(\.statement)
    let built = try examples.reduce(into: Set<String>()) { names, statement in
      names.formUnion(try grammar.names(in: statement.tree))
    }
    let missing = grammar.allNames.subtracting(built)
    #expect(missing.subtracting(Self.notBuilt.keys).sorted() == [], "nothing builds these")
    #expect(Set(Self.notBuilt.keys).subtracting(missing).sorted() == [], "these are built by now")
  }

  @Test func `a tree is the same after it was bytes`() throws {
    for statement in GrammarExamples.all {
      let tree = statement.tree
      let bytes = tree.serialized
      #expect(try ASTStatement.decode(bytes) == tree, "\(statement.sql)")
    }
  }

  @Test func `a client shows the SQL that a server makes of the bytes`() throws {
    for statement in GrammarExamples.all {
      #expect(statement.built.failure == nil, "\(statement.sql)")
      let bytes = statement.tree.serialized
      let rendered = try StatementRenderer(sqliteVersion: 3_044_000).render(ASTStatement.decode(bytes))
      #expect(rendered.sql == statement.sql)
      #expect(rendered.parameterCount == statement.parameters.count, "\(statement.sql)")
    }
  }

  // MARK: The reasons

  @Test func `a natural join changes its rows where a migration adds a column`() throws {
    let sample = try Sample()
    for sql in ["CREATE TABLE a (id, x)", "CREATE TABLE b (id, y)", "INSERT INTO a VALUES (1, 2)"] {
      _ = try sample.connection.prepare(sql).step()
    }
    _ = try sample.connection.prepare("INSERT INTO b VALUES (1, 3)").step()
    let natural = SQLQueryExpression("SELECT y FROM a NATURAL JOIN b", as: Int.self)
    #expect(try sample.all(natural) == [3])
    for (table, column) in [("a", "DEFAULT 1"), ("b", "DEFAULT 2")] {
      _ = try sample.connection.prepare("ALTER TABLE \(table) ADD COLUMN version \(column)").step()
    }
    #expect(try sample.all(natural) == [])
  }

  @Test func `no table runs NOT MATCH, and what does not match is asked for by its rowid`() throws {
    let sample = try Sample()
    try sample.addDocuments()
    for condition in ["documentTexts NOT MATCH 'swift'", "title NOT MATCH 'swift'", "NOT (title MATCH 'swift')"] {
      #expect(throws: (any Error).self, "\(condition)") {
        try sample.run(SQLQueryExpression("SELECT rowid FROM documentTexts WHERE \(raw: condition)", as: Int.self))
      }
    }
    #expect(throws: (any Error).self) { try sample.run(SQLQueryExpression("SELECT 'a' NOT MATCH 'b'", as: Bool.self)) }
    let others = DocumentText.where { text in
      !text.rowid.in(DocumentText.where { $0.match("swift") }.select(\.rowid))
    }
    #expect(try sample.all(others.select(\.rowid)) == [3])
  }
}
