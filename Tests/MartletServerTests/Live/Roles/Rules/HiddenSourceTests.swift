/// Under rules for tables: where columns come from, and what stands in an index beside what may be read.
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct HiddenSourceTests {
  @Test func `behind a view a column comes from nowhere, unless its client may read it there`() throws {
    let stage = try RuleStage(more: ["titles": TableRule(permissions: .select)])
    let made = "CREATE VIEW titles AS SELECT n.title, n.secret AS s, x.a FROM notes AS n, secrets AS x"
    #expect(try stage.run(made).error == nil)
    let (client, _) = try stage.client("a")
    let answer = try stage.ask(client, .select { $0.from = .table("titles") })
    let columns = try #require(answer.columns?.columns)
    #expect(columns.map(\.name) == ["title", "s", "a"] && !answer.rows.isEmpty)
    #expect(columns.map(\.table) == ["notes", "", ""] && columns.map(\.origin) == ["title", "", ""])
    #expect(columns.map(\.database) == ["main", "", ""])
    let seen = try stage.ask(stage.admin, .select { $0.from = .table("titles") })
    #expect(seen.columns?.columns.map(\.origin) == ["title", "secret", "a"])
  }

  @Test func `a number that an index has gives nobody its hidden columns`() throws {
    let stage = try RuleStage(more: ["papers": TableRule(readColumns: ["title"])])
    for sql in [
      "CREATE VIRTUAL TABLE papers USING fts5(title, secret)",
      "INSERT INTO papers SELECT value, 'MARK' FROM json_each('[20,21,22,23,24,25,26,27,28,29]')",
    ] { #expect(try stage.run(sql).error == nil, "\(sql)") }
    let (client, _) = try stage.client("a")
    let marked = ASTStatement.select {
      $0.columns = [
        .expression(
          .function("highlight", .column("title"), .literal(Int64(1)), .literal("<"), .literal(">")))
      ]
      $0.from = .table("papers")
      $0.where = .call(.equal, .column("title"), .literal(Int64(25)))
    }
    // Each reading of an index has the next number, so that one of these is the one in the title.
    for _ in 0..<40 {
      let answer = try stage.ask(client, marked)
      #expect(answer.rows.isEmpty && answer.error?.reason == .permission, "\(answer.rows)")
    }
  }
}
