/// Temporary views and triggers of a setup: what makes them, and that it can do nothing else.
import MartletSQLite
import Testing

@Suite struct TemporaryObjectsTests {
  private func open(_ access: Connection.Access, _ scratch: ScratchDatabase) throws -> Connection {
    let writer = try scratch.writer()
    for sql in [
      "CREATE TABLE IF NOT EXISTS t(a)", "CREATE TABLE IF NOT EXISTS log(a)",
      "CREATE VIEW IF NOT EXISTS seen AS SELECT a FROM t",
    ] { try writer.run(sql) }
    return access == .writer ? writer : try scratch.reader()
  }

  private static let made = [
    "CREATE TEMPORARY VIEW v AS SELECT a + 1 AS b FROM t", "CREATE TEMP VIEW v(b) AS SELECT 1;",
    "CREATE TEMP VIEW IF NOT EXISTS v AS SELECT 2 AS b -- the end", "create temporary view \"v\" as select 3 as b",
    "CREATE TEMP VIEW v AS SELECT sqlite_version() AS b",
    "CREATE TEMP TRIGGER v AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END",
    "CREATE TEMPORARY TRIGGER v INSTEAD OF DELETE ON seen BEGIN DELETE FROM t WHERE a = old.a; END",
  ]

  @Test(arguments: made, [Connection.Access.writer, .reader])
  func `a view or a trigger is made, and the file stays as it was`(sql: String, access: Connection.Access) throws {
    let scratch = try ScratchDatabase()
    let connection = try open(access, scratch)
    let version = try connection.schemaVersion()
    try connection.makeTemporary(sql)
    #expect(try connection.text("SELECT name FROM temp.sqlite_schema") == "v")
    #expect(try connection.schemaVersion() == version)
    #expect(try scratch.reader().integer("SELECT count(*) FROM sqlite_schema WHERE name = 'v'") == 0)
    // What a connection may not, it still may not.
    #expect(throws: SQLiteError.self) { try connection.run("CREATE TEMP VIEW w AS SELECT 1") }
    #expect(try connection.text(of: "PRAGMA query_only") == (access == .reader ? "1" : "0"))
  }

  private static let refused = [
    "SELECT 1", "CREATE TABLE u(a)", "CREATE TEMP TABLE u(a)", "CREATE TEMP TABLE u AS SELECT a FROM t",
    "CREATE VIEW u AS SELECT 1", "CREATE VIEW temp.u AS SELECT 1", "CREATE INDEX u ON t(a)", "DROP TABLE t",
    "DROP VIEW seen", "INSERT INTO t VALUES (1)", "DELETE FROM t", "UPDATE t SET a = 1", "ALTER TABLE t RENAME TO u",
    "PRAGMA user_version = 7", "PRAGMA query_only = 0", "ATTACH ':memory:' AS u", "BEGIN", "SAVEPOINT u", "VACUUM",
    "ANALYZE", "REINDEX", "CREATE TRIGGER u AFTER INSERT ON t BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE temp.u USING fts5(a)", "EXPLAIN CREATE TEMP VIEW u AS SELECT 1",
    "EXPLAIN QUERY PLAN CREATE TEMP VIEW u AS SELECT 1", "EXPLAIN SELECT 1", "WITH c AS (SELECT 1) SELECT * FROM c",
  ]

  @Test(arguments: [Connection.Access.writer, .reader])
  func `whatever else a text is, it does nothing`(access: Connection.Access) throws {
    let scratch = try ScratchDatabase()
    let connection = try open(access, scratch)
    let before = try PageFixture.rows("SELECT * FROM sqlite_schema", connection)
    for sql in Self.refused {
      let error = #expect(throws: SQLiteError.self, "\(sql)") { try connection.makeTemporary(sql) }
      #expect(error?.code == SQLiteCode.authorization, "\(sql): \(error?.message ?? "")")
    }
    #expect(try PageFixture.rows("SELECT * FROM sqlite_schema", connection) == before)
    #expect(try PageFixture.rows("SELECT * FROM temp.sqlite_schema", connection) == [])
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    #expect(connection.isAutocommit)
    #expect(try connection.text(of: "PRAGMA query_only") == (access == .reader ? "1" : "0"))
  }

  private static let wrong = [
    "", "-- nothing", "CREATE TEMP VIEW", "CREATE TEMP VIEW v AS SELECT", "CREATE TEMP VIEW v AS SELECT 1; SELECT 2",
    "CREATE TEMP VIEW v AS SELECT 1; DROP TABLE t", "CREATE TEMP VIEW sqlite_v AS SELECT 1",
    "CREATE TEMP TRIGGER v AFTER INSERT ON nowhere BEGIN SELECT 1; END", "CREATE TEMP VIEW v AS SELECT ?1",
  ]

  @Test(arguments: [Connection.Access.writer, .reader])
  func `a text that is wrong is told in SQLite's words, and the next one is made`(access: Connection.Access) throws {
    let scratch = try ScratchDatabase()
    let connection = try open(access, scratch)
    for sql in Self.wrong {
      let error = #expect(throws: SQLiteError.self, "\(sql)") { try connection.makeTemporary(sql) }
      #expect(error?.code == SQLiteCode.error, "\(sql): \(error?.message ?? "")")
    }
    try connection.makeTemporary("CREATE TEMP VIEW v AS SELECT a FROM t")
    #expect(throws: SQLiteError.self) { try connection.makeTemporary("CREATE TEMP VIEW v AS SELECT 1") }
    #expect(try connection.integer("SELECT count(*) FROM v") == 0)
    #expect(throws: SQLiteError.self) { try connection.run("DROP VIEW v") }
    #expect(throws: SQLiteError.self) { try connection.run("DROP VIEW temp.v") }
  }

  @Test func `a trigger fires for those who write on the connection, and nobody else`() throws {
    let scratch = try ScratchDatabase()
    let (first, second) = (try open(.writer, scratch), try open(.writer, scratch))
    try first.makeTemporary("CREATE TEMP TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END")
    try first.run("INSERT INTO t VALUES (1)")
    try second.run("INSERT INTO t VALUES (2)")
    #expect(try PageFixture.rows("SELECT a FROM log", second) == ["1"])
  }

  /// After these the setup has to be made anew.
  @Test func `a change of the schema that may have taken something away is remembered`() throws {
    let changes: [(sql: String, mayHaveChanges: Bool)] = [
      ("INSERT INTO t VALUES (1)", false), ("CREATE TABLE u(a)", false), ("DROP VIEW seen", false),
      ("ALTER TABLE t RENAME COLUMN a TO b", true), ("ALTER TABLE t ADD COLUMN c", true), ("DROP TABLE t", true),
    ]
    for (sql, mayHaveChanges) in changes {
      let connection = try open(.writer, try ScratchDatabase())
      try connection.makeTemporary("CREATE TEMP TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END")
      #expect(!connection.mayHaveTemporaryChanges)
      try connection.run(sql)
      #expect(connection.mayHaveTemporaryChanges == mayHaveChanges, "\(sql)")
    }
  }
}
