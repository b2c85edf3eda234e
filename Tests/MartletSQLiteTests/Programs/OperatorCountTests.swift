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
      let found = try connection.prepare(sql).rowOperatorCount
      #expect(found <= 45, "\(found) of \(sql.prefix(60))")
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

  @Test func `operators that only some programs have count too`() throws {
    let connection = try open()
    let columns = (0..<300).map { "c\($0) INT" }.joined(separator: ", ")
    for sql in [
      "CREATE TABLE numbers(\(columns))", "CREATE TABLE strict(\(columns)) STRICT",
      "CREATE VIEW heavy AS SELECT (\(Self.many("(d + #)", 300, joined: " | "))) AS d FROM t",
      "CREATE VIRTUAL TABLE texts USING fts5(d, content = 'heavy')",
    ] {
      try connection.run(sql)
    }
    let same = Self.many("?1", 300)
    let table: [(String, Int)] = [
      ("SELECT \(Self.many("(d AND #)", 200, joined: " | ")) FROM t", 199),
      ("SELECT \(Self.many("date(d, '# days')", 200)) FROM t", 200),
      ("SELECT \(Self.many("json(d)", 20)) FROM t", 20 * 12),
      ("INSERT INTO numbers SELECT \(Self.many("d", 300)) FROM t", 300),
      ("INSERT INTO strict SELECT \(Self.many("d", 300)) FROM t", 300),
      ("SELECT d FROM texts", 300), ("INSERT INTO texts(texts) VALUES ('rebuild')", 300),
      ("ALTER TABLE t ADD COLUMN z CHECK ((\(Self.many("(d + #)", 300, joined: " | "))) IS NOT NULL)", 600),
    ]
    for (sql, least) in table {
      let statement = try connection.prepare(sql)
      #expect(statement.storedOperatorCount >= least, "\(statement.storedOperatorCount) of \(sql.prefix(60))")
      #expect(statement.rowOperatorCount >= least, "\(statement.rowOperatorCount) of \(sql.prefix(60))")
      #expect(!statement.isSmall, "\(sql.prefix(60))")
    }
    for sql in ["INSERT INTO numbers VALUES (\(same))", "INSERT INTO strict VALUES (\(same))"] {
      #expect(try connection.prepare(sql).messageOperatorCount >= 300, "\(sql.prefix(40))")
    }
  }

  @Test func `different columns of a row count as one, and so do functions that end by themselves`() throws {
    let connection = try open()
    let all = (0..<300).map { "r\($0)" }
    let table = [
      "INSERT INTO wide SELECT * FROM wide", "SELECT \(all.map { "max(\($0))" }.joined(separator: ", ")) FROM wide",
      "SELECT \(all.map { "\($0) + 1" }.joined(separator: ", ")) FROM wide",
      "SELECT 1 FROM t WHERE \(Self.many("b LIKE '%#%'", 300, joined: " OR "))",
      "SELECT \(Self.many("b ->> 'c#'", 300)) FROM t", "ALTER TABLE t ADD COLUMN z TEXT DEFAULT 'x'",
    ]
    for sql in table {
      let found = try connection.prepare(sql).rowOperatorCount
      #expect(found <= 60, "\(found) of \(sql.prefix(60))")
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
