import Testing

@testable import MartletSQLite

/// What SQLite does to all of a table in one step, in which nobody can end it.
@Suite struct WholeTableTests {
  private func connection(_ authority: ConnectionSetup.Authority) throws -> Connection {
    var setup = ConnectionSetup()
    setup.authority = authority
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: setup, clock: { 0 })
    for sql in [
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b)", "CREATE INDEX i ON t(b)", "CREATE TABLE u(a)",
      "CREATE TRIGGER r AFTER INSERT ON u BEGIN DELETE FROM t; END", "CREATE VIRTUAL TABLE f USING fts5(text)",
      "INSERT INTO t VALUES (1, 1), (2, 2)", "INSERT INTO f VALUES ('x')",
    ] { try connection.execute(sql) }
    return connection
  }

  private func operations(_ sql: String, _ connection: Connection) throws -> Set<String> {
    let statement = try connection.prepare("EXPLAIN " + sql)
    var found: Set<String> = []
    while try statement.step() { found.insert(String(decoding: statement.value(at: 1).textBytes, as: UTF8.self)) }
    return found
  }

  @Test(arguments: ["DELETE FROM t", "DELETE FROM t RETURNING a", "DELETE FROM u", "INSERT INTO u VALUES (1)"])
  func `a client's DELETE takes row by row`(sql: String) throws {
    #expect(try !operations(sql, connection(.clients)).contains("Clear"))
  }

  @Test func `the owner of a file empties a table at once`() throws {
    #expect(try operations("DELETE FROM t", connection(.owner)).contains("Clear"))
  }

  @Test func `it deletes all rows all the same, and says how many`() throws {
    let connection = try connection(.clients)
    try connection.execute("DELETE FROM t")
    #expect(try connection.text(of: "SELECT changes()") == "2")
    #expect(try connection.text(of: "SELECT count(*) FROM t") == "0")
    #expect(try connection.text(of: "SELECT count(*) FROM t INDEXED BY i") == "0")
    try connection.execute("DELETE FROM f")
    #expect(try connection.text(of: "SELECT count(*) FROM f") == "0")
  }

  @Test(arguments: ["DROP TABLE t", "DROP INDEX i", "DROP TRIGGER r", "DROP TABLE f", "DROP TABLE u"])
  func `what is dropped is gone`(sql: String) throws {
    let connection = try connection(.clients)
    let name = try #require(sql.split(separator: " ").last)
    try connection.execute(sql)
    #expect(try connection.text(of: "SELECT count(*) FROM sqlite_schema WHERE name = '\(name)'") == "0")
    #expect(try connection.text(of: "PRAGMA integrity_check") == "ok")
  }
}
