/// A fenced database that could not be opened anew, and who comes when the disk works again.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct BarredDatabaseTests {
  private static let insert = RemoteStatement.sql("INSERT INTO t DEFAULT VALUES")
  private static let count = RemoteStatement.sql("SELECT count(*) FROM t", isRead: true)

  private struct Bench {
    let directory = TemporaryDirectory()
    let disk: RecordingDisk
    let server: TestServer
    /// On both loops.
    var sessions: [DatabaseClient] = []

    init() async throws {
      disk = RecordingDisk(directory: directory.path)
      var limits = Limits()
      limits.diskFreeBytesMin = 1 << 20
      server = try TestServer(directory: directory.path, limits: limits, loops: 2)
      for _ in 0..<4 { sessions.append(try newcomer()) }
      try await sessions[0].execute(.sql("CREATE TABLE t(a INTEGER PRIMARY KEY)"))
      for session in sessions { try await session.execute(BarredDatabaseTests.insert) }
    }

    func newcomer() throws -> DatabaseClient {
      var configuration = ClientConfiguration(createsDatabase: true)
      configuration.connectionsMax = 1
      return try DatabaseClient(server.url("shop"), configuration: configuration)
    }

    /// Its log cannot be synced, and then its file not be written when it is opened anew.
    func bar() async throws {
      disk.arm(DiskFault(.sync, on: .log, number: 1, isPersistent: true))
      let shop = sessions[0]
      try await suspendUntil(within: .seconds(30)) {
        let error = await #expect(throws: RequestError.self) { try await shop.execute(BarredDatabaseTests.insert) }
        return error?.reason == .fenced
      }
      disk.arm(DiskFault(.write, on: .database, number: 1, isPersistent: true))
      await #expect(throws: RequestError.self) { try await shop.unfence(deadline: .seconds(60)) }
    }

    func close() async {
      for session in sessions { await session.close() }
      server.stop()
    }
  }

  private func inserts(_ client: DatabaseClient) async throws {
    try await client.execute(Self.insert)
    await client.close()
  }

  @Test func `it comes back for everybody, with the sessions of before`() async throws {
    let bench = try await Bench()
    try await bench.bar()
    bench.disk.arm(nil)
    // Who comes is refused at first, and has it tried again.
    try await suspendUntil(within: .seconds(60)) { (try? await inserts(bench.newcomer())) != nil }
    for _ in 0..<16 { try await inserts(bench.newcomer()) }
    for session in bench.sessions {
      try await session.execute(Self.insert)
      #expect(try await session.fetchAll(Self.count).first?.get(Int64.self, 0) ?? 0 >= 21)
    }
    #expect(try await bench.sessions[0].check().isOk)
    await bench.close()
  }

  @Test func `it stays away if its log was cut meanwhile, whoever comes`() async throws {
    let bench = try await Bench()
    try await bench.bar()
    #expect(truncate(bench.directory.path + "/shop.sqlite-wal", 0) == 0)
    bench.disk.arm(nil)
    var refusals = 0
    try await suspendUntil(within: .seconds(60)) {
      let error = await #expect(throws: (any Error).self) { try await inserts(bench.newcomer()) }
      if "\(String(describing: error))".contains("shop.sqlite-wal") { refusals += 1 }
      return refusals > 2
    }
    let error = await #expect(throws: RequestError.self) {
      try await bench.sessions[1].unfence(deadline: .seconds(60))
    }
    #expect(error?.message.contains("was cut") == true, "\(String(describing: error))")
    await bench.close()
  }
}
