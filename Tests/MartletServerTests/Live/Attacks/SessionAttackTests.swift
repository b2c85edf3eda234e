/// What belongs to other sessions, and what only the operator may ask: shapes, transactions, requests, the server.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct SessionAttackTests {
  private static func shape(_ tree: ASTStatement) -> StatementSource {
    .shape(tree.bytes.withUnsafeBytes { ShapeID(hashing: $0) })
  }

  /// Each is prepared by somebody who may, on every connection that there is.
  private static let shapes: [(String, ASTStatement)] = [
    ("an administrator's text", .raw("SELECT v FROM vault")), ("an administrator's tree", Ask.all("vault")),
    ("a tree that has other columns for others", Ask.all("notes")),
    ("a write of an administrator's", .delete(from: "vault") { $0.where = .literal(Int64(0)) }),
    ("a view of an administrator's", Ask.all("vault_over")), ("a full-text table's", Ask.all("diary")),
  ]

  @Test func `the id of a shape that others have prepared is no key to what they read`() throws {
    let stage = try AttackStage()
    for who in Attempt.Attacker.allCases {
      let client = try stage.session(who)
      for (name, tree) in Self.shapes {
        for _ in 0..<3 { #expect(try stage.ask(stage.admin, tree).error == nil, "\(name)") }
        _ = client.takeAll()
        let known = Self.shape(tree)
        let none = StatementSource.shape(ShapeID(high: 1, low: 2))
        let (answer, other) = (
          try stage.ask(client, .execute(.init(source: known))), try stage.ask(client, .execute(.init(source: none)))
        )
        #expect(answer.error?.reason == .unprepared && answer.error == other.error, "\(who) \(name)")
        let step = try stage.ask(client, .batch(.init(steps: [.init(source: known)], isAtomic: true)))
        #expect(step.error != nil && step.rows.isEmpty, "\(who) \(name): \(step)")
        stage.expectNoMarker(in: client.takeAll(), name)
      }
    }
    #expect(try stage.run("SELECT count(*) FROM vault").rows == [[.integer(3)]])
  }

  @Test func `the id of a shape of another role's is that role's`() throws {
    let stage = try AttackStage()
    let (tenant, reader) = (try stage.session(.tenant), try stage.session(.reader))
    let tree = Ask.notes()
    for _ in 0..<3 {
      #expect(try stage.ask(tenant, tree).rows.count == 3)
      #expect(try stage.ask(tenant, .execute(.init(source: Self.shape(tree)))).rows.count == 3)
    }
    #expect(try stage.ask(reader, .execute(.init(source: Self.shape(tree)))).error?.reason == .unprepared)
    #expect(try stage.ask(reader, tree).rows.count == 6)
    #expect(try stage.ask(tenant, .execute(.init(source: Self.shape(tree)))).rows.count == 3)
    // The same rules with another claim are the same plan, and other rows.
    let (b, _) = try stage.hello("tenant", claims: ["tenant": "b"])
    #expect(
      try stage.ask(b, .execute(.init(source: Self.shape(tree)))).rows == [[.integer(2)], [.integer(4)], [.integer(6)]])
  }

  @Test func `a transaction of another session is one that is not there`() throws {
    let stage = try AttackStage()
    let attacker = try stage.session(.tenant)
    let (owner, _) = try stage.hello("rows")
    owner.send(5_000, .begin(.write))
    #expect(try owner.answer(5_000).error == nil)
    let insert = ASTStatement.insert(into: "plain", ["x"]) { $0.values = .rows([[.literal("held")]]) }
    #expect(try stage.ask(owner, insert, transaction: 5_000).error == nil)
    let tries: [(String, (UInt32) -> ClientMessage.Kind)] = [
      ("a read in it", { .execute(.init(source: .statement(Ask.all("plain").bytes), transaction: $0)) }),
      ("a write in it", { .execute(.init(source: .statement(insert.bytes), transaction: $0)) }),
      ("a batch in it", { .batch(.init(steps: [.init(source: .statement(insert.bytes))], transaction: $0)) }),
      ("its commit", { .finish(transaction: $0, commit: true) }),
      ("its end", { .finish(transaction: $0, commit: false) }),
      ("a savepoint in it", { .savepoint(transaction: $0, .set, number: 1) }),
      ("a return to a savepoint in it", { .savepoint(transaction: $0, .rollBackTo, number: 1) }),
    ]
    for (name, kind) in tries {
      let (answer, other) = (try stage.ask(attacker, kind(5_000)), try stage.ask(attacker, kind(5_001)))
      #expect(answer.error?.reason == .unknownTransaction && answer.error == other.error, "\(name): \(answer)")
    }
    #expect(try stage.ask(owner, .finish(transaction: 5_000, commit: true)).error == nil)
    #expect(try stage.run("SELECT count(*) FROM plain WHERE x = 'held'").rows == [[.integer(1)]])
  }

  @Test func `a request of another session is not cancelled, and not given credit`() throws {
    let stage = try AttackStage()
    let attacker = try stage.session(.tenant)
    let long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i FROM n"
    stage.admin.send(6_000, .raw(long, deadlineMs: 30_000, credit: 1_000))
    attacker.send(6_000, .cancel)
    attacker.send(6_000, .credit(bytes: 1 << 30))
    #expect(try stage.ask(attacker, Ask.notes()).rows.count == 3)
    stage.admin.send(6_000, .credit(bytes: 1 << 30))
    let answer = try stage.admin.answer(6_000)
    #expect(answer.error == nil && answer.rows.count == 20_000)
  }

  @Test func `a request's number that is in flight, and a second hello, end the attacker's connection alone`() throws {
    let stage = try AttackStage()
    let endings: [(String, [ClientMessage.Kind])] = [
      ("a number twice", [.begin(.read), .begin(.read)]),
      ("a second hello", [.hello(.init(database: "shop", client: "all", credential: ""))]),
      ("a setup without a hello", [.setup([Ask.all("plain").bytes])]),
    ]
    for (name, kinds) in endings {
      let (client, _) = try stage.hello("tenant", claims: ["tenant": "a"])
      for kind in kinds { client.send(77, kind) }
      let last = try client.receiveUntilClosed().flatMap(\.parts)
      #expect(last.contains { if case .error = $0 { true } else { false } }, "\(name): \(last)")
      stage.expectNoMarker(in: client.takeAll(), name)
    }
    #expect(try stage.run("SELECT count(*) FROM vault").rows == [[.integer(3)]])
  }

  // MARK: - Batches

  private static func step(_ tree: ASTStatement, _ values: [StepParameter] = []) -> StatementStep {
    StatementStep(source: .statement(tree.bytes), parameters: values)
  }

  @Test func `a step's reference reaches what the client itself was given, and nothing that is checked beside it`()
    throws
  {
    let stage = try AttackStage()
    let client = try stage.session(.tenant)
    let insert = Ask.insert { $0.returning = [.expression(.column("title"))] }
    let own = ASTStatement.insert(into: "plain", ["x"]) {
      $0.values = .rows([[.parameter(1)]])
      $0.returning = [.expression(.column("x"))]
    }
    let references: [(String, StepParameter)] = [
      ("the check of a new row", .firstRow(step: 1, column: 1)), ("a column far behind", .firstRow(step: 1, column: 9)),
      ("the step itself", .firstRow(step: 2, column: 0)), ("a step that nobody sent", .firstRow(step: 7, column: 0)),
      ("a step before the first", .firstRow(step: 0, column: 0)),
      ("a column before the first", .firstRow(step: 1, column: -1)),
    ]
    for (name, reference) in references {
      let id = stage.nextID()
      client.send(id, .batch(.init(steps: [Self.step(insert), Self.step(own, [reference])], isAtomic: true)))
      let answer = try client.answer(id)
      let given = answer.rows.filter { $0 != [.text("new")] }
      #expect(answer.error != nil || given == [[.null]], "\(name): \(answer)")
      _ = try stage.run("DELETE FROM notes WHERE title = 'new'")
      _ = try stage.run("DELETE FROM plain WHERE id > 2")
    }
  }

  @Test func `a step that is refused leaves nothing of the others, wherever it stands`() throws {
    let stage = try AttackStage()
    let client = try stage.session(.tenant)
    let own = ASTStatement.insert(into: "plain", ["x"]) { $0.values = .rows([[.literal("batch")]]) }
    for (name, hidden) in [("a hidden table", Ask.all("vault")), ("a row of others", Ask.insert("b"))] {
      for place in 0..<3 {
        var steps = [Self.step(own), Self.step(own)]
        steps.insert(Self.step(hidden), at: place)
        let answer = try stage.ask(client, .batch(.init(steps: steps, isAtomic: true)))
        #expect(answer.error?.reason == .permission && answer.rows.isEmpty, "\(name) at \(place): \(answer)")
        #expect(try stage.run("SELECT count(*) FROM plain WHERE x = 'batch'").rows == [[.integer(0)]], "\(name)")
      }
    }
    stage.expectNoMarker(in: client.takeAll(), "batches")
    let lines = try stage.server.lines().filter {
      $0["event"] as? String == "batch" && $0["outcome"] as? String == "PERMISSION"
    }
    #expect(lines.count == 6)
  }

  // MARK: - What only the operator may

  @Test func `the server as a whole is closed, in the same words for what is there and what is not`() throws {
    let stage = try AttackStage()
    let maker = try RawClient(stage.server.live.unix, database: "other")
    defer { maker.close() }
    let requests: [(String, (String) -> ClientMessage.Kind)] = [
      ("a database that is dropped", { .administer(.drop($0, endsSessions: true)) }),
      ("a database that is renamed", { .administer(.rename($0, to: "own-a", endsSessions: true)) }),
      ("a database that gets a name that is taken", { .administer(.rename("own-a", to: $0, endsSessions: true)) }),
      ("a database that is made", { .administer(.create($0)) }),
      ("the sessions", { _ in .inspect(shapes: 0, sessions: 100) }),
      ("the busiest shapes with their SQL", { _ in .inspect(shapes: 100, sessions: 0) }),
      ("a check of the database", { _ in .maintain(.check) }), ("the end of a fence", { _ in .maintain(.unfence) }),
    ]
    for who in Attempt.Attacker.allCases {
      let client = try stage.session(who)
      for (name, kind) in requests {
        let first = stage.nextID()
        client.send(first, kind("other"))
        let answer = try client.answer(first)
        let second = try stage.ask(client, kind("nothing"))
        #expect(answer.error?.reason == .permission && answer.error == second.error, "\(who) \(name): \(answer)")
        let line = try stage.server.line {
          $0["client"] as? String == who.rawValue && $0["request"] as? Int == Int(first)
        }
        #expect(line?["outcome"] as? String == "PERMISSION", "\(who) \(name)")
      }
      stage.expectNoMarker(in: client.takeAll(), "\(who)")
    }
    #expect(try maker.execute(2, "SELECT 1").error == nil)
  }
}
