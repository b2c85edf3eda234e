/// What an operator asks of a running server: its databases, its numbers, who is connected.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(3))) struct ServerClientTests {
  private struct Stage {
    let directory = TemporaryDirectory()
    let server: TestServer
    let client: ServerClient

    init() async throws {
      server = try TestServer(directory: directory.path)
      client = try ServerClient(server.url("ignored"))
    }

    func database(_ name: String) async throws -> DatabaseClient {
      var configuration = ClientConfiguration(createsDatabase: true)
      configuration.clientName = "tester"
      let database = try DatabaseClient(server.url(name), configuration: configuration)
      try await database.execute(.sql("CREATE TABLE IF NOT EXISTS t (a INTEGER)"))
      return database
    }

    func count(_ name: String) async throws -> Int64? {
      let database = try DatabaseClient(server.url(name))
      let count = try await database.fetchOne(.sql("SELECT count(*) FROM t", isRead: true))?.get(Int64.self, 0)
      await database.close()
      return count
    }
  }

  private func error(_ body: () async throws -> Void) async -> RequestError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? RequestError
    }
  }

  @Test func `databases are listed, made, renamed and dropped`() async throws {
    let stage = try await Stage()
    #expect(try await stage.client.databases() == [])
    try await stage.client.createDatabase("empty")
    let shop = try await stage.database("shop")
    try await shop.execute(.sql("INSERT INTO t VALUES (1), (2)"))
    var entries = try await stage.client.databases()
    #expect(entries.map(\.name) == ["empty", "shop"])
    #expect(entries.map(\.sessions) == [0, 1] && entries[1].state == .open)
    #expect(await error { try await stage.client.createDatabase("shop") }?.code == .alreadyExists)
    #expect(await error { try await stage.client.dropDatabase("shop") }?.code == .failedPrecondition)
    #expect(try await stage.count("shop") == 2)
    await shop.close()
    try await stage.client.renameDatabase("shop", to: "store")
    #expect(try await stage.count("store") == 2)
    try await stage.client.dropDatabase("store")
    entries = try await stage.client.databases()
    #expect(entries.map(\.name) == ["empty"])
    await stage.client.close()
  }

  /// A second is how long a drop waits for those who have the database to let go.
  @Test func `what takes long to change keeps nobody else from changing something else`() async throws {
    let stage = try await Stage()
    let shop = try await stage.database("shop")
    let (refusals, isEnough) = (LockedCount(), LockedCount())
    let drops = (0..<3).map { _ in
      Task {
        let client = try ServerClient(stage.server.url("ignored"))
        while isEnough.value == 0 {
          let refusal = await error { try await client.dropDatabase("shop") }
          if refusal?.code == .failedPrecondition { refusals.add(1) }
        }
        await client.close()
      }
    }
    for name in ["a", "b", "c"] {
      try await stage.client.createDatabase(name)
      try await stage.client.renameDatabase(name, to: "\(name)2")
      try await stage.client.dropDatabase("\(name)2")
    }
    #expect(refusals.value < 9, "or each of the nine waited for a drop")
    isEnough.add(1)
    for drop in drops { try await drop.value }
    #expect(refusals.value >= 3)
    #expect(try await stage.client.databases().map(\.name) == ["shop"])
    await shop.close()
    await stage.client.close()
  }

  @Test func `sessions that are ended are told why, and what was acknowledged stays`() async throws {
    let stage = try await Stage()
    try await stage.database("shop").close()
    // One that makes no database, or it would come back to a new one of the former name.
    let shop = try DatabaseClient(stage.server.url("shop"))
    let acknowledged = LockedCount()
    let writer = Task {
      do {
        while true {
          try await shop.execute(.sql("INSERT INTO t VALUES (1)"))
          acknowledged.add(1)
        }
      } catch {
        return error
      }
    }
    try await suspendUntil { acknowledged.value >= 20 }
    try await stage.client.renameDatabase("shop", to: "store", endsSessions: true)
    let ended = await writer.value
    // The request's own error, or the connection's, by when it was ended.
    #expect("\(ended)".contains("shop"), "\(ended)")
    let count = try #require(try await stage.count("store"))
    // One more may have been on its way.
    #expect(count >= acknowledged.value && count <= acknowledged.value + 1)
    await shop.close()
    await stage.client.close()
  }

  @Test func `a transaction that is open when its database is dropped ends with a sentence`() async throws {
    let stage = try await Stage()
    let shop = try await stage.database("shop")
    let failure = await error {
      try await shop.write { transaction in
        try await transaction.execute(.sql("INSERT INTO t VALUES (1)"))
        try await stage.client.dropDatabase("shop", endsSessions: true)
        try await transaction.execute(.sql("INSERT INTO t VALUES (2)"))
      }
    }
    _ = failure
    #expect(try await stage.client.databases() == [])
    // The client makes the database anew if it may, and finds nothing of the former one.
    #expect(
      await error { try await shop.execute(.sql("SELECT * FROM t", isRead: true)) }?.message.contains("t") == true)
    await shop.close()
    await stage.client.close()
  }

  @Test func `the numbers tell kinds of requests, sessions and shapes`() async throws {
    let stage = try await Stage()
    let shop = try await stage.database("shop")
    for _ in 0..<10 {
      try await shop.execute(.sql("INSERT INTO t VALUES (1)"))
      _ = try await shop.fetchAll(.sql("SELECT a FROM t", isRead: true))
    }
    try await shop.write { transaction in try await transaction.execute(.sql("UPDATE t SET a = 2")) }
    // Latencies are shown a moment after they were measured.
    var inspection = try await stage.client.inspect(shapes: 10, sessions: 10)
    func count(_ kind: String) -> UInt64 { inspection.latencies.first { $0.kind == kind }?.count ?? 0 }
    try await suspendUntil("\(inspection.latencies)") {
      inspection = try await stage.client.inspect(shapes: 10, sessions: 10)
      return count("finish") >= 1 && count("read") >= 10 && count("write") >= 11
    }
    #expect(count("begin") == 1 && count("transaction") == 1 && count("write") == 11 && count("read") == 10)
    let session = try #require(inspection.sessions.first { $0.client == "tester" })
    #expect(session.database == "shop" && session.peer.hasPrefix("127.0.0.1:"))
    #expect(session.requests >= 24)
    #expect(inspection.sessions.contains { $0.database.isEmpty }, "the one that asks")
    #expect(inspection.shapes.contains { $0.sql.contains("SELECT a FROM t") && $0.executions == 10 })
    #expect(inspection["rows_sent"] == 55)
    await shop.close()
    await stage.client.close()
  }
}

private final class LockedCount: Sendable {
  private let count = Mutex<Int64>(0)
  func add(_ number: Int64) { count.withLock { $0 += number } }
  var value: Int64 { count.withLock { $0 } }
}
