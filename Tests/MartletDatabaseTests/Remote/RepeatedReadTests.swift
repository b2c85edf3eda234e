/// A read of the typed library whose snapshot the server ended, because the log had grown too far meanwhile, comes back
/// by itself.
import Foundation
import MartletClient
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct RepeatedReadTests {
  private enum Asked: CaseIterable, Sendable {
    case blockingRead, read, statement, withoutTransaction
  }

  /// Counts for so long that the log outgrows its limit before the first row, and then the rows of the table.
  private static let long = SQLQueryExpression(
    """
    SELECT (SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000)
      SELECT i FROM n)) * 0 + (SELECT count(*) FROM kept)
    """, as: Int.self)

  private let directory = TemporaryDirectory()
  private let server: TestServer
  private let url: String

  init() throws {
    var limits = Limits()
    limits.walCheckpointBytes = 256 << 10
    limits.walBytesMax = 1 << 20
    server = try TestServer(directory: directory.path, limits: limits)
    url = "\(try server.url("shop"))"
    let database = try open()
    try database.write { db in
      try db.execute(sql: "CREATE TABLE kept(a); CREATE TABLE busy(a); INSERT INTO kept VALUES (1)")
    }
  }

  private func open() throws -> RemoteDatabase {
    var configuration = Configuration()
    configuration.remote.createsDatabase = true
    return try RemoteDatabase(url, configuration: configuration)
  }

  private func evictions(_ client: DatabaseClient) async throws -> Int64 {
    try await client.inspect().counters.first { $0.name == "snapshot_evictions" }?.value ?? 0
  }

  private func ask(_ asked: Asked, _ database: RemoteDatabase) async throws -> Int? {
    switch asked {
    case .blockingRead: try database.blockingCount(Self.long)
    case .read: try await database.read { db in try Self.long.fetchOne(db) }
    case .statement: try await Self.long.fetchAll(database).first
    case .withoutTransaction: try await database.writeWithoutTransaction { db in try Self.long.fetchOne(db) }
    }
  }

  /// Writes until the server has ended the read's snapshot; a dozen of them outgrow the log, once the read is there.
  private func endSnapshot(_ writer: RemoteDatabase, _ client: DatabaseClient, of before: Int64) async throws {
    for _ in 0..<5_000 {
      guard try await evictions(client) == before else { return }
      try await writer.write { db in try db.execute(sql: "INSERT INTO busy VALUES (randomblob(100000))") }
    }
    Issue.record("The server ended no snapshot, although the log has outgrown its limit.")
  }

  @Test(arguments: Asked.allCases)
  private func `a read that has given nothing is begun again`(asked: Asked) async throws {
    let (database, writer) = (try open(), try open())
    let client = try DatabaseClient(url)
    let before = try await evictions(client)
    async let answer = withDeadline(.seconds(300)) { try await ask(asked, database) }
    try await endSnapshot(writer, client, of: before)
    // The second time nobody writes beside it.
    #expect(try await answer == 1)
    for open in [database, writer] { await open.close() }
    await client.close()
  }

  @Test func `a read that has given something is over, and its program decides`() async throws {
    let (database, writer) = (try open(), try open())
    let client = try DatabaseClient(url)
    let before = try await evictions(client)
    let answer = Task {
      try await database.read { db in
        (try SQLQueryExpression("SELECT count(*) FROM kept", as: Int.self).fetchOne(db), try Self.long.fetchOne(db))
      }
    }
    try await endSnapshot(writer, client, of: before)
    let error = await #expect(throws: RequestError.self) { _ = try await answer.value }
    #expect(error?.reason == .snapshotEvicted && error?.isRetryable == true)
    for open in [database, writer] { await open.close() }
    await client.close()
  }
}

extension RemoteDatabase {
  /// On the calling thread, which an asynchronous function would not take otherwise.
  fileprivate func blockingCount(_ query: SQLQueryExpression<Int>) throws -> Int? {
    try read { db in try query.fetchOne(db) }
  }
}
