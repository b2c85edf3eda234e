/// What the audit log tells of those who may not, and of what changes in the configuration; and nothing secret.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct AuditAccessTests {
  private static let read = ASTStatement.select {
    $0.columns = [.expression(.column("a"))]
    $0.from = .table("t")
  }
  private static let insert = ASTStatement.insert(into: "t", ["a"]) {
    $0.values = .rows([[.literal("marker-literal")]])
  }

  private static func server(_ level: AuditLevel) throws -> (server: AuditedServer, tokens: [String]) {
    var tokens: [String] = []
    let server = try AuditedServer(level) { configuration, folder in
      let shop = ["shop"].compactMap { DatabasePattern($0) }
      for role in [
        Role(name: "admin", permissions: .all), Role(name: "reader", databases: shop, permissions: [.select]),
      ] {
        configuration.access.roles[role.name] = role
        tokens.append(try TokenFile(path: folder + "/tokens").create(role: role.name, name: "of \(role.name)").text)
      }
      configuration.access.tokensFile = folder + "/tokens"
      configuration.access.others = .refused
    }
    return (server, tokens)
  }

  /// A client that has said hello, and what that was refused with.
  private static func hello(
    _ server: AuditedServer, _ token: String, _ database: String = "shop", create: Bool = true
  ) throws -> (RawClient, RequestError?) {
    let client = try RawClient(server.live.tcp)
    client.send(1, .hello(.init(database: database, create: create, credential: token)))
    if case .error(let error)? = try client.receive().parts.first { return (client, error) }
    return (client, nil)
  }

  @Test(arguments: AuditLevel.allCases) func `what somebody may not send is told at every level`(
    level: AuditLevel
  ) throws {
    let (server, tokens) = try Self.server(level)
    let (admin, none) = try Self.hello(server, tokens[0])
    #expect(none == nil)
    let (reader, refused) = try Self.hello(server, tokens[1], create: false)
    #expect(refused == nil)
    let bytes = Self.insert.bytes
    let requests: [(ClientMessage.Request, [String])] = [
      (.execute(.init(source: .statement(bytes), parameters: [])), ["statement insert PERMISSION"]),
      (
        .batch(.init(steps: [.init(source: .statement(bytes))], isAtomic: true)),
        ["statement insert NOT_RUN", "batch batch PERMISSION"]
      ),
      (.begin(.write), ["transaction begin-write PERMISSION"]),
      (.inspect(shapes: 1, sessions: 1), ["administration inspect PERMISSION"]),
      (.administer(.create("x")), ["administration create-database PERMISSION"]),
      (.administer(.drop("shop", endsSessions: true)), ["administration drop-database PERMISSION"]),
      (.maintain(.unfence), ["administration unfence PERMISSION"]),
    ]
    for (index, (request, _)) in requests.enumerated() {
      let id = UInt32(10 + index)
      reader.send(id, .request(request))
      #expect(try reader.answer(id).error?.reason == .permission, "\(request)")
    }
    let found = try server.requests()
    #expect(found == ["administration create-database ok"] + requests.flatMap(\.1))
    let line = try server.lines().first { $0["kind"] as? String == "insert" }
    #expect((line?["who"] as? String)?.hasPrefix("token of reader (") == true && line?["role"] as? String == "reader")
    admin.close()
  }

  @Test func `a session that is refused is told with the cause, at every level and without what was shown`() throws {
    let (server, tokens) = try Self.server(.refused)
    let wrong = "mlt_aaaaaaaaaaaa_" + String(repeating: "Q", count: 43)
    let cases: [(token: String, database: String, outcome: String, shown: String?)] = [
      (wrong, "shop", "UNAUTHENTICATED", "a token"), ("", "shop", "UNAUTHENTICATED", "nothing"),
      (tokens[1], "secret", "PERMISSION", nil), (tokens[0], "absent", "UNKNOWN_DATABASE", nil),
    ]
    for (token, database, outcome, shown) in cases {
      let before = try server.lines().count
      let (client, error) = try Self.hello(server, token, database, create: false)
      #expect(error?.reason.rawValue == outcome)
      client.close()
      let lines = try server.lines().dropFirst(before).filter { $0["event"] as? String == "session-refused" }
      #expect(lines.count == 1 && lines.first?["outcome"] as? String == outcome)
      #expect(lines.first?["shown"] as? String == shown)
      if shown == nil { #expect(lines.first?["database"] as? String == database && lines.first?["role"] != nil) }
    }
    let stranger = try RawClient(server.live.tcp)
    stranger.send(5, .request(.inspect(shapes: 1, sessions: 1)))
    _ = try stranger.receiveUntilClosed()
    stranger.close()
    #expect(
      try server.line { $0["outcome"] as? String == "PROTOCOL_VIOLATION" }?["event"] as? String == "session-refused")
    let text = try server.text()
    for secret in tokens + [wrong] {
      #expect(!text.contains(secret) && !text.contains(secret.suffix(43)))
    }
  }

  @Test func `a client that does not shake hands is told of`() throws {
    let files = try CertificateFolder()
    let server = try AuditedServer(.refused) { configuration, _ in
      configuration.listen.append(try MartletURL("martlet+tls://127.0.0.1:0"))
      configuration.tls = TLSSettings(certificate: files.file("server.pem"), key: files.file("server.key"))
    }
    for bytes in [[0x16, 3, 1, 0, 4, 9, 9, 9, 9], Array("GET / HTTP/1.0\r\n\r\n".utf8)] as [[UInt8]] {
      let before = try server.lines().count
      let client = try RawClient(#require(server.live.tls))
      client.send(bytes)
      _ = try? client.receiveUntilClosed()
      client.close()
      _ = try server.line { _ in (try? server.lines().count) ?? 0 > before }
      let found = try server.lines().dropFirst(before).map { "\($0["event"] ?? "") \($0["outcome"] ?? "")" }
      #expect(found == ["session-refused HANDSHAKE"])
    }
  }

  @Test func `connections that are turned away are told as a number, however many they are`() throws {
    let files = try CertificateFolder()
    var audited: AuditedServer?
    audited = try AuditedServer(.refused) { configuration, _ in
      configuration.limits.connectionsMax = 40
      configuration.limits.handshakesMax = 16
      configuration.listen.append(try MartletURL("martlet+tls://127.0.0.1:0"))
      configuration.tls = TLSSettings(certificate: files.file("server.pem"), key: files.file("server.key"))
    }
    let server = try #require(audited)
    func told(_ kind: String) throws -> (lines: Int, connections: Int) {
      let lines = try server.lines().filter {
        $0["event"] as? String == "connections-refused" && $0["kind"] as? String == kind
      }
      for line in lines {
        #expect(line["outcome"] as? String == "OVERLOADED" && line["session"] == nil)
        #expect((line["from"] as? String)?.hasPrefix("127.0.0.1:") == true)
      }
      return (lines.count, lines.reduce(0) { $0 + ($1["count"] as? Int ?? 0) })
    }
    // A quarter of the handshakes may be one address's.
    let waiting = try (0..<4).map { _ in try RawClient(#require(server.live.tls)) }
    for _ in 0..<50 { _ = try RawClient(#require(server.live.tls)).receiveUntilClosed() }
    _ = try server.line { _ in (try? told("handshakes").connections) == 50 }
    #expect(try told("handshakes").connections == 50)
    waiting.forEach { $0.reset() }
    _ = try server.line { _ in server.live.counter("connections") == 0 }
    let clients = try (0..<40).map { _ in try RawClient(server.live.tcp, database: "shop") }
    for _ in 0..<500 { _ = try? RawClient(server.live.tcp).receiveUntilClosed() }
    _ = try server.line { _ in (try? told("connections").connections) == 500 }
    let (lines, connections) = try told("connections")
    #expect(connections == 500 && lines < 100 && server.live.counter("connections_refused") == 550)
    #expect(try clients[0].execute(7, "SELECT 1").error == nil)
    // What was not told yet stands before the end.
    _ = try? RawClient(server.live.tcp).receiveUntilClosed()
    server.live.server.stop()
    #expect(try told("connections").connections == 501)
    let events = try server.lines().compactMap { $0["event"] as? String }
    #expect(
      try #require(events.lastIndex(of: "connections-refused")) < #require(events.firstIndex(of: "server-stopping")))
  }

  @Test func `a reload begins the file anew, and what it changes is in force`() throws {
    let (server, tokens) = try Self.server(.refused)
    let (client, _) = try Self.hello(server, tokens[0])
    client.send(2, .request(.begin(.write)))
    #expect(try client.answer(2).error == nil)
    let old = server.path + ".1"
    _ = try server.text()
    #expect(rename(server.path, old) == 0)
    try server.reload { $0.audit?.statements = .all }
    client.send(3, .request(.finish(transaction: 2, commit: true)))
    #expect(try client.answer(3).error == nil)
    let (former, lines) = (try server.lines(old), try server.lines())
    #expect(former.map { $0["event"] as? String } == ["server-started", "session-opened", "administration"])
    #expect(lines.map { $0["event"] as? String } == ["configuration-reloaded", "transaction"])
    #expect(lines[0]["statements"] as? String == "all" && lines[0]["roles"] as? Int == 2)
    #expect(lines[0]["tokens"] as? Int == 2 && lines[1]["kind"] as? String == "commit")
    let attributes = try FileManager.default.attributesOfItem(atPath: server.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // Another file: both say so.
    let other = server.path + ".other"
    try server.reload { $0.audit = AuditSettings(file: other, statements: .refused) }
    #expect(try server.lines().last?["event"] as? String == "configuration-reloaded")
    #expect(try server.lines(other).map { $0["event"] as? String } == ["configuration-reloaded"])
    // Off: the file says so.
    try server.reload { $0.audit = nil }
    let last = try server.lines(other)
    #expect(last.count == 2 && last[1]["event"] as? String == "configuration-reloaded" && last[1]["statements"] == nil)
    try Self.hello(server, tokens[0]).0.close()
    #expect(try server.lines(other).count == 2)
  }

  @Test func `a configuration that is refused is told, and the file is begun anew all the same`() throws {
    let (server, tokens) = try Self.server(.all)
    _ = try server.text()
    let old = server.path + ".1"
    #expect(rename(server.path, old) == 0)
    #expect(throws: ServerError.self) { try server.reload { $0.access.users = [1: "nobody"] } }
    #expect(
      try server.lines().map { "\($0["event"] ?? "") \($0["outcome"] ?? "")" } == ["configuration-refused INVALID"])
    // A log that cannot be opened changes nothing.
    let other = server.path + ".other"
    #expect(FileManager.default.createFile(atPath: other, contents: nil, attributes: [.posixPermissions: 0o666]))
    #expect(chmod(other, 0o666) == 0)
    #expect(throws: ServerError.self) { try server.reload { $0.audit?.file = other } }
    #expect(try server.lines().count == 2)
    #expect(try String(contentsOfFile: other, encoding: .utf8).isEmpty)
    #expect(chmod(server.path, 0o622) == 0)
    #expect(throws: ServerError.self) { try server.reload() }
    // The file that is open is gone on with.
    #expect(try server.lines().count == 3)
    let (client, error) = try Self.hello(server, tokens[0])
    #expect(error == nil)
    let last = try server.lines().suffix(2)
    #expect(last.map { $0["event"] as? String } == ["session-opened", "administration"])
    client.close()
  }

  @Test func `no value, no SQL and no token stands in the log, whatever a client does`() throws {
    let (server, tokens) = try Self.server(.all)
    let (client, _) = try Self.hello(server, tokens[0])
    let requests: [ClientMessage.Kind] = [
      .raw("CREATE TABLE t(a UNIQUE)"), .raw("INSERT INTO t VALUES ('marker-text')"),
      .raw("INSERT INTO t VALUES (?1)", [.text("marker-value")]),
      .raw("INSERT INTO t VALUES (?1)", [.text("marker-value")]),
      .raw("SELECT * FROM t WHERE a = 'marker-where' -- marker-comment"),
      .raw("SELECT marker_column FROM marker_table"),
      .execute(.init(source: .statement(Self.insert.bytes))), .execute(.init(source: .statement(Array("marker".utf8)))),
      .batch(
        .init(
          steps: [
            .init(source: .statement(Self.insert.bytes)),
            .init(source: .statement(ASTStatement.raw("SELECT ?1").bytes), parameters: [.value(.text("marker-step"))]),
          ], isAtomic: false)),
      .request(.administer(.create("bad/marker name"))),
    ]
    for (index, kind) in requests.enumerated() {
      let id = UInt32(10 + index)
      client.send(id, kind)
      _ = try client.answer(id)
    }
    try server.reload()
    let outcomes = try server.lines().compactMap { $0["outcome"] as? String }
    #expect(outcomes.contains("CONSTRAINT") && outcomes.contains("ok"))
    // The name of a database is one of the things that the log is for.
    let text = try server.text().replacing("bad/marker name", with: "")
    #expect(!text.contains("marker"))
    for token in tokens { #expect(!text.contains(token.suffix(43))) }
    #expect(!text.contains("SELECT") && !text.contains("INSERT"))
  }
}
