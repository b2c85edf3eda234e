/// The client against the real server, over TCP and over a Unix socket.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.timeLimit(.minutes(2))) struct ClientEndToEndTests {
  enum Transport: String, Sendable, CaseIterable { case tcp, unix }

  /// A server with one table, and a client of it. The server lives as long as the value.
  private struct Stage {
    let directory = TemporaryDirectory()
    let server: TestServer
    let database: DatabaseClient

    init(
      _ transport: Transport = .tcp, limits: Limits = Limits(),
      _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws {
      server = try TestServer(directory: directory.path, limits: limits)
      var configuration = ClientConfiguration(createsDatabase: true)
      change(&configuration)
      database = try DatabaseClient(
        transport == .tcp ? server.url("shop") : server.unixURL("shop"), configuration: configuration)
      try await database.execute(
        .sql("CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT UNIQUE, n INTEGER CHECK (n >= 0))"))
    }
  }

  private static let insert = RemoteStatement.sql("INSERT INTO items (title, n) VALUES (?1, ?2)")
  private static let add = RemoteStatement.sql("UPDATE items SET n = n + 1 WHERE id = 1")
  private static let sum = RemoteStatement.sql("SELECT coalesce(sum(n), 0) FROM items", isRead: true)
  private static let numbers = RemoteStatement.sql(
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1) SELECT i, 'row ' || i FROM c",
    isRead: true)

  @Test(arguments: Transport.allCases)
  func `every value comes back as it was sent`(transport: Transport) async throws {
    let stage = try await Stage(transport)
    let values: [Value] = [
      nil, 0, .integer(.min), .integer(.max), 1.5, -0.0, .real(.infinity), .real(.leastNonzeroMagnitude), "", "é\u{0}x",
      .text(String(repeating: "long ", count: 50_000)), .blob([]), .blob([0, 255]),
      .blob([UInt8](repeating: 7, count: 300_000)),
    ]
    let echo = RemoteStatement.sql("SELECT ?1 AS v, typeof(?1) AS t", isRead: true)
    for value in values {
      let row = try #require(try await stage.database.fetchOne(echo, [value]))
      #expect(try row.value("v") == value)
    }
    let listed = RemoteStatement.sql("SELECT 1", isRead: true)
    #expect(try await stage.database.fetchAll(listed).count == 1)
  }

  @Test(arguments: Transport.allCases)
  func `many rows go in as one parameter and stream out again`(transport: Transport) async throws {
    let stage = try await Stage(transport) { $0.streamWindowBytes = 256 << 10 }
    let bulk = try RemoteStatement(.insert(into: "items", ["id", "title", "n"], rows: 1))
    let rows = (1...50_000).map { [Value.integer(Int64($0)), .text("item \($0)"), .integer(Int64($0 % 10))] }
    let completion = try await stage.database.execute(bulk, [.rows(RowBatch(rows: rows, columnCount: 3))])
    #expect(completion.rowsChanged == 50_000)
    let all = RemoteStatement.sql("SELECT id, title, n FROM items ORDER BY id", isRead: true)
    var next = 1
    for try await row in try await stage.database.rows(all) {
      #expect(try row.get(Int.self, 0) == next && row.get(String.self, 1) == "item \(next)")
      next += 1
    }
    #expect(next == 50_001)
    var total = 0
    for try await batch in try await stage.database.batches(all) { total += batch.rowCount }
    #expect(total == 50_000)
  }

  @Test func `a stream that is left ends at the server and the connection goes on`() async throws {
    let stage = try await Stage { $0.connectionsMax = 1 }
    for _ in 0..<20 {
      var seen = 0
      for try await row in try await stage.database.rows(Self.numbers, [100_000_000]) {
        seen += try row.get(Int.self, 0)
        if seen > 1_000 { break }
      }
    }
    #expect(try await stage.database.fetchAll(Self.numbers, [3]).map { try $0.get(Int.self, 0) } == [1, 2, 3])
  }

  @Test func `a cancelled task and a deadline end a long query`() async throws {
    let stage = try await Stage { $0.connectionsMax = 1 }
    let count = RemoteStatement.sql(
      "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT max(i) FROM c", isRead: true)
    let task = Task { try await stage.database.fetchAll(count, deadline: .seconds(60)) }
    try await stage.database.ping()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let late = await #expect(throws: RequestError.self) {
      try await withDeadline(.milliseconds(50)) { try await stage.database.fetchAll(count) }
    }
    #expect(late?.code == .deadlineExceeded)
    try await stage.database.ping()
  }

  @Test func `concurrent transactions lose nothing`() async throws {
    let stage = try await Stage()
    try await stage.database.execute(Self.insert, ["a", 0])
    let read = RemoteStatement.sql("SELECT n FROM items WHERE id = 1", isRead: true)
    let set = RemoteStatement.sql("UPDATE items SET n = ?1 WHERE id = 1")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<20 {
        group.addTask {
          for _ in 0..<10 {
            if task.isMultiple(of: 2) {
              try await stage.database.execute(Self.add)
            } else {
              try await stage.database.write { transaction in
                let n = try #require(try await transaction.fetchOne(read)).get(Int64.self, 0)
                try await transaction.execute(set, [.integer(n + 1)])
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stage.database.fetchOne(Int.self, Self.sum) == 200)
  }

  @Test func `what throws is undone, savepoints undo their part, and snapshots do not move`() async throws {
    struct Oops: Error {}
    let stage = try await Stage()
    await #expect(throws: Oops.self) {
      try await stage.database.write { transaction in
        try await transaction.execute(Self.insert, ["a", 1])
        throw Oops()
      }
    }
    #expect(try await stage.database.fetchOne(Int.self, Self.sum) == 0)
    try await stage.database.write { transaction in
      try await transaction.execute(Self.insert, ["a", 1])
      do {
        try await transaction.savepoint {
          try await transaction.execute(Self.insert, ["b", 10])
          throw Oops()
        }
      } catch is Oops {}
      // The outer savepoint stays open while the inner one runs.
      try await transaction.savepoint {
        try await transaction.savepoint { try await transaction.execute(Self.insert, ["c", 100]) }
      }
    }
    #expect(try await stage.database.fetchOne(Int.self, Self.sum) == 101)
    try await stage.database.read { snapshot in
      #expect(try await snapshot.fetchOne(Int.self, Self.sum) == 101)
      try await stage.database.execute(Self.insert, ["d", 1_000])
      #expect(try await snapshot.fetchOne(Int.self, Self.sum) == 101)
    }
    #expect(try await stage.database.fetchOne(Int.self, Self.sum) == 1_101)
    let refused = await #expect(throws: RequestError.self) {
      try await stage.database.read { snapshot in _ = try await snapshot.execute(Self.insert, ["e", 1]) }
    }
    #expect(refused?.code != .internal)
  }

  @Test func `a transaction may write while it streams`() async throws {
    let stage = try await Stage { $0.streamWindowBytes = 64 << 10 }
    try await stage.database.write { transaction in
      try await transaction.execute(Self.insert, ["a", 0])
      var seen = 0
      for try await _ in try await transaction.rows(Self.numbers, [20_000]) {
        seen += 1
        if seen.isMultiple(of: 5_000) { try await transaction.execute(Self.add) }
      }
      #expect(seen == 20_000)
    }
    #expect(try await stage.database.fetchOne(Int.self, Self.sum) == 4)
  }

  @Test func `errors say what SQLite says`() async throws {
    let stage = try await Stage()
    try await stage.database.execute(Self.insert, ["a", 1])
    let unique = await #expect(throws: RequestError.self) { try await stage.database.execute(Self.insert, ["a", 1]) }
    #expect(unique?.reason == .constraint && unique?.isOutcomeUnknown == false)
    let check = await #expect(throws: RequestError.self) { try await stage.database.execute(Self.insert, ["b", -1]) }
    #expect(check?.reason == .constraint)
    await #expect(throws: RequestError.self) { try await stage.database.execute(.sql("SELEC 1")) }
    await #expect(throws: RequestError.self) { try await stage.database.fetchAll(.sql("SELECT nothing FROM nowhere")) }
    await #expect(throws: RequestError.self) { try await stage.database.rows(.sql("SELECT nothing FROM nowhere")) }
    let unknown = try DatabaseClient(stage.server.url("other"))
    let missing = await #expect(throws: RequestError.self) { try await unknown.ping() }
    #expect(missing?.reason == .unknownDatabase)
  }

  @Test func `batches refer to earlier steps, skip, and are undone as a whole`() async throws {
    let stage = try await Stage()
    let results = try await stage.database.batch { batch in
      let first = batch.add(Self.insert, ["a", 5])
      let found = batch.add(.sql("SELECT n FROM items WHERE id = ?1"), [first.lastInsertRowID])
      batch.add(Self.insert, ["b", found.firstRow(column: 0)], when: found.returnedRows)
      batch.add(Self.insert, ["c", 1], when: !first.succeeded)
    }
    #expect(try results[1].rows.first?.get(Int.self, 0) == 5)
    #expect(results[3].completion?.isSkipped == true)
    #expect(try await stage.database.fetchOne(Int.self, Self.sum) == 10)
    let error = await #expect(throws: RequestError.self) {
      try await stage.database.batch { batch in
        batch.add(Self.insert, ["d", 1])
        batch.add(Self.insert, ["a", 1])
      }
    }
    #expect(error?.reason == .constraint && error?.path.hasPrefix("steps[1]") == true)
    let parts = try await stage.database.batch(atomic: false) { batch in
      let bad = batch.add(Self.insert, ["a", 1])
      batch.add(Self.insert, ["e", 1], when: bad.failed)
    }
    #expect(parts[0].error?.reason == .constraint && parts[1].completion?.rowsChanged == 1)
    #expect(try await stage.database.fetchOne(Int.self, Self.sum) == 11)
  }

  @Test func `shapes that the server forgot are sent again unseen`() async throws {
    var limits = Limits()
    limits.plansMax = 4
    let stage = try await Stage(limits: limits)
    let statements = (0..<40).map { RemoteStatement.sql("SELECT \($0) AS n", isRead: true) }
    for _ in 0..<3 {
      for (number, statement) in statements.enumerated() {
        #expect(try await stage.database.fetchOne(Int.self, statement) == number)
      }
    }
    try await stage.database.batch(statements.map { BatchStep($0) })
    try await stage.database.read { snapshot in
      for statement in statements { _ = try await snapshot.fetchAll(statement) }
    }
  }

  @Test func `a changed schema changes the columns that the client sees`() async throws {
    let stage = try await Stage()
    let all = RemoteStatement.sql("SELECT * FROM items", isRead: true)
    try await stage.database.execute(Self.insert, ["a", 1])
    #expect(try await stage.database.fetchAll(all).first?.columns.columns.map(\.name) == ["id", "title", "n"])
    try await stage.database.execute(.sql("ALTER TABLE items ADD COLUMN note TEXT"))
    for _ in 0..<2 {
      #expect(
        try await stage.database.fetchAll(all).first?.columns.columns.map(\.name) == ["id", "title", "n", "note"])
    }
  }

  @Test func `many tasks share few connections`() async throws {
    let stage = try await Stage { $0.connectionsMax = 2 }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<500 {
        group.addTask {
          try await stage.database.fetchOne(Int.self, .sql("SELECT ?1", isRead: true), [.integer(Int64(number))]) ?? -1
        }
      }
      var seen = Set<Int>()
      for try await number in group { seen.insert(number) }
      #expect(seen == Set(0..<500))
    }
    let inspection = try await stage.database.inspect(shapes: 5)
    #expect(!inspection.counters.isEmpty)
  }

  @Test func `a server that stops tells its clients`() async throws {
    let stage = try await Stage()
    let task = Task {
      try await stage.database.fetchAll(Self.numbers, [.integer(.max)], deadline: .seconds(60)).count
    }
    try await stage.database.ping()
    stage.server.stop()
    await #expect(throws: (any Error).self) { try await task.value }
    let error = await #expect(throws: ClientError.self) { try await stage.database.execute(Self.insert, ["z", 1]) }
    #expect(error?.code == .cannotConnect && error?.isOutcomeUnknown == false)
  }
}
