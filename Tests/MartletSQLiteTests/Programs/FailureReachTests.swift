/// Which statements SQLite undoes as a whole, and nothing else, if a row does not fulfil a constraint.
import Testing

@testable import MartletSQLite

@Suite struct FailureReachTests {
  private func open() throws -> Connection {
    let connection = try Connection.inMemory()
    for sql in [
      "CREATE TABLE parent(id INTEGER PRIMARY KEY)",
      "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT UNIQUE, qty INTEGER NOT NULL CHECK(qty > 0))",
      "CREATE TABLE child(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent)",
      "CREATE TABLE late(parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)",
      "CREATE TABLE noted(a)", "CREATE TABLE keeping(a)", "CREATE TABLE ending(a)", "CREATE TABLE quiet(a)",
      "CREATE VIRTUAL TABLE docs USING fts5(body)", "CREATE TABLE mirrored(body)",
      "CREATE TRIGGER n AFTER INSERT ON noted BEGIN SELECT RAISE(ABORT, 'no') WHERE new.a = 1; END",
      "CREATE TRIGGER k AFTER INSERT ON keeping BEGIN SELECT RAISE(FAIL, 'no') WHERE new.a = 1; END",
      "CREATE TRIGGER e AFTER INSERT ON ending BEGIN SELECT RAISE(ROLLBACK, 'no') WHERE new.a = 1; END",
      "CREATE TRIGGER q AFTER INSERT ON quiet BEGIN SELECT RAISE(IGNORE) WHERE new.a = 1; END",
      "CREATE TRIGGER m AFTER INSERT ON mirrored BEGIN INSERT INTO docs VALUES (new.body); END",
    ] {
      try connection.run(sql)
    }
    return connection
  }

  private static let table: [(String, FailureReach)] = [
    ("INSERT INTO item VALUES (?, ?, ?)", .statement),
    ("INSERT INTO item VALUES (?, ?, ?) RETURNING id", .statement),
    ("INSERT INTO item SELECT id, id, 1 FROM parent", .statement),
    ("INSERT OR IGNORE INTO item VALUES (?, ?, ?)", .statement),
    ("INSERT OR REPLACE INTO item VALUES (?, ?, ?)", .statement),
    ("INSERT INTO item VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET qty = qty + excluded.qty", .statement),
    ("UPDATE item SET qty = ? WHERE id = ?", .statement), ("DELETE FROM item", .statement),
    ("INSERT INTO child VALUES (?, ?)", .statement), ("DELETE FROM quiet", .statement),
    ("INSERT INTO noted VALUES (?)", .statement), ("INSERT INTO quiet VALUES (?)", .statement),
    ("INSERT OR FAIL INTO item VALUES (?, ?, ?)", .beyond),
    ("INSERT OR ROLLBACK INTO item VALUES (?, ?, ?)", .beyond),
    ("UPDATE OR FAIL item SET name = ?", .beyond),
    ("INSERT INTO late VALUES (?)", .beyond), ("DELETE FROM parent", .beyond),
    ("INSERT INTO keeping VALUES (?)", .beyond), ("INSERT INTO ending VALUES (?)", .beyond),
    ("INSERT INTO docs VALUES (?)", .beyond), ("INSERT INTO mirrored VALUES (?)", .beyond),
    ("CREATE TABLE other(a)", .beyond), ("DROP TABLE noted", .beyond),
  ]

  @Test(arguments: table) func `a failure of this statement reaches so far`(sql: String, reach: FailureReach) throws {
    let statement = try open().prepare(sql)
    #expect(statement.knownFailureReach == .beyond, "nobody has looked")
    #expect(statement.findFailureReach() == reach)
    #expect(statement.knownFailureReach == reach)
  }

  @Test func `what was known is forgotten when SQLite compiles the statement anew`() throws {
    let connection = try open()
    let statement = try connection.prepare("INSERT INTO noted VALUES (2)")
    #expect(statement.findFailureReach() == .statement)
    try connection.run("CREATE TRIGGER p AFTER INSERT ON noted BEGIN SELECT RAISE(FAIL, 'no'); END")
    #expect(throws: SQLiteError.self) { while try statement.step() {} }
    statement.reset()
    #expect(statement.knownFailureReach == .beyond)
    #expect(statement.findFailureReach() == .beyond)
  }

  @Test func `a statement that is too large is not looked at`() throws {
    let values = Array(repeating: "(?, ?, ?)", count: 2_000).joined(separator: ", ")
    let statement = try open().prepare("INSERT INTO item VALUES \(values)")
    #expect(statement.byteCount > SQLiteLimits.failureStatementBytesMax)
    #expect(statement.findFailureReach() == .beyond)
  }

  @Test func `constraints are told from what SQLite may have carried out in part`() {
    let constraints = [
      SQLiteCode.constraintCheck, SQLiteCode.constraintForeignKey, SQLiteCode.constraintNotNull,
      SQLiteCode.constraintPrimaryKey, SQLiteCode.constraintRowID, SQLiteCode.constraintTrigger,
      SQLiteCode.constraintUnique,
    ]
    for code in constraints { #expect(FailureReach.isOfConstraint(code)) }
    let others = [
      0, SQLiteCode.tooBig, SQLiteCode.mismatch, SQLiteCode.error, SQLiteCode.interrupt, SQLiteCode.full,
      SQLiteCode.constraint, SQLiteCode.constraintDataType, SQLiteCode.rowDenied, SQLiteCode.io,
    ]
    for code in others { #expect(!FailureReach.isOfConstraint(code)) }
  }
}
