import Histogram
import MartletAST
import MartletClient
import MartletValues

/// Clients that each run one transaction of TPC-B after another, as a program does it: with the Swift client.
///
/// Always true: each client has a connection of its own, and the clock starts when all have said hello; a transaction
/// counts when its commit was acknowledged, with the time from its begin.
struct TPCBLoad: Sendable {
  enum Mode: String, CaseIterable, Sendable {
    /// `write { }`: statement after statement, then the commit.
    case interactive
    /// All statements and the commit in one message.
    case batch
  }

  var url: String
  var security: SecurityOptions
  var mode: Mode
  var clients: Int
  var scale: Int
  var seconds: Double

  func run() async throws -> LoadResult {
    let statements = try Statements()
    let databases = try await connect()
    let start = ContinuousClock.now
    let result = await withTaskGroup(of: LoadResult.self) { group in
      for (number, database) in databases.enumerated() {
        group.addTask { await client(number, database, statements, start: start) }
      }
      var sum = LoadResult()
      for await part in group { sum.merge(part) }
      return sum
    }
    for database in databases { await database.close() }
    return result
  }

  private func connect() async throws -> [DatabaseClient] {
    var databases: [DatabaseClient] = []
    do {
      for _ in 0..<clients {
        databases.append(
          try await DatabaseArgument.connect(
            to: url, security: security, createsDatabase: false, connectionsMax: 1))
      }
      return databases
    } catch {
      for database in databases { await database.close() }
      throw error
    }
  }

  private struct Statements: Sendable {
    let updateAccount: RemoteStatement
    let selectAccount: RemoteStatement
    let updateTeller: RemoteStatement
    let updateBranch: RemoteStatement
    let insertHistory: RemoteStatement

    init() throws {
      updateAccount = try RemoteStatement(TPCBTables.updateAccount)
      selectAccount = try RemoteStatement(TPCBTables.selectAccount)
      updateTeller = try RemoteStatement(TPCBTables.updateTeller)
      updateBranch = try RemoteStatement(TPCBTables.updateBranch)
      insertHistory = try RemoteStatement(TPCBTables.insertHistory)
    }
  }

  private struct Draw {
    let account: Value
    let teller: Value
    let branch: Value
    let delta: Value

    init(scale: Int, _ random: inout BenchRandom) {
      account = .integer(random.key(upTo: UInt64(scale * TPCBTables.accountsPerBranch)))
      teller = .integer(random.key(upTo: UInt64(scale * TPCBTables.tellersPerBranch)))
      branch = .integer(random.key(upTo: UInt64(scale)))
      delta = .integer(random.key(upTo: 10_001) - 5_001)
    }
  }

  private func client(
    _ number: Int, _ database: DatabaseClient, _ statements: Statements, start: ContinuousClock.Instant
  ) async -> LoadResult {
    var result = LoadResult()
    var random = BenchRandom(seed: UInt64.random(in: 0...(.max)) &+ UInt64(number))
    let end = start + .seconds(seconds)
    while ContinuousClock.now < end {
      let draw = Draw(scale: scale, &random)
      let began = Self.nanoseconds(since: start)
      result.startNanoseconds = min(result.startNanoseconds, began)
      do {
        switch mode {
        case .interactive: try await interactive(draw, database, statements)
        case .batch: try await batch(draw, database, statements)
        }
        let now = Self.nanoseconds(since: start)
        result.operations += 1
        result.rows += 4
        result.latencies.record(now - began)
        result.endNanoseconds = now
      } catch {
        result.errors += 1
        result.complaint = result.complaint ?? "\(CommandFailure.explaining(error, hasTimeout: false))"
        guard Self.isConnectionLost(error) else { continue }
        result.connectionsLost = 1
        break
      }
    }
    return result
  }

  private func interactive(_ draw: Draw, _ database: DatabaseClient, _ statements: Statements) async throws {
    try await database.write { transaction in
      try await transaction.send(statements.updateAccount, [draw.account, draw.delta])
      let row = try await transaction.fetchOne(statements.selectAccount, [draw.account])
      _ = try row?.get(Int.self, 0)
      try await transaction.send(statements.updateTeller, [draw.teller, draw.delta])
      try await transaction.send(statements.updateBranch, [draw.branch, draw.delta])
      try await transaction.send(statements.insertHistory, [draw.teller, draw.branch, draw.account, draw.delta])
    }
  }

  private func batch(_ draw: Draw, _ database: DatabaseClient, _ statements: Statements) async throws {
    let results = try await database.batch([
      BatchStep(statements.updateAccount, [.value(draw.account), .value(draw.delta)]),
      BatchStep(statements.selectAccount, [.value(draw.account)]),
      BatchStep(statements.updateTeller, [.value(draw.teller), .value(draw.delta)]),
      BatchStep(statements.updateBranch, [.value(draw.branch), .value(draw.delta)]),
      BatchStep(
        statements.insertHistory,
        [.value(draw.teller), .value(draw.branch), .value(draw.account), .value(draw.delta)]),
    ])
    _ = try results[1].rows.first?.get(Int.self, 0)
  }

  /// The server is gone, or ended the connection: what was in flight is lost, and the client ends.
  private static func isConnectionLost(_ error: any Error) -> Bool {
    guard let error = error as? ClientError else { return false }
    return [.connectionLost, .cannotConnect, .closed].contains(error.code)
  }

  private static func nanoseconds(since start: ContinuousClock.Instant) -> UInt64 {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
  }
}
