/// What SQLite's authorizer lets a statement touch, whatever was made of its tree: tables and columns, in whichever
/// part of it they stand, each time that it is compiled.
import MartletSQLite
import Testing

@Suite struct StatementReachTests {
  private static let schema = [
    "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, secret TEXT)",
    "INSERT INTO notes VALUES (1, 'one', 's1'), (2, 'two', 's2')",
    "CREATE TABLE vault(v)", "INSERT INTO vault VALUES ('gold')", "CREATE VIEW shown AS SELECT v FROM vault",
    "CREATE TABLE log(what)", "CREATE TABLE user_data(x)",
    "CREATE TRIGGER kept AFTER UPDATE ON notes BEGIN INSERT INTO log SELECT old.secret || v FROM vault; END",
    "CREATE TABLE parents(k TEXT PRIMARY KEY, secret TEXT)", "INSERT INTO parents VALUES ('p', 's'), ('q', 's')",
    """
    CREATE TABLE children(id INTEGER PRIMARY KEY, parent REFERENCES parents(k) ON DELETE CASCADE ON UPDATE CASCADE,
      note TEXT)
    """,
    "INSERT INTO children VALUES (1, 'p', 'n')",
    "CREATE TABLE grandchildren(child REFERENCES children(id) ON DELETE SET NULL)",
    "INSERT INTO grandchildren VALUES (1)",
    "CREATE VIRTUAL TABLE words USING fts5(text)", "INSERT INTO words VALUES ('some words')",
    "CREATE VIRTUAL TABLE titles USING fts5(title, content='notes', content_rowid='id')",
    "CREATE TRIGGER indexed AFTER INSERT ON notes BEGIN INSERT INTO titles(rowid, title) VALUES (new.id, new.title); END",
    "CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1)", "INSERT INTO boxes VALUES (1, 2, 3)",
  ]

  private static func open() throws -> Connection {
    let connection = try Connection(path: ":memory:", label: "reach", access: .writer) { 0 }
    for sql in schema { try connection.execute(sql) }
    return connection
  }

  private static let all: Set<StatementReach.Table.Deed> = [.read, .insert, .update, .delete]

  /// Some columns of notes, and other tables as a whole.
  private static let reach = StatementReach(
    tables: [
      "notes": .init(deeds: all, readColumns: ["id", "title"], writtenColumns: ["title"]),
      "shown": .init(deeds: [.read]), "parents": .init(deeds: all), "words": .init(deeds: all),
      "boxes": .init(deeds: all), "log": .init(deeds: [.insert]),
    ],
    commonTables: ["c"], tableFunctions: ["json_each"], closedFunctions: ["changes"])

  private static let refused = [
    "SELECT * FROM vault", "SELECT count(*) FROM vault", "SELECT secret FROM notes", "SELECT * FROM notes",
    "SELECT id FROM notes WHERE secret = 's1'", "SELECT id FROM notes ORDER BY secret",
    "SELECT (SELECT max(v) FROM vault) FROM notes", "WITH c AS (SELECT v FROM vault) SELECT * FROM c",
    "WITH c AS (SELECT secret FROM notes) SELECT count(*) FROM c", "SELECT id FROM notes JOIN vault",
    "SELECT id FROM notes UNION SELECT v FROM vault", "SELECT x FROM user_data", "SELECT what FROM log",
    "SELECT name FROM sqlite_schema", "SELECT * FROM pragma_table_info('notes')",
    "SELECT changes()", "PRAGMA user_version", "SELECT name FROM temp.sqlite_schema",
    "INSERT INTO vault VALUES (1)", "INSERT INTO log SELECT v FROM vault", "INSERT INTO log SELECT secret FROM notes",
    "UPDATE notes SET secret = 1", "UPDATE notes SET title = secret", "UPDATE notes SET title = 1 WHERE secret = 's1'",
    "UPDATE notes SET id = 5", "UPDATE notes SET title = v FROM vault", "UPDATE log SET what = 1",
    "UPDATE children SET note = 'x'", "INSERT INTO children(note) VALUES ('x')",
    "INSERT INTO notes(id, title) VALUES (1, 1) ON CONFLICT(id) DO UPDATE SET secret = 1", "DELETE FROM log",
    "DELETE FROM vault", "DELETE FROM notes WHERE id IN (SELECT v FROM vault)",
    "CREATE TABLE t(a)", "DROP TABLE notes", "ALTER TABLE notes RENAME TO n", "CREATE INDEX i ON notes(title)",
    "CREATE TABLE vault_data(x)",
  ]

  @Test func `what is not in its reach no statement touches, wherever it stands`() throws {
    let connection = try Self.open()
    for sql in Self.refused {
      let error = #expect(throws: SQLiteError.self, "\(sql)") { try connection.prepare(sql, within: Self.reach) }
      #expect(error?.code == SQLiteCode.authorization, "\(sql): \(String(describing: error))")
    }
  }

  private static let allowed = [
    "SELECT id, title FROM notes WHERE title LIKE 'o%' ORDER BY id", "SELECT count(*) FROM notes",
    "SELECT v FROM shown",
    "SELECT rowid FROM notes", "WITH c AS (SELECT v FROM shown) SELECT count(*) FROM c",
    "SELECT count(*) FROM shown", "SELECT 1 FROM shown, notes",
    "SELECT value FROM json_each('[1]')", "SELECT text FROM words WHERE words MATCH 'some'",
    "SELECT id FROM boxes WHERE x0 < 3", "UPDATE notes SET title = 'x' WHERE id = 1", "DELETE FROM notes WHERE id = 2",
    "INSERT INTO notes(id, title) VALUES (7, 'new')", "INSERT INTO log VALUES ('x')",
    "DELETE FROM parents WHERE k = 'p'",
    "UPDATE parents SET k = 'r' WHERE k = 'q'", "INSERT INTO words VALUES ('x')", "INSERT INTO boxes VALUES (2, 3, 4)",
    "UPDATE notes SET title = 'y' RETURNING id", "DELETE FROM words", "INSERT INTO parents VALUES ('z', NULL)",
  ]

