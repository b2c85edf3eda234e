/// Transactions that the library begins and ends: what is open, what is undone, and what no program's statement ends.
import MartletSQLite
import Testing

@Suite struct TransactionControlTests {
  /// A connection of a program that may say all but the end of a transaction that is not its own.
  private func owner(_ scratch: ScratchDatabase) throws -> (Connection, TransactionControl) {
    var setup = ConnectionSetup()
    setup.authority = .owner
    setup.busyTimeoutMs = 0
    let connection = try scratch.writer(setup)
    try connection.run("CREATE TABLE IF NOT EXISTS t(a UNIQUE)")
    return (connection, TransactionControl(connection))
  }

  private func values(_ connection: Connection) throws -> String? {
    try connection.text("SELECT group_concat(a, ' ') FROM (SELECT a FROM t ORDER BY a)")
  }

  @Test(arguments: [true, false])
  func `what is committed is kept, and what is rolled back is not`(immediate: Bool) throws {
    let scratch = try ScratchDatabase()
    let (connection, control) = try owner(scratch)
    let (other, _) = try owner(scratch)
    for round in 1...3 {
      #expect(!control.isActive && connection.isAutocommit)
      try control.begin(immediate: immediate)
      #expect(control.isActive && !connection.isAutocommit)
      try connection.run("INSERT INTO t VALUES (\(round))")
      #expect(try other.integer("SELECT count(*) FROM t") == Int64(round - 1))
      try control.commit()
      #expect(!control.isActive && connection.isAutocommit)
      try control.begin(immediate: immediate)
      try connection.run("DELETE FROM t")
      control.rollBack()
      #expect(!control.isActive && connection.isAutocommit)
      #expect(try other.integer("SELECT count(*) FROM t") == Int64(round))
    }
  }

  @Test func `the right to write is taken at once, or with the first write`() throws {
    let scratch = try ScratchDatabase()
    let (first, second) = (try owner(scratch), try owner(scratch))
    try first.1.begin(immediate: false)
    try second.1.begin(immediate: true)
    let busy = #expect(throws: SQLiteError.self) { try first.0.run("INSERT INTO t VALUES (1)") }
    #expect(busy?.code == SQLiteCode.busy)
    #expect(first.1.isActive && !first.0.isAutocommit, "a write that has to wait ends nothing")
    first.1.rollBack()
    let refused = #expect(throws: SQLiteError.self) { try first.1.begin(immediate: true) }
    #expect(refused?.code == SQLiteCode.busy)
    #expect(!first.1.isActive && first.0.isAutocommit)
    try second.1.commit()
    try first.1.begin(immediate: true)
    try first.0.run("INSERT INTO t VALUES (1)")
    try first.1.commit()
  }

  @Test func `a snapshot is of the moment when it is taken`() throws {
    let scratch = try ScratchDatabase()
    let (reading, writing) = (try owner(scratch), try owner(scratch))
    for (takes, seen) in [(true, Int64(0)), (false, 2)] {
      try reading.1.begin(immediate: false)
      if takes { try reading.1.takeSnapshot() }
      try writing.0.run("INSERT INTO t VALUES (\(takes))")
      #expect(try reading.0.integer("SELECT count(*) FROM t") == seen)
      reading.1.rollBack()
    }
  }

  @Test func `a transaction within one is refused and changes nothing`() throws {
    let scratch = try ScratchDatabase()
    let (connection, control) = try owner(scratch)
    try control.begin(immediate: true)
    try connection.run("INSERT INTO t VALUES (1)")
    #expect(throws: SQLiteError.self) { try control.begin(immediate: false) }
    #expect(control.isActive && !connection.isAutocommit)
    try control.commit()
    #expect(try values(connection) == "1")
    // One that the program itself began is not taken over.
    try connection.run("BEGIN")
    #expect(throws: SQLiteError.self) { try control.begin(immediate: true) }
    #expect(!control.isActive && !connection.isAutocommit)
    try connection.run("COMMIT")
  }

  @Test func `without a transaction there is nothing to commit, and nothing to undo`() throws {
    let scratch = try ScratchDatabase()
    let (connection, control) = try owner(scratch)
    for _ in 0..<2 {
      let error = #expect(throws: SQLiteError.self) { try control.commit() }
      #expect(error?.code == SQLiteCode.error)
      control.rollBack()
      #expect(!control.isActive && connection.isAutocommit)
    }
    for action in [control.releaseSavepoint, control.rollBackToSavepoint] {
      #expect(throws: SQLiteError.self) { try action(1) }
    }
  }

