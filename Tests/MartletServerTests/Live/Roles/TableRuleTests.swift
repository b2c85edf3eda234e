/// Roles with tables, columns and rows of their own, on a server, over a socket.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct TableRuleTests {
  private static let all = ASTStatement.select {
    $0.from = .table("notes")
    $0.orderBy = [.by(.column("id"))]
  }
  static let ids = ASTStatement.select {
    $0.columns = [.expression(.column("id"))]
    $0.from = .table("notes")
    $0.orderBy = [.by(.column("id"))]
  }
  private static func insert(_ titles: [String], _ change: (inout ASTInsert) -> Void = { _ in }) -> ASTStatement {
    .insert(into: "notes", ["title", "tenant"]) {
      $0.values = .rows(titles.map { [.literal($0), .literal($0.hasPrefix("b") ? "b" : "a")] })
      change(&$0)
    }
  }

  @Test func `each tenant reads its own rows by one plan, and nobody those of others by any shape`() throws {
    let stage = try RuleStage()
    let (a, _) = try stage.client("a")
    let (b, _) = try stage.client("b")
    let (nobody, _) = try stage.client(nil)
    #expect(try stage.ask(stage.admin, Self.ids).rows.count == 6)
    for _ in 0..<3 {
      #expect(try stage.ask(a, Self.ids).rows == [[.integer(1)], [.integer(3)], [.integer(5)]])
      #expect(try stage.ask(b, Self.ids).rows == [[.integer(2)], [.integer(4)], [.integer(6)]])
      #expect(try stage.ask(a, shape: Self.ids).rows.count == 3)
      #expect(try stage.ask(nobody, Self.ids).rows.isEmpty)
      #expect(try stage.ask(stage.admin, shape: Self.ids).rows.count == 6)
    }
    // What stands for the columns is those that may be read.
    #expect(try stage.ask(a, Self.all).rows.first == [.integer(1), .text("n1"), .text("b")])
  }

  @Test func `a key that would find the plan of somebody without rules is unknown`() throws {
    let stage = try RuleStage()
    let (a, _) = try stage.client("a")
    #expect(try stage.ask(stage.admin, Self.ids).rows.count == 6)
    let tenant = try RowRule("tenant = claim('tenant')")
    let rules = TableRules([
      "notes": TableRule(readColumns: ["id", "title", "body"], rows: tenant, newRows: tenant), "words": TableRule(),
    ])
    // Somebody who knows the rules can tell the number that leads to another's plan.
    let crafted = Restriction(rules: rules).key(of: Self.ids.bytes.withUnsafeBytes { ShapeID(hashing: $0) })
    for _ in 0..<3 {
      a.send(91, .execute(.init(source: .shape(crafted))))
      #expect(try a.answer(91).error?.reason == .unprepared)
    }
  }

  @Test func `writes reach a tenant's own rows, and a row for another is refused with all that came with it`() throws {
    let stage = try RuleStage()
    let (a, _) = try stage.client("a")
    let set = ASTStatement.update("notes") { $0.assignments = [.set("body", .literal("new"))] }
    #expect(try stage.ask(a, set).completion?.rowsChanged == 3)
    #expect(try stage.run("SELECT count(*) FROM notes WHERE body = 'new' AND tenant = 'a'").rows == [[.integer(3)]])
    // Several rows, of which a later one is not allowed: none stays, alone, in a batch and in a transaction.
    for titles in [["b1"], ["x1", "b1"], ["x1", "x2", "b1", "x3"]] {
      let refused = try stage.ask(a, Self.insert(titles))
      #expect(refused.error?.reason == .permission && refused.rows.isEmpty, "\(titles)")
      a.send(50, .batch(.init(steps: [.init(source: .statement(Self.insert(titles).bytes))], isAtomic: false)))
      _ = try a.answer(50)
      a.send(51, .begin(.write))
      #expect(try a.answer(51).error == nil)
      a.send(52, .execute(.init(source: .statement(Self.insert(titles).bytes), transaction: 51)))
      #expect(try a.answer(52).error?.reason == .permission)
      // The transaction goes on with what was written before, and without any row of the statement.
      a.send(53, .execute(.init(source: .statement(Self.insert(["x9"]).bytes), transaction: 51)))
      #expect(try a.answer(53).completion?.rowsChanged == 1)
      let loose = [Self.insert(titles), Self.insert(["x8"])].map { StatementStep(source: .statement($0.bytes)) }
      a.send(54, .batch(.init(steps: loose, isAtomic: false, transaction: 51)))
      _ = try a.answer(54)
      a.send(55, .finish(transaction: 51, commit: true))
      #expect(try a.answer(55).error == nil)
      let written = try stage.run("SELECT title FROM notes WHERE tenant = 'a' AND title LIKE 'x%' ORDER BY title")
      #expect(written.rows == [[.text("x8")], [.text("x9")]], "\(titles)")
      _ = try stage.run("DELETE FROM notes WHERE title LIKE 'x%'")
      #expect(try stage.run("SELECT count(*) FROM notes").rows == [[.integer(6)]], "\(titles)")
    }
    #expect(try stage.ask(a, Self.insert(["x1", "x2"])).completion?.rowsChanged == 2)
    // The check does not show: no column and no row of it, alone, in a batch and in a transaction.
    a.send(60, .begin(.write))
    #expect(try a.answer(60).error == nil)
    a.send(61, .execute(.init(source: .statement(Self.insert(["y1", "y2"]).bytes), transaction: 60)))
    let held = try a.answer(61)
    #expect(held.completion?.rowsReturned == 0 && held.completion?.rowsChanged == 2 && held.batches == 0, "\(held)")
    #expect(held.columns == nil)
    a.send(62, .finish(transaction: 60, commit: false))
    _ = try a.answer(62)
    a.send(63, .batch(.init(steps: [.init(source: .statement(Self.insert(["y3"]).bytes))], isAtomic: true)))
    let batch = try a.answer(63)
    #expect(batch.completion?.rowsReturned == 0 && batch.batches == 0, "\(batch)")
    #expect(
      try stage.ask(a, .delete(from: "notes") { $0.where = .call(.equal, .column("title"), .literal("y3")) }).error
        == nil)
    let away = ASTStatement.update("notes") { $0.assignments = [.set("tenant", .literal("b"))] }
    #expect(try stage.ask(a, away).error?.reason == .permission)
    #expect(try stage.run("SELECT count(*) FROM notes WHERE tenant = 'a'").rows == [[.integer(5)]])
    let returned = try stage.ask(a, Self.insert(["x3"]) { $0.returning = [.all()] })
    #expect(returned.error == nil && returned.rows.count == 1 && returned.rows[0].count == 3)
    #expect(try stage.ask(a, .delete(from: "notes")).completion?.rowsChanged == 6)
    #expect(try stage.run("SELECT count(*) FROM notes").rows == [[.integer(3)]])
  }

  @Test func `an upsert does not change the row of another`() throws {
    let stage = try RuleStage()
    let (a, _) = try stage.client("a")
    let take = Self.insert(["n2"]) { $0.upserts = [.on(["title"], set: [.set("body", .literal("taken"))])] }
    _ = try stage.ask(a, take)
    #expect(try stage.run("SELECT body, tenant FROM notes WHERE title = 'n2'").rows == [[.text("b"), .text("b")]])
    let own = Self.insert(["n1"]) { $0.upserts = [.on(["title"], set: [.set("body", .literal("mine"))])] }
    #expect(try stage.ask(a, own).completion?.rowsChanged == 1)
  }

  @Test func `an error does not tell what is in rows of others`() throws {
    let stage = try RuleStage()
    let (a, _) = try stage.client("a")
    _ = try stage.run("CREATE INDEX byTitle ON notes(title, id)")
    _ = try stage.run("UPDATE notes SET body = 'no json' WHERE tenant = 'b'")
    _ = try stage.run("UPDATE notes SET body = '{}' WHERE tenant = 'a'")
    let json = ASTExpression.function("json_extract", .column("body"), .literal("$.x"))
    let title = ASTExpression.call(.greaterOrEqual, .column("title"), .literal("n"))
    let fails = ASTExpression.function(
      "abs", .call(.multiply, .call(.equal, .column("title"), .literal("n2")), .literal(Int64.min)))
    for condition in [json, .call(.and, title, fails), .call(.or, fails, json)] {
      let read = ASTStatement.select {
        $0.from = .table("notes"); $0.where = condition
      }
      let count = ASTStatement.select {
        $0.columns = [.expression(.function("count", .literal(Int64(1))))]
        $0.from = .table("notes")
        $0.where = condition
      }
      for tree in [read, count, .delete(from: "notes") { $0.where = condition }] {
        #expect(try stage.ask(a, tree).error == nil)
      }
    }
    #expect(
      try stage.ask(
        stage.admin,
        .select {
          $0.from = .table("notes"); $0.where = json
        }
      ).error != nil)
  }

  @Test func `other tables, text, setups and inspection are closed, and full text is open where it is named`() throws {
    let stage = try RuleStage()
    let (a, _) = try stage.client("a")
    for table in ["secrets", "sqlite_schema", "words_content", "pragma_table_list", "none"] {
      #expect(try stage.ask(a, .select { $0.from = .table(table) }).error?.reason == .permission, "\(table)")
    }
    #expect(try stage.ask(a, .raw("SELECT 1")).error?.reason == .permission)
    let words = ASTStatement.select {
      $0.from = .table("words")
      $0.where = .call(.match, .column("words"), .literal("some"))
    }
    let found = try stage.ask(a, words)
    #expect(found.rows.count == 1, "\(found)")
    #expect(try stage.ask(a, .insert(into: "words", ["text"]) { $0.values = .rows([[.literal("more")]]) }).error == nil)
    // A column that is not there and one that may not be read are the same.
    func refusal(_ name: String) throws -> String? {
      try stage.ask(
        a,
        .select {
          $0.columns = [.expression(.column(name))]; $0.from = .table("notes")
        }
      ).error?.message
        .replacing(name, with: "X")
    }
    #expect(try refusal("secret") != nil && refusal("secret") == refusal("nothing"))
    #expect(try stage.ask(a, .createView("v", Self.ids)).error?.reason == .permission)
    let setup = [ASTStatement.createView("v", Self.ids) { $0.temporary = true }.bytes]
    #expect(try stage.client("a", setup: setup).1?.reason == .permission)
    // Nor does it get one that an administrator has open.
    let other = try RawClient(stage.live.unix)
    other.send(1, .hello(.init(database: "shop", create: false, setup: setup)))
    #expect(try other.receive().parts.first.map { if case .hello = $0 { true } else { false } } == true)
    #expect(try stage.client("a", setup: setup).1?.reason == .permission)
  }

  @Test func `a database of one's own is the one with the claim in its name`() throws {
    let stage = try RuleStage()
    #expect(try stage.client("a", "own-a").1 == nil)
    for (tenant, database) in [("a", "own-b"), ("*", "own-b"), ("", "own-"), (nil, "own-a")] as [(String?, String)] {
      #expect(try stage.client(tenant, database).1?.reason == .permission, "\(tenant ?? "none") \(database)")
    }
  }

  @Test func `a reload changes what the next statement may read, also by a shape that is known`() throws {
    let stage = try RuleStage()
    let (a, _) = try stage.client("a")
    #expect(try stage.ask(a, Self.ids).rows.count == 3)
    try stage.reload { policy in
      policy.roles["app"]?.grants[0].tables = TableRules(["words": TableRule()])
    }
    // A session hears of it in its loop's next turn.
    try waitUntil(within: .seconds(5)) { try stage.ask(a, Self.ids).error?.reason == .permission }
    #expect(try stage.ask(a, shape: Self.ids).error != nil)
    try stage.reload { policy in
      policy.roles["app"]?.grants[0].tables = (try? RowRule("id = 1")).map {
        TableRules(["notes": TableRule(rows: $0)])
      }
    }
    try waitUntil(within: .seconds(5)) { try stage.ask(a, Self.ids).rows == [[.integer(1)]] }
    #expect(try stage.ask(a, shape: Self.ids).rows == [[.integer(1)]])
    try stage.reload { $0.roles["app"]?.grants[0].tables = nil }
    try waitUntil(within: .seconds(5)) { try stage.ask(a, Self.ids).rows.count == 6 }
  }
}
