/// What is read of a schema: columns, virtual tables, views, and what foreign keys make of a write.
import Testing

@testable import MartletSQLite

@Suite struct SchemaReadingTests {
  @Test func `columns are all that a table or a view has, in lower case`() throws {
    let connection = try Connection.inMemory()
    for sql in [
      "CREATE TABLE t(ID INTEGER PRIMARY KEY, \"Two Words\", ÄÖ, g AS (ID + 1), h AS (ID + 2) STORED)",
      "CREATE VIEW v(One, b) AS SELECT 1, 2", "CREATE VIRTUAL TABLE f USING fts5(Body)",
      "CREATE TABLE \"o'brien \"\"x\"\"\"(a)", "CREATE VIEW broken AS SELECT missing FROM nowhere",
    ] { try connection.run(sql) }
    let tables: [(String, [String])] = [
      ("t", ["id", "two words", "ÄÖ", "g", "h"]), ("T", ["id", "two words", "ÄÖ", "g", "h"]), ("v", ["one", "b"]),
      ("f", ["body", "f", "rank"]), ("o'brien \"x\"", ["a"]), ("nowhere", []), ("", []), ("t\0", []), ("t; --", []),
    ]
    for (table, columns) in tables { #expect(try connection.columnNames(of: table) == columns, "\(table)") }
    #expect(try connection.columnNames(of: "sqlite_schema").contains("rootpage"))
  }

  @Test func `a temporary view does not stand in for the table that it hides`() throws {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE t(a, b)")
    try connection.makeTemporary("CREATE TEMP VIEW t AS SELECT a AS z FROM main.t")
    try connection.makeTemporary("CREATE TEMP VIEW only AS SELECT 1 AS x")
    #expect(try connection.columnNames(of: "t") == ["a", "b"])
    #expect(try connection.columnNames(of: "only") == [])
    #expect(try !SchemaDeeds(on: connection).isView("t"))
  }

  @Test func `virtual tables and views are known by their names in lower case`() throws {
    let connection = try Connection.inMemory()
    #expect(try SchemaDeeds(on: connection) == SchemaDeeds())
    for sql in [
      "CREATE TABLE Plain(a)", "CREATE VIEW Seen AS SELECT 1", "CREATE VIRTUAL TABLE Words USING fts5(a)",
      "CREATE VIRTUAL TABLE \"My Boxes\" USING rtree(id, x0, x1)",
    ] { try connection.run(sql) }
    let deeds = try SchemaDeeds(on: connection)
    for (name, isView, isVirtual) in [
      ("plain", false, false), ("seen", true, false), ("words", false, true), ("my boxes", false, true),
      ("words_data", false, false), ("sqlite_schema", false, false), ("Words", false, false),
    ] {
      #expect(deeds.isView(name) == isView && deeds.isVirtual(name) == isVirtual, "\(name)")
    }
    #expect(deeds.hasVirtualTables && deeds.asksPragma("page_size") && !deeds.asksPragma("user_version"))
    // What lies behind a virtual table is read for it, and nothing that is only called like that.
    #expect(deeds.reads("words_content", "c0") && deeds.reads("my boxes_node", "nodeno"))
    #expect(!deeds.reads("plain_content", "c0") && !deeds.reads("seen_data", "x") && !deeds.reads("plain", "a"))
  }

  private static let family = [
    "CREATE TABLE p(id INTEGER PRIMARY KEY, secret)",
    "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE, note)",
    "CREATE TABLE g(c REFERENCES c(id) ON DELETE SET NULL, note)",
    "CREATE TABLE self(id INTEGER PRIMARY KEY, boss REFERENCES self(id) ON DELETE CASCADE)",
    "CREATE TABLE q(x, y, PRIMARY KEY (x, y))", "CREATE TABLE r(a, b, FOREIGN KEY (a, b) REFERENCES q)",
    "INSERT INTO p VALUES (1, 's')", "INSERT INTO c VALUES (1, 1, 'n')", "INSERT INTO g VALUES (1, 'n')",
  ]

  private func reach(_ table: String) -> StatementReach {
    StatementReach(tables: [table: .init(deeds: [.read, .insert, .update, .delete])])
  }

  @Test func `a write is followed to its children and theirs, and to no one else`() throws {
    let connection = try Connection.inMemory()
    for sql in Self.family { try connection.run(sql) }
    let deeds = try SchemaDeeds(on: connection).following(keysOf: ["p"], on: connection)
    #expect(deeds.reads("p", "id") && deeds.reads("c", "p") && deeds.reads("g", "c") && deeds.reads("c", "id"))
    #expect(!deeds.reads("p", "secret") && !deeds.reads("c", "note") && !deeds.reads("g", "note"))
    #expect(!deeds.reads("self", "id") && !deeds.reads("q", "x"))
    let child = try SchemaDeeds(on: connection).following(keysOf: ["r"], on: connection)
    #expect(child.reads("q", "x") && child.reads("q", "y") && child.reads("r", "b"))
    #expect(!child.reads("p", "id"))
    // A table that is its own child has an end.
    let own = try SchemaDeeds(on: connection).following(keysOf: ["self", "nowhere"], on: connection)
    #expect(own.reads("self", "boss") && !own.reads("p", "id"))
  }

  @Test(arguments: [[], ["CREATE TEMP VIEW c AS SELECT 1 AS x"], ["CREATE TEMP VIEW p AS SELECT 1 AS x"]])
  func `a parent's row goes with its children, whatever a setup calls its views`(views: [String]) throws {
    let connection = try Connection.inMemory()
    for sql in Self.family { try connection.run(sql) }
    for sql in views { try connection.makeTemporary(sql) }
    let deletion = try connection.prepare("DELETE FROM main.p WHERE id = 1", within: reach("p"))
    #expect(try !deletion.step())
    #expect(try connection.integer("SELECT count(*) FROM main.c") == 0)
    #expect(try connection.integer("SELECT count(*) FROM g WHERE c IS NULL") == 1)
  }

  @Test func `what a query reads is told, and not if it is wrong`() throws {
    let connection = try Connection.inMemory()
    for sql in Self.family { try connection.run(sql) }
    let queries: [(String, Set<String>)] = [
      ("SELECT 1", []), ("SELECT secret FROM p", ["p"]), ("SELECT 1 FROM p WHERE id IN (SELECT p FROM C)", ["p", "c"]),
      ("SELECT count(*) FROM g", ["g"]),
    ]
    for (sql, tables) in queries { #expect(try connection.reads(of: sql).tables == tables, "\(sql)") }
    #expect(throws: SQLiteError.self) { try connection.reads(of: "SELECT missing FROM p") }
    #expect(try connection.reads(of: "SELECT 1").tables == [], "nothing is left of the one before")
  }

  @Test func `the number of a schema changes with the schema and with nothing else`() throws {
    let scratch = try ScratchDatabase()
    let (first, second) = (try scratch.writer(), try scratch.writer())
    let changes: [(sql: String, isChange: Bool)] = [
      ("CREATE TABLE t(a)", true), ("INSERT INTO t VALUES (1)", false), ("CREATE INDEX i ON t(a)", true),
      ("PRAGMA user_version = 9", false), ("ALTER TABLE t ADD COLUMN b", true), ("DROP INDEX IF EXISTS nobody", false),
      ("DROP TABLE t", true),
    ]
    for (sql, isChange) in changes {
      let before = try first.schemaVersion()
      try second.run(sql)
      #expect(try (first.schemaVersion() != before) == isChange, "\(sql)")
      #expect(try first.schemaVersion() == second.schemaVersion())
    }
  }
}
