/// JWTs over a real socket: who gets in, what a refusal tells each side, and when a session ends.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct JWTServingTests {
  private static let make = ASTStatement.createTable("t", [.column("a")])

  /// A server where only JWTs count, with its log and its audit log.
  private struct Login {
    let audited: AuditedServer
    let log = CapturedLog()
    let key: JWTSigningKey

    init() throws {
      let (log, key) = (log, try JWTSigningKey(.p256))
      self.key = key
      audited = try AuditedServer(.all) { configuration, folder in
        configuration.access.roles = ["app": Role(name: "app", permissions: .all)]
        configuration.access.others = .refused
        configuration.access.issuers["login"] = JWTIssuer(
          issuer: "https://login.example", audience: "shop", keys: folder + "/jwks", role: .fixed("app"))
        configuration.logger = log.logger
        try Self.write([key], folder)
      }
    }

    static func write(_ keys: [JWTSigningKey], _ folder: String) throws {
      try Data(JWTSigningKey.jwks(keys).utf8).write(to: URL(filePath: folder + "/jwks"))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/jwks")
    }

    func write(_ keys: [JWTSigningKey]) throws { try Self.write(keys, audited.live.files) }

    /// What the hello is answered with; the connection stays open where it is taken.
    func hello(_ credential: String) throws -> (RawClient, RequestError?) {
      let client = try RawClient(audited.live.tcp)
      client.send(1, .hello(.init(database: "shop", create: true, credential: credential)))
      if case .error(let error)? = try client.receive().parts.first { return (client, error) }
      return (client, nil)
    }

    /// Everything that the server has written, of which no part of a JWT may be one.
    func written() throws -> String { try log.text + audited.text() }
  }

  @Test func `a JWT opens a session that the audit log names, and no part of it is written anywhere`() throws {
    let login = try Login()
    let jwt = try login.key.jwt(JWTSigningKey.claims(["sub": "\"bob\""]))
    let (client, refused) = try login.hello(jwt)
    #expect(refused == nil)
    client.send(2, .execute(.init(source: .statement(Self.make.bytes))))
    #expect(try client.answer(2).error == nil)
    client.close()
    let line = try login.audited.line { $0["event"] as? String == "session-ended" }
    #expect(line?["who"] as? String == "jwt login:bob" && line?["role"] as? String == "app")
    let written = try login.written()
    for part in jwt.split(separator: ".") { #expect(!written.contains(part)) }
  }

  @Test func `every wrong JWT is told the same after the same time, and the log says what was wrong`() throws {
    let login = try Login()
    let stranger = try JWTSigningKey(.p256)
    let secret = try JWTSigningKey(.shared, secret: Array(login.key.members.utf8))
    let claims = JWTSigningKey.claims()
    let wrong: [(String, JWTFault)] = [
      (try login.key.jwt(claims, header: "{\"alg\":\"none\",\"kid\":\"k1\"}"), .algorithm),
      (try secret.jwt(claims), .algorithm),
      (try login.key.jwt(JWTSigningKey.claims(["aud": "\"other\""])), .audience),
      (try login.key.jwt(JWTSigningKey.claims(["nbf": "4000000000"])), .early),
      (try stranger.jwt(claims), .signature), (String(repeating: "a.b", count: 2_000), .tooLong),
    ]
    for (jwt, fault) in wrong {
      let begun = ContinuousClock.now
      let (client, refusal) = try login.hello(jwt)
      #expect(refusal == RequestError.unknownIdentity, "\(fault)")
      #expect(ContinuousClock.now - begun >= .milliseconds(AccessLimits.firstRefusalMs))
      #expect(try client.receiveUntilClosed().isEmpty)
      #expect(login.log.text.contains(fault.rawValue), "\(fault)")
    }
    #expect(login.audited.live.counter("identities_refused") == Int64(wrong.count))
    let line = try login.audited.line { $0["event"] as? String == "session-refused" }
    #expect(line?["shown"] as? String == "a JWT" && line?["outcome"] as? String == "UNAUTHENTICATED")
    let written = try login.written()
    for (jwt, _) in wrong where jwt.count > 100 {
      for part in jwt.split(separator: ".") where part.count > 3 { #expect(!written.contains(part)) }
    }
  }

  @Test func `a token of another server is refused, and so is one of these where none are known`() throws {
    let login = try Login()
    let folder = try TemporaryFolder()
    let token = try TokenFile(path: folder.path + "/tokens").create(role: "app").text
    #expect(try login.hello(token).1 == RequestError.unknownIdentity)
    #expect(login.log.text.contains("\(IdentityFault.token)"))
    #expect(try !login.written().contains(token.suffix(43)))
  }

  @Test func `a session ends with its JWT, and what is in flight ends first`() throws {
    let login = try Login()
    let ends = Int(Date().timeIntervalSince1970) + 3
    let jwt = try login.key.jwt(JWTSigningKey.claims(["exp": "\(ends)"]))
    let (client, refused) = try login.hello(jwt)
    #expect(refused == nil)
    client.send(5, .request(.begin(.read)))
    #expect(try client.answer(5).error == nil)
    #expect(try client.receive().parts == [.closing(DrainCause.identityEnded.sentence)])
    client.send(7, .request(.finish(transaction: 5, commit: false)))
    #expect(try client.answer(7).error == nil)
    #expect(try client.receiveUntilClosed().isEmpty)
    #expect(try login.hello(jwt).1 == RequestError.unknownIdentity)
  }

  @Test func `a reload takes keys and issuers anew, ends whose are gone, and changes nothing where a file is wrong`()
    throws
  {
    let login = try Login()
    let next = try JWTSigningKey(.ed25519, id: "k2")
    let (old, _) = try login.hello(try login.key.jwt(JWTSigningKey.claims()))
    #expect(try login.hello(try next.jwt(JWTSigningKey.claims())).1 == RequestError.unknownIdentity)
    // Both keys for a while, as an issuer changes them.
    try login.write([login.key, next])
    try login.audited.reload()
    let (new, refused) = try login.hello(try next.jwt(JWTSigningKey.claims()))
    #expect(refused == nil)
    for client in [old, new] {
      client.send(2, .request(.ping()))
      #expect(try client.receive().parts.first == .pong([]))
    }
    let path = login.audited.live.files + "/jwks"
    for wrong in ["", "{\"keys\":[]}", "{\"keys\":[\(try JWTSigningKey(.shared).jwk)]}"] {
      try Data(wrong.utf8).write(to: URL(filePath: path))
      #expect(throws: ServerError.self) { try login.audited.reload() }
    }
    old.send(3, .request(.ping()))
    #expect(try old.receive().parts.first == .pong([]))
    try login.write([next])
    try login.audited.reload()
    #expect(try old.receiveUntilClosed().first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    new.send(3, .request(.ping()))
    #expect(try new.receive().parts.first == .pong([]))
    try login.audited.reload { $0.access.issuers["login"]?.audience = "other" }
    #expect(try new.receiveUntilClosed().first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    // A role that is gone is a mistake of the configuration, and an issuer that is gone ends its sessions.
    #expect(throws: ServerError("There is no role 'app', which JWTs of login should have.")) {
      try login.audited.reload { $0.access.roles = ["x": Role(name: "x", permissions: .all)] }
    }
  }
}
