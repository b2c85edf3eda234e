/// Quotas of roles in the configuration file: what they say, what they inherit, and what is wrong with them.
import MartletServer
import MartletValues
import Testing

@testable import MartletCommand

struct RoleQuotaTests {
  private static func quotas(_ text: String) throws -> [String: [Quota: Int]] {
    try ConfigurationTests.read(text).server.access.roles.mapValues(\.quotas.values)
  }

  private static func role(_ name: String, inherits: [String] = [], _ quotas: String = "") -> String {
    """
    [roles.\(name)]
    databases = ["*"]
    allow = ["select"]
    inherits = [\(inherits.map { "\"\($0)\"" }.joined(separator: ", "))]
    [roles.\(name).quotas]
    \(quotas)

    """
  }

  @Test func `each key says a quota`() throws {
    var lines: [String] = []
    var wanted: [Quota: Int] = [:]
    for (index, quota) in Quota.allCases.enumerated() {
      let isOfBytes = [.resultBytes, .sortBytes, .databaseBytes].contains(quota)
      lines.append("\(quota.rawValue) = " + (isOfBytes ? "\"\(index + 1)M\"" : "\(100_000 + index)"))
      wanted[quota] = isOfBytes ? (index + 1) << 20 : 100_000 + index
    }
    #expect(try Self.quotas(Self.role("r", lines.joined(separator: "\n"))) == ["r": wanted])
    #expect(try Self.quotas(Self.role("r")) == ["r": [:]])
    let text = ConfigurationSummary.text(
      try ConfigurationTests.read(Self.role("r", "connections = 3\nresult-bytes = \"1M\"")), file: "m.toml")
    #expect(text.contains("role r: select in *, quotas connections 3, result-bytes 1048576\n"))
  }

  /// Roles `a`, `b`, `c` of which `c` inherits the others, and what `c` comes to.
  @Test(
    arguments: [
      ("", "", "", [:]),
      ("connections = 5", "", "", [.connections: 5]),
      ("connections = 5", "", "connections = 9", [.connections: 9]),
      ("connections = 5", "connections = 3", "", [.connections: 3]),
      ("connections = 5", "steps = 10000", "deadline-ms = 7", [.connections: 5, .steps: 10_000, .deadlineMs: 7]),
      ("result-bytes = \"1G\"", "result-bytes = \"1M\"", "", [.resultBytes: 1 << 20]),
      // A rate and its burst go together.
      (
        "requests-per-second = 5\nrequest-burst = 50", "requests-per-second = 6\nrequest-burst = 6", "",
        [.requestsPerSecond: 5, .requestBurst: 50]
      ),
      ("requests-per-second = 5\nrequest-burst = 50", "requests-per-second = 5", "", [.requestsPerSecond: 5]),
      ("requests-per-second = 5\nrequest-burst = 50", "", "requests-per-second = 8", [.requestsPerSecond: 8]),
      (
        "role-requests-per-second = 5", "role-requests-per-second = 4\nrole-request-burst = 9", "",
        [.roleRequestsPerSecond: 4, .roleRequestBurst: 9]
      ),
    ] as [(String, String, String, [Quota: Int])])
  func `a role has its own quotas, and of those that it inherits the strictest`(
    a: String, b: String, c: String, wanted: [Quota: Int]
  ) throws {
    for order in [["a", "b"], ["b", "a"]] {
      let text = Self.role("a", a) + Self.role("b", b) + Self.role("c", inherits: order, c)
      #expect(try Self.quotas(text)["c"] == wanted)
      // And on to whoever inherits that.
      #expect(try Self.quotas(text + Self.role("d", inherits: ["c"]))["d"] == wanted)
    }
  }

  @Test func `what a role between says stands before what it inherits`() throws {
    let text =
      Self.role("a", "connections = 2") + Self.role("b", inherits: ["a"], "connections = 9")
      + Self.role("c", inherits: ["b"])
    #expect(try Self.quotas(text)["c"] == [.connections: 9])
    #expect(try Self.quotas(text + Self.role("d", inherits: ["b", "a"]))["d"] == [.connections: 2])
  }

