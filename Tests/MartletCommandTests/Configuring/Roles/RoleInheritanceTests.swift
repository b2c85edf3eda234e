/// What roles of a configuration file may do with what they inherit: what one of their parents may do, or what they say
/// themselves, and nothing that is put together from two parents.
import MartletServer
import MartletValues
import Testing

@testable import MartletCommand

struct RoleInheritanceTests {
  private static let roles = """
    [roles.reader]
    databases = ["shop"]
    allow = ["select"]
    [roles.reader.tables.notes]

    [roles.cleaner]
    databases = ["shop"]
    allow = ["select", "delete"]
    [roles.cleaner.tables.log]

    [roles.strict]
    databases = ["shop"]
    allow = ["rows"]
    [roles.strict.tables.notes]
    rows = "tenant = claim('tenant')"

    [roles.elsewhere]
    databases = ["archive-*"]
    allow = ["rows"]
    [roles.elsewhere.tables.notes]
    rows = "old"

    [roles.maker]
    databases = ["shop", "log"]
    allow = ["create"]

    [roles.open]
    databases = ["shop"]
    allow = ["select", "insert"]

    [roles.keeper]
    databases = ["log"]
    allow = ["rows"]

    [roles.fixed]
    databases = ["shop"]
    allow = ["select"]
    shapes = ["fixed.shapes"]


    """

  /// In which line a role stands that is written behind these.
  private static let line = roles.split(separator: "\n", omittingEmptySubsequences: false).count - 1

  private static func heir(_ text: String) throws -> Role {
    let access = try ConfigurationTests.read(roles + "[roles.heir]\n" + text).server.access
    return try #require(access.roles["heir"])
  }

  /// What it may do with tables of a database: `notes select, log select delete`, or `* …` for all tables.
  private static func may(_ role: Role, _ database: String) -> String {
    guard let grant = role.grant(in: database, claims: [:]) else { return "" }
    func words(_ permissions: Permissions) -> String {
      let order: [Permissions] = [.select, .insert, .update, .delete, .create]
      return order.filter { permissions.contains($0) }.compactMap(\.words.first).joined(separator: " ")
    }
    guard let tables = grant.tables else { return "* " + words(grant.permissions) }
    let rules = tables.tables.sorted { $0.key < $1.key }.map { name, rule in
      "\(name) \(words(rule.permissions))\(rule.rows == nil ? "" : " of some rows")"
    }
    return rules.joined(separator: ", ")
  }

  private static let inherited: [(String, text: String, [String: String])] = [
    (
      "one of two parents' permissions does not reach the tables of the other",
      "inherits = [\"reader\", \"cleaner\"]", ["shop": "log select delete, notes select"]
    ),
    (
      "nor in the other order", "inherits = [\"cleaner\", \"reader\"]", ["shop": "log select delete, notes select"]
    ),
    (
      "nor its databases", "inherits = [\"open\", \"keeper\"]",
      ["shop": "* select insert", "log": "* select insert update delete", "other": ""]
    ),
    (
      "rules for one table that hold in different databases stay there", "inherits = [\"strict\", \"elsewhere\"]",
      [
        "shop": "notes select insert update delete of some rows",
        "archive-1": "notes select insert update delete of some rows",
      ]
    ),
    (
      "a permission that is of no table goes beside tables", "inherits = [\"reader\", \"maker\"]",
      ["shop": "notes select", "log": "* create"]
    ),
    (
      "what a role allows itself goes together with each parent by itself",
      "inherits = [\"reader\", \"keeper\"]\nallow = [\"insert\"]",
      ["shop": "notes select insert", "log": "* select insert update delete"]
    ),
    (
      "in a database of its own it may do what it says itself, and no more",
      "inherits = [\"open\"]\ndatabases = [\"log\"]\nallow = [\"delete\"]",
      ["shop": "* select insert", "log": "* delete"]
    ),
    (
      "in a database of its own it may do what its parents may, each by itself, where it does not say",
      "inherits = [\"reader\", \"cleaner\"]\ndatabases = [\"extra\"]",
      ["shop": "log select delete, notes select", "extra": "log select delete, notes select"]
    ),
    (
      "a table of its own has what it may do there", "inherits = [\"reader\"]\n[roles.heir.tables.more]",
      ["shop": "more select, notes select"]
    ),
    (
      "its own rule for a table stands in the place of others",
      "inherits = [\"reader\", \"strict\"]\n[roles.heir.tables.notes]\nrows = \"id = 1\"\nallow = [\"select\"]",
      ["shop": "notes select of some rows"]
    ),
    (
      "what a parent's rule says that may be done with a table its heir cannot widen",
      "inherits = [\"narrow\"]\nallow = [\"rows\"]\n"
        + "[roles.narrow]\ndatabases = [\"shop\"]\nallow = [\"rows\"]\n"
        + "[roles.narrow.tables.notes]\nallow = [\"insert\"]",
      ["shop": "notes insert"]
    ),
    (
      "what a parent's rule says of a table holds for its heir, also where the parent itself may do less",
      "inherits = [\"narrow\"]\nallow = [\"rows\"]\n"
        + "[roles.narrow]\ndatabases = [\"shop\"]\nallow = [\"select\"]\n"
        + "[roles.narrow.tables.notes]\nallow = [\"select\", \"insert\"]",
      ["shop": "notes select insert"]
    ),
    (
      "and for the heir's heir",
      "inherits = [\"between\"]\nallow = [\"insert\", \"delete\"]\n"
        + "[roles.between]\ninherits = [\"narrow\"]\ndatabases = [\"shop\"]\n"
        + "[roles.narrow]\ndatabases = [\"shop\"]\nallow = [\"select\"]\n"
        + "[roles.narrow.tables.notes]\nallow = [\"select\", \"insert\"]",
      ["shop": "notes select insert"]
    ),
    (
      "an heir that says nothing of permissions has its parent's",
      "inherits = [\"narrow\"]\ndatabases = [\"log\"]\n"
        + "[roles.narrow]\ndatabases = [\"shop\"]\nallow = [\"select\"]\n"
        + "[roles.narrow.tables.notes]\nallow = [\"select\", \"insert\"]",
      ["shop": "notes select", "log": "notes select"]
    ),
    (
      "the same rule by two ways is one",
      "inherits = [\"a\", \"b\"]\n[roles.a]\ninherits = [\"strict\"]\n"
        + "[roles.b]\ninherits = [\"strict\"]\nallow = [\"select\"]",
      ["shop": "notes select insert update delete of some rows"]
    ),
  ]

