/// Statements that are short, and that SQLite would compile for minutes: they end, and so does what they hold.
import Foundation
import MartletSQLite
import Synchronization
import Testing

@Suite struct CompilationTests {
  private static let tables = [
    "CREATE TABLE t(a, b, c, d, e, f, g, h)", "CREATE INDEX i1 ON t(a, b, c)", "CREATE INDEX i2 ON t(b, c, a)",
    "CREATE INDEX i3 ON t(c, d)", "CREATE INDEX i4 ON t(d, a)", "CREATE INDEX i5 ON t(e, f)",
    "CREATE INDEX i6 ON t(f, e)", "CREATE INDEX i7 ON t(g, h)", "CREATE INDEX i8 ON t(h, a, b)",
  ]

  /// Each level is the one before it twice.
  private static func doubling(_ levels: Int, _ body: (_ before: String) -> String) -> String {
    let tables = (1...levels).map { "v\($0)(x) AS (\(body("v\($0 - 1)")))" }
    return "WITH v0(x) AS (SELECT 1), \(tables.joined(separator: ", ")) SELECT * FROM v\(levels)"
  }

  /// What takes SQLite from seconds to longer than anybody lives.
  private static let bombs: [String] = [
    doubling(40) { "SELECT 1 FROM \($0) UNION ALL SELECT 1 FROM \($0)" },
    doubling(40) { "SELECT max(p.x) FROM \($0) p, \($0) q" },
    doubling(40) { "SELECT (SELECT max(x) FROM \($0)) + (SELECT min(x) FROM \($0))" },
    doubling(40) { "SELECT x FROM \($0) WHERE x IN (SELECT x FROM \($0))" },
    doubling(40) { "SELECT x FROM \($0) WHERE EXISTS (SELECT 1 FROM \($0) LIMIT 2)" },
    "SELECT count(*) FROM t" + (0..<63).map { " NATURAL JOIN t t\($0)" }.joined(),
    "SELECT count(*) FROM t" + (0..<63).map { ", t t\($0)" }.joined() + " WHERE 1"
      + (0..<63).map { " AND t.a = t\($0).a AND t.b = t\($0).b AND t.c = t\($0).c AND t.d = t\($0).d" }.joined(),
    "SELECT " + (0..<1_400).map { "sum(a) OVER (ORDER BY a + \($0))" }.joined(separator: ", ") + " FROM t",
    "SELECT * FROM w40",
  ]

  private static func connection(
    _ access: Connection.Access = .writer, _ change: (inout ConnectionSetup) -> Void = { _ in }
  ) throws -> Connection {
    var setup = ConnectionSetup()
    change(&setup)
    let connection = try Connection(path: ":memory:", label: "test", access: access, setup: setup) { 1 }
    for sql in tables { try connection.run(sql) }
    try connection.run("CREATE VIEW w0 AS SELECT 1 AS x")
    for level in 1...40 {
      try connection.run("CREATE VIEW w\(level) AS SELECT x FROM w\(level - 1) UNION ALL SELECT x FROM w\(level - 1)")
    }
    return connection
  }

