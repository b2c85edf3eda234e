/// 64 clients mix reads, writes, transactions, failures and cancels; the sum of all accounts never changes.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite(.serialized) struct BankTests {
  private static let accounts: Int64 = 200
  private static let total: Int64 = accounts * 1_000
  private static let clients = 64

  private struct Counts: Sendable {
    var transfers = 0
    var sums = 0
    var wrongSums = 0
    var refused = 0
    var ended = 0
    var cancelled = 0
    var unexpected: [String] = []
  }

  private final class Tally: Sendable {
    private let counts = Mutex(Counts())
    func withLock<Result: Sendable>(_ body: (inout sending Counts) -> sending Result) -> sending Result {
      counts.withLock(body)
    }
  }

  private static let move = RemoteStatement.sql(
    "UPDATE accounts SET balance = balance + CASE id WHEN ?1 THEN -?3 ELSE ?3 END WHERE id IN (?1, ?2)")
  private static let change = RemoteStatement.sql("UPDATE accounts SET balance = balance + ?2 WHERE id = ?1")
  private static let sum = RemoteStatement.sql("SELECT sum(balance) FROM accounts", isRead: true)
  private static let rows = RemoteStatement.sql("SELECT balance FROM accounts", isRead: true)
  private static let slow = RemoteStatement.sql(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT count(*) FROM n",
    isRead: true)

  @Test func `the sum of all accounts never changes`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    var configuration = ClientConfiguration(createsDatabase: true)
    configuration.connectionsMax = Self.clients
    configuration.pipelineDepth = 1
    let database = try DatabaseClient(server.url(database: "bank"), configuration: configuration)
    try await open(database)

    let tally = Tally()
    let end = ContinuousClock.now + .seconds(scale("MARTLET_BANK_SECONDS", otherwise: 10))
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<Self.clients {
        group.addTask {
          var random = SystemRandomNumberGenerator()
          while ContinuousClock.now < end {
            await Self.act(client, database, random: &random, tally: tally)
          }
        }
      }
    }
    let balance = try #require(try await database.fetchOne(Self.sum)).get(Int64.self, 0)
    let result = tally.withLock { $0 }
    print(
      "bank: \(result.transfers) transfers, \(result.sums) sums, \(result.refused) refused, \(result.cancelled) cancelled"
    )
    #expect(balance == Self.total)
    #expect(result.wrongSums == 0)
    #expect(result.unexpected.isEmpty, "\(result.unexpected.prefix(5))")
    #expect(result.transfers > 0 && result.sums > 0 && result.refused > 0 && result.cancelled > 0)
    await database.close()
    #expect(server.terminate() == 0)
  }

  private func open(_ database: DatabaseClient) async throws {
    try await database.execute(
      .sql("CREATE TABLE accounts(id INTEGER PRIMARY KEY, balance INTEGER NOT NULL CHECK (balance >= 0))"))
    try await database.execute(
      .sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) INSERT INTO accounts SELECT i, 1000 FROM n"
      ), [.integer(Self.accounts)])
  }

  private static func act(
    _ client: Int, _ database: DatabaseClient, random: inout SystemRandomNumberGenerator, tally: Tally
  ) async {
    let from = Int64.random(in: 1...accounts, using: &random)
    let to = from % accounts + 1
    let amount = Int64.random(in: 1...50, using: &random)
    do {
      switch client % 8 {
      case 0, 1:
        try await database.execute(move, [.integer(from), .integer(to), .integer(amount)])
        tally.withLock { $0.transfers += 1 }
      case 2:
        try await database.batch([
          BatchStep(change, [.value(.integer(from)), .value(.integer(-amount))]),
          BatchStep(change, [.value(.integer(to)), .value(.integer(amount))]),
        ])
        tally.withLock { $0.transfers += 1 }
      case 3:
        try await database.write { transaction in
          try await transaction.execute(change, [.integer(from), .integer(-amount)])
          try await transaction.execute(change, [.integer(to), .integer(amount)])
        }
        tally.withLock { $0.transfers += 1 }
      case 4: try await refuse(database, tally: tally)
      case 5: try await cancel(database, tally: tally)
      case 6:
        let balances = try await database.fetchAll(rows).map { try $0.get(Int64.self, 0) }
        tally.withLock { tally in
          tally.sums += 1
          if balances.reduce(0, +) != total { tally.wrongSums += 1 }
        }
      default:
        let row = try await database.fetchOne(sum)
        let balance = try row?.get(Int64.self, 0)
        tally.withLock { tally in
          tally.sums += 1
          if balance != total { tally.wrongSums += 1 }
        }
      }
    } catch let error as RequestError where error.reason == .constraint {
      tally.withLock { $0.refused += 1 }
    } catch let error as RequestError where error.reason == .transactionEnded {
      // A client that gets no time for a while has paused in its transaction, and is told so; nothing of it happened.
      tally.withLock { $0.ended += 1 }
    } catch {
      tally.withLock { $0.unexpected.append("\(client % 8): \(error)") }
    }
  }

  /// A transfer whose second half breaks the CHECK, so that all of it must vanish.
  private static func refuse(_ database: DatabaseClient, tally: Tally) async throws {
    try await database.batch([
      BatchStep(change, [1, 10]), BatchStep(change, [2, -1_000_000]),
    ])
    tally.withLock { $0.unexpected.append("a transfer below zero succeeded") }
  }

  private static func cancel(_ database: DatabaseClient, tally: Tally) async throws {
    let task = Task { try await database.fetchOne(slow) }
    // Any moment will do: the query may wait, be on its way or run.
    try await Task.sleep(for: .milliseconds(5))
    task.cancel()
    do {
      _ = try await task.value
      tally.withLock { $0.unexpected.append("a query of minutes ended at once") }
    } catch is CancellationError {
      tally.withLock { $0.cancelled += 1 }
    }
  }
}
