/// Who somebody says to be: claims with signs of SQL and of patterns, names of others, credentials that are none.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct ClaimAttackTests {
  private static let count = Ask.select(.countAll, from: "notes")

  /// What a token's `tenant` says, none of which is the tenant `a`, `b` or another.
  private static let claims: [(String, String)] = [
    ("a quotation mark and SQL", "a' OR '1'='1"), ("the end of a condition", "a') OR (1"), ("a comment", "a' --"),
    ("a percent sign", "%"), ("an underscore", "_"), ("an asterisk", "*"), ("two tenants", "a,b"),
    ("two tenants and SQL", "a' OR tenant = 'b"), ("nothing", ""), ("a space", " "), ("a space behind it", "a "),
    ("a space before it", " a"), ("a line's end behind it", "a\n"), ("capital letters", "A"),
    ("a letter that looks the same", "а"), ("a letter of full width", "ａ"), ("the word NULL", "NULL"),
    ("a call of claim", "claim('tenant')"), ("a parameter", "?1"), ("a number", "0"), ("a column", "tenant"),
    ("a way up", "../a"), ("as many bytes as may be", String(repeating: "a", count: 256)),
    ("a quoted name", "\"tenant\""),
    ("a sign of width nothing", "a\u{200B}"), ("an accent", "a\u{301}"),
  ]

  @Test func `a claim is a value and nothing else, whatever stands in it`() throws {
    let stage = try AttackStage()
    for (name, claim) in Self.claims {
      let (client, error) = try stage.hello("tenant", claims: ["tenant": claim])
      #expect(error == nil, "\(name)")
      for tree in [Self.count, Ask.select(.countAll, from: "docs"), Ask.select(.countAll, from: "keyed")] {
        #expect(try stage.ask(client, tree).rows == [[.integer(0)]], "\(name)")
      }
      #expect(try stage.ask(client, Ask.update { _ in }).completion?.rowsChanged == 0, "\(name)")
      for tenant in ["a", "b"] {
        #expect(try stage.ask(client, Ask.insert(tenant)).error?.reason == .permission, "\(name)")
      }
      stage.expectNoMarker(in: client.takeAll(), name)
      client.close()
    }
  }

  @Test func `somebody without the claim, or with another's name for it, has no rows`() throws {
    let stage = try AttackStage()
    for claims in [[:], ["Tenant": "a"], ["tenant_": "a"], ["name": "a"], ["role": "all", "admin": "1"]] {
      let (client, error) = try stage.hello("tenant", claims: claims)
      #expect(error == nil)
      #expect(try stage.ask(client, Self.count).rows == [[.integer(0)]], "\(claims)")
      #expect(try stage.ask(client, Ask.all("vault")).error?.reason == .permission, "\(claims)")
      #expect(try stage.ask(client, Self.count, [.text("a")]).error?.reason == .invalidStatement, "\(claims)")
    }
  }

  @Test func `a claim with a NUL, one that is too long, and too many are no token's`() throws {
    let stage = try AttackStage()
    let many = Dictionary(uniqueKeysWithValues: (0..<17).map { ("c\($0)", "x") })
    for claims in [["tenant": "a\0b"], ["tenant": String(repeating: "a", count: 257)], ["a b": "x"], ["": "x"], many] {
      #expect(throws: ServerError.self) { try stage.token("tenant", claims: claims) }
    }
  }

  @Test func `a database of one's own is the one with the claim in its name, whatever signs that has`() throws {
    let stage = try AttackStage()
    for name in ["own-b", "own-x-y", "other"] { try RawClient(stage.server.live.unix, database: name).close() }
    let tries: [(String, claim: String?, database: String)] = [
      ("another's", "a", "own-b"), ("an asterisk", "*", "own-b"), ("a beginning and an asterisk", "x*", "own-x-y"),
      ("nothing", "", "own-"), ("no claim", nil, "own-a"), ("the pattern itself", "{tenant}", "own-b"),
      ("a way up", "../other", "other"), ("a way up in the name", "../other", "own-../other"),
      ("another database's name", "other", "other"), ("a part of it", "x", "own-x-y"),
      ("a name with a NUL", "a", "own-a\0"),
      ("a name with a slash", "a", "own-a/../own-b"), ("a name in capital letters", "b", "OWN-B"),
      ("a claim in capital letters", "B", "own-b"), ("a file's name", "a", "own-b.sqlite"),
    ]
    for (name, claim, database) in tries {
      let (client, error) = try stage.hello(
        "tenant", claims: claim.map { ["tenant": $0] } ?? [:], database: database, create: true)
      #expect(error?.reason == .permission || error?.reason == .malformed, "\(name): \(String(describing: error))")
      client.close()
    }
    let (_, error) = try stage.hello("tenant", claims: ["tenant": "x-y"], database: "own-x-y")
    #expect(error == nil)
  }

  @Test func `a database of others is told in the words for one that is not there`() throws {
    let stage = try AttackStage()
    try RawClient(stage.server.live.unix, database: "other").close()
    for who in Attempt.Attacker.allCases {
      for create in [false, true] {
        let errors = try ["other", "nothing"].map {
          try stage.hello(who.rawValue, claims: ["tenant": "a"], database: $0, create: create).error
        }
        #expect(errors[0]?.reason == .permission && errors[0] == errors[1], "\(who)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: stage.server.live.directory + "/nothing.sqlite"))
  }

  @Test func `a credential that is nearly one, and the name of another role, open nothing`() throws {
    let stage = try AttackStage()
    let token = try stage.token("tenant", claims: ["tenant": "a"])
    let text = token.text
    let parts = text.split(separator: "_", maxSplits: 2).map(String.init)
    let wrong: [(String, String)] = [
      ("the name of a role", "all"), ("a token's id", token.id), ("a token without its end", String(text.dropLast())),
      ("a token with more behind it", text + "A"), ("a token with a space behind it", text + " "),
      ("a token with a NUL behind it", text + "\0"), ("a token in capital letters", text.uppercased()),
      ("another token's secret", parts[0] + "_" + parts[1] + "_" + String(parts[2].reversed())),
      ("a token's id with the role of another", parts[0] + "_all_" + parts[2]), ("JSON", "{\"role\":\"all\"}"),
      ("SQL", "' OR 1=1 --"), ("many bytes", String(repeating: "A", count: 5_000)),
    ]
    // All at once: each of them waits for its refusal.
    let clients = try wrong.map { try ($0.0, RawClient(stage.server.live.tcp), $0.1) }
    for (_, client, credential) in clients {
      client.send(1, .hello(.init(database: "shop", client: "all", credential: credential)))
    }
    for (name, client, _) in clients {
      guard case .error(let error)? = try client.receive().parts.first else {
        Issue.record("\(name): taken")
        continue
      }
      #expect(error == RequestError.unknownIdentity, "\(name): \(error)")
      client.close()
    }
    let refused = try stage.server.lines().filter { $0["event"] as? String == "session-refused" }
    #expect(refused.count == wrong.count && refused.allSatisfy { $0["outcome"] as? String == "UNAUTHENTICATED" })
    #expect(try !stage.server.text().contains(parts[2]))
    // What a client calls itself is in the log, and gives it nothing.
    let (client, _) = try stage.hello("tenant", claims: ["tenant": "a"], as: "all")
    #expect(try stage.ask(client, Ask.all("vault")).error?.reason == .permission)
  }
}
