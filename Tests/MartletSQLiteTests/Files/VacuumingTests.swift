/// VACUUM: what it gives back, what refuses it, and that nothing else changes.
import MartletSQLite
import Testing

@Suite struct VacuumingTests {
  private static var impatient: ConnectionSetup {
    var setup = ConnectionSetup()
    setup.busyTimeoutMs = 0
    return setup
  }

  /// Rows with many free pages beside them.
  private func filled(_ scratch: ScratchDatabase, _ setup: ConnectionSetup = impatient) throws -> Connection {
    let writer = try scratch.writer(setup)
    try writer.run("CREATE TABLE kept(id INTEGER PRIMARY KEY, a)")
    try writer.run("CREATE TABLE gone(a)")
    try writer.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO kept SELECT i, hex(zeroblob(i)) FROM n
      """)
    try writer.run("INSERT INTO gone SELECT zeroblob(9000) FROM kept")
    try writer.run("DELETE FROM gone")
    return writer
  }

  private func pages(_ connection: Connection) throws -> Int64? { try connection.integer("PRAGMA page_count") }

  private func sum(_ connection: Connection) throws -> String? {
    try connection.text("SELECT count(*) || ' ' || sum(id * length(a)) FROM kept")
  }

  @Test func `it gives the free pages back and keeps every row`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let (before, rows) = (try #require(try pages(writer)), try sum(writer))
    #expect(before > 400)
    try writer.vacuum()
    let after = try #require(try pages(writer))
    #expect(after < before / 4)
    #expect(try sum(writer) == rows)
    #expect(try writer.text("PRAGMA integrity_check") == "ok")
    #expect(try sum(try scratch.reader()) == rows)
    #expect(writer.isAutocommit)
  }

  @Test func `what the file will have is known before`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let expected = try writer.bytesInUse()
    #expect(try scratch.reader().bytesInUse() == expected)
    try writer.vacuum()
    let bytes = Int(try #require(try pages(writer))) * 4096
    // Rows are packed more closely then.
    #expect(bytes <= expected && bytes > expected / 2)
    #expect(try writer.bytesInUse() == bytes)
    #expect(try Connection.inMemory().bytesInUse() == 0)
  }

  @Test func `within a transaction it is refused, and the transaction goes on`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    try writer.execute("BEGIN IMMEDIATE")
    try writer.run("INSERT INTO kept VALUES (1000, 'x')")
    let error = #expect(throws: SQLiteError.self) { try writer.vacuum() }
    #expect(error?.code == SQLiteCode.error)
    #expect(!writer.isAutocommit)
    try writer.execute("COMMIT")
    #expect(try writer.integer("SELECT count(*) FROM kept") == 201)
    try writer.vacuum()
  }

  @Test func `a statement that is still read keeps it from beginning`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let query = try writer.prepare("SELECT id FROM kept ORDER BY id")
    #expect(try query.step())
    #expect(throws: SQLiteError.self) { try writer.vacuum() }
    #expect(try query.step() && query.value(at: 0).integer == 2)
    query.reset()
    try writer.vacuum()
  }

  @Test func `another writer keeps it from ending, and the file is what it was`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let (before, rows) = (try pages(writer), try sum(writer))
    let other = try scratch.writer(Self.impatient)
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: SQLiteError.self) { try writer.vacuum() }
    #expect(error?.code == SQLiteCode.busy)
    #expect(writer.isAutocommit)
    try other.execute("ROLLBACK")
    #expect(try pages(writer) == before)
    #expect(try sum(writer) == rows)
    try writer.vacuum()
    #expect(try sum(other) == rows)
  }

  @Test func `the limiter ends it at any moment, and the file is what it was`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let (before, rows) = (try pages(writer), try sum(writer))
    let flag = CancellationFlag()
    flag.cancel()
    var ended = 0
    for steps in [1, 1_000, 2_000, 3_000] {
      writer.limiter.arm(steps: steps, cancellation: steps == 1 ? flag : nil)
      let error = Result { () throws(SQLiteError) in try writer.vacuum() }.failure
      writer.limiter.disarm()
      #expect(writer.isAutocommit)
      #expect(try sum(writer) == rows)
      guard let error else { break }
      ended += 1
      #expect(error.code == SQLiteCode.interrupt)
      #expect(try pages(writer) == before)
    }
    #expect(ended > 0)
    #expect(try writer.text("PRAGMA integrity_check") == "ok")
  }

  @Test func `a reader cannot, and programs may attach as little as before`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let reader = try scratch.reader()
    let rows = try sum(reader)
    #expect(throws: SQLiteError.self) { try reader.vacuum() }
    #expect(try sum(reader) == rows)
    try writer.vacuum()
    for connection in [writer, reader] {
      // Not the authorizer's answer: the engine's own statements are exempt from it.
      let error = #expect(throws: SQLiteError.self) { try connection.execute("ATTACH ':memory:' AS other") }
      #expect(error?.message.contains("too many attached databases") == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: 0...3)
  func `an owner's file is vacuumed beside the databases that it has attached`(attached: Int) throws {
    let scratch = try ScratchDatabase()
    var setup = ConnectionSetup()
    setup.authority = .owner
    setup.attachedMax = 3
    let writer = try filled(scratch, setup)
    for number in 0..<attached { try writer.run("ATTACH ':memory:' AS other\(number)") }
    let (before, rows) = (try #require(try pages(writer)), try sum(writer))
    try writer.vacuum()
    #expect(try #require(try pages(writer)) < before / 4)
    #expect(try sum(writer) == rows)
    for number in attached..<3 { try writer.run("ATTACH ':memory:' AS other\(number)") }
    #expect(throws: SQLiteError.self) { try writer.run("ATTACH ':memory:' AS more") }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { return error }
    return nil
  }
}
