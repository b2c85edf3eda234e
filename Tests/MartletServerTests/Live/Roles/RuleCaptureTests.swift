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
      #expect(Self.isMisfit(answer, without: ["owner"]), "\(answer)")
    }
  }

  /// The error tells only that the rules do not fit.
  private static func isMisfit(_ answer: RawClient.Answer, without names: [String]) -> Bool {
    guard let error = answer.error, answer.rows.isEmpty else { return false }
    return error.message.contains("rules for a table do not fit it")
      && names.allSatisfy { !error.message.contains($0) && !error.path.contains($0) }
  }

  /// Each with what makes it a misfit, and the names that nobody may learn of it.
  private static let misfits: [(String, change: String, names: [String])] = [
    ("owner = claim('tenant')", "ALTER TABLE notes DROP COLUMN owner", ["owner"]),
    (conditions[2], "DROP TABLE members", ["member"]),
    (conditions[3], "DROP TABLE members", ["member"]),
    (conditions[3], "ALTER TABLE members RENAME COLUMN member TO person", ["member", "person"]),
    (
      "EXISTS (SELECT 1 FROM members, teams WHERE member = claim('tenant') AND members.tenant = notes.tenant)",
      "ALTER TABLE teams ADD COLUMN member", ["member", "teams"]
    ),
  ]

  @Test func `a statement that was compiled before its condition came to fit no more tells no name of it`() throws {
    for (condition, change, names) in Self.misfits {
      let rule = try RowRule(condition)
      let stage = try stage(condition)
      for sql in [
        "ALTER TABLE notes ADD COLUMN owner", "UPDATE notes SET owner = tenant", "CREATE TABLE teams(a)",
        "INSERT INTO teams VALUES (1)",
      ] { #expect(try stage.run(sql).error == nil) }
      try stage.reload { $0.roles["app"]?.grants[0].tables = TableRules(["notes": TableRule(rows: rule)]) }
      let (a, _) = try stage.client("a")
      let none = ASTStatement.delete(from: "notes") { $0.where = .call(.equal, .column("id"), .literal(Int64(0))) }
      // Often enough to be compiled wherever it may run, and on the writer's connection in any case.
      for _ in 0..<20 {
        #expect(try stage.ask(a, Self.ids).rows.count == 3, "\(condition)")
        #expect(try stage.ask(a, none).error == nil, "\(condition)")
      }
      a.send(70, .begin(.write))
      #expect(try a.answer(70).error == nil)
      a.send(71, .execute(.init(source: .statement(Self.ids.bytes), transaction: 70)))
      #expect(try a.answer(71).rows.count == 3)
      a.send(72, .finish(transaction: 70, commit: true))
      #expect(try a.answer(72).error == nil)
      #expect(try stage.run(change).error == nil, "\(change)")
      for _ in 0..<20 {
        for tree in [Self.ids, none] {
          let answer = try stage.ask(a, tree)
          #expect(Self.isMisfit(answer, without: names), "\(change): \(answer)")
        }
      }
      a.send(80, .begin(.write))
      #expect(try a.answer(80).error == nil)
      a.send(81, .execute(.init(source: .statement(Self.ids.bytes), transaction: 80)))
      let answer = try a.answer(81)
      #expect(Self.isMisfit(answer, without: names), "\(change): \(answer)")
      #expect(try stage.run("SELECT count(*) FROM notes").rows == [[.integer(6)]])
    }
  }

  @Test func `of a table that is gone a client learns that, and nothing of the conditions on it or on others`() throws {
    let rule = try RowRule("owner = claim('tenant')")
    let hidden = try RowRule("EXISTS (SELECT 1 FROM members WHERE member = claim('tenant'))")
    let stage = try RuleStage()
    for sql in ["ALTER TABLE notes ADD COLUMN owner", "CREATE TABLE gone(a)", "CREATE TABLE members(member)"] {
      #expect(try stage.run(sql).error == nil)
    }
    try stage.reload {
      $0.roles["app"]?.grants[0].tables = TableRules(["gone": TableRule(rows: hidden), "notes": TableRule(rows: rule)])
    }
    let (a, _) = try stage.client("a")
    for sql in ["ALTER TABLE notes DROP COLUMN owner", "DROP TABLE gone", "DROP TABLE members"] {
      #expect(try stage.run(sql).error == nil)
    }
    let gone = try stage.ask(a, .select { $0.from = .table("gone") })
    #expect(gone.error?.message.contains("No such table") == true && gone.error?.message.contains("gone") == true)
    let both = ASTStatement.select {
      $0.columns = [.expression(.column("gone", "a"))]
      $0.from = .table("gone")
      $0.joins = [.join(.inner, .table("notes"))]
    }
    for answer in [gone, try stage.ask(a, both)] {
      let message = answer.error?.message ?? "owner"
      #expect(!message.contains("owner") && !message.contains("member"), "\(answer)")
    }
  }

  @Test func `a table that has become a full-text one is asked anew, and not as the ordinary one was`() throws {
    let stage = try RuleStage()
    for sql in ["CREATE TABLE asked(asked, tenant)", "INSERT INTO asked VALUES ('word', 'a'), ('word', 'b')"] {
      #expect(try stage.run(sql).error == nil)
    }
    let asked = TableRule(readColumns: ["asked", "tenant"], rows: try RowRule("tenant = claim('tenant')"))
    try stage.reload { $0.roles["app"]?.grants[0].tables = TableRules(["asked": asked]) }
    let (a, _) = try stage.client("a")
    let found = ASTStatement.select {
      $0.columns = [.expression(.column("tenant"))]
      $0.from = .table("asked")
      $0.where = .call(.equal, .column("asked"), .parameter(1))
    }
    /// On the writer's connection, each time.
    func ask(_ id: UInt32) throws -> RawClient.Answer {
      a.send(id, .begin(.write))
      #expect(try a.answer(id).error == nil)
      a.send(id + 1, .execute(.init(source: .statement(found.bytes), parameters: [.text("word")], transaction: id)))
      let answer = try a.answer(id + 1)
      a.send(id + 2, .finish(transaction: id, commit: false))
      #expect(try a.answer(id + 2).error == nil)
      return answer
    }
    #expect(try ask(100).rows == [[.text("a")]])
    for sql in [
      "DROP TABLE asked", "CREATE VIRTUAL TABLE asked USING fts5(text, tenant UNINDEXED)",
      "INSERT INTO asked(text, tenant) VALUES ('word', 'a'), ('word', 'b')",
    ] { #expect(try stage.run(sql).error == nil) }
    // It asks the part that its client sees, for which that is no question in full text.
    for id: UInt32 in [200, 300] {
      let answer = try ask(id)
      #expect(answer.error == nil && answer.rows.isEmpty, "\(answer)")
    }
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
          + "name. Leave the quotes out, or write double ones."
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
