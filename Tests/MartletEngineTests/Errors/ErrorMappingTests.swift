/// What clients are told about SQLite's errors.
import Foundation
import MartletAST
import MartletSQLite
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct ErrorMappingTests {
  private func connection() throws -> Connection {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, clock: { 0 })
    for sql in [
      "CREATE TABLE parent(id INTEGER PRIMARY KEY, code TEXT UNIQUE)",
      """
      CREATE TABLE child(
        id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent(id), name TEXT NOT NULL,
        age INTEGER CONSTRAINT grown CHECK (age > 17), a, b, UNIQUE (a, b))
      """,
      "CREATE TABLE strict(n INTEGER) STRICT",
      "CREATE INDEX expression ON child(lower(name))", "CREATE UNIQUE INDEX names ON child(lower(name))",
      "CREATE TRIGGER guard BEFORE DELETE ON child BEGIN SELECT RAISE(ABORT, 'children stay'); END",
      "CREATE VIRTUAL TABLE words USING fts5(body)",
      "CREATE TABLE kept(id INTEGER PRIMARY KEY)",
      "CREATE TABLE keeper(k REFERENCES kept ON DELETE RESTRICT ON UPDATE RESTRICT)",
      "INSERT INTO kept VALUES (1)", "INSERT INTO keeper VALUES (1)",
      "INSERT INTO parent VALUES (1, 'secret')",
      "INSERT INTO child VALUES (1, 1, 'secret', 20, 'secret', 'secret')",
    ] {
      let statement = try connection.prepare(sql)
      while try statement.step() {}
    }
    return connection
  }

  @Test func `a file that cannot be written is told from a statement that may only read`() {
    let file = RequestError(SQLiteError.fileReadOnly)
    #expect(file.reason == .readOnly && file.message.contains("attempt to write a readonly database"))
    #expect(file.message.contains("directory"))
    let statement = RequestError(SQLiteError(extendedCode: SQLiteCode.readOnly, message: "x"))
    #expect(statement.reason == .readOnly && statement.message.contains("only reads are allowed"))
  }

  @Test func `a file that cannot be opened for want of descriptors is no fault of the file`() {
    for code in [EMFILE, ENFILE] {
      let refusal = FileFault(.unreadable(SystemFailure(code: code)), of: "shop.sqlite-lock").refusal(database: "shop")
      #expect(refusal.reason == .overloaded && refusal.isRetryable && refusal.message.contains("limit on open files"))
    }
    let denied = FileFault(.unreadable(SystemFailure(code: EACCES)), of: "shop.sqlite-lock").refusal(database: "shop")
    #expect(denied.reason == .notAllowed && !denied.isRetryable && denied.message.contains("shop.sqlite-lock"))
    let exhausted = RequestError(SQLiteError(extendedCode: SQLiteCode.noDescriptors, message: "x"))
    #expect(exhausted.reason == .overloaded && exhausted.isRetryable)
    let closed = RequestError(SQLiteError(extendedCode: SQLiteCode.cannotOpen, message: "x"))
    #expect(closed.reason == .sqlite && !closed.isRetryable)
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

  @Test func `what nests too deeply for SQLite's parser is told so`() throws {
    let connection = try connection()
    let nested: [(String, String, Int)] = [
      ("abs(", ")", 32), ("(SELECT ", ")", 19), ("CASE WHEN 1 THEN 1 ELSE ", " END", 24),
    ]
    for (open, close, depth) in nested {
      let sql = "SELECT " + String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      // Newer parsers grow.
      guard SQLiteLibrary.version < 3_046_000 else { continue }
      let refusal = try #require(error(of: sql, on: connection))
      #expect(refusal.code == .invalidArgument && refusal.reason == .limit)
      #expect(refusal.message.contains("nests deeper than SQLite's parser reads"))
    }
  }

  struct Expectation: Sendable {
    var sql: String
    var code: RequestError.Code
    var reason: RequestError.Reason
    var constraint = ""
    var table = ""
    var column = ""
  }

  @Test(arguments: [
    Expectation(
      sql: "INSERT INTO parent VALUES (1, 'x')", code: .alreadyExists, reason: .constraint, constraint: "PRIMARY KEY",
      table: "parent", column: "id"),
    Expectation(
      sql: "INSERT INTO parent VALUES (2, 'secret')", code: .alreadyExists, reason: .constraint, constraint: "UNIQUE",
      table: "parent", column: "code"),
    Expectation(
      sql: "INSERT INTO child(name, a, b) VALUES ('x', 'secret', 'secret')", code: .alreadyExists,
      reason: .constraint, constraint: "UNIQUE", table: "child", column: "a, b"),
    Expectation(
      sql: "INSERT INTO child(name) VALUES ('SECRET')", code: .alreadyExists, reason: .constraint,
      constraint: "names"),
    Expectation(
      sql: "INSERT INTO child(name) VALUES (NULL)", code: .failedPrecondition, reason: .constraint,
      constraint: "NOT NULL", table: "child", column: "name"),
    Expectation(
      sql: "INSERT INTO child(name, age) VALUES ('x', 7)", code: .failedPrecondition, reason: .constraint,
      constraint: "grown"),
    Expectation(
      sql: "INSERT INTO child(name, parent) VALUES ('x', 99)", code: .failedPrecondition, reason: .constraint,
      constraint: "FOREIGN KEY"),
    Expectation(
      sql: "INSERT INTO strict VALUES ('secret')", code: .failedPrecondition, reason: .constraint,
      constraint: "DATATYPE", table: "strict", column: "n"),
    Expectation(sql: "DELETE FROM child", code: .failedPrecondition, reason: .constraint, constraint: "TRIGGER"),
    // SQLite's code for these is that of a trigger.
    Expectation(sql: "DELETE FROM kept", code: .failedPrecondition, reason: .constraint, constraint: "FOREIGN KEY"),
    Expectation(
      sql: "UPDATE kept SET id = 2", code: .failedPrecondition, reason: .constraint, constraint: "FOREIGN KEY"),
    Expectation(
      sql: "REPLACE INTO kept VALUES (1)", code: .failedPrecondition, reason: .constraint, constraint: "FOREIGN KEY"),
    Expectation(sql: "DROP TABLE kept", code: .failedPrecondition, reason: .constraint, constraint: "FOREIGN KEY"),
    Expectation(sql: "SELECT * FROM nowhere", code: .invalidArgument, reason: .invalidStatement),
    Expectation(sql: "SELECT 1 FROM", code: .invalidArgument, reason: .invalidStatement),
    Expectation(sql: "BEGIN", code: .permissionDenied, reason: .notAllowed),
    Expectation(sql: "SELECT json('secret')", code: .invalidArgument, reason: .sqlite),
    Expectation(sql: "SELECT * FROM words WHERE words MATCH '\"secret'", code: .invalidArgument, reason: .sqlite),
    Expectation(sql: "SELECT abs(-9223372036854775808)", code: .outOfRange, reason: .sqlite),
    Expectation(sql: "SELECT zeroblob(2000000000)", code: .resourceExhausted, reason: .limit),
    Expectation(
      sql: "SELECT \(Array(repeating: "1", count: 2_001).joined(separator: ","))", code: .invalidArgument,
      reason: .limit),
  ])
  func `each SQLite error becomes its code, reason and sentence`(_ expected: Expectation) throws {
    let error = try #require(error(of: expected.sql, on: try connection()))
    #expect(error.code == expected.code)
    #expect(error.reason == expected.reason)
    #expect(error.constraint == expected.constraint)
    #expect(error.table == expected.table)
    #expect(error.column == expected.column)
    #expect(error.sqliteCode != 0)
    #expect(!error.message.lowercased().contains("secret"))
    // What a trigger raises are the words of whoever wrote it.
    if expected.constraint == "TRIGGER" {
      #expect(error.message == "children stay")
    } else {
      #expect(error.message.hasSuffix("."))
    }
  }

  @Test func `a compound of too many terms is told how many it may have`() throws {
    var limits = Limits()
    limits.compoundSelectsMax = 7
    let connection = try Connection(
      path: ":memory:", label: "test", access: .writer, setup: ConnectionSetup(limits: limits), clock: { 0 })
    let sql = (0..<8).map { "SELECT \($0)" }.joined(separator: " UNION ALL ")
    let error = try #require(#expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) })
    let mapped = RequestError(error, limits: limits, isCompiling: true)
    #expect(mapped.code == .invalidArgument && mapped.reason == .limit, "\(mapped)")
    #expect(mapped.message.hasPrefix("Too many terms in compound SELECT. It may have 7. "), "\(mapped)")
  }

  @Test func `an error of compiling names the node of the tree`() throws {
    let fixture = try ReadFixture()
    let bytes = ReadFixture.items { $0.columns[1].expression.column.name = "colour" }
    let plan = try fixture.plan(bytes)
    let reader = try Connection(path: fixture.path, label: "reader", access: .reader, clock: { 0 })
    let plans = PreparedPlans(connection: reader, limits: fixture.limits, counters: fixture.plans.counters)
    let error = #expect(throws: RequestError.self) { try plans.prepared(for: plan) }
    #expect(error?.message == "No such column: colour.")
    #expect(error?.path.hasPrefix("select.columns[1]") == true, "\(error?.path ?? "")")
  }
}
