/// Tables of SQLite's own that it reads as a whole: with the schema, or at each insert with AUTOINCREMENT.
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct InternalTableTests {
  /// Two rows for each of twelve objects.
  private func base() throws -> TemporaryDatabase {
    let base = try TemporaryDatabase { $0.limits.schemaObjectsMax = 12 }
    for sql in [
      "CREATE TABLE u(x)", "CREATE INDEX ux ON u(x)", "INSERT INTO u VALUES (1)", "ANALYZE",
      "CREATE TABLE numbered(id INTEGER PRIMARY KEY AUTOINCREMENT, x)", "INSERT INTO numbered(x) VALUES (1)",
    ] { try base.sql(sql) }
    return base
  }

  private func count(_ table: String, in base: TemporaryDatabase) throws -> [[Value]] {
    try base.sql("SELECT count(*) FROM \(table)").rows
  }

  private static func many(_ count: Int, into table: String, _ row: String) -> String {
    "INSERT INTO \(table) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
      + "SELECT \(row) FROM n"
  }

  @Test(arguments: [("sqlite_stat1", "'u', 'ux', '1 1'"), ("sqlite_sequence", "'numbered' || random(), 1")])
  func `what would fill a table beyond its bound is undone, and deleting makes room`(
    table: String, row: String
  ) throws {
    let base = try base()
    try base.sql(Self.many(20, into: table, row))
    func refuses(_ sql: String) throws {
      let error = try #require(base.result(Trees.raw(sql)).error, "\(sql)")
      #expect(error.code == .resourceExhausted && error.reason == .limit, "\(sql): \(error)")
      #expect(error.message.hasPrefix("The table '\(table)' may have 24 rows"), "\(error)")
    }
    try refuses(Self.many(4, into: table, row))
    #expect(try count(table, in: base) == [[21]])
    for _ in 0..<3 { try base.sql("INSERT INTO \(table) SELECT \(row)") }
    try refuses("INSERT INTO \(table) SELECT \(row)")
    try base.sql(
      "CREATE TRIGGER filling AFTER INSERT ON u BEGIN INSERT INTO \(table) SELECT \(row) FROM \(table); END")
    try refuses("INSERT INTO u VALUES (2)")
    #expect(try count("u", in: base) == [[1]] && count(table, in: base) == [[24]])
    try base.sql("DELETE FROM \(table) WHERE rowid > 2")
    try base.sql("INSERT INTO u VALUES (2)")
    #expect(try count(table, in: base) == [[4]])
    try base.sql("ANALYZE")
    try base.sql("INSERT INTO numbered(x) VALUES (2)")
  }

  @Test func `a few rows have no long texts either`() throws {
    let base = try base()
    let long = base.result(Trees.raw("UPDATE sqlite_stat1 SET stat = printf('%.*c', 2000000, '1')"))
    #expect(long.error?.message.contains("1048576 bytes, because SQLite reads all of it whenever it reads") == true)
    #expect(try base.sql("SELECT length(stat) FROM sqlite_stat1").rows == [[3]])
  }

  @Test func `a transaction goes on without the rows that were too many`() throws {
    let base = try base()
    let sink = CollectingSink()
    let begin = sink.token()
    let transaction = base.database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    for (sql, isRefused) in [
      ("INSERT INTO u VALUES (5)", false), (Self.many(30, into: "sqlite_stat1", "'u', 'ux', '1'"), true),
      ("CREATE TABLE more(a)", false), ("INSERT INTO sqlite_stat1 VALUES ('u', 'uy', '1')", false),
    ] {
      let token = sink.token()
      _ = transaction.start(StatementRequest(source: .statement(Trees.raw(sql))), token: token, sink: sink)
      #expect((sink.outcome(of: token).error?.reason == .limit) == isRefused, "\(sql)")
    }
    let token = sink.token()
    transaction.finish(commit: true, required: 0, token: token, sink: sink)
    #expect(sink.outcome(of: token).error == nil)
    #expect(try count("sqlite_stat1", in: base) == [[2]] && count("u", in: base) == [[2]])
  }

  /// By the limit of today; those of a larger schema that was made before are honest.
  @Test(arguments: [false, true]) func `a file that comes with too many is not opened`(isOfSchema: Bool) throws {
    func openFile() throws -> TemporaryDatabase {
      try TemporaryDatabase {
        $0.limits.schemaObjectsMax = 4
        try? Self.makeFile($0.directory + "/test.sqlite", tables: isOfSchema ? 20 : 1)
      }
    }
    guard !isOfSchema else {
      #expect(try count("sqlite_stat1", in: openFile()) == [[10]])
      return
    }
    let error = #expect(throws: RequestError.self) { _ = try openFile() }
    #expect(error?.code == .failedPrecondition && error?.reason == .limit, "\(String(describing: error))")
    let words = "The file came with more than 8 rows in the table 'sqlite_stat1'"
    #expect(error?.message.hasPrefix(words) == true, "\(String(describing: error))")
    #expect(error?.message.contains("Run `sqlite3 FILE 'DELETE FROM sqlite_stat1'`") == true)
  }

  private static func makeFile(_ path: String, tables: Int) throws {
    var setup = ConnectionSetup()
    setup.authority = .owner
    let owner = try Connection(path: path, label: "owner", access: .writer, setup: setup) { 0 }
    for number in 0..<tables { try owner.execute("CREATE TABLE t\(number)(a)") }
    for sql in ["INSERT INTO t0 VALUES (1)", "ANALYZE", "DELETE FROM sqlite_stat1"] { try owner.execute(sql) }
    try owner.execute(many(10, into: "sqlite_stat1", "'t0', NULL, '1'"))
  }
}
