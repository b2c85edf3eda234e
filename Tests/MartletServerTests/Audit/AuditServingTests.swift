/// What a server over a real socket writes into its audit log, at each level.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct AuditServingTests {
  private static let read = ASTStatement.select {
    $0.columns = [.expression(.column("a"))]
    $0.from = .table("t")
  }
  private static let insert = ASTStatement.insert(into: "t", ["a"]) { $0.values = .rows([[.literal(Int64(1))]]) }
  private static let update = ASTStatement.update("t") { $0.assignments = [.set("a", .literal(Int64(2)))] }
  private static let delete = ASTStatement.delete(from: "t")
  private static let make = ASTStatement.createTable("t", [.column("a")])

  private static func tree(_ statement: ASTStatement, transaction: UInt32 = 0) -> ClientMessage.Request {
    .execute(.init(source: .statement(statement.bytes), transaction: transaction))
  }

  private static func text(_ sql: String, _ parameters: [Value] = []) -> ClientMessage.Request {
    .execute(.init(source: .statement(ASTStatement.raw(sql).bytes), parameters: parameters))
  }

  private static func batch(_ statements: [ASTStatement], isAtomic: Bool = true) -> ClientMessage.Request {
    .batch(.init(steps: statements.map { .init(source: .statement($0.bytes)) }, isAtomic: isAtomic))
  }

  private static let shape = read.bytes.withUnsafeBytes { ShapeID(hashing: $0) }

  private enum Why { case change, write, read }

  /// Each request with its id, the lines that it makes, and by what they are in the log.
  private static let requests: [(id: UInt32, request: ClientMessage.Request, lines: [String], why: Why)] = [
    (2, tree(make), ["statement schema ok"], .write),
    (3, tree(insert), ["statement insert ok"], .write),
    (4, tree(read), ["statement select ok"], .read),
    (5, .execute(.init(source: .shape(shape))), ["statement select ok"], .read),
    (6, tree(update), ["statement update ok"], .write),
    (7, text("SELECT ?1", [.text("marker-one")]), ["statement raw ok"], .read),
    (8, text("INSERT INTO t VALUES ('marker-two')"), ["statement raw ok"], .write),
    (9, text("SELEC 'marker-three'"), ["statement raw INVALID_STATEMENT"], .write),
    (10, .execute(.init(source: .shape(ShapeID(high: 1, low: 2)))), ["statement - UNPREPARED"], .read),
    (11, batch([insert, read]), ["statement insert ok", "statement select ok", "batch batch ok"], .write),
    (12, batch([read, read]), ["statement select ok", "statement select ok", "batch batch ok"], .read),
    (13, .begin(.write), ["transaction begin-write ok"], .write),
    (14, tree(insert, transaction: 13), ["statement insert ok"], .write),
    (15, tree(read, transaction: 13), ["statement select ok"], .read),
    (16, .savepoint(transaction: 13, .set, number: 1), ["transaction savepoint ok"], .write),
    (17, .savepoint(transaction: 13, .rollBackTo, number: 1), ["transaction rollback-to ok"], .write),
    (18, .savepoint(transaction: 13, .release, number: 1), ["transaction release ok"], .write),
    (19, .finish(transaction: 13, commit: true), ["transaction commit ok"], .write),
    (20, .begin(.read), ["transaction begin-read ok"], .read),
    (21, tree(read, transaction: 20), ["statement select ok"], .read),
    (22, .finish(transaction: 20, commit: false), ["transaction rollback ok"], .read),
    (23, tree(delete), ["statement delete ok"], .write),
    (24, .inspect(shapes: 1, sessions: 1), ["administration inspect ok"], .read),
    (25, .maintain(.check), ["administration check ok"], .read),
    (26, .administer(.list(after: "")), ["administration list-databases ok"], .read),
    (27, .administer(.create("x")), ["administration create-database ok"], .change),
    (28, .administer(.rename("x", to: "y", endsSessions: false)), ["administration rename-database ok"], .change),
    (29, .administer(.drop("y", endsSessions: false)), ["administration drop-database ok"], .change),
    (30, .administer(.drop("y", endsSessions: false)), ["administration drop-database UNKNOWN_DATABASE"], .change),
    (31, .finish(transaction: 99, commit: true), ["transaction commit UNKNOWN_TRANSACTION"], .write),
    (32, .ping(), [], .read),
  ]

  /// Until the request has ended, whatever it is answered with.
  private static func ask(_ client: RawClient, _ id: UInt32, _ request: ClientMessage.Request) throws {
    client.send(id, .request(request))
    while true {
      let message = try client.receive()
      let isEnd = message.parts.contains { part in
        switch part {
        case .completion, .error: message.step == 0
        case .inspection, .databases, .pong: true
        default: false
        }
      }
      if message.requestID == id, isEnd { return }
    }
  }

  @Test(arguments: AuditLevel.allCases) func `every kind of request stands in the levels that want it`(
    level: AuditLevel
  )
    throws
  {
    let server = try AuditedServer(level)
    let client = try server.live.connect("shop")
    for (id, request, _, _) in Self.requests { try Self.ask(client, id, request) }
    let expected = Self.requests.filter { entry in
      entry.why == .change || level.wants(writes: entry.why == .write, isRefused: false)
    }
    let found = try server.requests()
    // The hello made the database.
    #expect(found == ["administration create-database ok"] + expected.flatMap(\.lines))
    let text = try server.text()
    #expect(!text.contains("marker") && !text.lowercased().contains("insert into") && !text.contains("SELEC"))
  }

  @Test(arguments: AuditLevel.allCases) func `a database that a hello makes is told of once, at every level`(
    level: AuditLevel
  ) throws {
    let server = try AuditedServer(level)
    for database in ["new", "new", "other"] {
      let client = try RawClient(server.live.unix, database: database)
      client.send(2, .request(.ping()))
      _ = try client.receive()
      client.close()
    }
    let lines = try server.lines().filter { $0["kind"] as? String == "create-database" }
    #expect(lines.map { $0["database"] as? String } == ["new", "other"])
    #expect(lines.allSatisfy { $0["outcome"] as? String == "ok" && $0["writes"] as? Bool == true })
    #expect(lines.allSatisfy { $0["request"] == nil && $0["event"] as? String == "administration" })
  }

  @Test(arguments: [true, false]) func `what nobody may do is told at the lowest level, also as a step of a batch`(
    isAtomic: Bool
  ) throws {
    let server = try AuditedServer(.refused)
    let client = try RawClient(server.live.unix, database: "shop")
    let refused = ["SELECT load_extension('x')", "ATTACH 'x' AS y", "PRAGMA writable_schema = 1"]
    for (index, sql) in refused.enumerated() {
      try Self.ask(client, UInt32(10 + index), Self.batch([.raw("SELECT 1"), .raw(sql)], isAtomic: isAtomic))
    }
    let batches = try server.lines().filter { $0["event"] as? String == "batch" }
    #expect(batches.map { $0["request"] as? Int } == [10, 11, 12])
    let steps = try server.lines().filter { $0["event"] as? String == "statement" && $0["step"] as? Int == 2 }
    #expect(steps.map { $0["outcome"] as? String } == Array(repeating: "NOT_ALLOWED", count: 3), "\(steps)")
    client.close()
  }

  @Test func `a line tells who, from where, which database, shape, rows and time`() throws {
    let server = try AuditedServer(.all)
    let client = try server.live.connect("shop")
    for (id, request, _, _) in Self.requests.prefix(20) { try Self.ask(client, id, request) }
    let lines = try server.lines()
    func line(_ id: Int, step: Int? = nil) throws -> [String: Any] {
      try #require(lines.first { $0["request"] as? Int == id && $0["step"] as? Int == step })
    }
    let insert = try line(3)
    #expect(insert["database"] as? String == "shop" && insert["client"] as? String == "test")
    #expect((insert["from"] as? String)?.hasPrefix("127.0.0.1:") == true && insert["changed"] as? Int == 1)
    #expect(insert["writes"] as? Bool == true && (insert["milliseconds"] as? Double ?? -1) >= 0)
    let read = try line(5)
    #expect(read["shape"] as? String == "\(Self.shape)" && read["rows"] as? Int == 1 && read["changed"] == nil)
    #expect(read["writes"] as? Bool == false)
    #expect(try line(4)["shape"] as? String == "\(Self.shape)" && line(10)["rows"] == nil)
    #expect(try line(11)["steps"] as? Int == 2 && line(11, step: 2)["rows"] as? Int == 2 + 1)
    #expect(try line(14)["transaction"] as? Int == 13 && line(19)["transaction"] as? Int == 13)
    let opened = try #require(lines.first { $0["event"] as? String == "session-opened" })
    #expect(opened["session"] as? String == insert["session"] as? String)
    #expect(lines.first?["event"] as? String == "server-started" && lines.first?["statements"] as? String == "all")
    client.close()
    let ended = try server.line { $0["event"] as? String == "session-ended" }
    #expect(ended?["outcome"] as? String == "PEER_CLOSED" && ended?["requests"] as? Int ?? 0 > 10)
    server.live.server.stop()
    #expect(try server.lines().last?["event"] as? String == "server-stopping")
  }

  @Test func `a stream of many rows, and what its client leaves behind, are told when they end`() throws {
    let server = try AuditedServer(.all)
    let client = try server.live.connect("shop")
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n"
    #expect(try client.execute(2, many).rows.count == 20_000)
    #expect(try server.lines().last?["rows"] as? Int == 20_000)
    // Nobody takes what comes.
    client.send(3, .raw(many, credit: 1))
    client.send(4, .request(.begin(.write)))
    _ = try client.receive()
    client.close()
    let left = try #require(try server.line { $0["request"] as? Int == 3 })
    #expect(left["outcome"] as? String == "ABANDONED" && left["kind"] as? String == "raw")
    #expect(try server.line { $0["event"] as? String == "session-ended" } != nil)
  }

  @Test func `a transaction that the server ends is told with the reason`() throws {
    let server = try AuditedServer(.writes) { configuration, _ in configuration.limits.transactionIdleMs = 50 }
    let client = try server.live.connect("shop")
    try Self.ask(client, 2, .begin(.write))
    _ = try client.receive()
    let ended = try server.line { $0["kind"] as? String == "ended" }
    #expect(ended?["transaction"] as? Int == 2 && ended?["outcome"] as? String == "TRANSACTION_ENDED")
  }
}
