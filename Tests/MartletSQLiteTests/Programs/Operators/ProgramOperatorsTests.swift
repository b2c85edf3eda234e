/// Formats of dates, constants, and keys that many tables refer to.
import MartletSQLite
import Testing

@Suite struct ProgramOperatorsTests {
  private func count(_ sql: String) throws -> Int {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE e(at TEXT, amount REAL, kind TEXT)")
    return try connection.prepare(sql).operatorCount(on: .stored)
  }

  @Test func `a date costs what reading it does, and only a long format more`() throws {
    func sums(_ call: String) -> String {
      "SELECT "
        + (0..<500).map { "sum(CASE WHEN \(call) = '\($0)' THEN amount ELSE 0 END)" }.joined(separator: ", ")
        + " FROM e"
    }
    #expect((500..<1_100).contains(try count(sums("strftime('%d%H', at)"))))
    #expect(try count(sums("strftime(kind, at)")) >= 500 * 9)
    #expect(try count(sums("strftime('%d' || kind, at)")) >= 500 * 9)
  }

  @Test func `a constant is long if it has many bytes, whatever they are`() throws {
    func sums(_ bytes: Int) -> String {
      let constant = "x'\(String(repeating: "00", count: bytes))'"
      return "SELECT " + (0..<100).map { "abs(\(constant) || \($0))" }.joined(separator: ", ")
    }
    #expect(try count(sums(8)) < 20)
    #expect(try count(sums(300)) >= 100)
  }

  @Test(arguments: ["SET NULL", "CASCADE"])
  func `a key to which many tables refer is not counted for all rows of theirs at once`(action: String) throws {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE p(id TEXT PRIMARY KEY, name TEXT)")
    let key = "TEXT REFERENCES p(id) ON DELETE \(action) ON UPDATE CASCADE"
    for table in (0..<30).map({ "c\($0)" }) {
      try connection.run("CREATE TABLE \(table)(id INTEGER PRIMARY KEY, body TEXT, a \(key), b \(key))")
      try connection.run("CREATE INDEX \(table)a ON \(table)(a)")
      try connection.run("CREATE INDEX \(table)b ON \(table)(b)")
    }
    for sql in ["UPDATE p SET id = 'y' WHERE id = 'x'", "DELETE FROM p WHERE id IN ('x', 'y')"] {
      let statement = try connection.prepare(sql)
      let (row, round) = (try statement.operatorCount(on: .row), try statement.operatorCount(on: .round))
      // Every key is looked for.
      #expect((90..<204).contains(round) && row > round, "\(round) and \(row) of \(sql)")
    }
  }

  @Test func `what is within one round counts together, and so does what no look divides`() throws {
    let sums = (0..<300).map { "(kind + \($0))" }.joined(separator: " | ")
    let connection = try Connection.inMemory()
    for sql in [
      "CREATE TABLE e(kind TEXT)", "CREATE TABLE sums(n)",
      "CREATE TRIGGER s AFTER INSERT ON sums BEGIN INSERT INTO e SELECT \(sums) FROM e; END",
    ] {
      try connection.run(sql)
    }
    for sql in ["SELECT \(sums) FROM e", "INSERT INTO sums SELECT \(sums) FROM e", "INSERT INTO sums VALUES (1)"] {
      let found = try connection.prepare(sql).operatorCount(on: .round)
      #expect(found >= 300, "\(found) of \(sql.prefix(40))")
    }
  }
}
