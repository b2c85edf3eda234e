/// What changes between the preparation of a statement and its execution, and what other sessions prepare.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct ReloadAttackTests {
  private static func shape(_ tree: ASTStatement) -> StatementSource {
    .shape(tree.bytes.withUnsafeBytes { ShapeID(hashing: $0) })
  }

  private static func closed(_ policy: inout AccessPolicy) {
    policy.roles["tenant"]?.grants[0].tables = TableRules(["plain": TableRule()])
  }

  @Test func `a table that a reload closes is closed to plans, shapes, batches and open transactions`() throws {
    let stage = try AttackStage()
    let client = try stage.session(.tenant)
    let tree = Ask.notes()
    for _ in 0..<3 { #expect(try stage.ask(client, tree).rows.count == 3) }
    let write = Ask.update { _ in }
    client.send(7_000, .begin(.read))
    #expect(try client.answer(7_000).error == nil)
    #expect(try stage.ask(client, tree, transaction: 7_000).rows.count == 3)
    client.send(7_001, .begin(.write))
    #expect(try client.answer(7_001).error == nil)
    #expect(try stage.ask(client, write, transaction: 7_001).completion?.rowsChanged == 3)
    try stage.reload(Self.closed)
    // A session hears of a reload in its loop's next turn.
    try waitUntil(within: .seconds(5)) { try stage.ask(client, tree).error?.reason == .permission }
    let tries: [(String, ClientMessage.Kind)] = [
      ("the shape alone", .execute(.init(source: Self.shape(tree)))),
      ("the tree in a read that is open", .execute(.init(source: .statement(tree.bytes), transaction: 7_000))),
      ("the shape in a read that is open", .execute(.init(source: Self.shape(tree), transaction: 7_000))),
      ("a write in a write that is open", .execute(.init(source: .statement(write.bytes), transaction: 7_001))),
      ("a batch", .batch(.init(steps: [.init(source: Self.shape(tree))], isAtomic: true))),
    ]
    for (name, kind) in tries {
      let answer = try stage.ask(client, kind)
      #expect(answer.error != nil && answer.rows.isEmpty, "\(name): \(answer)")
    }
    stage.expectNoMarker(in: client.takeAll(), "after the reload")
  }

  @Test func `rows and columns that a reload takes away are gone with the next statement`() throws {
    let stage = try AttackStage()
    let client = try stage.session(.tenant)
    let tree = Ask.all("notes")
    for _ in 0..<3 { #expect(try stage.ask(client, tree).rows.first?.count == 3) }
    client.send(7_100, .begin(.write))
    #expect(try client.answer(7_100).error == nil)
    let own = try RowRule("tenant = claim('tenant') AND id = 5")
    try stage.reload { policy in
      policy.roles["tenant"]?.grants[0].tables = TableRules([
        "notes": TableRule(readColumns: ["id"], rows: own, newRows: own)
      ])
    }
    try waitUntil(within: .seconds(5)) { try stage.ask(client, tree).rows == [[.integer(5)]] }
    #expect(try stage.ask(client, .execute(.init(source: Self.shape(tree)))).rows == [[.integer(5)]])
    #expect(try stage.ask(client, tree, transaction: 7_100).rows == [[.integer(5)]])
    #expect(try stage.ask(client, .delete(from: "notes"), transaction: 7_100).completion?.rowsChanged == 1)
    #expect(try stage.ask(client, .finish(transaction: 7_100, commit: false)).error == nil)
  }

  private static func isAnswer(_ message: ServerMessage) -> Bool {
    message.parts.contains { part in
      switch part {
      case .rows, .completion: true
      default: false
      }
    }
  }

  @Test func `a token that is revoked in the middle of a stream begins nothing more`() throws {
    let stage = try AttackStage()
    let token = try stage.token("tenant", claims: ["tenant": "a"])
    let client = try RawClient(stage.server.live.tcp)
    client.keepsAll = true
    client.send(1, .hello(.init(database: "shop", client: "revoked", credential: token.text)))
    _ = try client.receive()
    let cross = ASTStatement.select {
      $0.columns = [.expression(.column("a", "body"))]
      $0.from = .table("notes", as: "a")
      $0.joins = (1...7).map { .join(.cross, .table("notes", as: "n\($0)")) }
    }
    client.send(2, .execute(.init(source: .statement(cross.bytes), deadlineMs: 30_000, credit: 500)))
    try stage.revoke(token.id)
    // It is told by the next request at the latest, and closed when what is in flight has ended or its time is over.
    client.send(3, .execute(.init(source: .statement(Ask.notes().bytes))))
    client.send(2, .cancel)
    let messages = try client.receiveUntilClosed()
    #expect(messages.contains { $0.parts.contains(.closing(DrainCause.identityEnded.sentence)) }, "\(messages)")
    #expect(!messages.contains { $0.requestID == 3 && Self.isAnswer($0) }, "\(messages)")
    stage.expectNoMarker(in: client.takeAll(), "revoked")
    let again = try RawClient(stage.server.live.tcp)
    again.send(1, .hello(.init(database: "shop", credential: token.text)))
    guard case .error(let error)? = try again.receive().parts.first else {
      Issue.record("the token was taken")
      return
    }
    #expect(error == RequestError.unknownIdentity)
  }

  @Test func `a role's tables that a reload takes the role of leave nobody with all tables`() throws {
    let stage = try AttackStage()
    let client = try stage.session(.reader)
    #expect(try stage.ask(client, Ask.notes()).rows.count == 6)
    try stage.reload { $0.roles["reader"] = nil }
    client.send(9_000, .execute(.init(source: .statement(Ask.all("vault").bytes))))
    let parts = try client.receiveUntilClosed().flatMap(\.parts)
    #expect(parts.contains { if case .closing = $0 { true } else { false } }, "\(parts)")
    stage.expectNoMarker(in: client.takeAll(), "without its role")
  }

  // MARK: - Setups

  private static let views: [(String, [ASTStatement])] = [
    ("a temporary view of an open table's name", [.createView("plain", Ask.all("vault")) { $0.temporary = true }]),
    (
      "a temporary view of a table that is open in part",
      [.createView("notes", Ask.all("vault")) { $0.temporary = true }]
    ),
    (
      "a temporary view of a condition's table",
      [
        .createView(
          "members",
          .select {
            $0.columns = [.expression(.literal("a"), as: "member"), .expression(.literal("blue"), as: "team")]
          }
        ) { $0.temporary = true }
      ]
    ),
    (
      "a temporary trigger that copies hidden rows",
      [
        .createTrigger(
          "copy", .after, .insert, on: "plain",
          [.insert(into: "plain", ["x"]) { $0.query = Ask.select(.column("v"), from: "vault") }]
        ) {
          $0.temporary = true
          $0.when = Ask.equal(.column("new", "x"), .literal("go"))
        }
      ]
    ),
  ]

  @Test func `what one session prepares for itself, no other sees`() throws {
    for (name, setup) in Self.views {
      let stage = try AttackStage()
      let client = try stage.session(.tenant)
      let other = try RawClient(stage.server.live.unix)
      other.send(1, .hello(.init(database: "shop", client: "setup", setup: setup.map(\.bytes))))
      guard case .hello? = try other.receive().parts.first else {
        Issue.record("\(name): no hello")
        continue
      }
      let go = ASTStatement.insert(into: "plain", ["x"]) { $0.values = .rows([[.literal("go")]]) }
      for round in 0..<4 {
        for table in ["plain", "notes", "docs"] { _ = try other.execute(UInt32(10 + round), "SELECT * FROM \(table)") }
        #expect(try stage.ask(client, Ask.plain { _ in }).rows.prefix(2) == [[.integer(1)], [.integer(2)]], "\(name)")
        #expect(try stage.ask(client, Ask.notes()).rows.count == 3, "\(name)")
        #expect(try stage.ask(client, Ask.select(.column("id"), from: "docs")).rows == [[.integer(1)]], "\(name)")
        #expect(try stage.ask(client, go).completion?.rowsChanged == 1, "\(name)")
      }
      #expect(try stage.run("SELECT count(*) FROM plain").rows == [[.integer(6)]], "\(name)")
      stage.expectNoMarker(in: client.takeAll(), name)
    }
  }

  @Test func `a client with rules prepares nothing, not even what another session has prepared`() throws {
    let stage = try AttackStage()
    for (name, setup) in Self.views {
      let other = try RawClient(stage.server.live.unix)
      other.send(1, .hello(.init(database: "shop", setup: setup.map(\.bytes))))
      _ = try other.receive()
      for who in Attempt.Attacker.allCases {
        let (client, error) = try stage.hello(
          who.rawValue, claims: ["tenant": "a"], setup: setup.map(\.bytes), as: name)
        #expect(error?.reason == .permission, "\(name): \(String(describing: error))")
        stage.expectNoMarker(in: client.takeAll(), name)
      }
      let lines = try stage.server.lines().filter { $0["client"] as? String == name }
      #expect(
        lines.map { "\($0["event"] ?? "") \($0["outcome"] ?? "")" }
          == [String](repeating: "session-refused PERMISSION", count: 3))
    }
  }
}
