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
    return (try statement.operatorCount(on: .stored), try statement.operatorCount(on: .all))
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
      "SELECT 1 FROM t WHERE c IN (\(Self.many("#", 10_000)))",
    ]
    for sql in table {
      let found = try connection.prepare(sql).operatorCount(on: .row)
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
      let (stored, ofRow) = (try statement.operatorCount(on: .stored), try statement.operatorCount(on: .row))
      #expect(stored >= least, "\(stored) of \(sql.prefix(60))")
      #expect(ofRow >= least, "\(ofRow) of \(sql.prefix(60))")
      #expect(!statement.isSmall, "\(sql.prefix(60))")
    }
    for sql in ["INSERT INTO numbers VALUES (\(same))", "INSERT INTO strict VALUES (\(same))"] {
      #expect(try connection.prepare(sql).operatorCount(on: .message) >= 300, "\(sql.prefix(40))")
    }
  }

  @Test func `each argument of a function that takes any number counts, and no value of another call`() throws {
    let connection = try open()
    let many = Self.many("d", 90)
    let table: [(String, Range<Int>)] = [
      ("SELECT \(Self.many("char(\(many))", 20, joined: " || ")) FROM t", 1_800..<1_960),
      ("SELECT \(Self.many("max(\(many))", 20, joined: " || ")) FROM t", 1_800..<1_960),
      ("SELECT \(Self.many("date('2000-01-01', \(many))", 20, joined: " || ")) FROM t", 1_800..<1_960),
      ("SELECT \(Self.many("max(b, char(d, d))", 100, joined: " || ")) FROM t", 600..<1_010),
      ("SELECT \(Self.many("strftime(d)", 60, joined: " || ")) FROM t", 480..<1_200),
      // A path that is not there is looked for in all of the document.
      (
        "SELECT \(Self.many("json_extract(d, \(Self.many("'$.#'", 31)))", 50, joined: " || ")) FROM t", 370..<1_000
      ),
      // Constants are put into their places when a program begins. This function ends by itself.
      ("SELECT \(Self.many("printf('%s', d, 'x')", 100, joined: " || ")) FROM t", 100..<420),
      ("INSERT INTO h VALUES \(Self.many("(printf('%s %s', 'a#', 'b'))", 300))", 10..<100),
    ]
    for (sql, range) in table {
      let found = try count(sql, connection)
      #expect(range.contains(found.stored), "\(found.stored) of \(sql.prefix(60))")
    }
    let bound = "INSERT INTO h VALUES \(Self.many("(char(\(Self.many("?1", 90))))", 20))"
    let found = try connection.prepare(bound).operatorCount(on: .message)
    #expect((1_800..<1_960).contains(found), "\(found)")
  }

  @Test func `keys that are looked for and words that are cut count, and each value of a virtual table`() throws {
    let connection = try open()
    for index in 0..<100 { try connection.run("CREATE TABLE k\(index)(x TEXT UNIQUE COLLATE NOCASE)") }
    for sql in [
      "CREATE TABLE keys(x TEXT, \(Self.many("FOREIGN KEY(x) REFERENCES k#(x)", 100)))",
      "CREATE VIRTUAL TABLE words USING fts5(\(Self.many("c#", 40)))",
      "CREATE VIRTUAL TABLE oldwords USING fts4(\(Self.many("c#", 40)))",
    ] {
      try connection.run(sql)
    }
    let same = Self.many("?1", 40)
    let table: [(String, Int)] = [
      ("INSERT INTO keys(x) VALUES (?1)", 100), ("INSERT INTO words VALUES (\(same))", 40 * 12),
      ("INSERT INTO oldwords VALUES (\(same))", 40 * 12),
    ]
    for (sql, least) in table {
      let statement = try connection.prepare(sql)
      let found = try statement.operatorCount(on: .message)
      #expect(found >= least, "\(found) of \(sql)")
    }
    let each = ["value", "atom", "json", "key"].map { column in Self.many("\(column) + #", 100) }
    let found = try connection.prepare("SELECT \(each.joined(separator: ", ")) FROM json_each(?1)").operatorCount(
      on: .row)
    #expect(found >= 400, "\(found)")
    // One long text among columns that are cut is what full text is for.
    let one = "INSERT INTO words VALUES (\((1...40).map { "?\($0)" }.joined(separator: ", ")))"
    #expect(try connection.prepare(one).operatorCount(on: .message) < 20)
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
      let found = try connection.prepare(sql).operatorCount(on: .row)
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
    #expect(try statement.isSmall && statement.operatorCount(on: .stored) == 0)
    try connection.run("DROP VIEW v")
    try connection.run(
      "CREATE VIEW v AS SELECT \(Self.many("json_array(\(Self.many("d + #", 90)))", 10, joined: " || ")) AS x FROM t")
    _ = try statement.step()
    statement.reset()
    let counted = try statement.operatorCount(on: .stored)
    #expect(!statement.isSmall && counted >= 900, "\(counted)")
  }
}
