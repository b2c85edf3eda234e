/// Kills the server while clients write, starts it again, and compares what was acknowledged with what is there.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite(.serialized) struct CrashTests {
  /// What the clients know of their writes, by the number each write carries in every row it makes.
  private final class Ledger: Sendable {
    struct Entries {
      var acknowledged: Set<Int64> = []
      var failed: Set<Int64> = []
      var next: Int64 = 1
    }
    let entries = Mutex(Entries())

    func issue() -> Int64 {
      entries.withLock { entries in
        defer { entries.next += 1 }
        return entries.next
      }
    }
    var acknowledgedCount: Int { entries.withLock { $0.acknowledged.count } }
    func acknowledge(_ write: Int64) { entries.withLock { _ = $0.acknowledged.insert(write) } }
    func fail(_ write: Int64) { entries.withLock { _ = $0.failed.insert(write) } }
  }

  private static let rounds = scale("MARTLET_CRASH_ROUNDS", otherwise: 4)
  private static let single = RemoteStatement.sql("INSERT INTO singles(write) VALUES (?1)")
  private static let left = RemoteStatement.sql("INSERT INTO lefts(write) VALUES (?1)")
  private static let right = RemoteStatement.sql("INSERT INTO rights(write) VALUES (?1)")

  @Test func `no acknowledged write is lost and none is half there after kill -9`() async throws {
    let folder = try TemporaryFolder()
    let ledger = Ledger()
    try await createTables(in: folder)
    for round in 0..<Self.rounds {
      let server = try ServerProcess(directory: folder.path + "/data")
      try await write(to: server, ledger: ledger, killingAfter: 1 + (round * 7919) % 400)
      try await check(folder, ledger: ledger, round: round)
    }
    let counts = ledger.entries.withLock { ($0.acknowledged.count, $0.next - 1) }
    print("kill -9: \(Self.rounds) rounds, \(counts.1) writes sent, \(counts.0) acknowledged, none lost")
    #expect(counts.0 > 0)
  }

  private func createTables(in folder: TemporaryFolder) async throws {
    let server = try ServerProcess(directory: folder.path + "/data")
    let database = try DatabaseClient(server.url(database: "crash"), configuration: .init(createsDatabase: true))
    for table in ["singles", "lefts", "rights"] {
      try await database.execute(.sql("CREATE TABLE \(table)(write INTEGER NOT NULL UNIQUE)"))
    }
    await database.close()
    #expect(server.terminate() == 0)
  }

  private func write(to server: ServerProcess, ledger: Ledger, killingAfter acknowledgements: Int) async throws {
    var configuration = ClientConfiguration()
    configuration.connectionsMax = 16
    configuration.connectAttemptsMax = 1
    let database = try DatabaseClient(server.url(database: "crash"), configuration: configuration)
    try await database.ping()
    let before = ledger.acknowledgedCount
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<16 {
        group.addTask { await Self.writeUntilItFails(database, kind: client % 3, ledger: ledger) }
      }
      // After another number of writes in each round, whatever is on its way then.
      try? await suspendUntil { ledger.acknowledgedCount >= before + acknowledgements }
      server.kill()
      await group.waitForAll()
    }
    await database.close()
  }

  private static func writeUntilItFails(_ database: DatabaseClient, kind: Int, ledger: Ledger) async {
    while true {
      let write = ledger.issue()
      do {
        switch kind {
        case 0: try await database.execute(single, [.integer(write)])
        case 1:
          try await database.batch(
            [BatchStep(left, [.value(.integer(write))]), BatchStep(right, [.value(.integer(write))])], atomic: true)
        default:
          try await database.write { transaction in
            try await transaction.execute(left, [.integer(write)])
            try await transaction.execute(right, [.integer(write)])
          }
        }
        ledger.acknowledge(write)
      } catch let error as RequestError where !error.isOutcomeUnknown {
        ledger.fail(write)
        return
      } catch {
        return
      }
    }
  }

  private func check(_ folder: TemporaryFolder, ledger: Ledger, round: Int) async throws {
    let server = try ServerProcess(directory: folder.path + "/data")
    let database = try DatabaseClient(server.url(database: "crash"))
    var found: [String: Set<Int64>] = [:]
    for table in ["singles", "lefts", "rights"] {
      for try await row in try await database.rows(.sql("SELECT write FROM \(table)", isRead: true)) {
        found[table, default: []].insert(try row.get(Int64.self, 0))
      }
    }
    await database.close()
    server.terminate()
    let present = found.values.reduce(into: Set()) { $0.formUnion($1) }
    let (acknowledged, failed) = ledger.entries.withLock { ($0.acknowledged, $0.failed) }
    #expect(acknowledged.subtracting(present).isEmpty, "round \(round): acknowledged writes are lost")
    #expect(found["lefts"] ?? [] == found["rights"] ?? [], "round \(round): a write is half there")
    #expect(failed.intersection(present).isEmpty, "round \(round): a write that failed is there")
  }
}
