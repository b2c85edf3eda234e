/// Connections: settings in force, what they refuse, how statements end.
import Foundation
import MartletSQLite
import Synchronization
import Testing

/// A database file in a directory of its own, removed with it.
final class ScratchDatabase {
  let directory: URL
  var path: String { directory.appendingPathComponent("main.sqlite").path }

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func writer(_ setup: ConnectionSetup = ConnectionSetup()) throws -> Connection {
    try Connection(path: path, label: "writer", access: .writer, setup: setup, clock: { 0 })
  }

  func reader(
    _ setup: ConnectionSetup = ConnectionSetup(), clock: @escaping @Sendable () -> UInt64 = { 0 }
  ) throws -> Connection {
    try Connection(path: path, label: "reader", access: .reader, setup: setup, clock: clock)
  }
}

extension Connection {
  static func inMemory() throws -> Connection {
    try Connection(path: ":memory:", label: "memory", access: .writer, clock: { 0 })
  }

  func run(_ sql: String) throws {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  func integer(_ sql: String) throws -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.value(at: 0).integer : nil
  }

  func text(_ sql: String) throws -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? String(decoding: statement.value(at: 0).textBytes, as: UTF8.self) : nil
  }
}

@Suite struct ConnectionTests {
  @Test func `a trigger may write to a table of full text`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    for sql in [
      "CREATE TABLE t(a)", "CREATE VIRTUAL TABLE f USING fts5(a)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO f(a) VALUES (new.a); END", "INSERT INTO t VALUES ('swift')",
    ] {
      _ = try connection.prepare(sql).step()
    }
    let found = try connection.prepare("SELECT count(*) FROM f WHERE f MATCH 'swift'")
    #expect(try found.step() && found.value(at: 0).integer == 1)
  }

  @Test func `every safety setting is in force on the writer and on a reader`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    let reader = try scratch.reader()
    #expect(SQLiteLibrary.missingFeature() == nil)
    for connection in [writer, reader] {
      #expect(try connection.text(of: "PRAGMA journal_mode") == "wal")
      #expect(try connection.text(of: "PRAGMA foreign_keys") == "1")
      #expect(try connection.text(of: "PRAGMA mmap_size") ?? "0" == "0")
      #expect(try connection.text(of: "PRAGMA trusted_schema") == (SQLiteLibrary.fullTextNeedsTrust ? "1" : "0"))
      #expect(try connection.text(of: "PRAGMA cell_size_check") == "1")
      #expect(try connection.text(of: "PRAGMA wal_autocheckpoint") == "0")
      #expect(try connection.integer("SELECT sqrt(16)") == 4)
    }
    #expect(try writer.text(of: "PRAGMA synchronous") == "2")
    #expect(try reader.text(of: "PRAGMA query_only") == "1")
    let error = #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO t VALUES (1)") }
    #expect(error?.code == SQLiteCode.readOnly)
  }

  @Test(arguments: [
    "ATTACH ':memory:' AS other", "DETACH main", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "VACUUM",
    "VACUUM INTO '/tmp/x'", "PRAGMA journal_mode=DELETE", "PRAGMA foreign_keys=OFF", "PRAGMA writable_schema=1",
    "PRAGMA wal_checkpoint", "PRAGMA database_list", "PRAGMA query_only=0",
    "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT rtreenode(2, x'00')",
    "CREATE TEMP TABLE z(a)",
    "CREATE TEMP VIEW z AS SELECT 1", "CREATE VIRTUAL TABLE z USING dbstat", "SELECT * FROM sqlite_stmt",
    "SELECT * FROM pragma_database_list", "UPDATE sqlite_schema SET sql = ''", "DELETE FROM sqlite_master",
    "SELECT \"no such column\"",
  ])
  func `no client may run what changes the file or reads others' statements`(_ sql: String) throws {
    let writer = try Connection.inMemory()
    #expect(throws: SQLiteError.self) { try writer.run(sql) }
    #expect(writer.isAutocommit)
    #expect(try writer.text(of: "PRAGMA foreign_keys") == "1")
  }

  @Test(arguments: [
    "PRAGMA table_info(t)", "SELECT * FROM pragma_table_xinfo('t')", "PRAGMA user_version", "PRAGMA user_version=7",
    "CREATE VIRTUAL TABLE f USING fts5(body)", "ANALYZE", "CREATE INDEX i ON t(a)", "PRAGMA foreign_key_check",
    "PRAGMA defer_foreign_keys=1",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT * FROM n;  -- done",
    "CREATE TABLE u(id TEXT PRIMARY KEY DEFAULT (uuid()))", "ALTER TABLE t ADD COLUMN c", "DROP TABLE t",
  ])
  func `a client may run what changes nothing for others`(_ sql: String) throws {
    let writer = try Connection.inMemory()
    try writer.run("CREATE TABLE t(a, b)")
    try writer.run(sql)
  }

  @Test func `one statement at a time, and not none`() throws {
    let writer = try Connection.inMemory()
    for sql in ["SELECT 1; SELECT 2", "SELECT 1; garbage", "", "  -- nothing", "SELECT 1; /* c */ ; SELECT 2"] {
      #expect(throws: SQLiteError.self, "\(sql)") { _ = try writer.prepare(sql) }
    }
    for sql in ["SELECT 1;", "SELECT 1; -- end", "SELECT 1 /* c */ ; ;"] { _ = try writer.prepare(sql) }
  }

  @Test func `an error says where in the text it is`() throws {
    let writer = try Connection.inMemory()
    let error = #expect(throws: SQLiteError.self) { _ = try writer.prepare("SELECT 1, nowhere FROM (SELECT 1)") }
    #expect(error?.offset == 10)
    #expect(error?.code == SQLiteCode.error)
  }

  @Test func `the engine's statements survive a change of the schema`() throws {
    let writer = try Connection.inMemory()
    let begin = try writer.prepare("BEGIN IMMEDIATE", for: .engine)
    let commit = try writer.prepare("COMMIT", for: .engine)
    for table in ["a", "b", "c"] {
      _ = try begin.step()
      begin.reset()
      try writer.run("CREATE TABLE \(table)(x)")
      _ = try commit.step()
      commit.reset()
    }
    #expect(try writer.integer("SELECT count(*) FROM sqlite_schema") == 3)
  }

  @Test func `columns are known again after the schema changed`() throws {
    let writer = try Connection.inMemory()
    try writer.run("CREATE TABLE t(a INTEGER)")
    let statement = try writer.prepare("SELECT * FROM t")
    #expect(statement.columnMetadata().map(\.name) == ["a"])
    try writer.run("ALTER TABLE t ADD COLUMN b TEXT")
    #expect(try statement.step() == false)
    #expect(statement.reprepareCount == 1)
    let columns = statement.columnMetadata()
    #expect(columns.map(\.name) == ["a", "b"])
    #expect(columns.map(\.declaredType) == ["INTEGER", "TEXT"])
    #expect(columns.map(\.table) == ["t", "t"])
  }

  @Test func `uuid gives random version 4 ids in lower case`() throws {
    let writer = try Connection.inMemory()
    var seen: Set<String> = []
    let statement = try writer.prepare("SELECT uuid() FROM json_each('[1,2,3,4,5,6,7,8]')")
    while try statement.step() {
      let text = String(decoding: statement.value(at: 0).textBytes, as: UTF8.self)
      #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
      seen.insert(text)
    }
    #expect(seen.count == 8)
  }

  @Test func `deferred violations, autocommit and counts are told`() throws {
    let writer = try Connection.inMemory()
    try writer.run("CREATE TABLE p(id INTEGER PRIMARY KEY)")
    try writer.run("CREATE TABLE c(p REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED)")
    #expect(writer.isAutocommit)
    try writer.execute("BEGIN")
    #expect(!writer.isAutocommit)
    #expect(!writer.hasDeferredForeignKeyViolations)
    try writer.run("INSERT INTO c VALUES (5), (5)")
    #expect(writer.changes == 2)
    #expect(writer.lastInsertRowID == 2)
    #expect(writer.hasDeferredForeignKeyViolations)
    try writer.run("INSERT INTO p VALUES (5)")
    #expect(!writer.hasDeferredForeignKeyViolations)
    try writer.execute("COMMIT")
  }

  @Test func `only the writer checkpoints, and the log's size is known`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    #expect(writer.walBytes > 0)
    let reader = try scratch.reader()
    #expect(throws: SQLiteError.self) { _ = try reader.checkpoint(.passive) }
    let result = try writer.checkpoint(.truncate)
    #expect(result.isComplete)
    #expect(writer.walBytes == 0)
  }

  @Test func `a backup is a database of its own`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(a)")
    try writer.run("INSERT INTO t VALUES (41), (42)")
    let copy = scratch.directory.appendingPathComponent("copy.sqlite").path
    do {
      let backup = try Backup(of: try scratch.reader(), to: copy)
      while try backup.step(pages: 1) {}
    }
    let opened = try Connection(path: copy, label: "copy", access: .writer, clock: { 0 })
    #expect(try opened.integer("SELECT sum(a) FROM t") == 83)
  }
}

