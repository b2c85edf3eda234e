/// SQL's transactions against a real server: what is committed, what is undone, and what a lost one keeps from running.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScriptSessionTests {
  private struct Stage {
    let directory = TemporaryDirectory()
    let server: TestServer
    let database: DatabaseClient
    let session: ScriptSession

    /// A machine that is busy with other tests may take its time for each statement.
    static var patient: Limits {
      var limits = Limits()
      limits.transactionTotalMs = 120_000
      limits.transactionIdleMs = 120_000
      return limits
    }

    init(limits: Limits = patient) async throws {
      server = try TestServer(directory: directory.path, limits: limits)
      var configuration = ClientConfiguration(createsDatabase: true)
      configuration.requestDeadline = .seconds(120)
      database = try DatabaseClient(server.url("db"), configuration: configuration)
      session = ScriptSession(database)
      try await database.execute(.sql("CREATE TABLE t(a INTEGER PRIMARY KEY, b)"))
      try await database.execute(
        .sql("CREATE TABLE kid(a REFERENCES t(a) DEFERRABLE INITIALLY DEFERRED)"))
    }

    /// Runs a statement; the sentence of its error, or nil.
    func run(_ sql: String) async -> String? {
      do {
        _ = try await session.run(sql) { try await $0.execute(.sql(sql)).rowsChanged }
        return nil
      } catch {
        return (error as? RequestError)?.message ?? "\(error)"
      }
    }

    func run(_ script: [String]) async { for sql in script { _ = await run(sql) } }

    func rows() async throws -> [Int64] {
      try await database.fetchAll(.sql("SELECT a FROM t ORDER BY a", isRead: true)).map { try $0.get(Int64.self, 0) }
    }
  }

  @Test(
    arguments: [
      (["begin", "insert into t values (1, 1)", "rollback"], []),
      (["begin", "insert into t values (1, 1)", "commit"], [1]),
      (["BEGIN IMMEDIATE TRANSACTION", "insert into t values (1, 1)", "END TRANSACTION"], [1]),
      (["savepoint a", "insert into t values (1, 1)", "release a"], [1]),
      (
        ["savepoint a", "insert into t values (1, 1)", "rollback to a", "insert into t values (2, 2)", "release a"], [2]
      ),
      (
        [
          "begin", "insert into t values (1, 1)", "savepoint \"x y\"", "insert into t values (2, 2)",
          "savepoint \"X Y\"", "insert into t values (3, 3)", "rollback to 'x y'", "release [x y]", "commit",
        ], [1, 2]
      ),
      (
        [
          "begin", "select * from t", "savepoint s", "insert into t values (1, 1)", "rollback to s",
          "insert into t values (2, 2)", "commit",
        ], [2]
      ),
      // A statement that fails leaves the rest of its transaction in place.
      (
        [
          "begin", "insert into t values (1, 1)", "insert into t values (1, 1)", "insert into t values (2, 2)",
          "commit",
        ],
        [1, 2]
      ),
      (["begin", "create table u(a)", "insert into t select 5, 5", "rollback", "insert into t values (6, 6)"], [6]),
      (
        [
          "begin", "insert into t values (1, 1)", "insert or rollback into t values (1, 1)",
          "insert into t values (2, 2)",
          "commit", "insert into t values (3, 3)",
        ], [3]
      ),
    ] as [([String], [Int64])])
  func `what is in the table afterwards`(script: [String], rows: [Int64]) async throws {
    let stage = try await Stage()
    await stage.run(script)
    #expect(try await stage.rows() == rows)
    // Nothing holds the writer.
    try await stage.database.execute(.sql("INSERT INTO t VALUES (100, 1)"))
    #expect(await stage.session.status == .none)
  }

  @Test func `a commit that a deferred key refuses has undone the transaction, and says so`() async throws {
    let stage = try await Stage()
    await stage.run(["begin", "insert into t values (1, 1)", "insert into kid values (7)"])
    let refusal = try #require(await stage.run("commit"))
    #expect(refusal.contains("FOREIGN KEY") && refusal.contains("rolled back"))
    #expect(await stage.session.status == .none)
    #expect(try await stage.rows() == [])
  }

  @Test func `a write whose commit a deferred key refuses does not hold the writer`() async throws {
    var limits = Limits()
    limits.transactionIdleMs = 3_600_000
    limits.transactionTotalMs = 3_600_000
    let stage = try await Stage(limits: limits)
    await #expect(throws: RequestError.self) {
      try await stage.database.write { try await $0.execute(.sql("INSERT INTO kid VALUES (7)")) }
    }
    try await stage.database.execute(.sql("INSERT INTO t VALUES (1, 1)"), deadline: .seconds(20))
  }

  @Test func `what somebody else changed after the first query is not written over`() async throws {
    let stage = try await Stage()
    await stage.run(["begin", "select * from t"])
    try await stage.database.execute(.sql("INSERT INTO t VALUES (1, 1)"))
    let refusal = try #require(await stage.run("insert into t values (2, 2)"))
    #expect(refusal.contains("database is locked"))
    #expect(await stage.run("insert into t values (3, 3)") == refusal)
    #expect(await stage.run("commit") != nil)
    #expect(try await stage.rows() == [1])
  }

  @Test func `a transaction that the server ended says so and lets nothing run`() async throws {
    var limits = Limits()
    limits.transactionIdleMs = 50
    let stage = try await Stage(limits: limits)
    await stage.run(["begin", "insert into t values (1, 1)"])
    // Its turn comes when the idle transaction has been ended.
    try await stage.database.execute(.sql("INSERT INTO t VALUES (2, 2)"), deadline: .seconds(20))
    let refusal = try #require(await stage.run("insert into t values (3, 3)"))
    #expect(refusal.contains("nothing was asked of it for 50 ms"))
    #expect(await stage.session.status == .lost)
    #expect(await stage.run("insert into t values (4, 4)") != nil)
    #expect(try #require(await stage.run("commit")).contains("nothing of it was kept"))
    #expect(await stage.run("insert into t values (5, 5)") == nil)
    #expect(try await stage.rows() == [2, 5])
  }

  @Test func `a server that goes away in the middle loses the transaction`() async throws {
    let stage = try await Stage()
    await stage.run(["begin", "insert into t values (1, 1)"])
    stage.server.stop()
    #expect(await stage.run("insert into t values (2, 2)") != nil)
    #expect(await stage.session.status == .lost)
    #expect(await stage.run("commit") != nil)
  }

  @Test func `ten thousand transactions leave nothing behind`() async throws {
    let stage = try await Stage()
    let neighbour = try await Stage()
    for number in 0..<scale("MARTLET_SCRIPT_TRANSACTIONS", otherwise: 300) {
      await stage.run(["begin", "select 1", "savepoint a", "insert into t values (\(number), 1)"])
      await stage.run([["rollback", "commit", "rollback to a", "insert into t values (\(number), 2)"][number % 4]])
      _ = await stage.session.rollBack()
    }
    #expect(try await stage.rows().allSatisfy { $0 % 4 == 1 })
    try await stage.database.execute(.sql("INSERT INTO t VALUES (-1, 1)"))
    #expect(try await neighbour.rows().isEmpty)
  }
}
