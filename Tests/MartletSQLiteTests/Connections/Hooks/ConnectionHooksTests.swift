/// What a program hears of its connection, and what it may decide.
import MartletSQLite
import Testing

@Suite struct ConnectionHooksTests {
  private struct Refused: Error {}

  private func open(_ scratch: ScratchDatabase) throws -> Connection {
    var setup = ConnectionSetup()
    setup.authority = .owner
    let connection = try scratch.writer(setup)
    try connection.run("CREATE TABLE IF NOT EXISTS t(a UNIQUE)")
    return connection
  }

  @Test func `each changed row is told with its table, until nobody listens`() throws {
    let connection = try open(try ScratchDatabase())
    var heard: [String] = []
    connection.onRowChange { change, schema, table, rowid in heard.append("\(change) \(schema).\(table) \(rowid)") }
    for sql in [
      "INSERT INTO t VALUES ('x'), ('y')", "UPDATE t SET a = 'z' WHERE rowid = 2", "DELETE FROM t WHERE rowid = 1",
      "CREATE TEMP TABLE \"o'brien\"(a)", "INSERT INTO \"o'brien\" VALUES (1)",
    ] { try connection.run(sql) }
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO nowhere VALUES (1)") }
    #expect(
      heard == ["insert main.t 1", "insert main.t 2", "update main.t 2", "delete main.t 1", "insert temp.o'brien 1"])
    connection.onRowChange(nil)
    try connection.run("INSERT INTO t VALUES ('w')")
    #expect(heard.count == 5)
  }

  @Test func `a commit that its program refuses is undone, and told as undone`() throws {
    let scratch = try ScratchDatabase()
    let connection = try open(scratch)
    var (commits, rollbacks, refuses) = (0, 0, false)
    connection.onCommit {
      commits += 1
      if refuses { throw Refused() }
    }
    connection.onRollback { rollbacks += 1 }
    try connection.run("INSERT INTO t VALUES (1)")
    #expect((commits, rollbacks) == (1, 0))
    _ = try connection.integer("SELECT count(*) FROM t")
    #expect(commits == 1, "what only reads commits nothing")
    refuses = true
    for sql in ["INSERT INTO t VALUES (2)", "CREATE TABLE u(a)"] {
      let error = #expect(throws: SQLiteError.self, "\(sql)") { try connection.run(sql) }
      #expect(error?.code == SQLiteCode.constraint)
    }
    let control = TransactionControl(connection)
    try control.begin(immediate: true)
    try connection.run("INSERT INTO t VALUES (3)")
    #expect(throws: SQLiteError.self) { try control.commit() }
    control.rollBack()
    #expect((commits, rollbacks) == (4, 3) && connection.isAutocommit && !control.isActive)
    #expect(try scratch.reader().integer("SELECT sum(a) FROM t") == 1)
    connection.onCommit(nil)
    connection.onRollback(nil)
    try connection.run("INSERT INTO t VALUES (4)")
    #expect((commits, rollbacks) == (4, 3))
  }

  @Test func `a program decides how often a lock is asked for again`() throws {
    let scratch = try ScratchDatabase()
    let (first, second) = (try open(scratch), try open(scratch))
    try first.run("BEGIN IMMEDIATE")
    var asked: [Int] = []
    second.onBusy { tries in
      asked.append(tries)
      return tries < 3
    }
    for _ in 0..<2 {
      asked = []
      let error = #expect(throws: SQLiteError.self) { try second.run("INSERT INTO t VALUES (1)") }
      #expect(error?.code == SQLiteCode.busy && asked == [0, 1, 2, 3])
    }
    // The lock is let go while it is asked for.
    second.onBusy { _ in (try? first.run("COMMIT")) != nil }
    try second.run("INSERT INTO t VALUES (1)")
    try first.run("BEGIN IMMEDIATE")
    second.onBusy(nil)
    #expect(throws: SQLiteError.self) { try second.run("INSERT INTO t VALUES (2)") }
    #expect(asked.count == 4)
  }

  @Test func `statements of the program are told with their values, and the library's own are not`() throws {
    let connection = try open(try ScratchDatabase())
    var heard: [String] = []
    connection.trace { heard.append($0.expandedSQL) }
    let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
    for value in ["o'brien", ""] {
      try insert.bindText(value, at: 1)
      _ = try insert.step()
      insert.reset()
    }
    _ = try connection.schemaVersion()
    try connection.execute("SELECT 1")
    #expect(heard == ["INSERT INTO t VALUES ('o''brien')", "INSERT INTO t VALUES ('')"])
    connection.trace(nil)
    try connection.run("DELETE FROM t")
    #expect(heard.count == 2)
  }

  @Test func `a collation orders and compares as the program says, until it is another`() throws {
    let connection = try open(try ScratchDatabase())
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT 'a' = 'b' COLLATE by_length") }
    try connection.registerCollation("by_length") { $0.utf8.count - $1.utf8.count }
    try connection.run("INSERT INTO t VALUES ('ccc'), ('a'), ('bb'), (''), (CAST(x'ff' AS TEXT))")
    #expect(try connection.integer("SELECT 'a' = 'b' COLLATE by_length") == 1)
    #expect(
      try connection.text(
        "SELECT group_concat(a) FROM (SELECT a FROM t WHERE a < 'x' ORDER BY a COLLATE BY_LENGTH DESC)") == "ccc,bb,a,")
    try connection.registerCollation("by_length") { $0 == $1 ? 0 : $0 < $1 ? .min : .max }
    #expect(try connection.integer("SELECT 'a' < 'b' COLLATE by_length") == 1)
    #expect(try connection.integer("SELECT 'b' > 'a' COLLATE by_length") == 1)
  }
}