  @Test(arguments: bombs.indices)
  func `a short statement that would be compiled for minutes is refused, and the connection goes on`(
    index: Int
  ) throws {
    let connection = try Self.connection()
    for _ in 0..<2 {
      let error = #expect(throws: SQLiteError.self) { _ = try connection.prepare(Self.bombs[index]) }
      #expect(error?.extendedCode == SQLiteCode.tooComplex)
      #expect(try connection.text("SELECT count(*) FROM t") == "0")
    }
    try connection.run("INSERT INTO t(a) VALUES (1)")
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  @Test func `a step that lacks memory says so, also after a statement that was too complex`() throws {
    let connection = try Self.connection()
    let large = try connection.prepare("SELECT length(hex(zeroblob(2000000)))")
    for bomb in [nil, Self.bombs[6]] {
      if let bomb { #expect(throws: SQLiteError.self) { _ = try connection.prepare(bomb) } }
      connection.limiter.arm(memory: StatementMemory(bytesMax: 1 << 20))
      let error = #expect(throws: SQLiteError.self) { _ = try large.step() }
      #expect(error?.code == SQLiteCode.noMemory, "\(String(describing: error))")
      connection.limiter.disarm()
      large.reset()
    }
  }

  /// SQLite says that it has no memory.
  @Test(arguments: [Connection.Access.writer, .reader])
  func `a program of more instructions than it may have is too complex`(access: Connection.Access) throws {
    let scratch = try ScratchDatabase()
    let columns = (1...12).map { "g\($0) AS (g\($0 - 1) || g\($0 - 1))" }
    try scratch.writer().run("CREATE TABLE nested(g0, \(columns.joined(separator: ", ")))")
    var setup = ConnectionSetup()
    (setup.operationsMax, setup.compileMicrosecondsMax, setup.compileWriteMicrosecondsMax) = (1_000, .max, .max)
    let connection = try Connection(path: scratch.path, label: "test", access: access, setup: setup) { 1 }
    for sql in ["SELECT g12 FROM nested", "SELECT max(g12) FROM nested WHERE g0 = ?1"] {
      let error = #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
      #expect(error?.extendedCode == SQLiteCode.tooComplex, "\(String(describing: error))")
    }
    #expect(try connection.text("SELECT count(g3) FROM nested") == "0")
  }

  @Test func `a statement that is long and honest is compiled`() throws {
    let connection = try Self.connection()
    let honest = [
      "SELECT " + (0..<1_900).map { "a + \($0)" }.joined(separator: ", ") + " FROM t",
      "SELECT count(*) FROM t" + (0..<7).map { " JOIN t t\($0) ON t\($0).a = t.b" }.joined(),
      Self.doubling(5) { "SELECT x FROM \($0) UNION ALL SELECT x FROM \($0)" }, "SELECT count(*) FROM w5",
      "SELECT 1 FROM t WHERE a IN (" + (0..<20_000).map { "\($0)" }.joined(separator: ",") + ")",
    ]
    for sql in honest { _ = try connection.prepare(sql) }
  }

  @Test func `a compilation ends at the deadline and at the cancel of its statement`() throws {
    let connection = try Self.connection { $0.authority = .owner }
    connection.limiter.arm(deadlineNanoseconds: 1)
    for (stop, sql) in [(ExecutionLimiter.Stop.deadline, Self.bombs[0]), (.deadline, Self.bombs[8])] {
      let error = #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
      #expect(error?.code == SQLiteCode.interrupt)
      #expect(connection.limiter.stop == stop)
    }
    let flag = CancellationFlag()
    flag.cancel()
    connection.limiter.arm(cancellation: flag)
    #expect(throws: SQLiteError.self) { _ = try connection.prepare(Self.bombs[1]) }
    #expect(connection.limiter.stop == .cancelled)
    connection.limiter.disarm()
    #expect(try connection.text("SELECT count(*) FROM t") == "0")
  }

  /// SQLite compiles every view for a list of tables, and does so within a step of the statement that reads it.
  @Test(arguments: [
    "SELECT count(*) FROM pragma_table_list", "SELECT count(*) FROM pragma_table_info('w40')",
    "SELECT t.name, i.name FROM sqlite_schema t, pragma_table_xinfo(t.name) i",
    "INSERT INTO t(b) SELECT name FROM pragma_table_list WHERE schema = 'main'",
    "SELECT (SELECT count(*) FROM pragma_table_list('t')) FROM t",
    "SELECT count(*) FROM pragma_collation_list a CROSS JOIN pragma_table_list b",
    "SELECT count(*) FROM sqlite_schema s, pragma_table_info('t') a CROSS JOIN pragma_table_list b",
  ]) func `what a running statement reads as a table is compiled in bounded time`(sql: String) throws {
    let connection = try Self.connection()
    try connection.run("INSERT INTO t(a) VALUES (1)")
    for sql in ["CREATE TABLE once(a UNIQUE)", "INSERT INTO once VALUES (1)"] { try connection.run(sql) }
    let flag = CancellationFlag()
    flag.cancel()
    let statement = try connection.prepare(sql)
    let unique = try connection.prepare("INSERT INTO once VALUES (1)")
    for (index, (deadline, cancellation, code)) in [
      (UInt64.max, CancellationFlag?.none, SQLiteCode.tooComplex), (1, nil, SQLiteCode.interrupt),
      (.max, flag, SQLiteCode.interrupt),
    ].enumerated() {
      for isInTransaction in [false, true] {
        // So SQLite compiles the statement anew in its first step.
        try connection.run("CREATE VIEW x\(index)\(isInTransaction) AS SELECT 1")
        if isInTransaction { for sql in ["BEGIN", "INSERT INTO t(a) VALUES (2)"] { try connection.execute(sql) } }
        connection.limiter.arm(deadlineNanoseconds: deadline, cancellation: cancellation, isAlone: true)
        let error = #expect(throws: SQLiteError.self) { while try statement.step() {} }
        connection.limiter.disarm()
        statement.reset()
        #expect(error?.extendedCode == code, "\(String(describing: error))")
        // SQLite may give up the transaction, as a whole.
        let isLost = isInTransaction && connection.isAutocommit
        #expect(try connection.text("SELECT count(*) FROM t") == (isInTransaction && !isLost ? "2" : "1"))
        // The next error is its own.
        connection.limiter.arm(isAlone: true)
        #expect(#expect(throws: SQLiteError.self) { _ = try unique.step() }?.code == SQLiteCode.constraint)
        connection.limiter.disarm()
        unique.reset()
        if !connection.isAutocommit { try connection.execute("ROLLBACK") }
      }
    }
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  @Test func `tables of PRAGMAs say what the PRAGMAs say, beside views and values that take long`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: ConnectionSetup()) { 1 }
    for sql in Self.tables { try connection.run(sql) }
    for number in 0..<200 { try connection.run("CREATE VIEW v\(number) AS SELECT a, b FROM t") }
    for sql in [
      "SELECT count(*) FROM pragma_table_list WHERE schema = 'main'",
      "SELECT count(*) FROM sqlite_schema s, pragma_table_info(s.name) i",
      "SELECT max(length(replace(hex(zeroblob(ncol * 2000)), '0', 'ab'))) FROM pragma_table_list",
    ] {
      let statement = try connection.prepare(sql)
      connection.limiter.arm(isAlone: true)
      defer { connection.limiter.disarm() }
      #expect(try statement.step(), "\(sql)")
    }
    #expect(try connection.text("SELECT count(*) FROM pragma_table_list WHERE type = 'view'") == "200")
    #expect(try connection.text("SELECT sum(ncol) FROM pragma_table_list WHERE type = 'view'") == "400")
  }

  private final class Told: StatementPacer {
    let times = Atomic<Int>(0)

    func mustEnd() -> Bool { false }
    func compilesLong() { times.add(1, ordering: .relaxed) }
  }

  @Test func `who shares out the time is told of a long compilation while it lasts, and of no short one`() throws {
    let connection = try Self.connection { $0.compileWriteMicrosecondsMax = 100_000 }
    let told = Told()
    connection.limiter.arm(pacer: told)
    for _ in 0..<100 { _ = try connection.prepare("SELECT count(*) FROM t t1 JOIN t t2 ON t1.a = t2.b") }
    #expect(told.times.load(ordering: .relaxed) == 0)
    #expect(throws: SQLiteError.self) { _ = try connection.prepare(Self.bombs[0]) }
    #expect(told.times.load(ordering: .relaxed) > 1)
    connection.limiter.disarm()
  }

  /// On a virtual machine a thread's time holds what other machines took.
  @Test func `a short statement is compiled whatever the clock says, and a long one is not`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    for sql in Self.tables { try writer.run(sql) }
    var setup = ConnectionSetup()
    setup.compileMicrosecondsMax = 0
    setup.compileWriteMicrosecondsMax = 0
    let second = try Connection(path: scratch.path, label: "second", access: .writer, setup: setup) { 1 }
    for connection in [try scratch.reader(setup), second] {
      for _ in 0..<100 { #expect(try connection.text("SELECT count(*) FROM t t1 JOIN t t2 ON t1.a = t2.b") == "0") }
      let error = #expect(throws: SQLiteError.self) { _ = try connection.prepare(Self.bombs[6]) }
      #expect(error?.extendedCode == SQLiteCode.tooComplex)
    }
  }

  @Test func `a schema that takes longer to be read than a statement may be compiled is read all the same`() throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.execute("BEGIN")
    for number in 0..<3_000 { try writer.run("CREATE TABLE t\(number)(a, b, c, d, e, f, g, h)") }
    try writer.execute("COMMIT")
    var setup = ConnectionSetup()
    setup.compileMicrosecondsMax = 2_000
    let reader = try scratch.reader(setup)
    #expect(try reader.text("SELECT count(*) FROM t77") == "0")
    try writer.run("CREATE TABLE more(a)")
    #expect(try reader.text("SELECT count(*) FROM t78 JOIN more") == "0")
  }

