/// SQLite's own messages, each provoked by a statement: the code, the reason, and that its words are kept.
///
/// The mapping decides by the words, so a library that says something else shows here.
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SQLiteWordsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var sql: String
    var code: RequestError.Code
    var reason: RequestError.Reason
    var words: String
    var testDescription: String { sql }

    init(_ sql: String, _ code: RequestError.Code, _ reason: RequestError.Reason, _ words: String) {
      (self.sql, self.code, self.reason, self.words) = (sql, code, reason, words)
    }
  }

  private static let schema = [
    "CREATE TABLE parent(id INTEGER PRIMARY KEY, code TEXT UNIQUE)",
    "CREATE TABLE child(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent(id), name TEXT NOT NULL)",
    "CREATE TABLE odd(a REFERENCES parent(code), b REFERENCES child(name))",
    "CREATE TABLE gone(a REFERENCES nowhere(a))",
    "CREATE VIRTUAL TABLE words USING fts5(body)", "CREATE VIRTUAL TABLE four USING fts4(body)",
    "CREATE VIRTUAL TABLE box USING rtree(id, a, b)", "CREATE VIEW v AS SELECT * FROM parent",
    "CREATE TABLE gen(a, b AS (a + 1))", "CREATE TABLE auto(id INTEGER PRIMARY KEY AUTOINCREMENT)",
    "INSERT INTO parent VALUES (1, 'secret')", "INSERT INTO child VALUES (1, 1, 'secret')",
    "INSERT INTO words VALUES ('secret')", "INSERT INTO four VALUES ('secret')",
    "INSERT INTO auto VALUES (9223372036854775807)",
  ]

  private func connection() throws -> Connection {
    var setup = ConnectionSetup()
    setup.authority = .owner
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: setup, clock: { 0 })
    for sql in Self.schema {
      let statement = try connection.prepare(sql)
      while try statement.step() {}
    }
    return connection
  }

  private func error(of sql: String, on connection: Connection) -> RequestError? {
    let statement: Statement
    do throws(SQLiteError) {
      statement = try connection.prepare(sql)
    } catch {
      return RequestError(error, isCompiling: true)
    }
    do throws(SQLiteError) {
      while try statement.step() {}
    } catch {
      return RequestError(error)
    }
    return nil
  }

  /// What SQLite says while it reads the statement.
  static let compiling: [Case] = [
    ("SELECT 1 FROM", "incomplete input"), ("SELECT 1 1", "near \"1\": syntax error"),
    ("SELECT 'open", "unrecognized token: \"'open\""), ("SELECT * FROM nowhere", "no such table: nowhere"),
    ("SELECT nope FROM parent", "no such column: nope"), ("SELECT nope()", "no such function: nope"),
    ("SELECT abs(1, 2)", "wrong number of arguments to function abs()"),
    ("SELECT \"nope\"", "no such column: nope"), ("SELECT ?0", "variable number must be between"),
    ("SELECT id FROM parent, child", "ambiguous column name: id"),
    ("SELECT 1 COLLATE nope ORDER BY 1", "no such collation sequence: nope"),
    ("SELECT (SELECT 1, 2)", "sub-select returns 2 columns - expected 1"), ("SELECT (1, 2)", "row value misused"),
    ("SELECT 1 UNION SELECT 1, 2", "do not have the same number of result columns"),
    ("SELECT 1 ORDER BY 2", "1st ORDER BY term out of range - should be between 1 and 1"),
    ("SELECT 1 GROUP BY 2", "1st GROUP BY term out of range - should be between 1 and 1"),
    ("SELECT count(*) FROM parent WHERE count(*) > 1", "misuse of aggregate: count()"),
    ("SELECT sum(sum(id)) FROM parent", "misuse of aggregate function sum()"),
    ("SELECT rank() FROM parent", "misuse of window function rank()"),
    ("SELECT RAISE(ABORT, 'x')", "RAISE() may only be used within a trigger-program"),
    ("SELECT group_concat(DISTINCT code, 'x') FROM parent", "DISTINCT aggregates must have exactly one argument"),
    ("SELECT * FROM parent INDEXED BY nope", "no such index: nope"),
    ("WITH a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM a", "circular reference: a"),
    ("INSERT INTO parent(id) VALUES (1, 2)", "2 values for 1 columns"),
    ("INSERT INTO parent VALUES (1)", "table parent has 2 columns but 1 values were supplied"),
    ("INSERT INTO parent(nope) VALUES (1)", "table parent has no column named nope"),
    ("INSERT INTO v VALUES (1, 2)", "cannot modify v because it is a view"),
    ("INSERT INTO gen(b) VALUES (1)", "cannot INSERT into generated column \"b\""),
    ("UPDATE gen SET b = 1", "cannot UPDATE generated column \"b\""),
    ("UPDATE parent SET nope = 1", "no such column: nope"),
    ("UPDATE parent SET (id, code) = (1)", "2 columns assigned 1 values"),
    ("UPDATE sqlite_schema SET sql = 'x'", "may not be modified"),
    ("INSERT INTO parent VALUES (1, 2) ON CONFLICT (nope) DO NOTHING", "no such column: nope"),
    (
      "INSERT INTO child(name) VALUES ('x') ON CONFLICT (name) DO NOTHING",
      "ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint"
    ),
    ("CREATE TABLE parent(a)", "table parent already exists"), ("CREATE TABLE t(a, a)", "duplicate column name: a"),
    ("CREATE TABLE t(a INTEGER PRIMARY KEY, b PRIMARY KEY)", "table \"t\" has more than one primary key"),
    ("CREATE TABLE t(a) WITHOUT ROWID", "PRIMARY KEY missing on table t"),
    ("CREATE TABLE t(a NOPE) STRICT", "unknown datatype for t.a: \"NOPE\""),
    ("CREATE TABLE t(a AUTOINCREMENT)", "near \"AUTOINCREMENT\": syntax error"),
    ("CREATE TABLE t(a AS (1))", "must have at least one non-generated column"),
    ("CREATE TABLE sqlite_x(a)", "object name reserved for internal use: sqlite_x"),
    ("CREATE INDEX i ON v(id)", "views may not be indexed"), ("CREATE INDEX i ON parent(nope)", "no such column: nope"),
    ("CREATE INDEX i ON parent(random())", "non-deterministic functions prohibited in index expressions"),
    ("CREATE TRIGGER t AFTER INSERT ON nowhere BEGIN SELECT 1; END", "no such table: main.nowhere"),
    ("DROP TABLE nowhere", "no such table: nowhere"), ("DROP INDEX nope", "no such index: nope"),
    ("DROP VIEW nope", "no such view: nope"), ("DROP TRIGGER nope", "no such trigger: nope"),
    ("DROP TABLE v", "use DROP VIEW to delete view v"), ("DROP TABLE sqlite_schema", "may not be dropped"),
    (
      "DROP INDEX sqlite_autoindex_parent_1", "index associated with UNIQUE or PRIMARY KEY constraint cannot be dropped"
    ),
    ("ALTER TABLE parent RENAME COLUMN nope TO x", "no such column: \"nope\""),
    ("ALTER TABLE parent DROP COLUMN id", "cannot drop PRIMARY KEY column: \"id\""),
    ("ALTER TABLE parent DROP COLUMN code", "cannot drop UNIQUE column: \"code\""),
    ("ALTER TABLE parent ADD COLUMN z UNIQUE", "Cannot add a UNIQUE column"),
    ("ALTER TABLE v RENAME TO w", "view v may not be altered"), ("ANALYZE nowhere", "no such table: nowhere"),
    ("REINDEX nowhere", "unable to identify the object to be reindexed"),
    ("VACUUM nowhere", "unknown database nowhere"),
    ("SELECT * FROM words('a', 'b', 'c')", "too many arguments on words() - max 2"),
    ("INSERT INTO odd VALUES (NULL, 'x')", "foreign key mismatch - \"odd\" referencing \"child\""),
    ("INSERT INTO gone VALUES (1)", "no such table: main.nowhere"),
  ].map { Case($0.0, .invalidArgument, .invalidStatement, $0.1) }

  /// What it says while the statement runs, if that names things.
  static let naming: [Case] = [
    Case("RELEASE nope", .invalidArgument, .invalidStatement, "no such savepoint: nope"),
    Case("COMMIT", .invalidArgument, .invalidStatement, "cannot commit - no transaction is active"),
    Case("ROLLBACK", .invalidArgument, .invalidStatement, "cannot rollback - no transaction is active"),
    Case("CREATE VIRTUAL TABLE x USING nope(a)", .invalidArgument, .invalidStatement, "no such module: nope"),
    Case(
      "CREATE VIRTUAL TABLE x USING fts5(a, b=c)", .invalidArgument, .invalidStatement, "unrecognized option: \"b\""),
    Case(
      "CREATE VIRTUAL TABLE x USING fts5(a, tokenize='nope')", .invalidArgument, .invalidStatement,
      "no such tokenizer: nope"),
    Case(
      "SELECT snippet(words, 1) FROM words", .invalidArgument, .invalidStatement,
      "wrong number of arguments to function snippet()"),
    Case(
      "SELECT * FROM parent WHERE code MATCH 'secret'", .invalidArgument, .sqlite,
      "unable to use function MATCH in the requested context"),
    Case(
      "SELECT * FROM words WHERE words MATCH 'a' OR length(body) = 7", .invalidArgument, .sqlite,
      "Put alternatives into one pattern, or into the parts of a UNION."),
    Case(
      "SELECT * FROM parent LEFT JOIN words ON words.rowid = parent.id WHERE words MATCH 'a'", .invalidArgument,
      .sqlite, "it is a condition of WHERE, or of ON if the table is the right side of a LEFT JOIN"),
    Case("INSERT INTO box VALUES (1, 2, 1)", .failedPrecondition, .constraint, "rtree constraint failed: box.(a<=b)"),
    Case(
      "INSERT INTO child(name, parent) VALUES ('x', 99)", .failedPrecondition, .constraint,
      "FOREIGN KEY constraint failed"),
  ]

  /// What it says of values, without the values.
  static let values: [Case] = [
    Case("SELECT * FROM words WHERE words MATCH '\"secret'", .invalidArgument, .sqlite, "unterminated string"),
    Case("SELECT * FROM words WHERE words MATCH 'secret:x'", .invalidArgument, .sqlite, "no such column: …"),
    Case(
      "SELECT * FROM words WHERE words MATCH 'a AND secret)'", .invalidArgument, .sqlite,
      "fts5: syntax error near \"…\""),
    Case(
      "SELECT * FROM four WHERE four MATCH '\"secret AND ('", .invalidArgument, .sqlite,
      "malformed MATCH expression: […]"),
    // Nothing is quoted if the pattern ends too early.
    Case("SELECT * FROM words WHERE words MATCH 'a AND'", .invalidArgument, .sqlite, "fts5: syntax error near \"\""),
    Case("INSERT INTO words(words) VALUES ('secret')", .invalidArgument, .sqlite, "SQL logic error"),
    Case("SELECT json('secret')", .invalidArgument, .sqlite, "malformed JSON"),
    Case("SELECT json_extract('{}', 'secret')", .invalidArgument, .sqlite, "JSON path"),
    Case(
      "SELECT json_object('a')", .invalidArgument, .sqlite, "json_object() requires an even number of arguments"),
    Case("SELECT json_object(1, 2)", .invalidArgument, .sqlite, "json_object() labels must be TEXT"),
    Case("SELECT json_array(x'00')", .invalidArgument, .sqlite, "JSON cannot hold BLOB values"),
    Case("SELECT json_set('{}', '$.a')", .invalidArgument, .sqlite, "json_set() needs an odd number of arguments"),
    Case(
      "SELECT 'a' LIKE 'b' ESCAPE 'secret'", .invalidArgument, .sqlite,
      "ESCAPE expression must be a single character"),
    Case(
      "SELECT 'a' LIKE replace(hex(zeroblob(30000)), '0', '%')", .invalidArgument, .sqlite,
      "LIKE or GLOB pattern too complex"),
    Case(
      "SELECT ntile(0) OVER () FROM parent", .invalidArgument, .sqlite, "argument of ntile must be a positive integer"),
    Case(
      "SELECT nth_value(1, 0) OVER () FROM parent", .invalidArgument, .sqlite,
      "second argument to nth_value must be a positive integer"),
    Case(
      "SELECT sum(1) OVER (ORDER BY id ROWS 'secret' PRECEDING) FROM parent", .invalidArgument, .sqlite,
      "frame starting offset must be a non-negative integer"),
    Case(
      "SELECT sum(1) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 'secret' FOLLOWING) FROM parent",
      .invalidArgument, .sqlite, "frame ending offset must be a non-negative integer"),
    Case(
      "SELECT sum(1) OVER (ORDER BY id RANGE 'secret' PRECEDING) FROM parent", .invalidArgument, .sqlite,
      "frame starting offset must be a non-negative number"),
    Case(
      "ALTER TABLE parent ADD COLUMN z NOT NULL", .invalidArgument, .sqlite,
      "Cannot add a NOT NULL column with default value NULL"),
    Case("SELECT abs(-9223372036854775808)", .outOfRange, .sqlite, "integer overflow"),
    Case("INSERT INTO parent VALUES ('secret', 'x')", .invalidArgument, .sqlite, "datatype mismatch"),
    Case("SELECT 1 LIMIT 'secret'", .invalidArgument, .sqlite, "datatype mismatch"),
    Case("SELECT zeroblob(2000000000)", .resourceExhausted, .limit, "string or blob too big"),
    Case("INSERT INTO auto(id) VALUES (NULL)", .resourceExhausted, .sqlite, "database or disk is full"),
  ]

  @Test(arguments: compiling + naming + values)
  func `a message keeps SQLite's words`(told: Case) throws {
    let error = try #require(error(of: told.sql, on: try connection()), "it ran")
    #expect(error.code == told.code)
    #expect(error.reason == told.reason)
    // The first word of a sentence begins with a capital.
    #expect(error.message.lowercased().contains(told.words.lowercased()), "\(error.message)")
    #expect(error.sqliteCode != 0)
    #expect(error.message.hasSuffix("."))
    #expect(!error.message.contains("server"))
    if !told.words.contains("secret") { #expect(!error.message.contains("secret"), "\(error.message)") }
  }

  @Test(arguments: [
    ("SELECT * FROM nowhere", SQLiteError.Missing.table("nowhere")), ("DROP TABLE nowhere", .table("nowhere")),
    ("INSERT INTO gone VALUES (1)", .table("main.nowhere")), ("SELECT nope FROM parent", .column("nope")),
    ("UPDATE parent SET nope = 1", .column("nope")), ("SELECT nope()", .other), ("DROP INDEX nope", .other),
    ("SELECT 1 COLLATE nope ORDER BY 1", .other), ("SELECT 1 1", nil),
    ("INSERT INTO parent(nope) VALUES (1)", nil), ("SELECT (1, 2)", nil),
  ])
  func `what is missing is told apart, before and after the error is mapped`(
    sql: String, missing: SQLiteError.Missing?
  ) throws {
    let error = #expect(throws: SQLiteError.self) { try connection().prepare(sql) }
    #expect(error?.missing == missing)
    #expect(try #require(self.error(of: sql, on: try connection())).missing == missing)
  }

  @Test(arguments: [
    (SQLiteCode.busy, RequestError.Code.unavailable, "database is locked"),
    (SQLiteCode.locked, .unavailable, "database table is locked"),
    (SQLiteCode.readOnly, .failedPrecondition, "attempt to write a readonly database"),
    (SQLiteCode.io, .unavailable, "disk I/O error"),
    (SQLiteCode.corrupt, .dataLoss, "database disk image is malformed"),
    (SQLiteCode.notADatabase, .dataLoss, "file is not a database"),
    (SQLiteCode.noMemory, .resourceExhausted, "out of memory"),
    (SQLiteCode.cannotOpen, .unavailable, "unable to open database file"),
    (SQLiteCode.schema, .aborted, "database schema has changed"),
    (SQLiteCode.range, .invalidArgument, "column index out of range"),
    (SQLiteCode.misuse, .internal, "bad parameter or other API misuse"),
  ])
  func `a condition keeps SQLite's words for its code, and no others`(
    code: Int32, told: RequestError.Code, words: String
  ) {
    let error = RequestError(SQLiteError(extendedCode: code, message: "/path/of/a/secret"))
    #expect(error.code == told)
    #expect(error.message.contains(words), "\(error.message)")
    #expect(!error.message.contains("secret") && !error.message.contains("server"))
  }

  /// A schema, a statement that compiles with it, and what becomes of the schema.
  private static let outdated = [
    ("CREATE TABLE t(a, b)", "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END", ""),
    ("CREATE TABLE t(a, b)", "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END", "CREATE VIEW t AS SELECT 1 a"),
    ("CREATE TABLE t(a, b)", "CREATE INDEX i ON t(a)", "CREATE VIEW t AS SELECT 1 a"),
    ("CREATE TABLE t(a, b)", "ALTER TABLE t ADD c", "CREATE VIEW t AS SELECT 1 a"),
    ("CREATE TABLE t(a, b)", "ALTER TABLE t DROP b", "CREATE TABLE t(b)"),
    ("CREATE TABLE t(a, b)", "DROP TABLE t", "CREATE VIEW t AS SELECT 1"),
    ("CREATE TABLE t(a, b)", "INSERT INTO t(a, b) VALUES (1, 2)", "CREATE TABLE t(a, b AS (a))"),
    ("CREATE TABLE t(a, b)", "DELETE FROM t", "CREATE VIEW t AS SELECT 1"),
    ("CREATE TABLE t(a UNIQUE)", "INSERT INTO t VALUES (1) ON CONFLICT (a) DO NOTHING", "CREATE TABLE t(a)"),
    ("CREATE TABLE t(a, b)", "SELECT * FROM t JOIN (SELECT 1 AS b) USING (b)", "CREATE TABLE t(a)"),
    ("CREATE TABLE t(a, b)", "SELECT * FROM t UNION SELECT 1, 2", "CREATE TABLE t(a)"),
    ("CREATE VIRTUAL TABLE t USING fts5(a)", "SELECT * FROM t WHERE t MATCH 'x'", "CREATE TABLE t(a)"),
    ("CREATE VIRTUAL TABLE t USING fts5(a)", "SELECT * FROM t('x')", "CREATE TABLE t(a)"),
  ]

  /// SQLite compiles a statement anew where the schema has changed, and what it says then is not about values.
  @Test(arguments: outdated)
  func `a statement that compiles no more is told so, whether it is new or not`(
    schema: String, sql: String, change: String
  ) throws {
    let connection = try connection()
    func run(_ sql: String) throws { while try connection.prepare(sql).step() {} }
    try run(schema)
    let known = try connection.prepare(sql)
    try run(change.isEmpty ? sql : "DROP TABLE t")
    if !change.isEmpty { try run(change) }
    let told = try #require(self.error(of: sql, on: connection))
    let failure = #expect(throws: SQLiteError.self) { try known.step() }
    #expect(RequestError(try #require(failure)) == told)
  }

  @Test func `a pragma that is read as a table is refused by its name`() throws {
    let shop = try Shop()
    let error = shop.sink.outcome(of: shop.start(Trees.raw("SELECT * FROM pragma_busy_timeout")).token).error
    #expect(error?.reason == .notAllowed)
    #expect(error?.message.hasPrefix("A statement may not use the pragma busy_timeout: nobody waits") == true)
  }

  @Test func `what is not known is not told`() {
    let error = RequestError(SQLiteError(extendedCode: SQLiteCode.error, message: "a new message about secret"))
    #expect(!error.message.contains("secret"))
  }

  @Test(arguments: [
    ("INSERT INTO child(a) VALUES (1)", "child"), ("insert or replace into \"my child\" default values", "my child"),
    ("REPLACE INTO main.[child] VALUES (1)", "child"), ("UPDATE OR IGNORE child SET a = 1", "child"),
    ("DELETE FROM `child` WHERE 1", "child"),
    ("WITH a AS (SELECT 1 FROM x) INSERT INTO child SELECT * FROM a", "child"),
    ("/* DELETE FROM x */ UPDATE child AS c SET a = 1", "child"), ("SELECT 'INSERT INTO x'", ""), ("VALUES (1)", ""),
    ("DROP TABLE child", "child"), ("drop table if exists main.\"my child\"", "my child"), ("DROP INDEX i", ""),
    ("CREATE TABLE t(a)", ""), ("INSERT", ""), ("INSERT INTO (", ""), ("DELETE FROM main.", "main"), ("", ""),
  ])
  func `the table that a statement writes to`(sql: String, table: String) {
    #expect(WrittenTable.name(in: sql) == table)
  }

  @Test func `a foreign key error has the table of its statement`() throws {
    let shop = try Shop()
    try shop.base.sql("CREATE TABLE strictchild(id INTEGER PRIMARY KEY, p REFERENCES parent(id))")
    let raw = shop.sink.outcome(of: shop.start(Trees.raw("INSERT INTO strictchild VALUES (1, 99)")).token).error
    #expect(raw?.table == "strictchild")
    #expect(raw?.message.contains("A foreign key of strictchild, or one that refers to it") == true)
    let tree = Trees.insert("strictchild", ["id", "p"])
    let told = shop.sink.outcome(of: shop.start(tree, [1, 99]).token).error
    #expect(told?.table == "strictchild" && told?.constraint == "FOREIGN KEY")
  }
}
