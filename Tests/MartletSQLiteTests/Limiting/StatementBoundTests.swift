/// What one statement may take, on a connection: its share of memory, its steps, and how large the file becomes.
import Foundation
import MartletSQLite
import Testing

@Suite struct StatementBoundTests {
  private func open(pageCacheBytes: Int = 1 << 20) throws -> (ScratchDatabase, Connection) {
    var setup = ConnectionSetup()
    setup.pageCacheBytes = pageCacheBytes
    let scratch = try ScratchDatabase()
    return (scratch, try scratch.writer(setup))
  }

  /// The error with which a statement ends, and what was counted for it.
  private func run(_ connection: Connection, _ sql: String, memory: StatementMemory? = nil, steps: Int = .max) throws
    -> SQLiteError?
  {
    let statement = try connection.prepare(sql)
    connection.limiter.arm(steps: steps, memory: memory)
    defer {
      connection.limiter.disarm()
      statement.reset()
    }
    do {
      while try statement.step() {}
      return nil
    } catch {
      return error
    }
  }

  private static let sorted = """
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
    SELECT i, hex(zeroblob(40)) AS t FROM n ORDER BY t, -i
    """
  private static let distinct = """
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
    SELECT count(*) FROM (SELECT DISTINCT hex(zeroblob(40)) || i AS t FROM n)
    """

