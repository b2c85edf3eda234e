/// A schema that another connection has changed since this one read it.
import MartletSQLite
import Testing

@Suite struct ChangedSchemaTests {
  typealias Change = (before: [String], change: [String], statement: String)

  /// Each statement is right after the change, and SQLite refuses it by the schema as it was.
  static let changes: [Change] = [
    (["CREATE TABLE t(a, b)"], ["ALTER TABLE t ADD COLUMN c"], "INSERT INTO t VALUES(1, 2, 3)"),
    (["CREATE TABLE t(a, b)"], ["ALTER TABLE t ADD COLUMN c"], "SELECT * FROM t UNION ALL SELECT 1, 2, 3"),
    (["CREATE TABLE t(a, b)"], ["ALTER TABLE t ADD COLUMN c"], "ALTER TABLE t RENAME COLUMN c TO d"),
    (["CREATE TABLE t(a, b)"], ["ALTER TABLE t ADD COLUMN c"], "ALTER TABLE t DROP COLUMN c"),
    (
      ["CREATE TABLE t(a, b)"], ["CREATE UNIQUE INDEX i ON t(a)"],
      "INSERT INTO t VALUES(1, 2) ON CONFLICT(a) DO UPDATE SET b = 3"
    ),
    (["CREATE VIEW v AS SELECT 1 AS a"], ["DROP VIEW v", "CREATE TABLE v(a)"], "INSERT INTO v VALUES(1)"),
    (
      ["CREATE TABLE t(a)", "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END"], ["DROP TRIGGER g"],
      "CREATE TRIGGER g AFTER DELETE ON t BEGIN SELECT 1; END"
    ),
    (["CREATE TABLE t(a)", "CREATE TABLE u(a)"], ["DROP TABLE u"], "ALTER TABLE t RENAME TO u"),
    (["CREATE TABLE t(a)", "CREATE TABLE u(a)"], ["DROP TABLE u"], "CREATE TABLE u(a, b)"),
    (["CREATE TABLE t(a)"], ["CREATE INDEX i ON t(a)"], "REINDEX i"),
    (["CREATE TABLE t(a)"], ["CREATE TABLE u(a)"], "INSERT INTO u VALUES(1)"),
  ]

  @Test(arguments: changes, [false, true])
  func `a statement is compiled by the schema as it is`(change: Change, isInTransaction: Bool) throws {
    let scratch = try ScratchDatabase()
    let (first, second) = (try scratch.writer(), try scratch.writer())
    for sql in change.before { try first.run(sql) }
    // Both know it as it was.
    for connection in [first, second] { try connection.readSchema() }
    for sql in change.change { try second.run(sql) }
    if isInTransaction { _ = try first.prepare("BEGIN IMMEDIATE", for: .engine).step() }
    try first.run(change.statement)
    if isInTransaction { _ = try first.prepare("COMMIT", for: .engine).step() }
  }

  @Test func `a statement that is wrong after the change is refused by the schema as it is`() throws {
    let scratch = try ScratchDatabase()
    let (first, second) = (try scratch.writer(), try scratch.writer())
    try first.run("CREATE TABLE t(a, b)")
    try second.run("ALTER TABLE t ADD COLUMN c")
    let error = #expect(throws: SQLiteError.self) { try first.run("INSERT INTO t VALUES(1, 2)") }
    #expect(error?.message == "table t has 3 columns but 2 values were supplied")
  }

  @Test func `a transaction that SQLite gives up while it reads the schema is not gone on with`() throws {
    let scratch = try ScratchDatabase()
    let first = try scratch.writer()
    try first.run("CREATE TABLE t(a)")
    for number in 0..<1_500 { try first.run("CREATE TABLE t\(number)(a INTEGER PRIMARY KEY, b TEXT, c, d)") }
    var setup = ConnectionSetup()
    setup.compileMicrosecondsMax = 500
    let second = try Connection(path: scratch.path, label: "second", access: .writer, setup: setup) { 1 }
    func engine(_ sql: String) throws { _ = try second.prepare(sql, for: .engine).step() }
    func undoChange() throws {
      try engine("BEGIN IMMEDIATE")
      try second.run("CREATE TABLE gone(a)")
      try engine("ROLLBACK")
    }
    try undoChange()
    try engine("BEGIN IMMEDIATE")
    // SQLite has let go of the schema, and takes longer to read it than a statement may be compiled.
    let error = #expect(throws: SQLiteError.self) { try second.run("INSERT INTO t VALUES(1)") }
    #expect(error?.code == SQLiteCode.interrupt)
    #expect(try first.text("SELECT count(*) FROM t") == "0")
    // Without a transaction to lose it is only a matter of time.
    #expect(second.isAutocommit)
    try second.run("INSERT INTO t VALUES(2)")
    #expect(try first.text("SELECT count(*) FROM t") == "1")
  }

  /// The step of a fixed statement reads the schema, too.
  @Test func `who bounds the reading of the schema reads none at length to look at its tables`() throws {
    let scratch = try ScratchDatabase()
    let first = try scratch.writer()
    for number in 0..<1_500 { try first.run("CREATE TABLE t\(number)(a INTEGER PRIMARY KEY, b TEXT, c, d)") }
    var setup = ConnectionSetup()
    setup.compileMicrosecondsMax = 200
    setup.boundsSchemaReading = true
    let second = try Connection(path: scratch.path, label: "second", access: .reader, setup: setup) { 1 }
    try second.readSchema()
    #expect(try !second.isShadow("t1_data"))
    try first.run("CREATE VIRTUAL TABLE f USING fts5(a)")
    let error = #expect(throws: SQLiteError.self) { try second.isShadow("f_data") }
    #expect(error?.extendedCode == SQLiteCode.tooComplex)
    try second.readSchema()
    #expect(try second.isShadow("f_data"))
  }

  @Test func `a connection that commits only for the engine keeps nothing of a statement on its own`() throws {
    let scratch = try ScratchDatabase()
    let connection = try scratch.writer()
    try connection.run("CREATE TABLE t(a)")
    connection.commitOnlyForEngine()
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES(1)") }
    #expect(connection.isAutocommit)
    #expect(try connection.text("SELECT count(*) FROM t") == "0")
    for sql in ["BEGIN IMMEDIATE", "INSERT INTO t VALUES(2)", "COMMIT"] {
      _ = try connection.prepare(sql, for: sql.hasPrefix("INSERT") ? .program : .engine).step()
    }
    #expect(try connection.text("SELECT count(*) FROM t") == "1")
  }
}