  @Test func `an heir may do what one of its parents may or what it says itself, and never a mix of two`() throws {
    for (name, text, wanted) in Self.inherited {
      let role = try Self.heir(text)
      for (database, words) in wanted { #expect(Self.may(role, database) == words, "\(name): \(database)") }
      var policy = AccessPolicy()
      policy.roles["heir"] = role
      #expect(policy.contradiction() == nil, "\(name)")
    }
  }

  private static let contradicting: [(text: String, sentence: String)] = [
    (
      "inherits = [\"reader\", \"strict\"]",
      "The role 'heir' inherits different rules for the table 'notes' from 'reader' and 'strict'. Give it one of its "
        + "own, [roles.heir.tables.NAME]."
    ),
    (
      "inherits = [\"strict\", \"reader\"]",
      "The role 'heir' inherits different rules for the table 'notes' from 'reader' and 'strict'. Give it one of its "
        + "own, [roles.heir.tables.NAME]."
    ),
    (
      "inherits = [\"reader\", \"strict\"]\nallow = [\"select\"]",
      "The role 'heir' inherits different rules for the table 'notes' from 'reader' and 'strict'. Give it one of its "
        + "own, [roles.heir.tables.NAME]."
    ),
    (
      "inherits = [\"open\", \"strict\"]",
      "The role 'heir' says or inherits ('open' and 'strict') what contradicts itself in one database: all tables, and "
        + "some tables only. An heir may do all that its parents may, so inherit one of them "
        + "only, or what they have in "
        + "common."
    ),
    (
      "inherits = [\"open\"]\n[roles.heir.tables.notes]\nrows = \"id = 1\"",
      "The role 'heir' says or inherits ('open') what contradicts itself in one database: all tables, and some tables "
        + "only. An heir may do all that its parents may, so inherit one of them only, or what they have in common."
    ),
    (
      "inherits = [\"fixed\", \"open\"]",
      "The role 'heir' says or inherits ('fixed' and 'open') what contradicts itself in one database: different "
        + "statements, with different permissions or tables. An heir may do all that its parents "
        + "may, so inherit one of "
        + "them only, or what they have in common."
    ),
    (
      "inherits = [\"strict\"]\nallow = [\"inspect\"]",
      "The role 'heir' may use some tables only, and 'inspect' would go around that. Take it out of allow, or remove its "
        + "tables."
    ),
    (
      "inherits = [\"open\"]\nallow = [\"raw\"]",
      "SQL text can read and write rows, so the role 'heir', which is allowed raw, has to be allowed rows as well."
    ),
  ]

  @Test func `what two parents say against each other is told with the heir's line`() {
    for (text, sentence) in Self.contradicting {
      #expect(
        ConfigurationMistakesTests.mistakes(Self.roles + "[roles.heir]\n" + text)
          == ["m.toml:\(Self.line + 1): \(sentence)"], "\(text)")
    }
  }

  @Test func `names of databases meet where one name fits both`() throws {
    let cases: [(String, String, Bool)] = [
      ("shop", "shop", true), ("shop", "log", false), ("*", "log", true), ("a-*", "*-b", true), ("a-*", "b-*", false),
      ("own-{tenant}", "own-x", true), ("own-{tenant}", "shop", false), ("a*c", "ab*", true), ("a*c", "*d", false),
      ("*a*", "*b*", true), ("aa", "a*a", true), ("a", "a*a", false),
      ("a-*", "a-xyz", true), ("own-{tenant}", "own-long", true), ("*", "*", true), ("a*b", "axyzb", true),
      ("a*b", "axyzc", false),
    ]
    for (left, right, meets) in cases {
      let (one, other) = (try #require(DatabasePattern(left)), try #require(DatabasePattern(right)))
      #expect(one.mayMeet(other) == meets && other.mayMeet(one) == meets, "\(left) \(right)")
    }
  }
}
