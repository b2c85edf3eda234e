/// Quotas over real sockets: each is exceeded and named, nobody else notices, and the same client goes on.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct QuotaServingTests {
  private static let sort =
    "SELECT max(t) FROM (SELECT hex(zeroblob(60)) || i AS t FROM (\(QuotaServer.rows(200_000))) ORDER BY t DESC LIMIT -1 OFFSET 1)"

  /// What exceeds a quota of one statement.
  private static let statements: [(quota: Quota, value: Int, sql: String)] = [
    (.deadlineMs, 200, QuotaServer.endless),
    (.resultRows, 50, QuotaServer.rows(51)),
    (.resultRows, 5_000, QuotaServer.rows(20_000)),
    (.resultBytes, 4_000, QuotaServer.rows(5_000)),
    (.steps, 100_000, QuotaServer.endless),
    (.sortBytes, 1 << 20, sort),
    (.databaseBytes, 200 << 10, "INSERT INTO t SELECT zeroblob(1000) FROM (\(QuotaServer.rows(1_000)))"),
    (.resultRows, 5, "INSERT INTO t SELECT i FROM (\(QuotaServer.rows(6))) RETURNING a"),
    (.deadlineMs, 200, "INSERT INTO t \(QuotaServer.endless)"),
    (.steps, 100_000, "INSERT INTO t \(QuotaServer.endless)"),
  ]

  @Test(arguments: statements.indices)
  func `a statement beyond a quota is told so alone, in batches and in transactions, and its client goes on`(index: Int)
    throws
  {
    let (quota, value, sql) = Self.statements[index]
    let server = try QuotaServer(["app": [quota: value]])
    let tokens = try server.tokens("app", "free")
    let (client, other) = (try server.connect(tokens[0]), try server.connect(tokens[1]))
    try other.execute(2, "CREATE TABLE t(a)")
    let wanted = RequestError.quotaExceeded(quota, value)
    func check(_ error: RequestError?, _ way: String) {
      #expect(error?.quota == quota && error?.message == wanted.message, "\(way): \(String(describing: error))")
    }
    check(try client.execute(10, sql).error, "alone")
    let step = StatementStep(source: .statement(ASTStatement.raw(sql).bytes))
    client.send(11, .batch(.init(steps: [step], isAtomic: true)))
    check(try client.answer(11).error, "atomic batch")
    client.send(12, .request(.begin(.write)))
    #expect(try client.answer(12).error == nil)
    check(try client.execute(13, sql, transaction: 12).error, "transaction")
    client.send(14, .request(.finish(transaction: 12, commit: false)))
    // SQLite takes the whole transaction away with a write that is interrupted, which is news before the answer.
    while try client.receive().requestID != 14 {}
    #expect(try other.execute(3, "SELECT count(*) FROM t").rows == [[0]])
    #expect(try client.execute(15, "SELECT 1").rows == [[1]])
    #expect(try client.execute(16, "INSERT INTO t VALUES (1)").error == nil)
    // One client may do what the other may not; a statement that never ends is ended for both.
    if !sql.contains(QuotaServer.endless) { #expect(try other.execute(17, sql).error == nil) }
    #expect(server.live.counter("quota_refusals") >= 3)
    #expect(server.ledger.total == (0, 0))
  }

  @Test func `a write that returns too many rows is undone alone if none of them had left`() throws {
    let server = try QuotaServer(["app": [.resultRows: 5]])
    let client = try server.connect(try server.tokens("app")[0])
    try client.execute(2, "CREATE TABLE t(a)")
    client.send(12, .request(.begin(.write)))
    #expect(try client.answer(12).error == nil)
    try client.execute(13, "INSERT INTO t VALUES (1)", transaction: 12)
    let many = try client.execute(14, "INSERT INTO t \(QuotaServer.rows(6)) RETURNING a", transaction: 12)
    #expect(many.error?.quota == .resultRows && many.rows.isEmpty)
    try client.execute(15, "INSERT INTO t VALUES (2)", transaction: 12)
    client.send(16, .request(.finish(transaction: 12, commit: true)))
    #expect(try client.answer(16).error == nil)
    #expect(try client.execute(17, "SELECT a FROM t").rows == [[1], [2]])
  }

  @Test func `a connection beyond the quota is told why and ended, others come in, and one that ends makes room`()
    throws
  {
    let server = try QuotaServer(["app": [.connections: 2, .roleConnections: 3]])
    let tokens = try server.tokens("app", "app", "free")
    let first = try server.connect(tokens[0])
    let second = try server.connect(tokens[0], "other")
    let refused = try RawClient(server.live.tcp)
    refused.send(1, .hello(.init(database: "shop", credential: tokens[0])))
    let said = try refused.receiveUntilClosed()
    #expect(said.map(\.parts) == [[.error(.quotaExceeded(.connections, 2))]] && said.first?.requestID == 1)
    #expect(throws: RequestError.quotaExceeded(.connections, 2)) { try server.connect(tokens[0]) }
    let third = try server.connect(tokens[1])
    #expect(throws: RequestError.quotaExceeded(.roleConnections, 3)) { try server.connect(tokens[1]) }
    for token in Array(repeating: tokens[2], count: 5) { _ = try server.connect(token) }
    for client in [first, second, third] { #expect(try client.execute(2, "SELECT 1").error == nil) }
    #expect(server.ledger.total == (3, 0))
    second.close()
    try waitUntil(within: .seconds(30)) { (try? server.connect(tokens[0])) != nil }
    for client in [first, third] { client.reset() }
    try server.waitUntilEmpty()
    #expect(server.ledger.subjectCount == 0)
    #expect(server.live.counter("closed_quota_exceeded") >= 2)
  }

  @Test func `a hello whose database is refused is one connection, however often it is said`() throws {
    let server = try QuotaServer(["app": [.connections: 1]])
    let tokens = try server.tokens("app", "app")
    let client = try RawClient(server.live.tcp)
    for round in 0..<20 {
      client.send(1, .hello(.init(database: "none\(round)", credential: tokens[round % 2])))
      guard case .error(let error)? = try client.receive().parts.first else {
        Issue.record("a database that is not there was opened")
        return
      }
      #expect(error.reason == .unknownDatabase && server.ledger.total.connections == 1)
    }
    client.send(1, .hello(.init(database: "shop", create: true, credential: tokens[0])))
    guard case .hello? = try client.receive().parts.first else {
      Issue.record("the last hello is refused")
      return
    }
    _ = try server.connect(tokens[1])
    client.close()
    try server.waitUntilEmpty()
  }

  @Test func `requests in flight beyond the quota are refused on all loops together, and the others end well`() throws {
    let server = try QuotaServer(["app": [.requestsInFlight: 3, .roleRequestsInFlight: 4]], loops: 3)
    let tokens = try server.tokens("app", "app", "free")
    let clients = try (0..<3).map { _ in try server.connect(tokens[0]) }
    for (index, client) in clients.enumerated() {
      client.send(10, .raw(QuotaServer.endless, deadlineMs: 60_000))
      try waitUntil(within: .seconds(30)) { server.ledger.total.inFlight == index + 1 }
    }
    for client in clients {
      for id in UInt32(20)..<40 { client.send(id, .execute(.init(source: .statement(QuotaServer.read.bytes)))) }
      let answers = try client.answers(Set(20..<40))
      for (_, answer) in answers { #expect(answer.error == .quotaExceeded(.requestsInFlight, 3)) }
    }
    let (second, free) = (try server.connect(tokens[1]), try server.connect(tokens[2]))
    second.send(10, .raw(QuotaServer.endless, deadlineMs: 60_000))
    try waitUntil(within: .seconds(30)) { server.ledger.total.inFlight == 4 }
    #expect(try second.execute(11, "SELECT 1").error == .quotaExceeded(.roleRequestsInFlight, 4))
    // A ping asks whether the session is there, and is not in flight.
    second.send(12, .request(.ping()))
    #expect(try second.receive().parts == [.pong([])])
    for id in UInt32(2)..<50 { #expect(try free.execute(id, "SELECT 1").error == nil) }
    for client in clients + [second] {
      client.send(10, .cancel)
      #expect(try client.answer(10).error?.reason == .cancelled)
    }
    #expect(server.ledger.total == (4, 0))
    for client in clients { #expect(try client.execute(50, "SELECT 1").error == nil) }
  }

  @Test func `requests beyond the rate are refused and not queued, batches cost their steps, and tokens come back`()
    throws
  {
    let server = try QuotaServer(["app": [.requestsPerSecond: 2, .requestBurst: 10]])
    let tokens = try server.tokens("app", "app")
    let (client, other) = (try server.connect(tokens[0]), try server.connect(tokens[1]))
    let read = ClientMessage.Kind.execute(.init(source: .statement(QuotaServer.read.bytes)))
    for id in UInt32(10)..<40 { client.send(id, read) }
    let refused = try client.answers(Set(10..<40)).values.filter { $0.error != nil }
    #expect((15...20).contains(refused.count), "\(refused.count)")
    for answer in refused { #expect(answer.error == .quotaExceeded(.requestsPerSecond, 2)) }
    client.send(50, .request(.ping()))
    client.send(51, .request(.inspect(shapes: 0, sessions: 0)))
    // At most one token has come back meanwhile, on a machine that is fast.
    let last = try [client.receive(), client.receive()].flatMap(\.parts)
    #expect(last.contains { if case .error(let error) = $0 { error.quota == .requestsPerSecond } else { false } })
    // Each person has its own.
    let steps = Array(repeating: StatementStep(source: .statement(QuotaServer.read.bytes)), count: 30)
    other.send(10, .batch(.init(steps: steps)))
    #expect(try other.answer(10).error == nil)
    other.send(11, read)
    #expect(try other.answer(11).error == .quotaExceeded(.requestsPerSecond, 2))
    // A new connection is no new subject.
    #expect(try server.connect(tokens[1]).execute(2, "SELECT 1").error?.quota == .requestsPerSecond)
    try waitUntil(within: .seconds(30)) {
      client.send(60, read)
      return try client.answer(60).error == nil
    }
  }

  @Test func `a transaction can be ended whatever the rate, and what never began cannot`() throws {
    let server = try QuotaServer(["app": [.requestsPerSecond: 1, .requestBurst: 2, .requestsInFlight: 2]])
    let tokens = try server.tokens("app", "free")
    let (client, free) = (try server.connect(tokens[0]), try server.connect(tokens[1]))
    client.send(10, .request(.begin(.write)))
    #expect(try client.answer(10).error == nil)
    _ = try client.execute(11, "SELECT 1", transaction: 10)
    #expect(try client.execute(12, "SELECT 1", transaction: 10).error?.quota == .requestsPerSecond)
    client.send(13, .request(.finish(transaction: 99, commit: true)))
    #expect(try client.answer(13).error?.quota == .requestsPerSecond)
    client.send(14, .request(.finish(transaction: 10, commit: true)))
    #expect(try client.answer(14).error == nil)
    client.send(15, .request(.finish(transaction: 10, commit: true)))
    #expect(try client.answer(15).error?.quota == .requestsPerSecond)
    #expect(try free.execute(2, "CREATE TABLE t(a)").error == nil)
    client.close()
    try server.waitUntilEmpty()
  }

  @Test func `a write transaction ends at its quota, the next ones have their turn, and its owner begins another`()
    throws
  {
    let server = try QuotaServer(["app": [.writeTransactionMs: 300]])
    let tokens = try server.tokens("app", "free")
    let (client, free) = (try server.connect(tokens[0]), try server.connect(tokens[1]))
    try free.execute(2, "CREATE TABLE t(a)")
    for id in [UInt32(10), 20] {
      client.send(id, .request(.begin(.write)))
      #expect(try client.answer(id).error == nil)
      #expect(try client.execute(id + 1, "INSERT INTO t VALUES (1)", transaction: id).error == nil)
      let news = try client.receive()
      guard case .transactionEnded(transaction: id, let error, _)? = news.parts.first else {
        Issue.record("\(news)")
        return
      }
      #expect(error == .quotaExceeded(.writeTransactionMs, 300))
      let late = try client.execute(id + 2, "SELECT 1", transaction: id).error
      #expect(late?.reason == .transactionEnded && late?.message.contains("write-transaction-ms") == true, "\(late!)")
    }
    #expect(try free.execute(3, "SELECT count(*) FROM t").rows == [[0]])
    #expect(try client.execute(30, "INSERT INTO t VALUES (1)").error == nil)
  }

  @Test func `a reload changes the quotas of open sessions from the next request on, and their role`() throws {
    let server = try QuotaServer(["app": [:], "other": [.connections: 1, .requestsInFlight: 1, .resultRows: 3]])
    let token = try server.tokens("app")[0]
    let clients = try (0..<3).map { _ in try server.connect(token) }
    let client = clients[0]
    var id: UInt32 = 10
    func run(_ sql: String) throws -> Quota? {
      id += 1
      return try client.execute(id, sql).error?.quota
    }
    #expect(try run(QuotaServer.rows(5)) == nil && server.ledger.total == (0, 0))
    try server.reload { $0.roles["app"]?.quotas = RoleQuotas([.resultRows: 4, .connections: 2, .steps: 50_000]) }
    #expect(try run(QuotaServer.rows(5)) == .resultRows && run(QuotaServer.rows(4)) == nil)
    #expect(try run(QuotaServer.endless) == .steps)
    // Those who are there stay, and nobody else comes in.
    #expect(server.ledger.total == (3, 0))
    #expect(throws: RequestError.quotaExceeded(.connections, 2)) { try server.connect(token) }
    clients[1].send(5, .raw(QuotaServer.endless, deadlineMs: 60_000))
    _ = try clients[1].answer(5)
    try server.reload { $0.roles["app"]?.quotas = RoleQuotas([.requestsPerSecond: 1, .requestBurst: 3]) }
    #expect(try [run("SELECT 1"), run("SELECT 1"), run("SELECT 1"), run("SELECT 1")].last == .requestsPerSecond)
    try server.reload()
    let quotas = try (0..<50).map { _ in try run(QuotaServer.rows(5)) }
    #expect(quotas.allSatisfy { $0 == nil }, "\(quotas)")
    #expect(server.ledger.total == (0, 0))
  }

  @Test func `a session whose user gets another role by a reload is counted there, with what it has in flight`() throws
  {
    let user = getuid()
    let server = try QuotaServer(
      ["a": [.requestsInFlight: 5, .connections: 5], "b": [.requestsInFlight: 2, .connections: 1, .resultRows: 1]])
    try server.reload { $0.users = [user: "a"] }
    let clients = try (0..<3).map { _ in try RawClient(server.live.unix, database: "shop") }
    for client in clients { client.send(5, .raw(QuotaServer.endless, deadlineMs: 60_000)) }
    try waitUntil(within: .seconds(30)) { server.ledger.total == (3, 3) }
    for role in ["b", "free", "a", "free", "b"] {
      try server.reload { $0.users = [user: role] }
      try waitUntil(within: .seconds(30)) { server.ledger.total == (role == "free" ? (0, 0) : (3, 3)) }
    }
    #expect(try clients[0].execute(6, "SELECT 1").error == .quotaExceeded(.requestsInFlight, 2))
    for client in clients {
      client.send(5, .cancel)
      #expect(try client.answer(5).error?.reason == .cancelled)
    }
    #expect(try clients[0].execute(7, QuotaServer.rows(2)).error == .quotaExceeded(.resultRows, 1))
    try server.reload { $0.users = [:] }
    for client in clients { #expect(try client.receiveUntilClosed().count == 1) }
    try server.waitUntilEmpty()
  }

  @Test func `refusals by quotas stand in the audit log`() throws {
    var path = ""
    let server = try QuotaServer(["app": [.connections: 1, .resultRows: 2]]) { configuration, folder in
      path = folder + "/audit"
      configuration.audit = AuditSettings(file: path, statements: .refused)
    }
    // What a reload leaves out ends the log.
    let token = try server.tokens.create(role: "app", name: "app", expires: nil).text
    var configuration = server.live.server.configuration
    configuration.access = server.policy
    try server.live.server.reload(configuration)
    let client = try server.connect(token)
    #expect(throws: RequestError.quotaExceeded(.connections, 1)) { try server.connect(token) }
    #expect(try client.execute(2, QuotaServer.rows(3)).error?.quota == .resultRows)
    #expect(try client.execute(3, QuotaServer.rows(2)).error == nil)
    func lines() throws -> [String] {
      server.live.server.context.audit.settle()
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        .filter { $0.contains("\"outcome\":\"QUOTA\"") }
    }
    try waitUntil(within: .seconds(30)) { try lines().count == 2 }
    let found = try lines()
    #expect(found[0].contains("\"event\":\"session-refused\"") && found[0].contains("\"role\":\"app\""), "\(found)")
    #expect(found[1].contains("\"event\":\"statement\"") && found[1].contains("\"request\":2"), "\(found)")
  }
}
