/// Names of a tree do not get into the conditions of rules for tables.
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RuleCaptureTests {
  private static let ids = ASTStatement.select {
    $0.columns = [.expression(.column("id"))]
    $0.from = .table("notes")
    $0.orderBy = [.by(.column("id"))]
  }

  /// The same condition with and without the table's name, and one that asks another table.
  private static let conditions = [
    "tenant = claim('tenant')", "notes.tenant = claim('tenant')",
    "EXISTS (SELECT 1 FROM members WHERE member = claim('tenant') AND members.tenant = notes.tenant)",
    "tenant IN (SELECT tenant FROM members WHERE member = claim('tenant'))",
  ]

  private static let misfit =
    "The role 'app': in the database 'shop' a condition on the table 'notes' does not fit it: "

  private func stage(_ condition: String) throws -> RuleStage {
    let rule = try RowRule(condition)
    let stage = try RuleStage(TableRule(readColumns: ["id", "title", "body"], rows: rule, newRows: rule))
    for sql in ["CREATE TABLE members(member TEXT, tenant TEXT)", "INSERT INTO members VALUES ('a', 'a'), ('b', 'b')"] {
      #expect(try stage.run(sql).error == nil)
    }
    return stage
  }

  @Test func `a condition reads the operator's tables, whatever common tables a statement brings`() throws {
    for condition in Self.conditions {
      let stage = try stage(condition)
      let (a, error) = try stage.client("a")
      #expect(error == nil)
      let everybody = ASTStatement.select {
        $0.columns = [.expression(.literal("a"), as: "member"), .expression(.literal("b"), as: "tenant")]
      }
      for name in ["members", "MEMBERS", "q"] {
        let tables = [ASTCommonTable.named(name, as: everybody)]
        let read = try stage.ask(a, .with(tables, Self.ids))
        #expect(
          read.rows.allSatisfy { [[.integer(1)], [.integer(3)], [.integer(5)]].contains($0) }, "\(condition) \(name)")
        let inside = ASTStatement.select {
          $0.columns = [.expression(.function("count", .literal(Int64(1))))]
          $0.from = .subquery(.with(tables, Self.ids), as: "s")
        }
        let counted = try stage.ask(a, inside)
        #expect(counted.rows == [[.integer(3)]] || counted.error?.reason == .permission, "\(condition) \(counted)")
        let write = ASTStatement.update("notes") { $0.assignments = [.set("body", .literal("taken"))] }
        _ = try stage.ask(a, .with(tables, write))
        _ = try stage.ask(
          a, .with(tables, .delete(from: "notes") { $0.where = .call(.equal, .column("id"), .literal(Int64(2))) }))
      }
      let others = "SELECT count(*) FROM notes WHERE tenant = 'b' AND body = 'b'"
      #expect(try stage.run(others).rows == [[.integer(3)]], "\(condition)")
    }
  }

  @Test func `a write reaches its own rows under any alias and beside any table`() throws {
    for condition in Self.conditions {
      let stage = try stage(condition)
      let (a, _) = try stage.client("a")
      let own = ASTStatement.select {
        $0.columns = [.expression(.literal("a"), as: "tenant"), .expression(.literal(Int64(2)), as: "id")]
      }
      for alias in ["", "n", "Notes", "martlet_row", "members"] {
        for source in ["", "s", "notes", "main", "martlet_row", "members", "excluded"] where source != alias {
          let set = ASTStatement.update("notes") {
            $0.alias = alias
            $0.assignments = [.set("body", .literal("\(alias) \(source)"))]
            if !source.isEmpty { $0.from = .subquery(own, as: source) }
          }
          let answer = try stage.ask(a, set)
          let changed = answer.completion?.rowsChanged
          // Nothing beside it may be called as the table or its alias.
          let isTwice = ["notes", alias.lowercased()].contains(source)
          #expect(
            isTwice && !source.isEmpty ? answer.error?.reason == .permission : changed == 3,
            "\(condition): '\(alias)' '\(source)' \(answer)")
        }
        let take = ASTStatement.insert(into: "notes", ["title", "tenant"]) {
          $0.alias = alias
          $0.values = .rows([[.literal("n2"), .literal("a")]])
          $0.upserts = [.on(["title"], set: [.set("body", .literal("taken"))])]
        }
        _ = try stage.ask(a, take)
      }
      #expect(
        try stage.run("SELECT count(*) FROM notes WHERE tenant = 'b' AND body = 'b'").rows == [[.integer(3)]],
        "\(condition)")
    }
  }

  @Test func `a condition that does not fit its table is refused, and no name of the statement fits it`() throws {
    let rule = try RowRule("owner = claim('tenant')")
    let stage = try RuleStage(TableRule(rows: rule))
    _ = try stage.run("ALTER TABLE notes ADD COLUMN owner")
    let (a, _) = try stage.client("a")
    _ = try stage.run("ALTER TABLE notes DROP COLUMN owner")
    let captured = ASTStatement.select {
      $0.columns = [
        .expression(
          .subquery(
            .select {
              $0.columns = [.expression(.function("count", .literal(Int64(1))))]
              $0.from = .table("notes")
            }))
      ]
      $0.from = .subquery(.select { $0.columns = [.expression(.literal("a"), as: "owner")] }, as: "o")
    }
    for tree in [captured, Self.ids, .delete(from: "notes")] {
      let answer = try stage.ask(a, tree)
      #expect(answer.error != nil && answer.rows.isEmpty, "\(answer)")
    }
    #expect(try stage.ask(a, captured).error?.message.contains("rules for a table do not fit it") == true)
  }

  @Test func `a column that goes away while a statement is compiled leaves no condition to the statement's names`()
    throws
  {
    let rule = try RowRule("owner = claim('tenant')")
    let stage = try RuleStage(TableRule(rows: rule))
    _ = try stage.run("ALTER TABLE notes ADD COLUMN owner")
    _ = try stage.run("UPDATE notes SET owner = tenant")
    let (a, _) = try stage.client("a")
    let own = ASTTableSource.subquery(.select { $0.columns = [.expression(.literal("a"), as: "owner")] }, as: "o")
    let counted = ASTStatement.select {
      $0.columns = [
        .expression(
          .subquery(
            .select {
              $0.columns = [.expression(.countAll)]
              $0.from = .table("notes")
            }))
      ]
      $0.from = own
    }
    let take = ASTStatement.update("notes") {
      $0.assignments = [.set("body", .literal("taken"))]
      $0.from = own
    }
    // Often enough to be compiled wherever it may run.
    for _ in 0..<20 {
      #expect(try stage.ask(a, counted).rows == [[.integer(3)]])
      #expect(try stage.ask(a, take).completion?.rowsChanged == 3)
    }
    _ = try stage.run("UPDATE notes SET body = 'b'")
    _ = try stage.run("ALTER TABLE notes DROP COLUMN owner")
    for _ in 0..<20 {
      for tree in [counted, take] {
        let answer = try stage.ask(a, tree)
        #expect(
          answer.error?.message.contains("rules for a table do not fit it") == true && answer.rows.isEmpty, "\(answer)")
      }
    }
    a.send(70, .begin(.write))
    #expect(try a.answer(70).error == nil)
    a.send(71, .execute(.init(source: .statement(take.bytes), transaction: 70)))
    #expect(try a.answer(71).error != nil)
    #expect(try stage.run("SELECT count(*) FROM notes WHERE body = 'b'").rows == [[.integer(6)]])
  }

  @Test func `rules that do not fit the databases leave the old ones in force, and say where`() throws {
    let stage = try RuleStage()
    let (a, _) = try stage.client("a")
    let condition = try RowRule("tenant = claim('tenant')")
    let wrong: [([String: TableRule], String)] = [
      (["nots": TableRule()], "The role 'app': none of its databases has a table 'nots'."),
      (
        ["notes": TableRule(readColumns: ["id", "titel"])],
        "The role 'app': in the database 'shop' the table 'notes' has no column 'titel'."
      ),
      (
        ["notes": TableRule(writeColumns: ["Tenants"])],
        "The role 'app': in the database 'shop' the table 'notes' has no column 'Tenants'."
      ),
      (
        ["notes": TableRule(newRows: try RowRule("tenent = 1"))],
        Self.misfit + "no such column: tenent."
      ),
      (
        ["notes": TableRule(rows: try RowRule("EXISTS (SELECT 1 FROM nobody)"))],
        Self.misfit + "no such table: nobody."
      ),
      (
        [
          "notes": TableRule(rows: try RowRule("tenant IN (SELECT tenant FROM 'members' WHERE member = claim('name'))"))
        ],
        "The role 'app': in the database 'shop' a condition on the table 'notes' reads 'members' without naming it as a "
          + "name: leave the quotes out, or write double ones."
      ),
      (
        ["odd": TableRule(rows: try RowRule("a = 1"))],
        "The role 'app': in the database 'shop' the table 'odd' has a column 'rowid', "
          + "so its rows cannot have conditions."
      ),
    ]
    _ = try stage.run("CREATE TABLE odd(a, RowID)")
    _ = try stage.run("CREATE TABLE members(member, tenant)")
    for (tables, sentence) in wrong {
      #expect(throws: ServerError(sentence)) {
        try stage.reload { $0.roles["app"]?.grants[0].tables = TableRules(tables) }
      }
      #expect(try stage.ask(a, Self.ids).rows.count == 3)
    }
    try stage.reload { $0.roles["app"]?.grants[0].tables = TableRules(["NOTES": TableRule(rows: condition)]) }
  }

  @Test func `a table whose name has letters beyond ASCII is read under rules`() throws {
    let stage = try RuleStage()
    _ = try stage.run("CREATE TABLE \"ÜNÏ\"(a, tenant)")
    _ = try stage.run("INSERT INTO \"ÜNÏ\" VALUES (1, 'a'), (2, 'b')")
    let condition = try RowRule("tenant = claim('tenant')")
    try stage.reload { $0.roles["app"]?.grants[0].tables = TableRules(["ÜNÏ": TableRule(rows: condition)]) }
    let (a, _) = try stage.client("a")
    let read = ASTStatement.select {
      $0.columns = [.expression(.column("a"))]; $0.from = .table("ÜnÏ")
    }
    #expect(try stage.ask(a, read).rows == [[.integer(1)]])
  }
}
