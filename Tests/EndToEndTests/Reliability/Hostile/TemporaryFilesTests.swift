/// Clients that sort, group and change more than there is room for in temporary files.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TemporaryFilesTests {
  private static let limitMib = 32

  /// A server whose statements leave memory early, with a table of 48 MB.
  private struct Stage {
    let folder: TemporaryFolder
    let server: ServerProcess
    let client: DatabaseClient

    init() async throws {
      folder = try TemporaryFolder()
      server = try ServerProcess(
        directory: folder.path + "/data",
        arguments: ["--temporary-mib", "\(TemporaryFilesTests.limitMib)", "--page-cache-mib", "1"])
      client = try DatabaseClient(server.url(database: "db"), configuration: .init(createsDatabase: true))
      try await client.execute(.sql("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT CHECK (length(b) > 0))"))
      for first in stride(from: 0, to: 48_000, by: 12_000) {
        let numbers = TemporaryFilesTests.numbers(12_000, from: first)
        try await client.execute(.sql("INSERT INTO t SELECT i, hex(randomblob(500)) FROM (\(numbers))"))
      }
    }

    func error(of sql: String) async -> RequestError? { await TemporaryFilesTests.error(of: sql, at: client) }
  }

  /// The error of a statement, if it has one.
  private static func error(of sql: String, at client: DatabaseClient) async -> RequestError? {
    do {
      try await client.execute(.sql(sql))
      return nil
    } catch let error as RequestError {
      return error
    } catch {
      return RequestError(.internal, .sqlite, "\(error)")
    }
  }

  private static func numbers(_ count: Int, from first: Int = 0) -> String {
    "WITH RECURSIVE n(i) AS (VALUES (\(first + 1)) UNION ALL SELECT i + 1 FROM n WHERE i < \(first + count)) SELECT i FROM n"
  }

  /// Sorts so many rows of a kilobyte, each of which takes a page of 4 KiB.
  private static func sort(_ rows: Int) -> String {
    """
    SELECT max(t) FROM (
      SELECT hex(randomblob(500)) AS t FROM (\(numbers(rows))) ORDER BY t DESC LIMIT -1 OFFSET 1)
    """
  }

  private static func isOfLimit(_ error: RequestError?) -> Bool {
    error?.reason == .limit && error?.message.contains("temporary files") == true
  }

  private static let greedyWrite = "INSERT INTO t SELECT a + 100000, b FROM t ORDER BY b DESC"

  /// What needs far more than the limit.
  private static let greedy = [
    sort(60_000),
    "SELECT count(*) FROM (SELECT DISTINCT hex(randomblob(500)) FROM (\(numbers(60_000))))",
    "SELECT count(*) FROM (SELECT 1 FROM (\(numbers(60_000))) GROUP BY hex(randomblob(500)))",
    """
    WITH m AS MATERIALIZED (SELECT hex(randomblob(500)) AS t FROM (\(numbers(60_000))))
      SELECT max(x.t) FROM m x, m y LIMIT 1
    """,
    "SELECT count(*) FROM (SELECT b FROM t UNION SELECT b || 'x' FROM t)",
    greedyWrite,
    "CREATE INDEX of_b ON t(b)",
  ]

  @Test func `a statement that needs too much ends alone, and what it had is given back`() async throws {
    let stage = try await Stage()
    for sql in Self.greedy {
      let error = await stage.error(of: sql)
      #expect(Self.isOfLimit(error) && error?.isRetryable == true, "\(sql): \(String(describing: error))")
    }
    // A quarter of the limit is there after as many refusals as one likes.
    for _ in 0..<20 {
      #expect(Self.isOfLimit(await stage.error(of: Self.sort(40_000))))
      #expect(await stage.error(of: Self.sort(1_600)) == nil)
    }
    // Nothing was left half done, and the database goes on.
    #expect(await stage.error(of: "INSERT INTO t VALUES (1000000, 'x')") == nil)
    let rows = try await stage.client.fetchOne(.sql("SELECT count(*) FROM t", isRead: true))
    #expect(rows?[0] == .integer(48_001))
    #expect(try await stage.client.fetchOne(.sql("PRAGMA integrity_check", isRead: true))?[0] == .text("ok"))
  }

  @Test func `a write in a transaction that keeps too much to be undone ends, and the next transaction works`()
    async throws
  {
    let stage = try await Stage()
    await #expect {
      try await stage.client.write { transaction in
        try await transaction.execute(.sql("INSERT INTO t VALUES (1000000, 'x')"))
        try await transaction.execute(.sql("UPDATE t SET b = b || 'x'"))
      }
    } throws: {
      Self.isOfLimit($0 as? RequestError)
    }
    try await stage.client.write { transaction in
      try await transaction.execute(.sql("UPDATE t SET b = b || 'y' WHERE a <= 1000"))
    }
    let changed = try await stage.client.fetchOne(
      .sql("SELECT sum(b LIKE '%y'), sum(b LIKE '%x'), count(*) FROM t", isRead: true))
    #expect(changed.map { [$0[0], $0[1], $0[2]] } == [.integer(1000), .integer(0), .integer(48_000)])
  }

  @Test func `a full disk of temporary files is told as such, and statements go on when there is room`() async throws {
    let stage = try await Stage()
    // Of a disk that is full SQLite hears what it hears of a file that may not become longer.
    #expect(await stage.error(of: Self.sort(1_600)) == nil)
    try stage.server.limit("fsize", to: "2097152")
    for sql in [Self.sort(1_600), "SELECT count(*) FROM (SELECT DISTINCT b FROM t WHERE a <= 4000)"] {
      let error = await stage.error(of: sql)
      #expect(error?.message.contains("The disk that holds temporary files") == true, "\(sql): \(error?.message ?? "")")
      #expect(error?.isRetryable == true)
    }
    try stage.server.limit("fsize", to: "unlimited")
    #expect(await stage.error(of: Self.sort(1_600)) == nil)
    #expect(await stage.error(of: "INSERT INTO t VALUES (1000000, 'x')") == nil)
  }

  @Test func `a log that may not become longer refuses the write, and the server goes on`() async throws {
    let stage = try await Stage()
    try stage.server.limit("fsize", to: "8388608")
    let numbers = Self.numbers(12_000)
    let error = await stage.error(of: "INSERT INTO t SELECT i + 100000, hex(randomblob(500)) FROM (\(numbers))")
    #expect(error?.message.contains("There is no room on the disk") == true, "\(error?.message ?? "")")
    #expect(try await stage.client.fetchOne(.sql("SELECT count(*) FROM t", isRead: true))?[0] == .integer(48_000))
    try stage.server.limit("fsize", to: "unlimited")
    #expect(await stage.error(of: "INSERT INTO t VALUES (1000000, 'x')") == nil)
  }

  @Test func `beside clients that take all they can somebody else's sort finds room`() async throws {
    let stage = try await Stage()
    let client = stage.client
    let others = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var refused = 0
          for _ in 0..<5 {
            refused += Self.isOfLimit(await Self.error(of: Self.sort(60_000), at: client)) ? 1 : 0
          }
          return refused
        }
      }
      for _ in 0..<20 { #expect(await Self.error(of: Self.sort(1_000), at: client) == nil) }
      return await group.reduce(0, +)
    }
    #expect(others == 15)
  }

  @Test func `writes that need too much fail beside inserts, which all succeed`() async throws {
    let stage = try await Stage()
    let client = stage.client
    try await client.execute(.sql("CREATE TABLE s(a)"))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<5 { #expect(Self.isOfLimit(await Self.error(of: Self.greedyWrite, at: client))) }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<500 { #expect(await Self.error(of: "INSERT INTO s VALUES (1)", at: client) == nil) }
        }
      }
    }
    let rows = try await client.fetchOne(
      .sql("SELECT (SELECT count(*) FROM s), (SELECT count(*) FROM t)", isRead: true))
    #expect(rows.map { [$0[0], $0[1]] } == [.integer(1_500), .integer(48_000)])
  }

  @Test func `a read that needs too much ends its write transaction, and nothing of that is kept`() async throws {
    let stage = try await Stage()
    await #expect {
      try await stage.client.write { transaction in
        try await transaction.execute(.sql("DELETE FROM t"))
        do {
          _ = try await transaction.fetchOne(.sql(Self.sort(60_000), isRead: true))
          Issue.record("The read succeeded.")
        } catch {
          #expect(Self.isOfLimit(error as? RequestError), "\(error)")
        }
        try await transaction.execute(.sql("INSERT INTO t VALUES (1000000, 'x')"))
      }
    } throws: {
      // What ended the transaction is told, although the closure caught it.
      Self.isOfLimit($0 as? RequestError)
    }
    #expect(try await stage.client.fetchOne(.sql("SELECT count(*) FROM t", isRead: true))?[0] == .integer(48_000))
  }
}
