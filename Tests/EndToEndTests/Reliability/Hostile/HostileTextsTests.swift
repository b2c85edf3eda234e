/// Statements that are huge, or that SQLite makes huge: nobody waits while they are read and compiled.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct HostileTextsTests {
  private static let waitMax = Duration.seconds(2)
  private static let answerMax = Duration.seconds(8)

  private static func repeated(_ text: String, _ count: Int, _ separator: String = ",") -> String {
    Array(repeating: text, count: count).joined(separator: separator)
  }

  /// Each level is the one before it twice.
  private static func doubling(_ body: (_ before: String) -> String) -> String {
    let tables = (1...40).map { "v\($0)(x) AS (\(body("v\($0 - 1)")))" }
    return "WITH v0(x) AS (SELECT 1), \(tables.joined(separator: ", ")) SELECT * FROM v40"
  }

  private static let texts: [(name: String, sql: String)] = [
    ("columns", "SELECT " + repeated("1", 100_000)), ("columns that may be", "SELECT " + repeated("1", 2_000)),
    ("VALUES", "VALUES " + repeated("(1)", 60_000)), ("IN", "SELECT 1 IN (" + repeated("1", 100_000) + ")"),
    ("ORDER BY", "SELECT value FROM points ORDER BY " + repeated("1", 100_000)),
    ("GROUP BY", "SELECT count(*) FROM points GROUP BY " + repeated("value + 1", 1_900)),
    ("OR", "SELECT " + repeated("1", 60_000, " OR ")), ("AND", "SELECT " + repeated("1", 900, " AND ")),
    ("||", "SELECT " + repeated("'a'", 40_000, " || ")), ("parentheses", "SELECT " + repeated("(", 200_000, "")),
    ("NOT", "SELECT " + repeated("NOT", 60_000, " ") + " 1"), ("minus", "SELECT " + repeated("-", 200_000, " ") + " 1"),
    ("CASE", "SELECT CASE " + repeated("WHEN 1 THEN 2", 15_000, " ") + " END"),
    ("a comment", "SELECT 1 /* " + repeated("x", 250_000, "") + " */"),
    ("a text", "SELECT '" + repeated("x", 250_000, "") + "'"),
    ("a text too long", "SELECT '" + repeated("x", 900_000, "") + "'"),
    ("a name", "SELECT 1 AS \"" + repeated("x", 250_000, "") + "\""),
    ("arguments", "SELECT max(" + repeated("1", 100_000) + ")"), ("semicolons", repeated(";", 250_000, "")),
    ("unions", repeated("SELECT 1", 20_000, " UNION ")), ("joins", "SELECT 1 FROM " + repeated("points", 25_000)),
    ("common tables", "WITH " + (0..<9_000).map { "a\($0) AS (SELECT 1)" }.joined(separator: ",") + " SELECT 1"),
    ("natural joins", "SELECT count(*) FROM wide" + (0..<63).map { " NATURAL JOIN wide w\($0)" }.joined()),
    (
      "windows",
      "SELECT " + (0..<1_400).map { "sum(value) OVER (ORDER BY id + \($0))" }.joined(separator: ", ") + " FROM points"
    ),
    ("doubled unions", doubling { "SELECT 1 FROM \($0) UNION ALL SELECT 1 FROM \($0)" }),
    ("doubled joins", doubling { "SELECT max(p.x) FROM \($0) p, \($0) q" }),
    ("doubled scalars", doubling { "SELECT (SELECT max(x) FROM \($0)) + (SELECT min(x) FROM \($0))" }),
    ("doubled views", "SELECT * FROM v40"),
    ("a trigger's doubled views", "INSERT INTO fires VALUES (1)"),
  ]

  /// Every second one, the seed says which; all with MARTLET_HOSTILE_CALLS.
  private static var chosen: [(name: String, sql: String)] {
    if scale("MARTLET_HOSTILE_CALLS", otherwise: 0) > 0 { return texts }
    return texts.enumerated().filter { ($0.offset + scale("MARTLET_SEED", otherwise: 0)) % 2 == 0 }.map(\.element)
  }

  @Test func `nobody waits for statements that are huge or grow while they are compiled`() async throws {
    let server = try await HostileServer(Self.setup)
    let reader = PointReader(url: server.url)
    let quiet = try await reader.waits {}
    var slowest: (name: String, wait: Duration) = ("nothing", quiet.longestRead)
    for (name, sql) in Self.chosen {
      for isRead in [true, false] {
        var took = Duration.zero
        let waits = try await reader.waits { took = try await attack(server, .sql(sql, isRead: isRead)) }
        #expect(waits.longestRead < Self.waitMax, "beside \(name): \(waits)")
        #expect(waits.writer < Self.answerMax, "beside \(name): \(waits)")
        #expect(took < Self.answerMax, "\(name) took \(took)")
        if waits.longestRead > slowest.wait { slowest = (name, waits.longestRead) }
      }
    }
    print(
      "hostile texts: \(Self.chosen.count) in two ways, quiet \(quiet.longestRead), "
        + "slowest beside \(slowest.name): \(slowest.wait)")
    #expect(server.end() == 0)
  }

  @Test func `nobody waits for trees whose views or common tables grow while they are compiled`() async throws {
    let server = try await HostileServer(Self.setup)
    let reader = PointReader(url: server.url)
    // A fast machine meets SQLite's bound on what one table of a view stands for before the time is over.
    for (name, tree, words) in [
      ("view", Self.view(), ["compile", "Too many references"]), ("common table", Self.commonTables(), ["compile"]),
    ] {
      let statement = try RemoteStatement(tree)
      var took = Duration.zero
      let waits = try await reader.waits { took = try await attack(server, statement) }
      #expect(waits.longestRead < Self.waitMax, "beside \(name): \(waits)")
      #expect(took < Self.answerMax, "\(name) took \(took)")
      let database = try DatabaseClient(server.url)
      let error = await #expect(throws: RequestError.self) { _ = try await database.fetchOne(statement) }
      let isTold = words.contains { error?.message.contains($0) == true }
      #expect(error?.reason == .limit && isTold, "\(name): \(String(describing: error))")
      await database.close()
    }
    #expect(server.end() == 0)
  }

  // MARK: - Parts

  private static func selection(from tables: [String]) -> ASTStatement {
    var column = ASTResultColumn()
    column.expression = .countAll
    column.alias = "x"
    var select = ASTSelect()
    select.columns = [column]
    if tables.count == 1 {
      select.from.table.name = tables[0]
    } else {
      select.from.joined.from.table.name = tables[0]
      for (index, table) in tables.dropFirst().enumerated() {
        var join = ASTJoin()
        join.kind = .cross
        join.source.table.name = table
        join.source.alias = "j\(index)"
        select.from.joined.joins.append(join)
      }
    }
    var statement = ASTStatement()
    statement.select = select
    return statement
  }

  private static func view() -> ASTStatement { selection(from: ["v40"]) }

  private static func commonTables() -> ASTStatement {
    var with = ASTWith()
    for level in 0...40 {
      var table = ASTCommonTable()
      table.name = "c\(level)"
      table.query = level == 0 ? selection(from: ["points"]) : selection(from: ["c\(level - 1)", "c\(level - 1)"])
      with.tables.append(table)
    }
    with.body = selection(from: ["c40"])
    var statement = ASTStatement()
    statement.with = with
    return statement
  }

  private static let setup: [String] =
    ["CREATE TABLE wide(a, b, c, d, e, f, g, h)"]
    + ["a, b, c", "b, c, a", "c, d", "d, a", "e, f", "f, e", "g, h", "h, a, b"].map { columns in
      "CREATE INDEX by_\(columns.filter(\.isLetter)) ON wide(\(columns))"
    } + ["CREATE VIEW v0 AS SELECT 1 AS x"]
    + (1...40).map { level in
      let before = "SELECT x FROM v\(level - 1)"
      return "CREATE VIEW v\(level) AS \(before) UNION ALL \(before)"
    } + [
      "CREATE TABLE fires(a)",
      "CREATE TRIGGER fire AFTER INSERT ON fires BEGIN INSERT INTO points(value) SELECT x FROM v40; END",
    ]

  private func attack(_ server: HostileServer, _ statement: RemoteStatement) async throws -> Duration {
    try await server.attack(statement, times: 4, deadline: .seconds(4))
  }
}
