/// Database setups: what one session declares is seen by those with the same setup and by nobody else.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct DatabaseSetupTests {
  private static let log = "SELECT note FROM log ORDER BY id"

  @Test func `a temporary trigger fires for the sessions of its setup and never for others`() throws {
    let base = try Setups.database()
    let red = try base.session(Setups.notes("red"))
    let blue = try base.session(Setups.notes("blue"))
    let again = try base.session(Setups.notes("red"))
    for session in [red, blue, again] { try session.run(Setups.insert, ["x"]) }
    try base.run(Setups.insert, ["x"])
    #expect(try base.sql(Self.log).rows == [["red"], ["blue"], ["red"]])
    #expect(try base.sql("SELECT count(*) FROM items").rows == [[4]])
    #expect(base.counter("setups_open") == 2)
  }

  @Test func `every reader of a setup has its views, and no reader of another`() throws {
    let base = try Setups.database()
    let red = try base.session(Setups.view("red"))
    let blue = try base.session(Setups.view("blue"))
    for title in ["red", "blue", "blue"] { try base.run(Setups.insert, [.text(title)]) }
    let chosen = Trees.select(["id"], from: "chosen")
    for (session, ids) in [(red, [[Value.integer(1)]]), (blue, [[2], [3]])] {
      #expect(try session.run(chosen) == ids)
      #expect(try session.sql("SELECT id FROM chosen ORDER BY id") == ids)
      guard case .completed(let completion) = try session.inline("id", from: "chosen") else {
        Issue.record("not read on the loop")
        continue
      }
      #expect(completion.rowsReturned == Int64(ids.count))
      // In a read transaction and in a write transaction.
      for mode in [TransactionMode.read, .write] {
        let begun = session.sink.token()
        let transaction = session.database.begin(mode, deadline: .distantFuture, token: begun, sink: session.sink)
        let token = session.sink.token()
        _ = transaction.start(StatementRequest(source: .statement(chosen)), token: token, sink: session.sink)
        #expect(session.sink.outcome(of: token).rows == ids)
        transaction.abandon()
      }
    }
    let missing = base.result(chosen).error
    #expect(missing?.reason == .invalidStatement && missing?.message == "No such table: chosen.")
    guard case .failed(let error) = try base.session().inline("id", from: "chosen") else {
      Issue.record("read what is not there")
      return
    }
    #expect(error.message == "No such table: chosen.")
  }

  @Test func `writes into a view go where its trigger says`() throws {
    let base = try Setups.database()
    let view = Trees.bytes(
      .createView(
        "titles",
        .select {
          $0.columns = [.expression(.column("title"))]
          $0.from = .table("items")
        }
      ) { $0.temporary = true })
    let trigger = Trees.raw(
      """
      CREATE TEMPORARY TRIGGER adding INSTEAD OF INSERT ON titles BEGIN
        INSERT INTO items(title) VALUES (upper(new.title));
      END
      """)
    let session = try base.session(view, trigger)
    try session.run(Trees.insert("titles", ["title"]), ["a"])
    try session.sql("INSERT INTO titles VALUES ('b')")
    #expect(try session.sql("SELECT title FROM titles ORDER BY title") == [["A"], ["B"]])
  }

  @Test func `a trigger waits for its table, and comes back with it`() throws {
    let base = try TemporaryDatabase()
    try base.sql(Setups.schema[1])
    let session = try base.session(Setups.notes("x"))
    #expect(session.error(Setups.insert)?.message == "No such table: items.")
    try session.sql(Setups.schema[0])
    try session.run(Setups.insert, ["a"])
    #expect(try base.sql(Self.log).rows == [["x"]])

    // Dropped and made anew by the setup's own session, which takes the trigger with it, and by another.
    for other in [session, try base.session()] {
      try other.sql("DROP TABLE items")
      try other.sql(Setups.schema[0])
      try session.run(Setups.insert, ["b"])
    }
    try session.sql("ALTER TABLE items RENAME TO things")
    try session.sql(Setups.schema[0])
    try session.sql("INSERT INTO things(title) VALUES ('c')")
    try session.run(Setups.insert, ["d"])
    #expect(try base.sql(Self.log).rows == [["x"], ["x"], ["x"], ["x"]])
  }

  @Test func `a dropped table is an error for the setup that needs it and for nobody else`() throws {
    let base = try Setups.database()
    let audited = try base.session(Setups.notes("x"), Setups.view("a"))
    try audited.run(Setups.insert, ["a"])
    try base.sql("DROP TABLE log")
    #expect(audited.error(Trees.raw("INSERT INTO items VALUES (9, '')"))?.message == "No such table: log.")
    #expect(try audited.sql("SELECT id FROM chosen") == [[1]])
    try base.run(Setups.insert, ["b"])
    try base.sql("ALTER TABLE items RENAME COLUMN title TO name")
    #expect(audited.error(Trees.select(["id"], from: "chosen"))?.message == "No such column: title.")
    #expect(try base.sql("SELECT count(*) FROM items").rows == [[2]])
  }

  @Test func `a setup is prepared anew after the database was closed`() throws {
    let directory = TemporaryDirectory()
    for round in 1...3 {
      let engine = try Engine(configuration: EngineConfiguration(directory: directory.path))
      defer { engine.shutdown() }
      let session = SetupSession(
        database: try engine.database(named: "test", create: true, setup: DatabaseSetup([Setups.notes("n")])))
      if round == 1 { for sql in Setups.schema { try session.sql(sql) } }
      try session.run(Setups.insert, ["x"])
      #expect(try session.sql("SELECT count(*) FROM log") == [[.integer(Int64(round))]])
    }
  }

  @Test func `setups in use are not bounded, what they keep open is, and one that nobody has makes room`() throws {
    let base = try Setups.database {
      $0.limits.setupsPerDatabaseMax = 2
      $0.limits.setupReaderConnectionsMax = 2
    }
    let notes = (0..<20).map { "\($0)" }
    var held: [SetupSession] = []
    for note in notes { held.append(try base.session(Setups.notes(note), Setups.view(note))) }
    for _ in 0..<2 {
      for (note, session) in zip(notes, held) {
        try session.run(Setups.insert, [.text(note)])
        #expect(try session.sql("SELECT count(*) FROM chosen").count == 1)
      }
    }
    #expect(try base.sql(Self.log).rows == (notes + notes).map { [.text($0)] })
    #expect(base.counter("setups_open") == 20 && base.counter("reader_connections_leased") == 0)
    held.removeFirst(19)
    _ = try base.session(Setups.notes("one more"))
    #expect(base.counter("setups_open") == 20, "one of those that nobody has has made room")
  }
}
