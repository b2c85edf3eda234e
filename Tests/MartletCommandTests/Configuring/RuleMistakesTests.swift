/// What contradicts itself in roles, and what no server could carry out: told before a server starts.
import Foundation
import MartletServer
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletCommand

struct RuleMistakesTests {
  private static let head = "[roles.r]\ndatabases = [\"*\"]\nallow = [\"rows\"]\n[roles.r.tables.notes]\n"

  @Test func `a name that is equal to another one to Swift, and not to SQLite, is a mistake with its line`() {
    let decomposed = "cafe\u{301}"
    let columns = ConfigurationMistakesTests.mistakes(Self.head + "read = [\"\(decomposed)\"]")
    #expect(
      columns.count == 1 && columns[0].hasPrefix("m.toml:5: The name 'cafe\u{301}' is not in Unicode's composed form"))
    let table = Self.head.replacing("notes", with: "\"\(decomposed)\"")
    let tables = ConfigurationMistakesTests.mistakes(table)
    #expect(tables.count == 1 && tables[0].contains("is not in Unicode's composed form (NFC)"), "\(tables)")
    #expect(ConfigurationMistakesTests.mistakes(Self.head + "read = [\"caf\u{E9}\"]").isEmpty)
  }

  @Test(arguments: [
    ("count(*) > 1", "misuse of aggregate"),
    ("id = (SELECT 1 FROM members WHERE max(notes.id) > 1)", "misuse of aggregate"),
    ("row_number() OVER () = 1", "misuse of window function row_number()"),
    ("nosuch(id) = 1", "no such function: nosuch"),
    ("EXISTS (SELECT 1 FROM members WHERE lowr(name) = notes.owner)", "no such function: lowr"),
    ("substr(id) = 1", "wrong number of arguments to function substr()"),
    ("load_extension('x') IS NULL", "A statement may not call the function load_extension."),
    ("id COLLATE klingon = 1", "no such collation sequence: klingon"),
    ("id = ", "near \")\": syntax error"),
  ])
  func `a condition that no table could have is a mistake with its line`(condition: String, words: String) {
    for key in ["rows", "change-rows", "new-rows"] {
      let found = ConfigurationMistakesTests.mistakes(Self.head + "\(key) = \"\(condition)\"")
      #expect(
        found.first?.hasPrefix("m.toml:5: \(key): SQLite does not take the condition: \(words)") == true, "\(found)")
    }
  }

  @Test(arguments: [
    "tenant = claim('tenant')", "notes.tenant = claim('tenant') AND lower(title) LIKE 'a%'",
    "EXISTS (SELECT * FROM members AS m WHERE m.name = claim('name') AND m.team = notes.team)",
    "team IN (SELECT team FROM members GROUP BY team HAVING count(*) > 1)",
    "(SELECT max(n) FROM (SELECT row_number() OVER () AS n FROM members)) > id",
    "id IN (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5) SELECT x FROM c)",
    "EXISTS (SELECT 1 FROM a, b WHERE x = 1)", "json_extract(meta, '$.team') = claim('team')", "rowid > 5",
    "id IN (SELECT value FROM json_each(claim('ids')))",
  ])
  func `a condition that some tables could have is none`(condition: String) {
    #expect(ConfigurationMistakesTests.mistakes(Self.head + "rows = \"\"\"\(condition)\"\"\"") == [])
  }

  @Test(arguments: ["{org}-{user}", "{org}{user}", "{tenant}-*", "*-{tenant}", "a-{x}-{y}"])
  func `a name that could be the database of two clients is a mistake`(name: String) {
    let text = "[roles.r]\ndatabases = [\"shop\", \"\(name)\"]\nallow = [\"rows\"]\n"
    #expect(
      ConfigurationMistakesTests.mistakes(text) == [
        "m.toml:2: '\(name)' could be the database of two clients: beside {CLAIM} there is neither another one nor *."
      ])
  }

  private static let pairs: [(one: String, other: String, isOne: Bool)] = [
    ("{org}", "{org}-archive", true), ("{org}", "{user}", true), ("a-{org}", "{org}-b", true),
    ("a-{org}", "a-{user}", true), ("a-{org}", "b-{org}", false), ("{org}", "shop", false), ("a-{org}", "a-*", false),
    ("a-{org}", "a-{org}", false),
  ]

  @Test func `two names that could be one database of two clients are a mistake, in one role and by inheritance`() {
    for (one, other, isOne) in Self.pairs { expectMistake(one, other, isOne) }
  }

  private func expectMistake(_ one: String, _ other: String, _ isOne: Bool) {
    let sentence =
      "'\(one)' and '\(other)' of the role 'r' could be one database of two clients. Let them begin with different "
      + "letters, as in a-{CLAIM} and b-{CLAIM}."
    let text = "[roles.r]\ndatabases = [\"\(one)\", \"\(other)\"]\nallow = [\"rows\"]\n"
    #expect(ConfigurationMistakesTests.mistakes(text) == (isOne ? ["m.toml:1: " + sentence] : []))
    let heir =
      "[roles.q]\ndatabases = [\"\(one)\"]\nallow = [\"rows\"]\n"
      + "[roles.s]\ndatabases = [\"\(other)\"]\nallow = [\"rows\"]\n[roles.r]\ninherits = [\"q\", \"s\"]\n"
    #expect(ConfigurationMistakesTests.mistakes(heir) == (isOne ? ["m.toml:7: " + sentence] : []))
  }

  @Test func `certificates without the authority that signs them are a mistake`() {
    let role = "[roles.r]\ndatabases = [\"*\"]\nallow = [\"rows\"]\n"
    let sentence =
      "No client shows a certificate without tls.client-authority, so [certificates] has no use. Name the authority, or "
      + "remove the table."
    #expect(
      ConfigurationMistakesTests.mistakes(role + "[certificates]\n\"backup.example\" = \"r\"\n") == [
        "m.toml:4: \(sentence)"
      ])
    let tls = "[tls]\ncertificate = \"c.pem\"\nkey = \"k.pem\"\n"
    #expect(
      ConfigurationMistakesTests.mistakes(role + tls + "[certificates]\n\"backup.example\" = \"r\"\n") == [
        "m.toml:7: \(sentence)"
      ])
    #expect(
      ConfigurationMistakesTests.mistakes(
        role + tls + "client-authority = \"a.pem\"\n[certificates]\n\"backup.example\" = \"r\"\n") == [])
    #expect(ConfigurationMistakesTests.mistakes(role + "[certificates]\n") == [])
  }

  @Test func `a claim that nobody has who has the role is told beside the files`() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/tokens"
    #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
    func warnings(_ claim: String) throws -> [String] {
      let text = "tokens = \"\(path)\"\n" + Self.head + "rows = \"tenant = claim('\(claim)')\"\n"
      return try ConfigurationTests.read(text).warningsInFiles()
    }
    // Who will have the role nobody knows yet.
    #expect(try warnings("tenannt") == [])
    _ = try TokenFile(path: path).create(role: "r", name: "x", claims: ["tenant": "a"])
    #expect(try warnings("tenant") == [] && warnings("name") == [])
    #expect(
      try warnings("tenannt") == [
        "The role 'r' asks for the claim 'tenannt', which none of its tokens and JWTs has. Did you mean tenant?"
      ])
  }
}
