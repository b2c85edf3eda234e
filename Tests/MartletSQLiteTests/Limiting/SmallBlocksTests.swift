/// What a statement gathers in blocks too small to be counted one by one: numbers of rows, words of a text.
import MartletSQLite
import Testing

@Suite struct SmallBlocksTests {
  private static let numbers = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"

  /// A table of 200,000 rows with two indexes, and a full-text table that may keep any number of words for a while.
  private func open(pageBytes: Int = 4_096) throws -> (ScratchDatabase, Connection) {
    var setup = ConnectionSetup()
    setup.pageCacheBytes = 16 << 20
    let scratch = try ScratchDatabase()
    do {
      // A file that has a log keeps the length of its pages.
      var plain = ConnectionSetup()
      plain.keepsJournalMode = true
      let first = try scratch.writer(plain)
      for sql in ["PRAGMA page_size = \(pageBytes)", "CREATE TABLE first(a)"] { try first.execute(sql) }
    }
    let connection = try scratch.writer(setup)
    for sql in [
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)", "CREATE TABLE gone(id INTEGER)",
      "\(Self.numbers) INSERT INTO t SELECT i, i, i FROM n",
      "CREATE INDEX t_a ON t(a)", "CREATE INDEX t_b ON t(b)",
      "CREATE TRIGGER t_gone AFTER DELETE ON t WHEN old.id < 0 BEGIN INSERT INTO gone VALUES (old.id); END",
      "CREATE VIRTUAL TABLE texts USING fts5(body)",
      "INSERT INTO texts(texts, rank) VALUES ('hashsize', 1000000000)",
    ] {
      try connection.execute(sql)
    }
    return (scratch, connection)
  }

  /// How the statement ended: nil if by itself.
  private func run(_ connection: Connection, _ sql: String, bytesMax: Int) throws -> ExecutionLimiter.Stop? {
    let memory = StatementMemory(bytesMax: bytesMax)
    let statement = try connection.prepare(sql)
    connection.limiter.arm(memory: memory)
    defer {
      connection.limiter.disarm()
      statement.reset()
    }
    do {
      while try statement.step() {}
      #expect(!memory.isExceeded)
      return nil
    } catch {
      #expect(error.code == SQLiteCode.interrupt && memory.isExceeded, "\(error)")
      return connection.limiter.stop
    }
  }

  private static let gathering = [
    "SELECT count(id) FROM t WHERE a >= 0 OR b >= 5",
    "SELECT id FROM t WHERE a >= 0 OR b >= 5",
    "DELETE FROM t WHERE a >= 0 OR b >= 5",
    "\(numbers) INSERT INTO texts SELECT hex(randomblob(20)) FROM n WHERE i < 60000",
  ]

  @Test(arguments: gathering)
  func `a statement that gathers more than its bound ends, and one within it does not`(sql: String) throws {
    let (scratch, connection) = try open()
    defer { withExtendedLifetime(scratch) {} }
    #expect(try run(connection, sql, bytesMax: 2 << 20) == .memory)
    // It was undone, and the connection is as good as before.
    #expect(try connection.integer("SELECT count(*) FROM t") == 200_000)
    #expect(try connection.integer("SELECT count(*) FROM texts") == 0)
    #expect(try run(connection, sql, bytesMax: 128 << 20) == nil)
    #expect(try connection.text(of: "PRAGMA integrity_check") == "ok")
  }

  // Pages of 1,024 bytes are small blocks themselves, and those of 8,192 are not.
  @Test(arguments: [1_024, 4_096, 8_192])
  func `pages of the cache do not count, however many a statement reads or writes`(pageBytes: Int) throws {
    let (scratch, connection) = try open(pageBytes: pageBytes)
    try #require(try connection.integer("PRAGMA page_size") == Int64(pageBytes))
    let (other, reader) = (scratch, try scratch.writer())
    defer { withExtendedLifetime(other) {} }
    for sql in [
      "SELECT sum(a + b) FROM t", "SELECT id FROM t ORDER BY a", "SELECT sum(id) FROM t WHERE b > 7 AND a > 2",
    ] {
      #expect(try run(reader, sql, bytesMax: 1 << 20) == nil, "\(sql)")
      #expect(try run(connection, sql, bytesMax: 1 << 20) == nil, "\(sql)")
    }
    #expect(try run(connection, "\(Self.numbers) INSERT INTO gone SELECT i FROM n", bytesMax: 1 << 20) == nil)
  }

  @Test func `what the smallest blocks come to is told to the process until the statement is gone`() throws {
    let (scratch, connection) = try open()
    defer { withExtendedLifetime(scratch) {} }
    // Others run beside it, so a large number is looked for in what is held, and a small one afterwards.
    var most = 0
    do {
      let memory = StatementMemory(bytesMax: 1 << 30)
      let statement = try connection.prepare("SELECT id FROM t WHERE a >= 0 OR b >= 5")
      defer { statement.reset() }
      let before = ProcessMemory.heldBytes
      connection.limiter.arm(memory: memory)
      while try statement.step() { most = max(most, ProcessMemory.heldBytes - before) }
      connection.limiter.disarm()
      #expect(memory.usedBytes < 1 << 20 && most > 3 << 20, "\(memory.usedBytes) \(most)")
    }
  }
}
