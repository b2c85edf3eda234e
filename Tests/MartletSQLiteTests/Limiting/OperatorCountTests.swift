/// How many operators of a program go through the whole of a value that may be long.
import MartletSQLite
import Testing

@Suite struct OperatorCountTests {
  private func open() throws -> Connection {
    let connection = try Connection.inMemory()
    for sql in [
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a REAL, b TEXT, c INTEGER, d)", "CREATE TABLE h(x)",
      "CREATE TRIGGER t_u AFTER UPDATE OF c ON t WHEN old.b IS NOT new.b BEGIN INSERT INTO h VALUES (old.id); END",
      "CREATE TABLE wide(id INTEGER PRIMARY KEY, \((0..<300).map { "r\($0) REAL" }.joined(separator: ", ")), body)",
    ] {
      try connection.run(sql)
    }
    return connection
  }

  private func count(_ sql: String, _ connection: Connection) throws -> (stored: Int, all: Int) {
    let statement = try connection.prepare(sql)
    return (statement.storedOperatorCount, statement.operatorCount)
  }

  private static func many(_ part: String, _ count: Int, joined separator: String = ", ") -> String {
    (0..<count).map { part.replacing("#", with: "\($0)") }.joined(separator: separator)
  }

  @Test func `what reads or makes no long value costs nothing`() throws {
    let connection = try open()
    let table = [
      "SELECT * FROM t", "SELECT * FROM wide", "INSERT INTO wide SELECT * FROM wide",
      "UPDATE t SET b = 'x' WHERE id = 7",
      "UPDATE t SET b = CASE id \(Self.many("WHEN # THEN 'v#'", 400, joined: " ")) END",
      "INSERT INTO h VALUES \(Self.many("(date('now', '# days'))", 500))",
      "INSERT INTO h SELECT * FROM (VALUES \(Self.many("(lower('A#') || upper('b'))", 300)))",
      "SELECT \(Self.many("abs(id) + # * id", 100)) FROM t",
    ]
    for sql in table {
      let found = try count(sql, connection)
      #expect(found.stored <= 45, "\(found.stored) of \(sql.prefix(60))")
    }
  }

  @Test func `each operator on a column, a trigger's row or what a function makes counts`() throws {
    let connection = try open()
    let table: [(String, Range<Int>)] = [
      ("SELECT \(Self.many("d + #", 200)) FROM t", 200..<420),
      ("SELECT \(Self.many("CAST(d AS INTEGER)", 200)) FROM t", 200..<420),
      ("SELECT \(Self.many("upper(d)", 200)) FROM t", 200..<420),
      ("SELECT \(Self.many("hex(zeroblob(#))", 200)) FROM t", 200..<620),
      ("SELECT \(Self.many("length(d)", 200)) FROM t", 200..<420),
      // Comparing bytes is an eighth of reading digits, and copying them less.
      ("SELECT \(Self.many("d = 'x#'", 200)) FROM t", 20..<60),
      ("SELECT \(Self.many("c = d", 200)) FROM t", 200..<420),
      // What is twice as long each time.
      (
        "WITH a AS MATERIALIZED (SELECT 'a' || id AS z FROM t), b AS MATERIALIZED (SELECT z || z AS y FROM a) "
          + "SELECT y || y FROM b", 2..<20
      ),
      ("UPDATE t SET c = 1 WHERE b = '1'", 1..<20),
    ]
    for (sql, range) in table {
      let found = try count(sql, connection)
      #expect(range.contains(found.stored), "\(found.stored) of \(sql.prefix(60))")
    }
  }

  @Test func `bound values count apart, because their length is known`() throws {
    let connection = try open()
    let sql = "SELECT \(Self.many("?1 + #", 150))"
    let found = try count(sql, connection)
    #expect(found.stored < 20 && (150..<320).contains(found.all), "\(found)")
    let rows = "INSERT INTO h VALUES \(Self.many("(?#)", 300).replacing("?0)", with: "?300)"))"
    #expect(try count(rows, connection).all < 60)
  }

  @Test func `a statement that SQLite compiles anew is counted anew`() throws {
    let connection = try open()
    try connection.run("CREATE VIEW v AS SELECT 1 AS x")
    let statement = try connection.prepare("SELECT x FROM v")
    #expect(statement.isSmall && statement.storedOperatorCount == 0)
    try connection.run("DROP VIEW v")
    try connection.run(
      "CREATE VIEW v AS SELECT \(Self.many("json_array(\(Self.many("d + #", 90)))", 10, joined: " || ")) AS x FROM t")
    _ = try statement.step()
    statement.reset()
    #expect(!statement.isSmall && statement.storedOperatorCount >= 900, "\(statement.storedOperatorCount)")
  }
}
