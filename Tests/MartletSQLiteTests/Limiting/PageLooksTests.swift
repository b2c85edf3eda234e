/// Steps of SQLite that read many pages and ask nobody: they end, and what they did is undone.
import MartletSQLite
import Synchronization
import Testing

@Suite(.serialized) struct PageLooksTests {
  /// Wishes for the end of a statement from the `first` look on.
  private final class LateWish: CancellationSource {
    private let first: Int
    private let count = Atomic<Int>(0)

    init(from first: Int) { self.first = first }

    var looks: Int { count.load(ordering: .relaxed) }
    var isCancelled: Bool { count.add(1, ordering: .relaxed).newValue >= first }
  }

  /// Leaves its place at the first look.
  private final class Polite: StatementPacer {
    func mustEnd() -> Bool { true }
    func compilesLong() {}
  }

  private static let numbers = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"

  /// Two tables of over a megabyte with an index each, and a full-text index; SQLite keeps 256 KiB of them.
  private func filled(isInLog: Bool) throws -> (ScratchDatabase, Connection) {
    var setup = ConnectionSetup()
    setup.pageCacheBytes = 256 << 10
    let scratch = try ScratchDatabase()
    let connection = try scratch.writer(setup)
    for sql in [
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)", "CREATE INDEX i ON t(b)",
      "CREATE TABLE large(a INTEGER PRIMARY KEY, b BLOB)", "CREATE VIRTUAL TABLE f USING fts5(b)",
      "\(Self.numbers) INSERT INTO t SELECT i, hex(randomblob(400)) FROM n",
      // Rows of several pages each, most of which lie in no tree.
      "\(Self.numbers) INSERT INTO large SELECT i, zeroblob(9000) FROM n LIMIT 150",
      "\(Self.numbers) INSERT INTO f SELECT hex(randomblob(400)) FROM n",
    ] { try connection.execute(sql) }
    if !isInLog { _ = try connection.checkpoint(.truncate) }
    return (scratch, connection)
  }

  private struct Ending {
    var error: SQLiteError?
    var looks = 0
  }

  private func run(_ sql: String, on connection: Connection, wishFrom look: Int, isAlone: Bool = true) throws -> Ending
  {
    let statement = try connection.prepare(sql)
    let wish = LateWish(from: look)
    connection.limiter.arm(cancellation: wish, isAlone: isAlone)
    defer {
      connection.limiter.disarm()
      statement.reset()
    }
    do throws(SQLiteError) {
      while try statement.step() {}
      return Ending(looks: wish.looks)
    } catch {
      return Ending(error: error, looks: wish.looks)
    }
  }

  /// An R-tree table that was written keeps a statement of its own open, so that SQLite, told to end, would go on so.
  @Test func `a read that is ended behind a write of an R-tree table ends nothing that comes after it`() throws {
    let (_, connection) = try filled(isInLog: false)
    try connection.execute("CREATE VIRTUAL TABLE r USING rtree(id, a, b)")
    for _ in 0..<20 {
      _ = try connection.prepare("BEGIN", for: .engine).step()
      try connection.run("INSERT INTO r VALUES (NULL, 1, 2)")
      let ending = try run("SELECT count(*) FROM large", on: connection, wishFrom: 1)
      #expect(ending.error?.code == SQLiteCode.interrupt)
      #expect(try value("SELECT count(*) FROM t", on: connection) == "1500")
      let back = try connection.prepare("ROLLBACK", for: .engine)
      while try back.step() {}
      #expect(connection.isAutocommit)
    }
    #expect(try value("SELECT count(*) FROM r", on: connection) == "0")
  }

  private func value(_ sql: String, on connection: Connection) throws -> String {
    try connection.text(sql) ?? ""
  }

  private func contents(of connection: Connection) throws -> [String] {
    try [
      "PRAGMA integrity_check", "SELECT count(*) || ' ' || sum(length(b)) FROM t", "SELECT count(*) FROM large",
      "SELECT count(*) FROM f WHERE f MATCH 'a*'", "SELECT group_concat(name) FROM sqlite_schema",
    ].map { try value($0, on: connection) }
  }

  @Test(arguments: [
    "DROP TABLE t", "DROP TABLE large", "DROP TABLE f", "DROP INDEX i", "REINDEX t",
    "CREATE INDEX j ON t(b, a)", "CREATE TABLE u AS SELECT * FROM t", "DELETE FROM large",
    "INSERT INTO f(f) VALUES ('optimize')", "INSERT INTO f(f) VALUES ('rebuild')",
    "ALTER TABLE large DROP COLUMN b", "UPDATE t SET b = b || 'x'",
  ])
  func `a change in one step ends at any look, and is undone`(sql: String) throws {
    for isInLog in [false, true] {
      let (scratch, connection) = try filled(isInLog: isInLog)
      defer { withExtendedLifetime(scratch) {} }
      let before = try contents(of: connection)
      #expect(before[0] == "ok")
      try connection.execute("BEGIN IMMEDIATE")
      let looks = try run(sql, on: connection, wishFrom: .max).looks
      try connection.execute("ROLLBACK")
      #expect(looks > 12, "\(looks) looks")
      for look in stride(from: 1, through: max(1, looks - 12), by: max(1, looks / 6)) {
        try connection.execute("BEGIN IMMEDIATE")
        let ending = try run(sql, on: connection, wishFrom: look)
        #expect(ending.error?.code == SQLiteCode.interrupt, "look \(look) of \(looks): \(ending)")
        #expect(ending.looks - look <= 2, "\(ending.looks) looks for one wish at \(look)")
        #expect(connection.limiter.stop == .cancelled)
        // SQLite ends the transaction of a write that was interrupted.
        if !connection.isAutocommit { try connection.execute("ROLLBACK") }
        #expect(try contents(of: connection) == before, "look \(look) of \(looks)")
      }
      // The connection is as good as before.
      for sql in ["BEGIN IMMEDIATE", sql, "COMMIT"] { try connection.execute(sql) }
      #expect(try value("PRAGMA integrity_check", on: connection) == "ok")
    }
  }

  @Test(arguments: ["SELECT count(*) FROM t", "SELECT count(*) FROM t NOT INDEXED", "PRAGMA integrity_check"])
  func `a read in one step ends at any look, with an error and never with a wrong row`(sql: String) throws {
    let (scratch, connection) = try filled(isInLog: false)
    defer { withExtendedLifetime(scratch) {} }
    let whole = try value(sql, on: connection)
    let looks = try run(sql, on: connection, wishFrom: .max).looks
    #expect(looks > 12, "\(looks) looks")
    for look in 1...(looks - 1) {
      let ending = try run(sql, on: connection, wishFrom: look)
      #expect(ending.error?.code == SQLiteCode.interrupt, "look \(look) of \(looks)")
      #expect(try value(sql, on: connection) == whole, "look \(look) of \(looks)")
    }
  }

  @Test func `a read in one step leaves its place to others`() throws {
    let (scratch, connection) = try filled(isInLog: true)
    defer { withExtendedLifetime(scratch) {} }
    let count = try connection.prepare("SELECT count(*) FROM t")
    connection.limiter.arm(pacer: Polite())
    #expect(throws: SQLiteError.self) { _ = try count.step() }
    #expect(connection.limiter.stop == .displaced)
    connection.limiter.disarm()
    count.reset()
    #expect(try count.step() && count.value(at: 0).integer == 1_500)
  }

  @Test func `a statement beside others of its connection ends without them`() throws {
    let (scratch, connection) = try filled(isInLog: false)
    defer { withExtendedLifetime(scratch) {} }
    let innocent = try connection.prepare("SELECT a FROM t ORDER BY a")
    #expect(try innocent.step())
    for look in 1...20 {
      _ = try run("SELECT count(*) FROM t", on: connection, wishFrom: look, isAlone: false)
      #expect(try innocent.step())
    }
    var rows = 21
    while try innocent.step() { rows += 1 }
    #expect(rows == 1_500)
  }

  @Test func `what runs while nothing is armed reads to the end`() throws {
    let (scratch, connection) = try filled(isInLog: false)
    defer { withExtendedLifetime(scratch) {} }
    for round in 0..<10 {
      _ = try run("SELECT count(*) FROM t", on: connection, wishFrom: round)
      #expect(try value("SELECT count(*) FROM t", on: connection) == "1500")
      for sql in ["BEGIN IMMEDIATE", "DROP TABLE large", "ROLLBACK"] { try connection.execute(sql) }
      _ = try connection.checkpoint(.truncate)
    }
  }
}
