/// Who is who: what is shown, what is written down, and what comes of the two.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct AccessRulesTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let user = Subject.Origin.process(1, user: 33, group: 33)
  private static let stranger = Subject.Origin.process(1, user: 99, group: 99)
  private static let here = Subject.Origin.address(high: 0, low: 0xFFFF_7F00_0001, isThisMachine: true)
  private static let far = Subject.Origin.address(high: 0, low: 0xFFFF_0A00_0001, isThisMachine: false)

  private let folder: TemporaryFolder
  private let token: String
  private let expired: String
  private let roleless: String
  private var rules: AccessRules

  init() throws {
    folder = try TemporaryFolder()
    let file = TokenFile(path: folder.path + "/tokens")
    token = try file.create(role: "app", name: "web", expires: Self.now.addingTimeInterval(60)).text
    expired = try file.create(role: "app", name: "old", expires: Self.now.addingTimeInterval(-1)).text
    roleless = try file.create(role: "gone", name: "x", expires: nil).text
    rules = AccessRules()
    rules.tokens = try TokenList(String(contentsOfFile: folder.path + "/tokens", encoding: .utf8), file: "tokens")
    rules.policy.roles = [
      "app": Role(name: "app", databases: [DatabasePattern("shop")!], permissions: .rows),
      "backup": Role(name: "backup", permissions: [.select]),
    ]
    rules.policy.users = [33: "app"]
    rules.policy.certificates = ["backup.example": "backup"]
  }

  private func role(_ proof: Proof, _ others: AccessPolicy.Others) -> String {
    var rules = rules
    rules.policy.others = others
    guard let identity = rules.identity(showing: proof, now: Self.now) else { return "refused" }
    return identity.role?.name ?? "unrestricted"
  }

  @Test func `each proof has its role, and a wrong one is worse than none`() {
    let ends = Self.now.addingTimeInterval(60)
    let table: [(String, Proof, whenOthersMay: String, whenNot: String)] = [
      ("a token from far", Proof(origin: Self.far, credential: token), "app", "app"),
      ("a token from here", Proof(origin: Self.here, credential: token), "app", "app"),
      ("a token beats the user", Proof(origin: Self.user, credential: token), "app", "app"),
      ("a token that has expired", Proof(origin: Self.here, credential: expired), "refused", "refused"),
      ("a token whose role is gone", Proof(origin: Self.here, credential: roleless), "refused", "refused"),
      ("a wrong token", Proof(origin: Self.user, credential: token.dropLast() + "x"), "refused", "refused"),
      ("no token at all", Proof(origin: Self.user, credential: "x"), "refused", "refused"),
      (
        "a certificate",
        Proof(origin: Self.far, certificate: ShownCertificate(names: ["other", "backup.example"], ends: ends)),
        "backup", "backup"
      ),
      (
        "a certificate that has ended",
        Proof(origin: Self.far, certificate: ShownCertificate(names: ["backup.example"], ends: Self.now)),
        "refused", "refused"
      ),
      (
        "a certificate of nobody", Proof(origin: Self.far, certificate: ShownCertificate(names: ["who"], ends: ends)),
        "refused", "refused"
      ),
      (
        "a certificate of nobody, from here",
        Proof(origin: Self.here, certificate: ShownCertificate(names: ["who"], ends: ends)), "refused",
        "refused"
      ),
      ("a user", Proof(origin: Self.user), "app", "app"),
      ("another user", Proof(origin: Self.stranger), "unrestricted", "refused"),
      ("a program here", Proof(origin: Self.here), "unrestricted", "refused"),
      ("nobody from far", Proof(origin: Self.far), "refused", "refused"),
      ("nobody from nowhere", Proof(origin: .unknownAddress), "refused", "refused"),
    ]
    for (what, proof, may, mayNot) in table {
      #expect(role(proof, .unrestricted) == may, "\(what)")
      #expect(role(proof, .refused) == mayNot, "\(what)")
    }
    #expect(role(Proof(origin: Self.here), .role("backup")) == "backup")
    #expect(role(Proof(origin: Self.here), .role("gone")) == "refused")
    #expect(role(Proof(origin: Self.far), .role("backup")) == "refused")
  }

  @Test func `what the operator denies everybody no role gives back`() {
    var rules = rules
    rules.denied = [.delete]
    rules.deniedOverTCP = [.update]
    let overTCP = rules.identity(showing: Proof(origin: Self.here, credential: token), now: Self.now)
    #expect(overTCP?.subject.permissions == [.select, .insert])
    let onSocket = rules.identity(showing: Proof(origin: Self.user), now: Self.now)
    #expect(onSocket?.subject.permissions == [.select, .insert, .update])
  }

  @Test func `a session is known again as long as its proof is, and with the role of now`() throws {
    let identity = try #require(rules.identity(showing: Proof(origin: Self.far, credential: token), now: Self.now))
    #expect(rules.identity(again: identity, now: Self.now) == identity)
    #expect(rules.identity(again: identity, now: Self.now.addingTimeInterval(61)) == nil)
    var changed = rules
    changed.policy.roles["app"]?.grants[0].permissions = [.select]
    #expect(changed.identity(again: identity, now: Self.now)?.subject.permissions == [.select])
    changed.policy.roles["app"] = nil
    #expect(changed.identity(again: identity, now: Self.now) == nil)
    var revoked = rules
    revoked.tokens = TokenList()
    #expect(revoked.identity(again: identity, now: Self.now) == nil)
    let local = try #require(rules.identity(showing: Proof(origin: Self.here), now: Self.now))
    var closed = rules
    closed.policy.others = .refused
    #expect(closed.identity(again: local, now: Self.now) == nil)
    let shown = ShownCertificate(names: ["backup.example"], ends: Self.now.addingTimeInterval(60), authority: nil)
    let backup = try #require(rules.identity(showing: Proof(origin: Self.far, certificate: shown), now: Self.now))
    var other = rules
    other.clientAuthority = [1]
    #expect(other.identity(again: backup, now: Self.now) == nil)
    #expect(rules.identity(again: backup, now: Self.now) == backup)
  }

  @Test func `tokens behind one address share time as different people, and nothing of the token is kept`() throws {
    let identity = try #require(rules.identity(showing: Proof(origin: Self.far, credential: token), now: Self.now))
    let nobody = Subject(origin: Self.far, permissions: [])
    #expect(identity.subject.share != nobody.share && identity.subject.originShare == nobody.share)
    #expect(identity.name.hasPrefix("token web ("))
    #expect(!"\(identity)".contains(token.suffix(43)))
  }

  @Test func `without roles everything is as it was, and on a private network others may come`() {
    var rules = AccessRules(denied: [.drop], deniedOverTCP: [.raw])
    #expect(!rules.mustIdentify)
    #expect(rules.subject(from: Self.user).permissions == Permissions.all.subtracting(.drop))
    #expect(rules.subject(from: Self.here).permissions == Permissions.all.subtracting([.drop, .raw]))
    #expect(rules.subject(from: Self.far).permissions == [])
    #expect(rules.identity(showing: Proof(origin: Self.far), now: Self.now) == nil)
    // Nobody has a role, and still those of this machine may be refused.
    rules.policy.others = .refused
    #expect(rules.mustIdentify && rules.identity(showing: Proof(origin: Self.here), now: Self.now) == nil)
    rules.policy.others = .unrestricted
    rules.isInsecure = true
    #expect(rules.subject(from: Self.far).permissions == Permissions.all.subtracting([.drop, .raw]))
    #expect(rules.identity(showing: Proof(origin: Self.far), now: Self.now)?.role == nil)
  }

  @Test func `a pattern is a name or has stars, and nothing else`() {
    let table: [(String, String, Bool)] = [
      ("shop", "shop", true), ("shop", "shops", false), ("shop", "Shop", false), ("*", "x", true), ("*", "a-b_c", true),
      ("t-*", "t-1", true), ("t-*", "t-", true), ("t-*", "t", false), ("*-t", "a-t", true), ("*-t", "a-t-", false),
      ("a*b*c", "abc", true), ("a*b*c", "a1b2b3c", true), ("a*b*c", "a1c2b", false), ("**", "x", true),
    ]
    for (pattern, name, matches) in table {
      #expect(DatabasePattern(pattern)?.matches(name) == matches, "\(pattern) \(name)")
    }
    for wrong in ["", "a b", "a/b", "..", "a?", "ä", String(repeating: "a", count: 65)] {
      #expect(DatabasePattern(wrong) == nil, "\(wrong)")
    }
    // The worst pattern for the worst name is quick.
    let stars = DatabasePattern(String(repeating: "*a", count: 32))
    #expect(stars?.matches(String(repeating: "a", count: 63) + "b") == false)
  }
}
