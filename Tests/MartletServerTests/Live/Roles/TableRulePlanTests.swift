/// How SQLite finds rows under rules for tables: by the key or index that it takes without them.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct TableRulePlanTests {
  private static let key = ASTExpression.call(.equal, .column("id"), .parameter(1))
  private static let title = ASTExpression.call(.equal, .column("title"), .parameter(1))

  private static func read(_ change: (inout ASTSelect) -> Void) -> ASTStatement {
    .select {
      $0.from = .table("notes")
      $0.where = key
      change(&$0)
    }
  }

  /// Each with what finds its rows.
  private static let searches: [(String, ASTStatement, index: String)] = [
    ("by key", read { _ in }, "INTEGER PRIMARY KEY"),
    ("by key with bounds", read { ($0.limit, $0.offset) = (.parameter(2), .parameter(3)) }, "INTEGER PRIMARY KEY"),
    (
      "by key with an expression that has no alias",
      read {
        $0.columns = [.expression(.function("upper", .column("title"))), .expression(.subquery(TableRuleTests.ids))]
      },
      "INTEGER PRIMARY KEY"
    ),
    (
      "by several keys", read { $0.where = .in(.column("id"), [.parameter(1), .parameter(2)]) }, "INTEGER PRIMARY KEY"
    ),
    (
      "by key and pattern",
      read { $0.where = .call(.and, key, .call(.like, .column("title"), .parameter(2))) }, "INTEGER PRIMARY KEY"
    ),
    ("by a unique text", read { $0.where = title }, "sqlite_autoindex_notes_1"),
    (
      "by key in a join",
      .select {
        $0.from = .table("notes", as: "n")
        $0.joins = [.join(.left, .table("notes", as: "m"), on: .call(.equal, .column("m", "id"), .column("n", "id")))]
        $0.where = .call(.equal, .column("n", "id"), .parameter(1))
      }, "INTEGER PRIMARY KEY"
    ),
    (
      "an update by key", .update("notes") { ($0.assignments, $0.where) = ([.set("body", .null)], key) },
      "INTEGER PRIMARY KEY"
    ),
    (
      "an update by key and another name",
      .update("notes") { ($0.alias, $0.assignments, $0.where) = ("n", [.set("body", .null)], key) },
      "INTEGER PRIMARY KEY"
    ),
    (
      "an update by key beside another table",
      .update("notes") {
        $0.assignments = [.set("body", .null)]
        $0.from = .table("words")
        $0.where = .call(.equal, .column("notes", "id"), .parameter(1))
      }, "INTEGER PRIMARY KEY"
    ),
    (
      "a delete by key and another name", .delete(from: "notes") { ($0.alias, $0.where) = ("n", key) },
      "INTEGER PRIMARY KEY"
    ),
  ]

  @Test func `a search by key or index goes through it with a condition as well`() throws {
    let stage = try RuleStage()
    _ = try stage.run("CREATE TABLE members(member TEXT, tenant TEXT)")
    let conditions = [
      "tenant = claim('tenant')", "notes.tenant = claim('tenant')",
      "EXISTS (SELECT 1 FROM members WHERE member = claim('name') AND members.tenant = notes.tenant)",
    ]
    for condition in conditions {
      let rule = TableRule(readColumns: ["id", "title", "body"], rows: try RowRule(condition))
      let rules = TableRules(["notes": rule, "words": TableRule()])
      for (name, tree, index) in Self.searches {
        let rendered = try StatementRenderer(rules: rules).render(tree)
        let count = rendered.parameterCount + rendered.claims.count
        stage.admin.send(
          7,
          .execute(
            .init(
              source: .statement(ASTStatement.raw("EXPLAIN QUERY PLAN " + rendered.sql).bytes),
              parameters: Array(repeating: .null, count: count))))
        let answer = try stage.admin.answer(7)
        let lines = answer.rows.compactMap { row in if case .text(let text)? = row.last { text } else { nil } }
        // The conditions' own table, what is beside, and the statement's subquery are not searched by the key.
        let scans = lines.filter { $0.hasPrefix("SCAN") && $0.contains("notes") && !$0.contains("byTenant") }
        #expect(lines.contains { $0.contains("SEARCH") && $0.contains(index) }, "\(name), \(condition): \(lines)")
        #expect(
          name.contains("no alias") || scans.isEmpty,
          "\(name), \(condition): \(lines) \(String(describing: answer.error))")
      }
    }
  }

  @Test func `an index that begins with the tenant is searched by it, so others' rows are not come to`() throws {
    let stage = try RuleStage()
    _ = try stage.run("CREATE TABLE posts(id INTEGER PRIMARY KEY, tenant TEXT, title TEXT, UNIQUE (tenant, title))")
    let rules = TableRules(["posts": TableRule(rows: try RowRule("tenant = claim('tenant')"))])
    let range = ASTStatement.select {
      $0.columns = [.expression(.column("id"))]
      $0.from = .table("posts")
      $0.where = .call(.between, .column("title"), .parameter(1), .parameter(2))
    }
    let sql = try StatementRenderer(rules: rules).render(range).sql
    stage.admin.send(
      8,
      .execute(
        .init(
          source: .statement(ASTStatement.raw("EXPLAIN QUERY PLAN " + sql).bytes), parameters: [.null, .null, .null])))
    let plan = try stage.admin.answer(8).rows.map { "\($0.last ?? .null)" }.joined()
    #expect(plan.contains("(tenant=? AND title>? AND title<?)"), "\(plan)")
  }

  @Test func `a search by key goes through the key with a condition as well`() throws {
    let stage = try RuleStage()
    let byKey = ASTStatement.select {
      $0.from = .table("notes")
      $0.where = .call(.equal, .column("id"), .parameter(1))
    }
    let tenant = try RowRule("tenant = claim('tenant')")
    let rules = TableRules(["notes": TableRule(readColumns: ["id", "title"], rows: tenant)])
    let sql = try StatementRenderer(rules: rules).render(byKey).sql
    stage.admin.send(
      7,
      .execute(
        .init(source: .statement(ASTStatement.raw("EXPLAIN QUERY PLAN " + sql).bytes), parameters: [.null, .null])))
    let plan = try stage.admin.answer(7).rows.map { "\($0.last ?? .null)" }.joined()
    #expect(plan.contains("notes USING INTEGER PRIMARY KEY") && !plan.contains("SCAN"), "\(plan)")
    let (a, _) = try stage.client("a")
    #expect(try stage.ask(a, byKey, [.integer(3)]).rows.count == 1)
    #expect(try stage.ask(a, byKey, [.integer(4)]).rows.isEmpty)
    // A client cannot bind the claim itself.
    #expect(try stage.ask(a, byKey, [.integer(4), .text("b")]).error?.reason == .invalidStatement)
  }
}
