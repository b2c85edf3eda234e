/// Long values and many operators: nothing can end SQLite between two operators, so what they may take together is
/// bounded before the first of them runs.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct LongValueTests {
  /// Sums of a parameter with itself, 400 operators and more: SQLite nests no deeper in text, and computes equal ones
  /// once.
  private static func sums(_ count: Int) -> String {
    (0..<count).map { Array(repeating: "?1", count: 401 + $0).joined(separator: " + ") }.joined(separator: ", ")
  }

  private func outcome(_ sql: String, _ values: [Value], _ change: (inout Limits) -> Void = { _ in }) throws
    -> RequestError?
  {
    let fixture = try ReadFixture(change)
    return fixture.sink.outcome(of: try fixture.start(sql, values).token).error
  }

  @Test func `a long value and many operators are refused with both numbers, and either alone is not`() throws {
    let long = Value.text(String(repeating: "1", count: 1_000_000))
    let refused = try #require(try outcome("SELECT \(Self.sums(3))", [long]))
    #expect(refused.reason == .limit && !refused.isRetryable)
    #expect(refused.message.contains("1000000 bytes") && refused.message.contains("operators"))
    #expect(try outcome("SELECT \(Self.sums(1))", [long]) == nil)
    #expect(try outcome("SELECT \(Self.sums(3))", [.text("12345")]) == nil)
    #expect(try outcome("SELECT length(?1)", [long]) == nil)
    #expect(try outcome("SELECT \(Self.sums(3))", [long]) { $0.longValueWorkMax = .max } == nil)
  }

  @Test func `the bound is exact, and no product of numbers overflows`() throws {
    let value = Value.text(String(repeating: "1", count: 200_000))
    // Each of the operands is read once.
    let operators = 401
    #expect(try outcome("SELECT \(Self.sums(1))", [value]) { $0.longValueWorkMax = 200_000 * operators } == nil)
    let refused = try outcome("SELECT \(Self.sums(1))", [value]) { $0.longValueWorkMax = 200_000 * operators - 1 }
    #expect(refused?.reason == .limit)
    #expect(try outcome("SELECT \(Self.sums(1))", [value]) { $0.longValueWorkMax = 0 }?.reason == .limit)
  }

  private func outcome(_ sql: String, in fixture: ReadFixture) throws -> CollectingSink.Outcome {
    fixture.sink.outcome(of: try fixture.start(sql).token)
  }

  private static let fill = "INSERT INTO items(title) VALUES (replace(hex(zeroblob(500000)), '0', '1'))"

  /// The first run is a read's, the second one's plan is made for a view.
  @Test(arguments: ["SELECT %@ FROM items", "SELECT * FROM sums"])
  func `values of a table are bounded by the operators that go through them`(sql: String) throws {
    let fixture = try ReadFixture { $0.longValueWorkMax = 400_000_000 }
    let sums = (0..<3).map { Array(repeating: "title", count: 401 + $0).joined(separator: " + ") }
      .joined(separator: ", ")
    try fixture.run(Self.fill)
    try fixture.run("CREATE VIEW sums AS SELECT \(sums) FROM items")
    let sql = sql.replacingOccurrences(of: "%@", with: sums)
    let refused = try #require(try outcome(sql, in: fixture).error)
    #expect(refused.reason == .limit && refused.message.contains("operators takes values of"), "\(refused.message)")
    // The bound is gone with the statement, and short values have none.
    #expect(try outcome("SELECT length(title) FROM items", in: fixture).error == nil)
    try fixture.run("UPDATE items SET title = '12345'")
    #expect(try outcome(sql, in: fixture).error == nil)
  }

  @Test func `a writer takes no long value for many operators, also if the view has just become another`() throws {
    let database = try TemporaryDatabase()
    func run(_ sql: String) -> RequestError? { database.result(Trees.raw(sql)).error }
    let sums = (0..<12).map { Array(repeating: "a", count: 401 + $0).joined(separator: " + ") }.joined(separator: ", ")
    for sql in [
      "CREATE TABLE t(a)", "CREATE TABLE o(a)", "INSERT INTO t VALUES (replace(hex(zeroblob(500000)), '0', '1'))",
      "CREATE VIEW v AS SELECT length(a) AS a FROM t", "INSERT INTO o SELECT a FROM v", "DROP VIEW v",
      "CREATE VIEW v AS SELECT max(\(sums)) AS a FROM t",
    ] {
      #expect(run(sql) == nil, "\(sql.prefix(40))")
    }
    for _ in 0..<2 { #expect(run("INSERT INTO o SELECT a FROM v")?.reason == .limit) }
    #expect(run("INSERT INTO o SELECT a FROM t") == nil)
    // Beyond any value's length.
    let many = (0..<45).map { _ in Array(repeating: "a", count: 401).joined(separator: " + ") }.joined(separator: ", ")
    #expect(run("SELECT \(many) FROM t")?.message.contains("operators, those of its views") == true)
  }

  @Test(arguments: ["SET NULL", "CASCADE"])
  func `a key to which many tables refer is changed and removed beside a long value`(action: String) throws {
    let database = try TemporaryDatabase()
    try database.sql("CREATE TABLE p(id TEXT PRIMARY KEY)")
    let key = "TEXT REFERENCES p(id) ON DELETE \(action) ON UPDATE CASCADE"
    for table in (0..<30).map({ "c\($0)" }) {
      try database.sql("CREATE TABLE \(table)(id INTEGER PRIMARY KEY, body TEXT, a \(key), b \(key))")
      for column in ["a", "b"] { try database.sql("CREATE INDEX \(table)\(column) ON \(table)(\(column))") }
    }
    try database.sql("INSERT INTO p VALUES ('x'), ('z')")
    try database.sql("INSERT INTO c1 VALUES (1, ?, 'x', 'x')", [.text(String(repeating: "d", count: 4_000_000))])
    try database.sql("UPDATE p SET id = 'y' WHERE id = 'x'")
    #expect(try database.sql("SELECT a, b FROM c1").rows == [["y", "y"]])
    try database.sql("DELETE FROM p WHERE id IN ('y', 'z')")
    #expect(try database.sql("SELECT count(a) FROM c1").rows == [[.integer(0)]])
  }

  @Test func `more operators than others may have go through short values, if the schema is short too`() throws {
    let database = try TemporaryDatabase()
    let columns = (0..<25).map { "c\($0) INT" }.joined(separator: ", ")
    try database.sql("CREATE TABLE n(id INTEGER PRIMARY KEY, k INT, body TEXT, \(columns))")
    let cases = (0..<400).map { "WHEN \($0) THEN \($0)" }.joined(separator: " ")
    let all = (0..<25).map { "c\($0) = CASE k \(cases) ELSE c\($0) END" }.joined(separator: ", ")
    func body(_ bytes: Int) -> Value { .text(String(repeating: "1", count: bytes)) }
    try database.sql("INSERT INTO n(k, body) VALUES (7, ?)", [body(60_000)])
    try database.sql("UPDATE n SET \(all)")
    #expect(try database.sql("SELECT c0, c24 FROM n").rows == [[7, 7]])
    try database.sql("UPDATE n SET body = ?", [body(200_000)])
    let tooLong = database.result(Trees.raw("UPDATE n SET \(all)")).error
    #expect(tooLong?.reason == .limit && tooLong?.message.contains("operators takes values of") == true)
    #expect(try database.sql("SELECT length(body) FROM n").rows == [[200_000]])
    try database.sql("UPDATE n SET body = ''")
    try database.sql("CREATE VIEW v AS SELECT '\(String(repeating: "x", count: 120_000))' AS x")
    let tooMany = database.result(Trees.raw("UPDATE n SET \(all)")).error
    #expect(tooMany?.message.contains("operators, those of its views") == true)
  }
}
