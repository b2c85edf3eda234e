/// Which log a connection has, and commits whose sync is left for another thread.
import Testing

@testable import MartletSQLite

@Suite struct LogTests {
  @Test func `each log has a number of its own, and an empty one has none`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    var seen: [UInt64] = [try #require(writer.logGeneration)]
    try writer.run("INSERT INTO t VALUES (1)")
    #expect(writer.logGeneration == seen[0], "a commit goes on with the log")
    let reader = try scratch.reader()
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    #expect(reader.logGeneration == seen[0], "all see the same log")
    for mode in [CheckpointMode.passive, .restart, .truncate, .passive] {
      #expect(try writer.checkpoint(mode).isComplete)
      #expect((writer.logGeneration == nil) == (mode == .truncate))
      try writer.run("INSERT INTO t VALUES (1)")
      let next = try #require(writer.logGeneration)
      #expect(!seen.contains(next), "\(mode)")
      seen.append(next)
    }
  }

  @Test func `a database in memory and one with a journal have no log`() throws {
    let scratch = try ScratchDatabase()
    var setup = ConnectionSetup()
    setup.keepsJournalMode = true
    for connection in [try Connection.inMemory(), try scratch.writer(setup)] {
      try connection.run("CREATE TABLE t(a)")
      #expect(connection.logGeneration == nil && connection.logNumber == 0)
      let owesSync = try connection.leavingSync { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (1)")
      }
      #expect(!owesSync)
      #expect(throws: SQLiteError.self) { try connection.logSync() }
    }
    let error = #expect(throws: SQLiteError.self) { try Connection.inMemory().logSync() }
    #expect(error?.code == SQLiteCode.misuse)
  }

  /// Each is one transaction of a connection whose log has begun.
  private static let commits: [(sql: [String], owesSync: Bool)] = [
    (["INSERT INTO t VALUES (1)"], true), (["BEGIN", "INSERT INTO t VALUES (1)", "COMMIT"], true),
    (["SELECT * FROM t"], false), (["BEGIN IMMEDIATE", "COMMIT"], false), (["BEGIN", "SELECT 1", "COMMIT"], false),
    (["BEGIN IMMEDIATE", "INSERT INTO t VALUES (1)", "ROLLBACK"], false),
    (["DELETE FROM t WHERE a = 'nobody'"], false), (["CREATE TABLE u(a)"], true), (["DROP TABLE u"], true),
  ]

  @Test func `a sync is owed for what was written, and for nothing else`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    let reader = try scratch.reader()
    for (sql, owesSync) in Self.commits {
      let owed = try writer.leavingSync { () throws(SQLiteError) in
        for statement in sql { try writer.execute(statement) }
      }
      #expect(owed == owesSync, "\(sql)")
      let count = try writer.integer("SELECT count(*) FROM t")
      #expect(try reader.integer("SELECT count(*) FROM t") == count, "everybody sees it, synced or not")
      try writer.logSync().run()
    }
    // A log that begins anew: its header has its sync, and the commit still needs one.
    _ = try writer.checkpoint(.truncate)
    let owed = try writer.leavingSync { () throws(SQLiteError) in try writer.execute("INSERT INTO t VALUES (7)") }
    #expect(owed)
  }

  @Test func `where SQLite syncs no commit none is owed`() throws {
    let scratch = try ScratchDatabase()
    var setup = ConnectionSetup()
    setup.authority = .owner
    let writer = try scratch.writer(setup)
    try writer.run("CREATE TABLE t(a)")
    for (level, owesSync) in [("NORMAL", false), ("OFF", false), ("FULL", true)] {
      try writer.run("PRAGMA synchronous=\(level)")
      let owed = try writer.leavingSync { () throws(SQLiteError) in try writer.execute("INSERT INTO t VALUES (1)") }
      #expect(owed == owesSync, "\(level)")
    }
  }

  @Test func `a commit that fails throws its own error, and the next one is synced as ever`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a UNIQUE)")
    try writer.run("INSERT INTO t VALUES (1)")
    let error = #expect(throws: SQLiteError.self) {
      try writer.leavingSync { () throws(SQLiteError) in try writer.execute("INSERT INTO t VALUES (1)") }
    }
    #expect(error?.extendedCode == SQLiteCode.constraintUnique)
    for value in 2...3 {
      // The first follows the failure, the second a commit whose sync was left out.
      try writer.run("INSERT INTO t VALUES (\(value))")
      let file = try #require(writer.pageFile)
      #expect(!file.pointee.owesSync, "the insert was synced by itself")
      let sql = "INSERT INTO t VALUES (\(value * 10))"
      let owed = try writer.leavingSync { () throws(SQLiteError) in try writer.execute(sql) }
      #expect(owed)
      file.pointee.owesSync = false
    }
    #expect(try writer.integer("SELECT count(*) FROM t") == 5)
  }

  @Test func `syncs have a file of their own, which outlives the connection's`() throws {
    let scratch = try ScratchDatabase()
    let sync: LogSync
    do {
      let writer = try scratch.writer()
      try writer.run("CREATE TABLE t(a)")
      sync = try writer.logSync()
      for _ in 0..<3 {
        let owed = try writer.leavingSync { () throws(SQLiteError) in try writer.execute("INSERT INTO t VALUES (1)") }
        #expect(owed)
        try sync.run()
      }
    }
    try sync.run()
    #expect(try scratch.writer().integer("SELECT count(*) FROM t") == 3)
  }

  @Test func `a log that is opened again has another number`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    let first = writer.logNumber
    #expect(first > 0)
    for _ in 0..<2 { try writer.run("INSERT INTO t VALUES (1)") }
    _ = try writer.checkpoint(.truncate)
    #expect(writer.logNumber == first, "it is the same file")
    try writer.execute("PRAGMA journal_mode=DELETE")
    try writer.execute("PRAGMA journal_mode=WAL")
    try writer.run("INSERT INTO t VALUES (1)")
    #expect(writer.logNumber > first)
    try writer.logSync().run()
  }

  @Test func `what an open transaction has written to the log is its own alone`() throws {
    let scratch = try ScratchDatabase()
    var setup = ConnectionSetup()
    setup.pageCacheBytes = 64 << 10
    let writer = try scratch.writer(setup)
    try writer.run("CREATE TABLE t(a)")
    for end in ["COMMIT", "ROLLBACK", "COMMIT"] {
      try writer.execute("BEGIN IMMEDIATE")
      writer.forgetUncommitted()
      #expect(writer.uncommittedLogBytes == 0)
      var before = 0
      for _ in 0..<3 {
        try writer.run("INSERT INTO t VALUES (zeroblob(1000000))")
        let written = writer.uncommittedLogBytes
        // What the page cache keeps is written later.
        #expect(written - before > 800_000 && written - before < 1_200_000, "\(end)")
        before = written
      }
      // Pages that change again and again are written over.
      for _ in 0..<5 { try writer.run("UPDATE t SET a = zeroblob(999999) WHERE rowid = last_insert_rowid()") }
      #expect(writer.uncommittedLogBytes < before + 1_200_000)
      try writer.execute(end)
    }
  }
}
