/// Formats of dates, and constants.
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
}
