/// The functions that answer in place of SQLite's own: the same answers, in linear time, and they end when told to.
import Foundation
import MartletSQLite
import Synchronization
import Testing

@Suite struct ReplacedFunctionTests {
  /// `MARTLET_FUNCTION_CALLS=1000000` runs as many.
  @Test func `random calls with nasty values get the answers of SQLite's own functions`() throws {
    let calls = ProcessInfo.processInfo.environment["MARTLET_FUNCTION_CALLS"].flatMap(Int.init) ?? 5_000
    let ours = try FunctionOracle(keepsLibraryFunctions: false)
    let library = try FunctionOracle(keepsLibraryFunctions: true)
    var generator = CallGenerator(seed: UInt64(calls))
    for _ in 0..<calls {
      let call = generator.next()
      let (answer, wanted) = (ours.answer(call), library.answer(call))
      guard answer != wanted else { continue }
      Issue.record("\(call.sql) \(call.arguments) gave \(answer), not \(wanted)")
      return
    }
  }

  @Test func `a schema made with the replaced functions opens in a plain SQLite, with the same answers`() throws {
    let scratch = try ScratchDatabase()
    let ours = try scratch.writer()
    for sql in Self.schema { try ours.run(sql) }
    var setup = ConnectionSetup()
    setup.keepsLibraryFunctions = true
    let plain = try scratch.reader(setup)
    for connection in [ours, plain] {
      #expect(try connection.text("PRAGMA integrity_check") == "ok")
      for (sql, wanted) in Self.questions { #expect(try connection.text(sql) == wanted, "\(sql)") }
      #expect(try connection.text("EXPLAIN QUERY PLAN SELECT a FROM t WHERE instr(a, 'b') = 2") != nil)
      let plan = try connection.plan("SELECT a FROM t WHERE instr(a, 'b') = 2")
      #expect(plan == ["SEARCH t USING INDEX byPlace (<expr>=?)"])
    }
    #expect(throws: SQLiteError.self) { try ours.run("INSERT INTO t(a, j) VALUES ('nope', '{}')") }
  }

  private static let schema = [
    """
    CREATE TABLE t(a TEXT CHECK (a LIKE 'a%' AND a GLOB 'a*[^z]'
      AND instr(a, 'z') = 0), j TEXT, g AS (replace(a, 'b', '-')) STORED,
      p AS (printf('%05d', length(a))), s AS (json_set(j, '$.k', trim(a, 'ac'))))
    """,
    "CREATE INDEX byPlace ON t(instr(a, 'b'))", "CREATE INDEX byMerge ON t(json_patch(j, '{\"x\":null}'))",
    "CREATE VIEW v AS SELECT group_concat(g || p, ',') AS w FROM t WHERE a LIKE '%C'",
    "INSERT INTO t(a, j) VALUES ('abc', '{\"x\":1}'), ('aabbc', '{\"y\":2}')",
  ]

  private static let questions = [
    ("SELECT w FROM v", "a-c00003,aa--c00005"), ("SELECT group_concat(s) FROM t", #"{"x":1,"k":"b"},{"y":2,"k":"bb"}"#),
    (#"SELECT a FROM t WHERE json_patch(j, '{"x":null}') = '{}'"#, "abc"),
  ]

  @Test func `plans are those of SQLite's own functions, indexes for LIKE and GLOB included`() throws {
    var setup = ConnectionSetup()
    setup.keepsLibraryFunctions = true
    let ours = try Connection(path: ":memory:", label: "ours", access: .writer, clock: { 0 })
    let plain = try Connection(path: ":memory:", label: "plain", access: .writer, setup: setup, clock: { 0 })
    for connection in [ours, plain] {
      try connection.run("CREATE TABLE t(a TEXT COLLATE NOCASE, b TEXT, c)")
      for column in ["a", "b"] { try connection.run("CREATE INDEX by_\(column) ON t(\(column))") }
      try connection.run("CREATE INDEX byTrim ON t(trim(c)) WHERE c LIKE 'x%'")
      try connection.run("CREATE INDEX byGlob ON t(trim(c)) WHERE c GLOB 'y*'")
    }
    let conditions = [
      "a LIKE 'ab%'", "a LIKE ?1", "a LIKE 'a!_b%' ESCAPE '!'", "a LIKE '%b'", "a NOT LIKE 'ab%'", "b LIKE 'ab%'",
      "b GLOB 'ab*'", "a GLOB 'ab*'", "b GLOB ?1", "like('ab%', a)", "glob('ab*', b)", "a LIKE '12%'", "a LIKE 'ab'",
      "trim(c) = 'x' AND c LIKE 'x%'", "a LIKE 'ab%' OR b GLOB 'c*'",
      "b GLOB '[a-b]*'", "b GLOB 'a?b*'", "b NOT GLOB 'ab*'", "b GLOB '12*'", "b GLOB 'ab'",
      "b GLOB 'abc*' AND b > 'b'",
      "c GLOB 'y*' AND trim(c) = 'y'",
    ]
    for condition in conditions {
      let sql = "SELECT c FROM t WHERE \(condition)"
      #expect(try ours.plan(sql) == plain.plan(sql), "\(sql)")
    }
    #expect(try ours.plan("SELECT c FROM t WHERE a LIKE 'ab%'") == ["SEARCH t USING INDEX by_a (a>? AND a<?)"])
    #expect(try ours.plan("SELECT c FROM t WHERE b GLOB 'ab*'") == ["SEARCH t USING INDEX by_b (b>? AND b<?)"])
    #expect(BuiltinFunctions.replaced.isSuperset(of: ["like", "glob"]))
  }

  /// Each call takes minutes with SQLite's own function, or ends the process.
  @Test(arguments: [
    ("instr", "SELECT instr(a, b) FROM (SELECT \(big("a", 2_700_000)) AS a, \(big("a", 1_300_000)) || 'b' AS b)", "0"),
    (
      "replace",
      "SELECT length(replace(a, b, 'x')) FROM (SELECT \(big("a", 2_700_000)) AS a, \(big("a", 1_300_000)) || 'b' AS b)",
      "2700000"
    ),
    ("trim", "SELECT length(ltrim(\(big("é", 1_000_000)), \(big("a", 100_000)) || 'é'))", "0"),
    ("printf", "SELECT printf('%.*c', 1000000000, 'x') IS NULL", "1"),
    ("format", "SELECT format(replace(\(big("x", 300_000)), 'x', '%.2147483647c')) IS NULL", "1"),
    ("json_set", "SELECT length(json_set('{}', '$' || replace(\(big("x", 500_000)), 'x', '.a'), 1))", "3000001"),
    ("json_insert", "SELECT length(json_insert('[]', '$' || replace(\(big("x", 500_000)), 'x', '[0]'), 1))", "1000001"),
  ])
  func `a call that is made to take for ever takes a moment`(name: String, sql: String, wanted: String) throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    #expect(try connection.text(sql) == wanted)
  }

  @Test func `json_patch of a hundred thousand members takes a moment`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    let sql = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT length(json_patch(json_group_object('a' || i, i), json_group_object('b' || i, i))) FROM n
      """
    // Two objects of which each has a hundred thousand members `"a1":1`, in one pair of braces.
    #expect(try connection.integer(sql) == 2 * (100_000 * 5 + 2 * 488_895) + 1)
  }

  /// Calls of functions with values that are bound: what makes a text may itself end a statement.
  private static let longCalls: [(sql: String, values: [String])] = [
    ("instr(?1, ?2)", [letters(4_000_000), letters(900_000) + "b"]),
    ("replace(?1, 'a', '')", [letters(4_000_000)]),
    ("trim(?1, 'a')", [letters(4_000_000)]),
    ("?1 LIKE ?2", [letters(4_000_000), "%" + String(repeating: "0", count: 200) + "b%"]),
    ("?1 GLOB ?2", [letters(4_000_000), "*[^" + String(repeating: "0", count: 180) + "]b*"]),
    ("json_set('{}', ?1, 1)", ["$" + String(repeating: ".a", count: 900_000)]),
    ("json_insert('[]', ?1, 1)", ["$" + String(repeating: "[0]", count: 900_000)]),
    ("json_patch('{}', ?1)", ["{\"a\":\"" + letters(4_000_000) + "\"}"]),
    ("printf(?1)", [String(repeating: "%d", count: 900_000)]),
    ("json_extract(?1, \(paths("'$[2000000]'", 98)))", [numbers]),
    ("json_remove(?1, \(paths("'$[2000000]'", 98)))", [numbers]),
    ("json_replace(?1, \(paths("'$[2000000]', 1", 49)))", [numbers]),
  ]

  private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

  /// A JSON array of two million numbers.
  private static let numbers = "[" + String(repeating: "1,", count: 1_999_999) + "1]"

  private func prepared(_ sql: String, _ values: [String], _ connection: Connection) throws -> Statement {
    let statement = try connection.prepare("SELECT \(sql)")
    for (index, value) in values.enumerated() { try statement.bindText(value, at: index + 1) }
    return statement
  }

  /// Nothing but the functions asks: the statement has a few steps only.
  @Test func `a long call ends when its statement must`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    for (sql, values) in Self.longCalls {
      let name = String(sql.prefix { $0 != "(" })
      if name.hasPrefix("json_"), values.first == Self.numbers, !BuiltinFunctions.replaced.contains(name) { continue }
      let statement = try prepared(sql, values, connection)
      let flag = CancellationFlag()
      connection.limiter.arm(cancellation: flag)
      flag.cancel()
      let error = #expect(throws: SQLiteError.self, "\(sql)") { _ = try statement.step() }
      #expect(error?.code == SQLiteCode.interrupt && connection.limiter.stop == .cancelled, "\(sql)")
      statement.reset()
      connection.limiter.disarm()
    }
    #expect(try connection.text("SELECT replace('swift', 'if', 'ee')") == "sweet")
  }

  /// If a statement of few steps ended without the function, the test above could not fail.
  @Test func `a function that does not ask runs to its end, whoever wants it to stop`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    let statement = try prepared("length(upper(?1))", [Self.letters(4_000_000)], connection)
    let flag = CancellationFlag()
    connection.limiter.arm(cancellation: flag)
    flag.cancel()
    #expect(try statement.step())
    #expect(statement.value(at: 0).integer == 4_000_000)
    statement.reset()
    connection.limiter.disarm()
  }

  /// The text is read within a part of the budget; the paths are what is too much.
  @Test(
    .enabled(if: BuiltinFunctions.replaced.contains("json_remove"), "SQLite's own read binary JSON here"),
    arguments: [("json_extract", "$[200000]"), ("json_remove", "$[200000]"), ("json_replace", "$[200000]', '")])
  func `each path of many counts, and a call ends between two of them`(name: String, path: String) throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    let text = "'[' || replace(\(big("x", 200_000)), 'x', '1,') || '1]'"
    let count = name == "json_replace" ? 49 : 98
    for (paths, isEnough) in [(path, true), (Array(repeating: path, count: count).joined(separator: "', '"), false)] {
      let statement = try connection.prepare("SELECT \(name)(\(text), '\(paths)')")
      connection.limiter.arm(steps: 400_000)
      if isEnough {
        #expect(try statement.step())
      } else {
        #expect(throws: SQLiteError.self) { _ = try statement.step() }
        #expect(connection.limiter.stop == .budget)
      }
      statement.reset()
      connection.limiter.disarm()
    }
  }

  @Test func `what functions do counts as steps`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    let statement = try connection.prepare("SELECT replace(\(big("a", 4_000_000)), 'a', 'b')")
    connection.limiter.arm(steps: 10_000)
    #expect(throws: SQLiteError.self) { _ = try statement.step() }
    #expect(connection.limiter.stop == .budget)
    statement.reset()
    connection.limiter.arm(steps: 1_000_000)
    #expect(try statement.step())
    connection.limiter.disarm()
  }
}

/// So many paths of a call.
private func paths(_ path: String, _ count: Int) -> String {
  Array(repeating: path, count: count).joined(separator: ", ")
}

/// An expression for a text of so many characters.
private func big(_ character: String, _ count: Int) -> String {
  "replace(hex(zeroblob(\(count / 2))), '0', '\(character)')"
}

extension Connection {
  /// What the planner says, line by line.
  func plan(_ sql: String) throws -> [String] {
    let statement = try prepare("EXPLAIN QUERY PLAN \(sql)")
    var lines: [String] = []
    while try statement.step() { lines.append(String(decoding: statement.value(at: 3).textBytes, as: UTF8.self)) }
    return lines
  }
}
