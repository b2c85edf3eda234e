/// Deadlines of reads and writes, on every kind of database.
import Dispatch
import MartletDatabase
import MartletQuery
import MartletValues
import Testing

@Suite(.timeLimit(.minutes(3))) struct DeadlineTests {
  /// Runs for longer than any test may, unless something ends it.
  private static let endless = """
    SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000)
      SELECT i FROM n)
    """

  private func expectLate(_ what: String, _ body: () throws -> Void) {
    let error = #expect(throws: RequestError.self) { try body() }
    #expect(error?.code == .deadlineExceeded, "\(what)")
  }

  private func expectLate(_ what: String, _ body: () async throws -> Void) async {
    let error = await #expect(throws: RequestError.self) { try await body() }
    #expect(error?.code == .deadlineExceeded, "\(what)")
  }

  @Test(arguments: Home.allCases)
  func `what runs for too long ends at its deadline, and the database goes on`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    try endBlocking(database)
    await expectLate("asynchronous write(deadline:)") {
      try await database.write(deadline: .milliseconds(50)) { db in
        try db.execute(sql: "INSERT INTO items(title) VALUES ('late')")
        try db.execute(sql: Self.endless)
      }
    }
    await expectLate("withDeadline around an asynchronous read") {
      try await withDeadline(.milliseconds(50)) {
        try await database.read { try $0.execute(sql: Self.endless) }
      }
    }
    if Home.embedded.contains(home) {
      let error = await #expect(throws: RequestError.self) {
        try await database.read(deadline: .milliseconds(50)) { try $0.execute(sql: Self.endless) }
      }
      // A file of the program's own has no server whose options could be changed.
      #expect(error?.message.contains("server") == false && error?.message.contains("--") == false, "\(home)")
    }
    // What was late was undone, and nothing that comes later is.
    let late = try await database.read { try Item.where { $0.title.eq("late") }.fetchAll($0).count }
    #expect(late == 0)
    try await database.write(deadline: .seconds(60)) { try Item.insert { Item.Draft(title: "in time") }.execute($0) }
  }

  private func endBlocking(_ database: any DatabaseWriter) throws {
    expectLate("read(deadline:)") {
      try database.read(deadline: .milliseconds(50)) { try $0.execute(sql: Self.endless) }
    }
    expectLate("withDeadline around a read") {
      try withDeadline(.milliseconds(50)) { try database.read { try $0.execute(sql: Self.endless) } }
    }
    expectLate("withDeadline inside of a read") {
      try database.read { db in try withDeadline(.milliseconds(50)) { try db.execute(sql: Self.endless) } }
    }
  }

  @Test(arguments: Home.allCases)
  func `a migration has the deadline of the task that waits for it`(home: Home) async throws {
    let open = try home.open()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("endless") { try $0.execute(sql: Self.endless) }
    let endless = migrator
    await expectLate("migrate") {
      try await withDeadline(.milliseconds(50)) { try await endless.migrate(open.database) }
    }
  }

  @Test(arguments: Home.allCases)
  func `a deadline that has passed runs nothing`(home: Home) throws {
    let open = try home.open()
    expectLate("write") {
      try open.database.write(deadline: .zero) { try $0.execute(sql: "INSERT INTO items(title) VALUES ('late')") }
    }
    try expect(0) { try open.database.read { try Item.where { $0.title.eq("late") }.fetchAll($0).count } }
  }

  @Test(arguments: Home.embedded)
  func `waiting for the connection counts`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    let (holds, lets) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let holder = Task.detached {
      try await database.write { _ in
        holds.signal()
        lets.wait()
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        holds.wait()
        continuation.resume()
      }
    }
    waitBlocking(database)
    await expectLate("suspended") { try await database.write(deadline: .milliseconds(20)) { _ in } }
    lets.signal()
    try await holder.value
    try await database.write { try $0.execute(sql: "INSERT INTO items(title) VALUES ('after')") }
  }

  private func waitBlocking(_ database: any DatabaseWriter) {
    expectLate("blocking") { try database.write(deadline: .milliseconds(20)) { _ in } }
  }

  @Test(arguments: [Home.tcp, .unix])
  func `single statements take a deadline`(home: Home) async throws {
    let open = try home.open()
    let remote = try #require(open.database as? RemoteDatabase)
    let endless = SQLQueryExpression(QueryFragment(Self.endless), as: Int.self)
    await expectLate("fetchAll") { _ = try await endless.fetchAll(remote, deadline: .milliseconds(50)) }
    await expectLate("fetchOne") { _ = try await endless.fetchOne(remote, deadline: .milliseconds(50)) }
    await expectLate("execute") { try await endless.execute(remote, deadline: .milliseconds(50)) }
    await expectLate("rows") { for try await _ in remote.rows(endless, deadline: .milliseconds(50)) {} }
    let items = try await Item.all.fetchAll(remote, deadline: .seconds(60))
    #expect(items.count == 3)
  }
}
