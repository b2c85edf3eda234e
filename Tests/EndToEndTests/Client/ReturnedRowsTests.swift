/// Writes that return rows whose reader goes away, against the real server: what was written stays.
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.timeLimit(.minutes(2))) struct ReturnedRowsTests {
  /// More than a window of rows, so that the server waits for the reader.
  private static let rows = 20_000
  private static let update = RemoteStatement.sql("UPDATE items SET n = n + 1 RETURNING id, n, hex(zeroblob(200))")

  private struct Stage {
    let directory = TemporaryDirectory()
    let server: TestServer
    let database: DatabaseClient

    init() async throws {
      server = try TestServer(directory: directory.path)
      database = try DatabaseClient(server.url("shop"), configuration: ClientConfiguration(createsDatabase: true))
      try await database.execute(.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, n INTEGER)"))
      try await database.execute(
        .sql(
          "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < \(ReturnedRowsTests.rows)) "
            + "INSERT INTO items SELECT i, 0 FROM c"))
    }

    /// How often all rows were changed; nil if only some of them were.
    var rounds: Int? {
      get async throws {
        let row = try await database.fetchOne(.sql("SELECT min(n), max(n) FROM items", isRead: true))
        let (least, most) = (try row?.get(Int.self, 0), try row?.get(Int.self, 1))
        return least == most ? least : nil
      }
    }
  }

  @Test func `a loop that is left leaves the write, in a transaction and outside of one`() async throws {
    let stage = try await Stage()
    let database = stage.database
    for try await _ in try await database.rows(Self.update) { break }
    #expect(try await stage.rounds == 1)
    _ = try await database.fetchOne(Self.update)
    #expect(try await stage.rounds == 2)
    try await database.write { transaction in
      for try await _ in try await transaction.rows(Self.update) { break }
    }
    #expect(try await stage.rounds == 3)
    try await database.write { transaction in
      _ = try await transaction.fetchOne(Self.update)
      for try await _ in try await transaction.batches(Self.update) { break }
      try await transaction.execute(Self.update)
    }
    #expect(try await stage.rounds == 6)
    struct Left: Error {}
    await #expect(throws: Left.self) {
      try await database.write { transaction in
        for try await _ in try await transaction.rows(Self.update) { throw Left() }
      }
    }
    #expect(try await stage.rounds == 6)
  }

  @Test func `a query that is left in a write transaction is stopped, and the transaction goes on`() async throws {
    let stage = try await Stage()
    let endless = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i, hex(zeroblob(200)) FROM c"
    try await stage.database.write { transaction in
      for try await _ in try await transaction.rows(.sql(endless)) { break }
      try await transaction.execute(Self.update)
    }
    #expect(try await stage.rounds == 1)
  }

  @Test func `a task that is cancelled is told what became of its write`() async throws {
    let stage = try await Stage()
    let database = stage.database
    var happened = 0
    for round in 0..<40 {
      let task = Task {
        var count = 0
        for try await batch in try await database.batches(Self.update) { count += batch.rowCount }
        return count
      }
      // Another moment in each round, from before the write begins to after its end.
      try await Task.sleep(for: .milliseconds(round * 2))
      task.cancel()
      switch await task.result {
      case .success(let count):
        #expect(count == Self.rows)
        happened += 1
      case .failure(let error as RequestError):
        #expect(error.isOutcomeUnknown, "\(error)")
        happened = try await stage.rounds ?? -1
      case .failure(let error): #expect(error is CancellationError)
      }
      #expect(try await stage.rounds == happened, "round \(round)")
    }
  }
}
