/// Every mistake of a configuration file is told with its line.
import MartletServer
import MartletValues
import Testing

@testable import MartletCommand

struct ConfigurationMistakesTests {
  static func mistakes(_ text: String) -> [String] {
    do {
      _ = try ConfigurationTests.read(text)
      return []
    } catch let error as InvalidConfiguration {
      return error.mistakes.map { $0.text(file: "m.toml") }
    } catch {
      return ["\(error)"]
    }
  }

  static let role = "[roles.r]\ndatabases = [\"*\"]\nallow = [\"select\"]\n"

  /// Four lines of an issuer who has no role yet.
  static func jwt(_ name: String) -> String {
    "[jwt.\(name)]\nissuer = \"i\"\naudience = \"a\"\nkeys = \"k\"\n"
  }

  static let cases: [(text: String, mistakes: [String])] = [
    ("\nlisen = []\n", ["m.toml:2: There is no key 'lisen'. Did you mean listen?"]),
    ("[tls]\ncertificate = \"a\"\nkey = \"b\"\ncert = 1\n", ["m.toml:4: There is no key 'cert' in [tls]."]),
    ("deadline-ms = 1", ["m.toml:1: There is no key 'deadline-ms'. It belongs into [limits] or [roles.NAME.quotas]."]),
    ("data = 3", ["m.toml:1: data is a text in quotation marks."]),
    ("data = \"\"", ["m.toml:1: data is a path."]),
    ("insecure = \"yes\"", ["m.toml:1: insecure is true or false."]),
    ("loops = 1.5", ["m.toml:1: loops is a whole number."]),
    ("loops = 257", ["m.toml:1: loops is 0 to 256."]),
    ("slow-query-ms = -1", ["m.toml:1: slow-query-ms is 0 to 1000000000."]),
    ("socket-mode = \"999\"", ["m.toml:1: socket-mode is three octal digits, such as 660."]),
    ("socket-mode = \"66\"", ["m.toml:1: socket-mode is three octal digits, such as 660."]),
    ("socket-mode = 660", ["m.toml:1: socket-mode is a text in quotation marks."]),
    ("log-level = \"loud\"", ["m.toml:1: The log level is trace, debug, info, notice, warning, error or critical."]),
    ("log-format = \"xml\"", ["m.toml:1: log-format is text or json."]),
    ("metrics-listen = \"9278\"", ["m.toml:1: metrics-listen is an address and a port, such as 127.0.0.1:9278."]),
    ("memory = \"1M\"", ["m.toml:1: memory is a number with a unit, such as 512M or 2G, and at least 64M."]),
    ("page-checksums = \"on\"", ["m.toml:1: page-checksums is true or false."]),
    ("listen = \"a\"", ["m.toml:1: listen is a list of texts, such as [\"a\", \"b\"]."]),
    (
      "loops = 1\nlisten = [\"martlet://127.0.0.1:1\", \"martlet://127.0.0.1:1\"]",
      ["m.toml:2: listen names the address of martlet://127.0.0.1:1 twice. Name it once."]
    ),
    (
      "listen = [\"martlet://localhost:1\", \"martlet://[::1]:1\"]",
      ["m.toml:1: listen names the address of martlet://[::1]:1 twice. Name it once."]
    ),
    ("listen = [\"martlet://127.0.0.1:0\", \"martlet://127.0.0.1:0\", \"martlet://127.0.0.1:1\"]", []),
    ("listen = []", ["m.toml:1: listen names at least one address, or is left out."]),
    ("deny = [\n  \"raw\",\n  3,\n]", ["m.toml:3: deny is a list of texts, such as [\"a\", \"b\"]."]),
    ("tls = 1", ["m.toml:1: tls is a table. Write [tls]."]),
    ("limits = []", ["m.toml:1: limits is a table. Write [limits]."]),
    ("[[roles]]\n", ["m.toml:1: roles is a table. Write [roles]."]),
    ("[roles]\nr = 1\n", ["m.toml:2: roles.r is a table. Write [roles.r]."]),
    (
      "[limits]\nwal-mib = 0\npage-cache-mib = 65537\n",
      [
        "m.toml:2: wal-mib is a number from 1.", "m.toml:3: page-cache-mib is at most 65536.",
      ]
    ),
    ("[limits]\ndeadline-ms = 9\ndeadline-max-ms = 8", ["m.toml:2: deadline-ms must not exceed deadline-max-ms."]),
    ("deny = [\"delete\"]", ["m.toml:1: SQL text can read and write rows, so deny has to name raw as well."]),
    ("\ndeny-tcp = [\"rows\"]", ["m.toml:2: SQL text can read and write rows, so deny-tcp has to name raw as well."]),
    ("[local]\nrole = \"r\"", ["m.toml:2: There is no role 'r'. Roles are tables: [roles.NAME]."]),
    ("audit = \"a\"", ["m.toml:1: audit is a table. Write [audit]."]),
    ("\n[audit]\nstatements = \"all\"", ["m.toml:2: [audit] needs file: the path of the audit log."]),
    (
      "[audit]\nfile = 3\nstatements = \"reads\"\nvalues = []",
      [
        "m.toml:2: file is a text in quotation marks.",
        "m.toml:3: statements is \"refused\", \"writes\" or \"all\".",
        "m.toml:4: There is no key 'values' in [audit].",
      ]
    ),
    (
      "[audit]\nfile = \"/a\"\nstatements = \"none\"\nparameters = [\n\"a.b\",\n\"total\", \"a.b.c\", \".b\", 3]",
      [
        "m.toml:3: statements is \"refused\", \"writes\" or \"all\".",
        "m.toml:6: parameters is a list of texts, such as [\"a\", \"b\"].",
        "m.toml:6: 'total' is no column. Write its table and its name, as in orders.total.",
        "m.toml:6: 'a.b.c' is no column. Write its table and its name, as in orders.total.",
        "m.toml:6: '.b' is no column. Write its table and its name, as in orders.total.",
      ]
    ),
    ("statements = \"all\"", ["m.toml:1: There is no key 'statements'. It belongs into [audit]."]),
    ("[local]\naccess = \"none\"", ["m.toml:2: access is \"unrestricted\" or \"refused\"."]),
    (
      role + "[local]\nrole = \"r\"\naccess = \"refused\"",
      [
        "m.toml:6: [local] has role or access, not both: programs with a role have its permissions."
      ]
    ),
    (
      role + "[users]\nwww-data = \"s\"\nnobody-here = \"r\"\n33 = \"r\"\n",
      [
        "m.toml:5: There is no role 's'. Roles are tables: [roles.NAME].",
        "m.toml:6: This machine has no user 'nobody-here'. Name one that it has, or an id.",
      ]
    ),
    (
      role + "[roles.s]\ninherits = [\"r\"]\n[users]\nwww-data = \"r\"\n33 = \"s\"\n",
      [
        "m.toml:8: The user 33 has the role 'r' already, by another name. Keep one of them."
      ]
    ),
    (
      role + "[certificates]\n\"a.b\" = \"x\"\n\"\" = \"r\"",
      [
        "m.toml:5: There is no role 'x'. Roles are tables: [roles.NAME].",
        "m.toml:6: A certificate is named by its common name or a DNS name.",
      ]
    ),
    (
      "[roles.\"a b\"]\ndatabases = [\"*\"]\nallow = [\"all\"]",
      [
        "m.toml:1: A role's name is 1 to 64 letters, digits, underscores and hyphens."
      ]
    ),
    (
      "[roles.r]\nallow = [\"select\"]",
      [
        "m.toml:1: The role 'r' has no databases. Write databases = [\"NAME\"], or [\"*\"] for all."
      ]
    ),
    (
      "[roles.r]\ndatabases = [\"a/b\"]",
      [
        "m.toml:1: The role 'r' may do nothing. Write allow = [\"select\"], or what it may do.",
        "m.toml:2: 'a/b' is no database. Use 1 to 64 letters, digits, underscores, hyphens and *.",
      ]
    ),
    (role + "inherits = [\"r\"]", ["m.toml:1: The role 'r' inherits itself. Remove a name from its inherits."]),
    (
      "[roles]\na.inherits = [\"b\"]\nb.inherits = [\"c\"]\nc.inherits = [\"b\"]",
      [
        "m.toml:2: The role 'a' has no databases. Write databases = [\"NAME\"], or [\"*\"] for all.",
        "m.toml:2: The role 'a' may do nothing. Write allow = [\"select\"], or what it may do.",
        "m.toml:3: The role 'b' inherits itself. Remove a name from its inherits.",
        "m.toml:4: The role 'c' inherits itself. Remove a name from its inherits.",
      ]
    ),
    (
      "[roles.r]\ndatabases = [\"*\"]\nallow = [\"raw\", \"select\"]",
      [
        "m.toml:1: SQL text can read and write rows, so the role 'r', which is allowed raw, has to be allowed rows as well."
      ]
    ),
    (
      "[roles.r]\ndatabases = [\"*\"]\nallow = [\"rows\", \"raw\"]\n[roles.r.tables.t]",
      [
        "m.toml:1: The role 'r' may use some tables only, and 'raw' would go around that. Take it out of allow, or remove "
          + "its tables."
      ]
    ),
    (
      role + "tables.t = { allow = [\"raw\"], read = [], rows = \"a; b\", colums = 1 }\ntables.T = {}",
      [
        "m.toml:4: There is no key 'colums' in [roles.r.tables.t].",
        "m.toml:4: A table's allow has select, insert, update and delete only: the others are the role's.",
        "m.toml:4: read names no column. Name one, or take the permission out of allow.",
        "m.toml:4: rows: A condition is one expression. Remove the semicolon.",
        "m.toml:5: The table 'T' stands there twice: SQLite ignores the case of names.",
      ]
    ),
    (
      role + "tables.t = { rows = \"tenant = = 1\", new-rows = \"a b\", change-rows = \"x > (SELECT max(y) FROM u)\" }",
      [
        "m.toml:4: rows: SQLite does not take the condition: near \"=\": syntax error.",
        "m.toml:4: new-rows: SQLite does not take the condition: near \"b\": syntax error.",
      ]
    ),
    (
      "tls = { certificate = \"a\", minimum = \"1.1\", client-certificate = \"maybe\" }",
      [
        "m.toml:1: [tls] needs key: the path of a PEM file.",
        "m.toml:1: client-certificate is \"optional\" or \"required\".", "m.toml:1: minimum is \"1.3\" or \"1.2\".",
      ]
    ),
    (
      "[tls]\ncertificate = \"a\"\nkey = \"b\"\nclient-certificate = \"required\"",
      [
        "m.toml:4: A client certificate can be required only with client-authority."
      ]
    ),
    (
      "listen = [\"martlet+tls://127.0.0.1\"]",
      [
        "m.toml:1: martlet+tls://127.0.0.1:6278 needs a certificate. Write the table [tls] into the file that --config names."
      ]
    ),
    ("jwt = 1", ["m.toml:1: jwt is a table. Write [jwt]."]),
    ("[jwt]\na = 1", ["m.toml:2: jwt.a is a table. Write [jwt.a]."]),
    ("issuer = \"a\"", ["m.toml:1: There is no key 'issuer'. It belongs into [jwt.NAME]."]),
    (
      "\n[jwt.a]",
      [
        "m.toml:2: [jwt.a] needs issuer: what its JWTs have as iss.",
        "m.toml:2: [jwt.a] needs audience: what JWTs for this server have as aud.",
        "m.toml:2: [jwt.a] needs role, or role-claim with [jwt.a.roles]: the role of each value of that claim.",
        "m.toml:2: [jwt.a] needs keys: the path of a JWKS with its public keys.",
      ]
    ),
    (
      role
        + "[jwt.a]\nissuer = \"\"\naudience = 3\nkeys = \"\"\nrole = \"s\"\n"
        + "leeway-s = 301\nlifetime-max-s = 9\nkey = 1",
      [
        "m.toml:5: issuer is a text of 1 to 512 bytes.", "m.toml:6: audience is a text in quotation marks.",
        "m.toml:7: keys is a path.", "m.toml:8: There is no role 's'. Roles are tables: [roles.NAME].",
        "m.toml:9: leeway-s is 0 to 300, in seconds.", "m.toml:10: lifetime-max-s is 10 to 31622400, in seconds.",
        "m.toml:11: There is no key 'key' in [jwt.a]. It belongs into [tls].",
      ]
    ),
    (
      role + jwt("a") + "role = \"r\"\nrole-claim = \"groups\"\nclaims = [\n\"name\",\n\"a b\",\n3]\n",
      [
        "m.toml:9: [jwt.a] has role or role-claim with roles, not both.",
        "m.toml:11: claim('name') is the JWT's sub already. Take name out of claims.",
        "m.toml:12: A claim's name here is 1 to 64 letters, digits, underscores and hyphens.",
        "m.toml:13: claims is a list of texts, such as [\"a\", \"b\"].",
      ]
    ),
    (
      role + jwt("a") + "roles.x = \"r\"\n" + jwt("b") + "role-claim = \"x\"\nroles = {}\n",
      [
        "m.toml:8: [jwt.a] needs role, or role-claim with [jwt.a.roles]: the role of each value of that claim.",
        "m.toml:10: The issuer stands in [jwt.a] already. Keep one of them.",
        "m.toml:14: [jwt.b.roles] has no value. Write VALUE = \"ROLE\".",
      ]
    ),
    (
      role + jwt("\"a b\"") + "role-claim = \"\"\nroles = { x = \"q\", y = 1 }\n",
      [
        "m.toml:4: An issuer's name here is 1 to 64 letters, digits, underscores and hyphens.",
        "m.toml:8: role-claim is a text of 1 to 512 bytes.",
        "m.toml:9: There is no role 'q'. Roles are tables: [roles.NAME].",
        "m.toml:9: y is a text in quotation marks.",
      ]
    ),
    (
      role + jwt("a") + "role = \"r\"\nclaims = [\((0..<16).map { "\"c\($0)\"" }.joined(separator: ", "))]\n",
      ["m.toml:9: claims names at most 15."]
    ),
    (role + "[tls\n", ["m.toml:4: This is no TOML: "]),
    ("a = 1\na = 2", ["m.toml:2: This is no TOML: "]),
    ("port = 1\r\ndata = \"a\\u0000b\"\r\n", ["m.toml:2: A zero byte cannot stand in this file. Remove it."]),
    ("data = \"a\\u0000b\"", ["m.toml:1: A zero byte cannot stand in this file. Remove it."]),
  ]

  @Test func `each mistake has its line and its sentence`() {
    for (text, expected) in Self.cases {
      let found = Self.mistakes(text)
      #expect(found.count == expected.count, "\(text): \(found)")
      for (found, expected) in zip(found, expected) {
        // The parser's own words follow.
        let isRight = expected.hasSuffix(": ") ? found.hasPrefix(expected) : found == expected
        #expect(isRight, "\(found), not \(expected)")
      }
    }
  }

  @Test func `permissions that nobody knows are told with those that there are`() {
    let found = Self.mistakes("deny = [\"scema\"]")
    #expect(
      found.count == 1
        && found[0].hasPrefix("m.toml:1: There is no permission 'scema'. Did you mean schema? There are raw"))
    #expect(
      Self.mistakes("listen = [\n\"http://x\"]").first?.hasPrefix("m.toml:2: 'http://x' is no address. A Martlet URL")
        == true)
  }

  @Test func `beyond loopback a server needs TLS and roles, or to be called insecure`() {
    let tls = "[tls]\ncertificate = \"a\"\nkey = \"b\"\n"
    let (plain, encrypted) = ("listen = [\"martlet://10.0.0.1\"]\n", "listen = [\"martlet+tls://[::]:1\"]\n")
    #expect(Self.mistakes(plain).count == 2 && Self.mistakes(plain + Self.role).count == 1)
    #expect(Self.mistakes(plain + Self.role)[0].contains("could read and change what is said. Use martlet+tls://"))
    #expect(Self.mistakes(encrypted + tls).count == 1)
    #expect(
      Self.mistakes(encrypted + tls)[0].contains("without roles nobody from there may do anything. Write [roles.NAME]"))
    #expect(Self.mistakes(encrypted + tls + Self.role).isEmpty)
    #expect(Self.mistakes("insecure = true\n" + plain).isEmpty)
    let own = "listen = [\"martlet://127.0.0.1\", \"martlet://localhost:1\", \"martlet+unix:///a\"]"
    #expect(Self.mistakes(own).isEmpty)
  }

  @Test func `what has no use is a warning`() throws {
    let loaded = try ConfigurationTests.read("tokens = \"t\"\n[tls]\ncertificate = \"a\"\nkey = \"b\"\n")
    #expect(
      loaded.warnings.map { $0.text(file: "m") } == [
        "m:1: There are no roles, so tokens have no use.",
        "m:2: No address of listen is martlet+tls://, so [tls] has no use.",
      ])
  }
}
