/// Scripts: each statement in its turn, and what ends one.
import MartletSQLite
import Testing

@Suite struct ScriptTextTests {
  /// Runs a script; the error that ended it, and how many statements had run by then.
  private func run(_ sql: String, on connection: Connection) -> (ran: Int, error: SQLiteError?) {
    var script = ScriptText(sql)
    var ran = 0
    do throws(SQLiteError) {
      while let statement = try connection.prepareNext(of: &script) {
        while try statement.step() {}
        ran += 1
      }
      return (ran, nil)
    } catch {
      return (ran, error)
    }
  }

  private static let scripts: [(sql: String, statements: Int)] = [
    ("", 0), ("   \n\t", 0), (";;;", 0), ("-- only this", 0), ("/* and this */", 0), ("/* left open", 0),
    ("SELECT 1", 1), ("SELECT 1;", 1), ("SELECT 1;;; SELECT 2 -- end", 2),
    ("-- first\nSELECT 1; /* ; */ SELECT ';'", 2),
    ("CREATE TABLE t(a); INSERT INTO t VALUES (';'); SELECT * FROM t", 3),
    ("CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END; SELECT 3;", 3),
    ("SELECT 'é🐦'; SELECT 2", 2), (String(repeating: "SELECT 1;\n", count: 3_000), 3_000),
    (String(repeating: ";", count: 10_000) + "SELECT 1", 1),
  ]

  @Test func `each statement runs once, and space, comments and semicolons are none`() throws {
    for (sql, statements) in Self.scripts {
      let (ran, error) = run(sql, on: try Connection.inMemory())
      #expect(ran == statements && error == nil, "\(sql.prefix(80)): \(ran) \(String(describing: error))")
    }
  }

  private static let wrong: [(sql: String, ran: Int, says: String)] = [
    ("CREATE TABLE t(a); SELEC 1; DROP TABLE t", 1, "near \"SELEC\""),
    ("CREATE TABLE t(a); INSERT INTO t VALUES (1, 2); DROP TABLE t", 1, "1 columns but 2 values"),
    ("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES (1), (1); DROP TABLE t", 1, "UNIQUE"),
    ("CREATE TABLE t(a); COMMIT; DROP TABLE t", 1, "A statement may not control transactions"),
    ("CREATE TABLE t(a); ATTACH 'x' AS y; DROP TABLE t", 1, "A statement may not attach"),
    ("CREATE TABLE t(a);\0DROP TABLE t", 1, "A zero byte stands in the script, at byte 18"),
    ("CREATE TABLE t(a); -- \0 DROP TABLE t", 1, "A zero byte"),
    ("CREATE TABLE t(a); 'x\0'; DROP TABLE t", 1, "unrecognized"),
  ]

  @Test func `an error ends a script, and what ran before it is done`() throws {
    for (sql, ran, says) in Self.wrong {
      let connection = try Connection.inMemory()
      let end = run(sql, on: connection)
      #expect(end.ran == ran, "\(sql)")
      #expect(end.error?.message.contains(says) == true, "\(sql): \(end.error?.message ?? "nothing")")
      #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 't'") == 1, "\(sql)")
      #expect(run("DROP TABLE t", on: connection).error == nil, "\(sql)")
    }
  }

  @Test func `a script may go on after an error of a step, and not past one of its text`() throws {
    let connection = try Connection.inMemory()
    var script = ScriptText("SELECT abs(-9223372036854775807 - 1); SELECT 2; SELEC 3; SELECT 4")
    let first = try connection.prepareNext(of: &script)
    #expect(throws: SQLiteError.self) { _ = try first?.step() }
    let second = try connection.prepareNext(of: &script)
    #expect(try second?.step() == true && second?.value(at: 0).integer == 2)
    for _ in 0..<2 { #expect(throws: SQLiteError.self) { _ = try connection.prepareNext(of: &script) } }
  }

  @Test func `a statement of a script is bounded in its bytes, and the script is not`() throws {
    var setup = ConnectionSetup()
    setup.sqlBytesMax = 1_000
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: setup, clock: { 0 })
    #expect(run(String(repeating: "SELECT 1;", count: 500), on: connection).ran == 500)
    let end = run("SELECT 1; SELECT '\(String(repeating: "x", count: 1_000))'", on: connection)
    #expect(end.error != nil)
  }
}