  @Test func `roles that inherit one another in many ways are read in a moment`() throws {
    var text = Self.role("l0a", "connections = 3") + Self.role("l0b", "connections = 4")
    for level in 1...40 {
      for name in ["a", "b"] {
        text += Self.role("l\(level)\(name)", inherits: ["l\(level - 1)a", "l\(level - 1)b"])
      }
    }
    #expect(try Self.quotas(text)["l40a"] == [.connections: 3])
  }

  static let head = "[roles.r]\ndatabases = [\"*\"]\nallow = [\"select\"]\n[roles.r.quotas]\n"

  @Test(arguments: [
    ("connections = 0", "connections is a number from 1."),
    ("connections = -5", "connections is a number from 1."),
    ("connections = 1000000001", "connections is at most 1000000000."),
    ("connections = 99999999999999999999", ""),
    ("connections = \"5\"", "connections is a whole number."),
    ("connections = 1.5", "connections is a whole number."),
    ("connections = true", "connections is a whole number."),
    ("requests-in-flight = []", "requests-in-flight is a whole number."),
    ("requests-per-second = 1000001", "requests-per-second is at most 1000000."),
    ("role-requests-per-second = 0", "role-requests-per-second is a number from 1."),
    ("request-burst = 5", "request-burst stands beside requests-per-second. Name both."),
    ("requests-per-second = 5\nrole-request-burst = 5", "role-request-burst stands beside role-requests-per-second"),
    ("steps = 9999", "steps is a number from 10000."),
    ("steps = 1000000000001", "steps is at most 1000000000000."),
    ("deadline-ms = 0", "deadline-ms is a number from 1."),
    ("result-rows = -1", "result-rows is a number from 1."),
    ("result-bytes = 5", "result-bytes is a text in quotation marks."),
    ("result-bytes = \"5\"", "result-bytes is a number with a unit, such as 512K, 16M or 2G, of 1K to 1024T."),
    ("result-bytes = \"0M\"", "result-bytes is a number with a unit"),
    ("result-bytes = \"-1M\"", "result-bytes is a number with a unit"),
    ("result-bytes = \"9999999T\"", "result-bytes is a number with a unit"),
    ("sort-bytes = \"1023K\"", "sort-bytes is a number with a unit, such as 512K, 16M or 2G, of 1024K to 1024T."),
    ("database-bytes = \"63K\"", "database-bytes is a number with a unit, such as 512K, 16M or 2G, of 64K to 1024T."),
    ("write-transaction-ms = \"1s\"", "write-transaction-ms is a whole number."),
    ("conections = 5", "There is no key 'conections' in [roles.r.quotas]. Did you mean connections?"),
    ("databases = []", "There is no key 'databases' in [roles.r.quotas]."),
  ])
  func `a quota that means nothing is told with its line`(line: String, sentence: String) {
    let found = ConfigurationMistakesTests.mistakes(Self.head + line)
    #expect(found.count == 1, "\(found)")
    let place = line.hasPrefix("requests-per-second = 5\n") ? 6 : 5
    #expect(found.first?.hasPrefix("m.toml:\(place): \(sentence)") == true, "\(found)")
  }

  @Test func `quotas are a table, and belong to a role`() {
    let role = "[roles.r]\ndatabases = [\"*\"]\nallow = [\"select\"]\n"
    #expect(
      ConfigurationMistakesTests.mistakes(role + "quotas = 5\n") == [
        "m.toml:4: roles.r.quotas is a table. Write [roles.r.quotas]."
      ])
    #expect(
      ConfigurationMistakesTests.mistakes("connections = 5") == [
        "m.toml:1: There is no key 'connections'. It belongs into [roles.NAME.quotas]."
      ])
  }
}
