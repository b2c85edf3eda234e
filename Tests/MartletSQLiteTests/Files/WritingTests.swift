/// What only the writer asks of its connection.
import Foundation
import MartletSQLite
import Testing

@Suite struct WritingTests {
  @Test func `the last rowid is 0 once it is forgotten, and the next one counts again`() throws {
    let writer = try Connection.inMemory()
    try writer.run("CREATE TABLE t(a)")
    writer.forgetLastWrite()
    #expect(writer.lastInsertRowID == 0)
    try writer.run("INSERT INTO t VALUES (1), (2)")
    #expect(writer.lastInsertRowID == 2)
    writer.forgetLastWrite()
    try writer.run("UPDATE t SET a = 3")
    #expect(writer.lastInsertRowID == 0)
    #expect(throws: SQLiteError.self) { try writer.run("INSERT INTO nowhere VALUES (1)") }
    #expect(writer.lastInsertRowID == 0)
    try writer.run("INSERT INTO t VALUES (1)")
    #expect(writer.lastInsertRowID == 3)
  }

  @Test func `the counts of changes are those since the last write was forgotten`() throws {
    let writer = try Connection.inMemory()
    try writer.run("CREATE TABLE t(a)")
    try writer.run("CREATE TABLE seen(changes, total)")
    try writer.run(
      "CREATE TRIGGER t_u AFTER UPDATE ON t BEGIN INSERT INTO seen VALUES (changes(), total_changes()); END")
    try writer.run("INSERT INTO t VALUES (1), (2), (3)")
    #expect(try writer.text("SELECT changes() || ' ' || total_changes()") == "3 3")
    writer.forgetLastWrite()
    #expect(try writer.text("SELECT changes() || ' ' || total_changes()") == "0 0")
    // A trigger of the first statement, and the statement itself, see nobody else's number.
    try writer.run("UPDATE t SET a = 7 WHERE a = 1")
    #expect(try writer.text("SELECT changes || ' ' || total FROM seen") == "0 0")
    #expect(try writer.text("SELECT changes() || ' ' || total_changes()") == "1 2")
    try writer.run("INSERT INTO t SELECT changes() FROM t")
    #expect(try writer.text("SELECT group_concat(a, ' ') FROM t") == "7 2 3 1 1 1")
    #expect(try writer.text("SELECT changes() || ' ' || total_changes()") == "3 5")
    writer.forgetLastWrite()
    try writer.run("DELETE FROM t WHERE a > 100")
    #expect(try writer.text("SELECT changes() || ' ' || total_changes()") == "0 0")
  }

  @Test func `a reader's file is read-only, a writer's is not`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    let memory = try Connection.inMemory()
    #expect(!writer.isFileReadOnly && !memory.isFileReadOnly)
    #expect(try scratch.reader().isFileReadOnly)
  }

  @Test(.enabled(if: geteuid() != 0)) func `a file that may only be read is known before a statement fails`() throws {
    let scratch = try ScratchDatabase()
    try scratch.writer().run("CREATE TABLE t(a)")
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: scratch.path)
    var setup = ConnectionSetup()
    setup.keepsJournalMode = true
    let writer = try scratch.writer(setup)
    #expect(writer.isFileReadOnly)
    let error = #expect(throws: SQLiteError.self) { try writer.run("INSERT INTO t VALUES (1)") }
    #expect(error?.code == SQLiteCode.readOnly)
  }

  @Test(arguments: [0, -1, .min])
  func `with no time to wait a lock is told at once`(timeout: Int) throws {
    let scratch = try ScratchDatabase()
    let (first, second) = (try scratch.writer(), try scratch.writer())
    try first.run("CREATE TABLE t(a)")
    try first.execute("BEGIN IMMEDIATE")
    // Asked by nobody: without a timeout SQLite has no one to ask whether to wait.
    second.setBusyTimeout(ms: timeout)
    for _ in 0..<3 {
      let error = #expect(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
      #expect(error?.code == SQLiteCode.busy)
      #expect(second.isAutocommit)
    }
    #expect(try second.integer("SELECT count(*) FROM t") == 0, "who reads waits for nobody")
    try first.execute("COMMIT")
    try second.run("INSERT INTO t VALUES (1)")
  }

  @Test(arguments: [true, false])
  func `closing leaves the log only if that was asked for`(keeps: Bool) throws {
    let scratch = try ScratchDatabase()
    do {
      let writer = try scratch.writer()
      try writer.run("CREATE TABLE t(a)")
      _ = try writer.checkpoint(.truncate)
      try writer.run("INSERT INTO t VALUES (1)")
      if keeps { writer.keepLogOnClose() }
    }
    let log = FileManager.default.contents(atPath: scratch.path + "-wal") ?? Data()
    #expect(log.isEmpty != keeps)
    let copy = scratch.directory.appendingPathComponent("alone.sqlite").path
    try FileManager.default.copyItem(atPath: scratch.path, toPath: copy)
    let alone = try Connection(path: copy, label: "alone", access: .writer, clock: { 0 })
    #expect(try alone.integer("SELECT count(*) FROM t") == (keeps ? 0 : 1))
    #expect(try scratch.writer().integer("SELECT count(*) FROM t") == 1, "with its log nothing is lost")
  }

  @Test func `the log is synced wherever there is one, in a transaction too`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try Connection.inMemory().syncLog()
    try writer.syncLog()
    try writer.run("CREATE TABLE t(a)")
    try writer.syncLog()
    try writer.execute("BEGIN IMMEDIATE")
    try writer.run("INSERT INTO t VALUES (1)")
    try writer.syncLog()
    try writer.execute("COMMIT")
    let reader = try scratch.reader()
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    try reader.syncLog()
    _ = try writer.checkpoint(.truncate)
    try writer.syncLog()
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
  }
}
