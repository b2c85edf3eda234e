/// What SQLite reported, as it is handed on: codes, words, and the place in the text.
import Foundation
import MartletSQLite
import Testing

@Suite struct SQLiteErrorTests {
  private func open() throws -> Connection {
    let connection = try Connection.inMemory()
    for sql in [
      "CREATE TABLE p(id INTEGER PRIMARY KEY)",
      "CREATE TABLE t(id INTEGER PRIMARY KEY, u UNIQUE, n NOT NULL DEFAULT 1, c CHECK (c > 0), p REFERENCES p(id))",
      "CREATE TABLE s(i INT) STRICT", "CREATE TABLE w(a PRIMARY KEY) WITHOUT ROWID",
      "CREATE TRIGGER r BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'kept for ever'); END",
      "INSERT INTO t(id, u) VALUES (1, 'x')", "INSERT INTO w VALUES (1)",
    ] { try connection.run(sql) }
    return connection
  }

  private static let failures: [(sql: String, code: Int32, says: String)] = [
    ("INSERT INTO t(u) VALUES ('x')", SQLiteCode.constraintUnique, "UNIQUE constraint failed: t.u"),
    ("INSERT INTO t(id) VALUES (1)", SQLiteCode.constraintPrimaryKey, "t.id"),
    ("INSERT INTO w VALUES (1)", SQLiteCode.constraintPrimaryKey, "w.a"),
    ("INSERT INTO t(n) VALUES (NULL)", SQLiteCode.constraintNotNull, "t.n"),
    ("INSERT INTO t(c) VALUES (0)", SQLiteCode.constraintCheck, "CHECK constraint failed"),
    ("INSERT INTO t(p) VALUES (9)", SQLiteCode.constraintForeignKey, "FOREIGN KEY"),
    ("DELETE FROM t", SQLiteCode.constraintTrigger, "kept for ever"),
    ("INSERT INTO s VALUES ('x')", SQLiteCode.constraintDataType, "s.i"),
    ("INSERT INTO t(id) VALUES ('x')", SQLiteCode.mismatch, "datatype mismatch"),
    ("SELECT abs(-9223372036854775807 - 1)", SQLiteCode.error, "integer overflow"),
    ("SELECT zeroblob(6000000)", SQLiteCode.tooBig, "too big"),
    ("ATTACH 'x' AS y", SQLiteCode.authorization, "A statement may not attach or detach databases"),
  ]

  @Test func `each failure has its extended code, the primary one of that, and SQLite's words`() throws {
    let connection = try open()
    for (sql, code, says) in Self.failures {
      let error = #expect(throws: SQLiteError.self, "\(sql)") { try connection.run(sql) }
      #expect(error?.extendedCode == code, "\(sql): \(String(describing: error))")
      #expect(error?.code == code & 0xff)
      #expect(error?.message.contains(says) == true, "\(sql): \(error?.message ?? "")")
      #expect(error?.damagedPage == nil)
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  private static let places: [(sql: String, offset: Int?)] = [
    ("SELEC 1", 0), ("SELECT 1, nowhere", 10), ("SELECT 'é', nowhere", 13), ("SELECT nofunction(1)", 7),
    ("SELECT 1 FROM t WHERE", nil), ("SELECT * FROM nowhere", nil), ("SELECT 1 1", 9),
  ]

  @Test func `the place in the text is counted in bytes, if SQLite knows it`() throws {
    let connection = try open()
    for (sql, offset) in Self.places {
      let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
      #expect(error?.offset == offset, "\(sql): \(String(describing: error))")
      #expect(error?.code == SQLiteCode.error)
    }
  }

  @Test func `an error says nothing of the one before it`() throws {
    let connection = try open()
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT 1, nowhere") }
    let second = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t(u) VALUES ('x')") }
    #expect(second?.extendedCode == SQLiteCode.constraintUnique && second?.offset == nil)
    #expect(try connection.integer("SELECT 1") == 1)
    let third = #expect(throws: SQLiteError.self) { try connection.prepare("") }
    #expect(third == SQLiteError(extendedCode: SQLiteCode.error, message: "The statement is empty."))
  }

  @Test func `a file that cannot be opened, or is none, is told when it is opened`() throws {
    let scratch = try ScratchDatabase()
    let folder = scratch.directory.path
    let letter = folder + "/letter.txt"
    try Data(String(repeating: "Dear reader, ", count: 500).utf8).write(to: URL(filePath: letter))
    let files: [(path: String, access: Connection.Access, code: Int32)] = [
      (folder, .writer, SQLiteCode.cannotOpen), (folder + "/missing/x.sqlite", .writer, SQLiteCode.cannotOpen),
      (folder + "/missing.sqlite", .reader, SQLiteCode.cannotOpen), (letter, .writer, SQLiteCode.notADatabase),
      (letter, .reader, SQLiteCode.notADatabase), (letter + "/x", .writer, SQLiteCode.cannotOpen),
    ]
    for (path, access, code) in files {
      let error = #expect(throws: SQLiteError.self, "\(path)") {
        try Connection(path: path, label: "test", access: access, clock: { 0 })
      }
      #expect(error?.code == code, "\(path): \(String(describing: error))")
    }
    #expect(!FileManager.default.fileExists(atPath: folder + "/missing.sqlite"))
  }

  /// The codes of this package must be none of SQLite's, and each must have the primary code that it is taken for.
  @Test func `codes of this package are told apart from one another`() {
    let codes: [(own: Int32, primary: Int32)] = [
      (SQLiteCode.rowDenied, SQLiteCode.constraint), (SQLiteCode.rowsNumberless, SQLiteCode.error),
      (SQLiteCode.temporaryFull, SQLiteCode.full), (SQLiteCode.temporaryDiskFull, SQLiteCode.full),
      (SQLiteCode.cannotVacuum, SQLiteCode.misuse),
      (SQLiteCode.keysMissing, SQLiteCode.misuse), (SQLiteCode.tooComplex, SQLiteCode.tooBig),
      (SQLiteCode.schemaTooLong, SQLiteCode.tooBig),
    ]
    #expect(Set(codes.map(\.own)).count == codes.count)
    for (own, primary) in codes {
      #expect(own != primary && SQLiteError(extendedCode: own, message: "").code == primary, "\(own)")
    }
  }
}