  /// A view that is made anew so that nothing can compile what names it.
  private func spoil(_ writer: Connection) throws {
    try writer.run("DROP VIEW w0")
    try writer.run("CREATE VIEW w0 AS \(Self.bombs[6].replacing("count(*)", with: "count(*) AS x"))")
  }

  @Test func `what SQLite compiles anew because the schema has changed ends too, on readers and on the writer`() throws
  {
    try #require(SQLiteLibrary.isTuned)
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    for sql in Self.tables { try writer.run(sql) }
    try writer.run("CREATE TABLE u(x)")
    try writer.run("CREATE VIEW w0 AS SELECT 1 AS x")
    var setup = ConnectionSetup()
    setup.compileMicrosecondsMax = 20_000
    for boundsSchema in [false, true] {
      setup.boundsSchemaReading = boundsSchema
      let reader = try scratch.reader(setup)
      let read = try reader.prepare("SELECT count(*) FROM w0")
      let write = try writer.prepare("INSERT INTO u SELECT x FROM w0")
      for (connection, statement) in [(reader, read), (writer, write)] {
        while try statement.step() {}
        statement.reset()
        connection.limiter.arm(isAlone: true)
        while try statement.step() {}
        connection.limiter.disarm()
        statement.reset()
      }
      try spoil(writer)
      for (connection, statement) in [(reader, read), (writer, write)] {
        for _ in 0..<3 {
          connection.limiter.arm(isAlone: true)
          let error = #expect(throws: SQLiteError.self) { _ = try statement.step() }
          #expect(
            connection.hasEndedRecompilation && error?.extendedCode == SQLiteCode.tooComplex,
            "\(String(describing: error))")
          statement.reset()
          connection.limiter.disarm()
          // Nobody else's memory is refused.
          #expect(try connection.text("SELECT count(*) FROM t t1, t t2") == "0")
        }
        connection.limiter.arm(deadlineNanoseconds: 0)
        let error = #expect(throws: SQLiteError.self) { _ = try statement.step() }
        #expect(error?.code == SQLiteCode.interrupt && connection.limiter.stop == .deadline)
        statement.reset()
        connection.limiter.disarm()
      }
      // It is as good as before once the view is.
      try writer.run("DROP VIEW w0")
      try writer.run("CREATE VIEW w0 AS SELECT 1 AS x")
      for (connection, statement) in [(reader, read), (writer, write)] {
        // If nobody reads the schema for it, the next statement that runs finds out that it has changed.
        if boundsSchema { _ = try connection.text("SELECT count(*) FROM t") }
        connection.limiter.arm(isAlone: true)
        while try statement.step() {}
        statement.reset()
        connection.limiter.disarm()
      }
    }
    #expect(try writer.text("SELECT count(*) FROM u") == "6")
  }

  @Test func `a step waits for a long schema, and what runs after a compilation has all the memory and time it needs`()
    throws
  {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    try writer.run("CREATE TABLE t(x)")
    var setup = ConnectionSetup()
    setup.compileMicrosecondsMax = 8_000
    let reader = try scratch.reader(setup)
    // It sorts for many times as long as a compilation may take, in blocks of memory that could be refused.
    let long = """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      SELECT count(*) FROM (SELECT DISTINCT i, hex(zeroblob(40)) FROM n ORDER BY -i) WHERE i NOT IN (SELECT x FROM t)
      """
    let statement = try reader.prepare(long)
    for round in 0..<3 {
      try writer.execute("BEGIN")
      for number in 0..<2_000 {
        try writer.run("CREATE TABLE t\(round)_\(number)(a, b, c, d, e, f, g, h, i, j, k, l, m, n)")
      }
      try writer.execute("COMMIT")
      reader.limiter.arm(isAlone: true)
      #expect(try statement.step())
      #expect(statement.value(at: 0).integer == 60_000)
      #expect(try !statement.step())
      statement.reset()
      reader.limiter.disarm()
    }
  }
}
