/// Who is who by a JWT, and whether that still holds when the rules have changed.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct JWTRulesTests {
  private static let far = Subject.Origin.address(high: 0, low: 0xFFFF_0A00_0001, isThisMachine: false)
  private let key: JWTSigningKey
  private let other: JWTSigningKey

  init() throws { (key, other) = (try JWTSigningKey(.ed25519), try JWTSigningKey(.p256, id: "k2")) }

  private func rules(
    _ keys: [JWTSigningKey]? = nil, _ change: (inout JWTIssuer) -> Void = { _ in }
  ) throws -> AccessRules {
    var rules = AccessRules()
    rules.policy.roles = [
      "app": Role(name: "app", databases: ["shop-{tenant}"].compactMap { DatabasePattern($0) }, permissions: .rows),
      "guest": Role(name: "guest", permissions: [.select]),
    ]
    rules.jwts = try JWTScene.verifier(keys ?? [key, other]) {
      $0.claims = ["tenant"]
      change(&$0)
    }
    return rules
  }

  private func identity(_ rules: AccessRules, _ claims: [String: String?] = [:]) throws -> Identity {
    let jwt = try key.jwt(JWTScene.claims(["tenant": "\"acme\""].merging(claims) { $1 }))
    return try rules.identify(Proof(origin: Self.far, credential: jwt), now: JWTScene.now)
  }

  @Test func `a JWT's claims open its databases, and its name is that of issuer and subject`() throws {
    let identity = try identity(rules())
    #expect(identity.name == "jwt login:alice" && identity.role?.name == "app")
    #expect(identity.claims == ["name": "alice", "tenant": "acme"])
    #expect(identity.mayOpen("shop-acme") && !identity.mayOpen("shop-other") && !identity.mayOpen("shop-"))
    #expect(identity.ends == JWTScene.now.addingTimeInterval(60))
    #expect(identity.subject.permissions == .rows)
    // A value that looks like a pattern is none.
    let star = try self.identity(rules(), ["tenant": "\"*\""])
    #expect(!star.mayOpen("shop-acme"))
    #expect(try !self.identity(rules(), ["tenant": nil]).mayOpen("shop-"))
  }

  @Test func `two people are two, however alike their names begin, and one is one with each JWT`() throws {
    let long = String(repeating: "a", count: 200)
    let first = try identity(rules(), ["sub": "\"\(long)1\""])
    let second = try identity(rules(), ["sub": "\"\(long)2\""])
    #expect(first.name == second.name && first.name.utf8.count == "jwt login:".utf8.count + 64)
    #expect(first.subject.share != second.subject.share)
    let again = try identity(rules(), ["sub": "\"\(long)1\"", "jti": "\"x\""])
    #expect(again.subject.share == first.subject.share)
  }

  @Test func `a session is known again as long as issuer, key, role and time are`() throws {
    let rules = try rules()
    let identity = try identity(rules, ["groups": "[\"staff\"]"])
    func again(_ rules: AccessRules, after seconds: TimeInterval = 0) -> Identity? {
      rules.identity(again: identity, now: JWTScene.now.addingTimeInterval(seconds))
    }
    #expect(again(rules) == identity && again(rules, after: 59) == identity && again(rules, after: 60) == nil)
    // The key has gone; it has another kid; there are others beside it; another has taken its kid.
    #expect(again(try self.rules([other])) == nil)
    var renamed = key
    renamed.id = "k9"
    #expect(again(try self.rules([renamed, other])) == identity)
    #expect(again(try self.rules([try JWTSigningKey(.ed25519), other])) == nil)
    // The issuer says something else now.
    #expect(again(try self.rules { $0.issuer = "https://new.example" }) == nil)
    #expect(again(try self.rules { $0.audience = "other" }) == nil)
    #expect(
      again(
        try self.rules {
          $0.lifetimeSeconds = 20; $0.leewaySeconds = 0
        }) == nil)
    #expect(again(try self.rules { $0.role = .claim("groups", roles: ["root": "app"]) }) == nil)
    #expect(again(try self.rules { $0.role = .claim("groups", roles: ["staff": "guest"]) })?.role?.name == "guest")
    #expect(again(try self.rules { $0.role = .fixed("gone") }) == nil)
    #expect(again(try self.rules { $0.claims = [] })?.claims == ["name": "alice"])
    var none = rules
    none.jwts = JWTVerifier()
    #expect(again(none) == nil)
    var changed = rules
    changed.policy.roles["app"]?.grants[0].permissions = [.select]
    #expect(again(changed)?.subject.permissions == [.select])
  }

  @Test func `each refusal has its reason for the log, without a word of what was shown`() throws {
    let rules = try rules()
    let table: [(String, IdentityFault)] = [
      ("mlt_aaaaaaaaaaaa_" + String(repeating: "A", count: 43), .token), ("x", .token), ("x.y", .jwt(.malformed)),
      (try key.jwt(JWTScene.claims(["aud": "\"marker\""])), .jwt(.audience)),
      (try key.jwt(JWTScene.claims(["nbf": "1900000000"])), .jwt(.early)),
      (try key.jwt(JWTScene.claims(), header: "{\"alg\":\"none\"}"), .jwt(.algorithm)),
      (try JWTSigningKey(.shared).jwt(JWTScene.claims()), .jwt(.algorithm)),
    ]
    for (credential, fault) in table {
      let proof = Proof(origin: Self.far, credential: credential)
      #expect(throws: fault) { try rules.identify(proof, now: JWTScene.now) }
      #expect(rules.identity(showing: proof, now: JWTScene.now) == nil && !"\(fault)".contains("marker"))
    }
    #expect(throws: IdentityFault.nothing) { try rules.identify(Proof(origin: Self.far), now: JWTScene.now) }
    var policy = rules.policy
    policy.issuers["login"] = JWTScene.settings { $0.role = .claim("r", roles: ["a": "app", "b": "nobody"]) }
    #expect(policy.missingRole() == "There is no role 'nobody', which JWTs of login should have.")
  }

  @Test func `what is kept of a JWT cannot be shown again`() throws {
    let jwt = try key.jwt(JWTScene.claims())
    let identity = try rules().identify(Proof(origin: Self.far, credential: jwt), now: JWTScene.now)
    var dumped = ""
    dump(identity, to: &dumped)
    for part in jwt.split(separator: ".") { #expect(!dumped.contains(part)) }
    let signature = try #require(Base64URL.bytes(of: jwt.split(separator: ".")[2].utf8))
    guard case .jwt(let shown) = identity.evidence else {
      Issue.record("no JWT")
      return
    }
    #expect(!shown.claims.contains(signature) && !shown.key.contains(signature))
  }
}