  @Test func `a commit that a foreign key forbids leaves the transaction open`() throws {
    let scratch = try ScratchDatabase()
    let (connection, control) = try owner(scratch)
    try connection.run("CREATE TABLE c(a REFERENCES t(a) DEFERRABLE INITIALLY DEFERRED)")
    try control.begin(immediate: true)
    try connection.run("INSERT INTO c VALUES (7)")
    for _ in 0..<2 {
      let error = #expect(throws: SQLiteError.self) { try control.commit() }
      #expect(error?.extendedCode == SQLiteCode.constraintForeignKey)
      #expect(control.isActive && !connection.isAutocommit)
    }
    #expect(throws: SQLiteError.self) { try connection.run("COMMIT") }
    try connection.run("INSERT INTO t VALUES (7)")
    try control.commit()
    #expect(try connection.integer("SELECT count(*) FROM c") == 1)
  }

  private static let endings = [
    "COMMIT", "END", "END TRANSACTION", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "ROLLBACK TO s", "BEGIN",
    "RELEASE \"martlet 1\"", "ROLLBACK TO \"martlet 1\"", "-- nothing\nCOMMIT;",
  ]

  @Test func `no statement of a program ends it, and afterwards a program may again`() throws {
    let scratch = try ScratchDatabase()
    let (connection, control) = try owner(scratch)
    try control.begin(immediate: true)
    try control.setSavepoint(1)
    try connection.run("INSERT INTO t VALUES (1)")
    for sql in Self.endings {
      let error = #expect(throws: SQLiteError.self, "\(sql)") { try connection.run(sql) }
      #expect(error?.code == SQLiteCode.authorization, "\(sql)")
      var script = ScriptText(sql)
      #expect(throws: SQLiteError.self, "\(sql)") { _ = try connection.prepareNext(of: &script)?.step() }
    }
    #expect(control.isActive && !connection.isAutocommit)
    try control.commit()
    for sql in ["BEGIN", "SAVEPOINT s", "ROLLBACK TO s", "RELEASE s", "COMMIT"] { try connection.run(sql) }
    #expect(try values(connection) == "1")
  }

  @Test func `a statement that was compiled before the transaction does not end it either`() throws {
    let scratch = try ScratchDatabase()
    let (connection, control) = try owner(scratch)
    for sql in Self.endings {
      let early = try connection.prepare(sql)
      var script = ScriptText(sql)
      let scripted = try connection.prepareNext(of: &script)
      try control.begin(immediate: true)
      try connection.run("INSERT INTO t VALUES (1)")
      try control.setSavepoint(1)
      for statement in [early, scripted] {
        let error = #expect(throws: SQLiteError.self, "\(sql)") { _ = try statement?.step() }
        #expect(error?.code == SQLiteCode.authorization, "\(sql)")
        #expect(error?.message == "A statement may not control transactions with SQL inside of one.", "\(sql)")
        statement?.reset()
      }
      #expect(control.isActive && !connection.isAutocommit, "\(sql)")
      control.rollBack()
      #expect(try connection.integer("SELECT count(*) FROM t") == 0, "\(sql)")
    }
    let (begin, commit) = (try connection.prepare("BEGIN"), try connection.prepare("COMMIT"))
    for value in 1...3 {
      #expect(try !begin.step())
      try connection.run("INSERT INTO t VALUES (\(value))")
      #expect(try !commit.step())
      for statement in [begin, commit] { statement.reset() }
    }
    #expect(try values(connection) == "1 2 3", "outside of the library's they do what they say")
  }

  @Test func `what SQLite itself rolled back is over, and can be begun again`() throws {
    let scratch = try ScratchDatabase()
    let (connection, control) = try owner(scratch)
    try connection.run("INSERT INTO t VALUES (1)")
    try control.begin(immediate: true)
    try connection.run("INSERT INTO t VALUES (2)")
    #expect(throws: SQLiteError.self) { try connection.run("INSERT OR ROLLBACK INTO t VALUES (1)") }
    #expect(connection.isAutocommit)
    #expect(throws: SQLiteError.self) { try control.commit() }
    control.rollBack()
    #expect(!control.isActive)
    try control.begin(immediate: true)
    try connection.run("INSERT INTO t VALUES (3)")
    try control.commit()
    #expect(try values(connection) == "1 3")
  }

  @Test func `neither a deadline nor a cancellation ends a transaction's own statements`() throws {
    let scratch = try ScratchDatabase()
    var setup = ConnectionSetup()
    setup.progressSteps = 1
    setup.authority = .owner
    let connection = try scratch.writer(setup)
    let control = TransactionControl(connection)
    try connection.run("CREATE TABLE t(a)")
    let query = try connection.prepare("SELECT count(*) FROM t")
    let flag = CancellationFlag()
    flag.cancel()
    connection.limiter.arm(cancellation: flag)
    for _ in 0..<3 {
      try control.begin(immediate: true)
      try control.takeSnapshot()
      try control.setSavepoint(1)
      try control.rollBackToSavepoint(1)
      try control.releaseSavepoint(1)
      try control.commit()
      try control.begin(immediate: false)
      control.rollBack()
      #expect(connection.isAutocommit)
      // A program's statement is watched as before.
      let error = #expect(throws: SQLiteError.self) { try query.step() }
      #expect(error?.code == SQLiteCode.interrupt)
      query.reset()
    }
  }
}