  @Test(arguments: [sorted, distinct])
  func `a sort or a temporary table ends its statement beyond the bound, in memory or in files`(sql: String) throws {
    for cache in [256 << 10, 16 << 20] {
      let (scratch, connection) = try open(pageCacheBytes: cache)
      defer { withExtendedLifetime(scratch) {} }
      let free = StatementMemory(bytesMax: 1 << 30)
      #expect(try run(connection, sql, memory: free) == nil)
      let tight = StatementMemory(bytesMax: 1 << 20)
      let error = try run(connection, sql, memory: tight)
      #expect(tight.isExceeded && !free.isExceeded, "\(cache): \(String(describing: error)) \(free.usedBytes)")
      // A cache has too little memory, a file too little room, or the limiter has looked before either.
      let isLooked = error?.code == SQLiteCode.interrupt && connection.limiter.stop == .memory
      #expect(
        [SQLiteCode.noMemory, SQLiteCode.full].contains(error?.code ?? 0) || isLooked, "\(String(describing: error))")
      // The connection is as good as before, and nothing is counted without a bound.
      #expect(try run(connection, sql) == nil)
      #expect(try run(connection, "SELECT 1", memory: StatementMemory(bytesMax: 1)) == nil)
    }
  }

  /// A table of 4 MB, of which a statement that changes all of it keeps as much to undo itself.
  private func filled() throws -> (ScratchDatabase, Connection) {
    let (scratch, connection) = try open()
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT CHECK (length(b) > 0))")
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO t SELECT i, hex(zeroblob(500)) FROM n
      """)
    return (scratch, connection)
  }

  // Decision 0042 stands on it: a write that was stopped cannot go on elsewhere.
  @Test func `an interrupted write takes its whole transaction with it, within a savepoint too, and a read does not`()
    throws
  {
    let (scratch, connection) = try filled()
    defer { withExtendedLifetime(scratch) {} }
    for (sql, staysOpen) in [
      ("SELECT count(*) FROM t WHERE length(b) > 1", true), ("UPDATE t SET b = 'x'", false), ("DELETE FROM t", false),
      ("INSERT INTO t SELECT a + 10000, b FROM t", false), ("UPDATE t SET b = 'x' RETURNING a", false),
    ] {
      for step in ["BEGIN", "INSERT INTO t VALUES (9999, 'y')", "SAVEPOINT s"] { try connection.execute(step) }
      #expect(try run(connection, sql, steps: 2_000)?.code == SQLiteCode.interrupt, "\(sql)")
      #expect(connection.isAutocommit != staysOpen, "\(sql)")
      if staysOpen { try connection.execute("ROLLBACK") }
      #expect(try connection.integer("SELECT count(*) FROM t") == 4_000, "\(sql)")
    }
  }

  @Test func `what a write keeps to undo itself counts, and a write beyond the bound is undone`() throws {
    let (scratch, connection) = try filled()
    defer { withExtendedLifetime(scratch) {} }
    let update = "UPDATE t SET b = b || 'x'"
    for bytesMax in [1 << 20, 64 << 20] {
      // Only within a transaction does a statement keep the pages that it changes.
      try connection.execute("BEGIN")
      let memory = StatementMemory(bytesMax: bytesMax)
      let error = try run(connection, update, memory: memory)
      let isTight = bytesMax == 1 << 20
      #expect(memory.isExceeded == isTight && error?.code == (isTight ? SQLiteCode.full : nil), "\(memory.usedBytes)")
      #expect(isTight || memory.usedBytes > 1 << 20, "\(memory.usedBytes)")
      if !connection.isAutocommit { try connection.execute("COMMIT") }
      let changed = try connection.text(of: "SELECT count(*) FROM t WHERE b LIKE '%x'")
      #expect(changed == (isTight ? "0" : "4000"))
    }
    #expect(try connection.text(of: "PRAGMA integrity_check") == "ok")
  }

  @Test func `each write of a transaction is counted from its own beginning`() throws {
    let (scratch, connection) = try filled()
    defer { withExtendedLifetime(scratch) {} }
    try connection.execute("BEGIN")
    var used: [Int] = []
    for _ in 1...3 {
      let memory = StatementMemory(bytesMax: 64 << 20)
      #expect(try run(connection, "UPDATE t SET b = b || 'x'", memory: memory) == nil)
      used.append(memory.usedBytes)
    }
    try connection.execute("COMMIT")
    #expect(used.allSatisfy { $0 > 3 << 20 && $0 < 8 << 20 }, "\(used)")
  }

  @Test func `what others run on their threads does not count`() async throws {
    // Two threads of the test's own, because one that the runtime lends may be the same for both.
    let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<String, Never>) in
      Thread.detachNewThread {
        let memory = StatementMemory(bytesMax: 1 << 20)
        guard let (scratch, connection) = try? open(), let statement = try? connection.prepare("SELECT 1") else {
          return continuation.resume(returning: "nothing could be opened")
        }
        connection.limiter.arm(memory: memory)
        _ = try? statement.step()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          if let (_, own) = try? open() { _ = try? run(own, Self.sorted) }
          done.signal()
        }
        done.wait()
        connection.limiter.disarm()
        statement.reset()
        withExtendedLifetime(scratch) {}
        continuation.resume(returning: memory.isExceeded || memory.usedBytes > 0 ? "\(memory.usedBytes) counted" : "")
      }
    }
    #expect(outcome == "")
  }

  @Test func `steps go on being counted where a statement is left and armed again`() throws {
    let (scratch, connection) = try open()
    defer { withExtendedLifetime(scratch) {} }
    let endless = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    let statement = try connection.prepare(endless)
    var (left, rows): (Int?, Int) = (nil, 0)
    var stopped: SQLiteError?
    while stopped == nil, rows < 1_000_000 {
      connection.limiter.arm(steps: 50_000, stepsLeft: left)
      do {
        for _ in 0..<10 where try statement.step() { rows += 1 }
      } catch {
        stopped = error
      }
      left = connection.limiter.stepsLeft
      connection.limiter.disarm()
    }
    statement.reset()
    #expect(stopped?.code == SQLiteCode.interrupt && connection.limiter.stop == .budget)
    #expect(rows > 1_000 && rows < 50_000, "\(rows)")
  }

  /// How often the limiter looks depends on the statement, and on the one that ran before until it is told of the next.
  @Test func `steps are the same number whatever ran before`() throws {
    let (scratch, connection) = try open()
    defer { withExtendedLifetime(scratch) {} }
    let ordinary = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT max(i) FROM n"
    let slow =
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT max(length(i)) FROM n"
    func ends(_ sql: String, after other: String?, steps: Int) throws -> Bool {
      if let other {
        let statement = try connection.prepare(other)
        statement.setPace()
        _ = try statement.step()
      }
      let statement = try connection.prepare(sql)
      connection.limiter.arm(steps: steps)
      defer { connection.limiter.disarm() }
      statement.setPace()
      do { _ = try statement.step() } catch { return connection.limiter.stop == .budget }
      return false
    }
    for sql in [ordinary, slow] {
      for other in [nil, "SELECT length('a')", "SELECT 1"] {
        #expect(try !ends(sql, after: other, steps: 2_000_000), "\(sql) after \(other ?? "nothing")")
        #expect(try ends(sql, after: other, steps: 50_000), "\(sql) after \(other ?? "nothing")")
      }
    }
  }

  @Test func `a file grows to its bound and no further, and further where there is none`() throws {
    let (scratch, connection) = try open()
    defer { withExtendedLifetime(scratch) {} }
    try connection.execute("CREATE TABLE t(a)")
    let insert =
      "INSERT INTO t SELECT zeroblob(1000) FROM json_each('[\(Array(repeating: "1", count: 400).joined(separator: ","))]')"
    try connection.boundFile(toBytes: 200 << 10)
    #expect(try run(connection, insert)?.code == SQLiteCode.full)
    #expect(try connection.text(of: "SELECT count(*) FROM t") == "0")
    try connection.boundFile(toBytes: nil)
    #expect(try run(connection, insert) == nil)
    // It is larger than its bound by now: what needs no more room goes, also after it has become smaller.
    try connection.boundFile(toBytes: 100 << 10)
    #expect(try run(connection, "UPDATE t SET a = 1 WHERE rowid = 1") == nil)
    #expect(try run(connection, insert)?.code == SQLiteCode.full)
    #expect(try run(connection, "DELETE FROM t") == nil)
    try connection.boundFile(toBytes: nil)
    #expect(try run(connection, insert) == nil)
  }
}