@Suite struct ExecutionLimiterTests {
  static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test func `a budget, a deadline and a cancellation each end a statement that is usable again`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    let now = Mutex<UInt64>(0)
    let reader = try scratch.reader(
      ConnectionSetup(),
      clock: {
        now.withLock {
          $0 += 1
          return $0
        }
      })
    let flag = CancellationFlag()
    flag.cancel()
    let cases: [(ExecutionLimiter.Stop, () -> Void)] = [
      (.budget, { reader.limiter.arm(steps: 5_000) }),
      (.deadline, { reader.limiter.arm(deadlineNanoseconds: 20) }),
      (.cancelled, { reader.limiter.arm(cancellation: flag) }),
    ]
    let statement = try reader.prepare(Self.endless)
    for (stop, arm) in cases {
      arm()
      let error = #expect(throws: SQLiteError.self) { _ = try statement.step() }
      #expect(error?.code == SQLiteCode.interrupt)
      #expect(reader.limiter.stop == stop)
      statement.reset()
      reader.limiter.disarm()
      #expect(!statement.isBusy)
      #expect(try reader.integer("SELECT 1") == 1)
    }
    _ = writer
  }

  @Test func `a short statement that runs often never uses up its budget`() throws {
    let writer = try Connection.inMemory()
    let statement = try writer.prepare("SELECT 1")
    for _ in 0..<5_000 {
      writer.limiter.arm(steps: 1_000)
      #expect(try statement.step())
      statement.reset()
    }
  }
}