  @Test func `what the schema does by itself it does, and virtual tables are opened`() throws {
    for sql in Self.allowed {
      // A connection of its own: the first statement on it opens the virtual tables.
      let connection = try Self.open()
      for _ in 0..<2 {
        let statement = try connection.prepare(sql, within: Self.reach)
        do {
          while try statement.step() {}
        } catch {
          // The second time a row may be there already.
          if error.code != SQLiteCode.constraint { Issue.record("\(sql): \(error)") }
        }
      }
      #expect(
        try connection.text(of: "SELECT group_concat(quote(child)) FROM grandchildren")
          == (sql.contains("FROM parents") ? "NULL" : "1"))
    }
  }

  @Test func `a statement that SQLite compiles anew is held to the same`() throws {
    let cases: [(change: String, sql: String)] = [
      ("ALTER TABLE shown2 ADD COLUMN hidden DEFAULT 'gold'", "SELECT * FROM shown2"),
      ("ALTER TABLE shown2 ADD COLUMN hidden DEFAULT 'gold'", "INSERT INTO log SELECT * FROM shown2"),
      ("CREATE TABLE c(hidden)", "SELECT a FROM shown2"),
    ]
    for (change, sql) in cases {
      let connection = try Self.open()
      try connection.execute("CREATE TABLE shown2(a)")
      try connection.execute("INSERT INTO shown2 VALUES (1)")
      if sql.hasPrefix("INSERT") { try connection.execute("ALTER TABLE log RENAME TO log2") }
      if sql.hasPrefix("INSERT") { try connection.execute("CREATE TABLE log(a)") }
      let reach = StatementReach(tables: [
        "shown2": .init(deeds: [.read], readColumns: ["a"]), "log": .init(deeds: [.insert]),
      ])
      let statement = try connection.prepare(sql, within: reach)
      while try statement.step() {}
      statement.reset()
      try connection.execute(change)
      let mustEnd = change.hasPrefix("ALTER")
      do {
        while try statement.step() {}
        #expect(!mustEnd, "\(sql)")
      } catch {
        #expect(mustEnd && error.code == SQLiteCode.schema && statement.isOutgrown, "\(sql): \(error)")
      }
    }
  }

  /// Opening a virtual table asks for more than the statement does, so it is opened by a compilation of its own.
  @Test func `a compilation that ends for its time at any moment is not told as beyond the reach`() throws {
    let reach = StatementReach(tables: [:], tableFunctions: ["martlet_rows", "martlet_list"])
    let sql = "SELECT c0, c1 FROM martlet_rows(?1) UNION SELECT 1, 2 FROM martlet_list(?2)"
    var (late, done) = (0, 0)
    for round in 0..<3 {
      for microseconds in Array(stride(from: 20 + round, to: 1_500, by: 5)) + [250_000] {
        var setup = ConnectionSetup()
        setup.compileMicrosecondsMax = microseconds
        setup.compileWriteMicrosecondsMax = microseconds
        setup.compileAllocationsShort = 0
        let connection = try Connection(path: ":memory:", label: "reach", access: .writer, setup: setup) { 0 }
        do throws(SQLiteError) {
          _ = try connection.prepare(sql, within: reach)
          done += 1
        } catch {
          #expect(error.code == SQLiteCode.tooBig, "\(microseconds) µs: \(error)")
          late += 1
        }
      }
    }
    #expect(late > 0 && done > 0)
  }

  @Test func `what a foreign key does is let through beside its parent only`() throws {
    let connection = try Self.open()
    let reach = StatementReach(tables: ["notes": .init(deeds: Self.all), "log": .init(deeds: [.insert])])
    for sql in ["DELETE FROM children", "UPDATE children SET parent = 'q'", "SELECT parent FROM children"] {
      #expect(throws: SQLiteError.self, "\(sql)") { try connection.prepare(sql, within: reach) }
    }
    for sql in ["UPDATE children SET note = 'x'", "UPDATE grandchildren SET child = 1", "SELECT note FROM children"] {
      #expect(throws: SQLiteError.self, "\(sql)") { try connection.prepare(sql, within: reach) }
    }
  }

  @Test func `tables behind a virtual one are let through only where there is such a virtual table`() throws {
    let connection = try Self.open()
    try connection.execute("CREATE TABLE vault_data(x)")
    try connection.execute("CREATE TABLE vault_content(x)")
    for name in ["user_data", "vault_data", "vault_content"] {
      #expect(throws: SQLiteError.self) { try connection.prepare("SELECT x FROM \(name)", within: Self.reach) }
      #expect(throws: SQLiteError.self) { try connection.prepare("DELETE FROM \(name)", within: Self.reach) }
    }
  }

  @Test func `what a query reads is told by the columns that SQLite names`() throws {
    let connection = try Self.open()
    let read = try connection.reads(of: "SELECT 1 FROM notes WHERE secret = 1 AND EXISTS (SELECT * FROM vault)")
    #expect(read.tables == ["notes", "vault"])
    let reach = StatementReach(tables: [:], conditions: read)
    _ = try connection.prepare("SELECT secret FROM notes, vault WHERE v = 1", within: reach)
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT title FROM notes", within: reach) }
  }
}
