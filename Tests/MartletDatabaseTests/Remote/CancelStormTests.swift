/// Writes of every kind whose tasks are cancelled or late at any moment, or whose connections are cut after any byte:
/// the program is told what really happened.
///
/// Always true: MARTLET_CANCELS says how many tasks are cancelled, MARTLET_SEED which.
import Foundation
import MartletClient
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct CancelStormTests {
  /// One way to write rows that all have the number of the task.
  enum Way: CaseIterable, Sendable {
    case execute, fetchAll, fetchOne, rows, leftRows, batch, write, writeThrough, typedWrite, typedAlone, typedRows

    func run(_ number: Int64, _ client: DatabaseClient, _ typed: RemoteDatabase) async throws {
      let insert = RemoteStatement.sql("INSERT INTO t SELECT ?1, value, hex(zeroblob(300)) FROM n")
      let returning = RemoteStatement.sql("INSERT INTO t SELECT ?1, value, hex(zeroblob(300)) FROM n RETURNING x, pad")
      let values: [Value] = [.integer(number)]
      let text: QueryFragment = "INSERT INTO t SELECT \(raw: "\(number)"), value, hex(zeroblob(300)) FROM n"
      switch self {
      case .execute: try await client.execute(insert, values)
      case .fetchAll: #expect(try await client.fetchAll(returning, values).count == CancelStormTests.rows)
      case .fetchOne: #expect(try await client.fetchOne(returning, values) != nil)
      case .rows:
        var count = 0
        for try await _ in try await client.rows(returning, values) { count += 1 }
        #expect(count == CancelStormTests.rows)
      case .leftRows: for try await _ in try await client.batches(returning, values) { break }
      case .batch: try await client.batch([BatchStep(insert, [.value(values[0])]), BatchStep(.sql("SELECT 1"))])
      case .write:
        try await client.write { transaction in
          try await transaction.execute(insert, values)
          _ = try await transaction.fetchOne(.sql("SELECT count(*) FROM t WHERE x = ?1", isRead: true), values)
        }
      case .writeThrough:
        try await client.write { transaction in
          for try await _ in try await transaction.rows(returning, values) { break }
          try await transaction.send(.sql("UPDATE t SET pad = '' WHERE x = ?1"), values)
        }
      case .typedWrite:
        try await typed.write { db in
          try SQLQueryExpression(text, as: Void.self).execute(db)
          _ = try SQLQueryExpression("SELECT count(*) FROM t WHERE x = \(raw: "\(number)")", as: Int.self).fetchOne(db)
        }
      case .typedAlone:
        _ = try await SQLQueryExpression(text + " RETURNING x", as: Int.self).fetchAll(typed)
      case .typedRows:
        for try await _ in typed.rows(SQLQueryExpression(text + " RETURNING x", as: Int.self)) { break }
      }
    }
  }

  private static let rows = 400

  private enum Told { case done, unknown, nothing }

  /// What the program was told of each task.
  private final class Ledger: Sendable {
    private let told = Mutex<[Int64: Told]>([:])

    func note(_ number: Int64, _ what: Told) { told.withLock { $0[number] = what } }
    var all: [Int64: Told] { told.withLock { $0 } }
  }

  /// How a write is ended before its time.
  enum End: CaseIterable, Sendable { case cancel, deadline, cut }

  /// Begins a write, ends it after a pause, and says what its program was told.
  private static func told(
    _ name: String, _ end: End, after pause: UInt64, _ write: @escaping @Sendable () async throws -> Void
  ) async throws -> Told {
    do {
      switch end {
      case .cut: try await write()
      case .deadline: try await withDeadline(.microseconds(pause)) { try await write() }
      case .cancel:
        let task = Task { try await write() }
        // Any moment is to be met, so there is nothing to wait for.
        try await Task.sleep(for: .microseconds(pause))
        task.cancel()
        try await task.value
      }
      return .done
    } catch {
      let isUnknown = (error as? RequestError)?.isOutcomeUnknown ?? (error as? ClientError)?.isOutcomeUnknown
      let isRight =
        switch end {
        case .cancel: error is CancellationError
        case .deadline: (error as? RequestError)?.code == .deadlineExceeded
        case .cut: error is ClientError
        }
      // On a slow machine a transaction may be idle for longer than those that wait allow.
      let isEnded = (error as? RequestError)?.reason == .transactionEnded
      #expect(isRight || isEnded || isUnknown == true, "\(name): \(error)")
      return isUnknown == true ? .unknown : .nothing
    }
  }

  @Test(arguments: End.allCases)
  func `what a program is told of a write that was ended before its time is what happened`(end: End) async throws {
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    let direct = try DatabaseClient(server.url("shop"), configuration: ClientConfiguration(createsDatabase: true))
    try await direct.execute(.sql("CREATE TABLE t(x, y, pad)"))
    try await direct.execute(.sql("CREATE INDEX numbers ON t(x)"))
    try await direct.execute(.sql("CREATE TABLE n(value)"))
    try await direct.execute(
      .sql(
        "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < \(Self.rows)) INSERT INTO n SELECT i FROM c"
      ))
    let seed = UInt64(scale("MARTLET_SEED", otherwise: 1))
    var url = try server.url("shop")
    var proxy: CuttingProxy?
    if end == .cut, case .tcp(_, let port) = url.address {
      let made = try CuttingProxy(to: UInt16(port), longest: 1_000_000, seed: seed)
      url = try MartletURL(address: .tcp(host: "127.0.0.1", port: Int(made.port)), database: "shop")
      proxy = made
    }
    defer { proxy?.close() }
    let client = try DatabaseClient(url)
    let typed = try RemoteDatabase("\(url)")
    let ledger = Ledger()
    let count = scale("MARTLET_CANCELS", otherwise: 700)
    var random = SeededGenerator(seed: seed)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        if number >= 12 { try await group.next() }
        let way = Way.allCases[number % Way.allCases.count]
        let longest: UInt64 = [500, 5_000, 40_000][Int.random(in: 0..<3, using: &random)]
        let pause = UInt64.random(in: 0..<longest, using: &random)
        group.addTask {
          ledger.note(
            Int64(number),
            try await Self.told("\(way)", end, after: pause) { try await way.run(Int64(number), client, typed) })
        }
      }
      try await group.waitForAll()
    }
    var found: [Int64: Int64] = [:]
    for row in try await direct.fetchAll(.sql("SELECT x, count(*) FROM t GROUP BY x", isRead: true)) {
      found[try row.get(Int64.self, 0)] = try row.get(Int64.self, 1)
    }
    var (done, unknown) = (0, 0)
    for (number, told) in ledger.all {
      let way = Way.allCases[Int(number) % Way.allCases.count]
      let isThere = found[number] == Int64(Self.rows)
      #expect(isThere || found[number] == nil, "\(number), \(way): half of it is there")
      switch told {
      case .done: #expect(isThere, "\(number), \(way) was done")
      case .nothing: #expect(!isThere, "\(number), \(way) was told as cancelled")
      case .unknown: unknown += 1
      }
      done += told == .done ? 1 : 0
    }
    print("\(end): \(count) writes, \(done) done, \(unknown) unknown, \(found.count) found")
    #expect(done > 0 && done + unknown < count)
    // The writer is free, and so is every connection.
    try await direct.write { try await $0.execute(.sql("DELETE FROM t WHERE x = 0")) }
    let seen = try await direct.inspect()
    #expect(seen["open_reads"] == 0 && seen["open_write_transactions"] == 0)
    await typed.close()
    await client.close()
    await direct.close()
  }

  @Test(arguments: Home.allCases, [End.cancel, .deadline])
  func `a closure that is ended before its time has written all or nothing, as it says`(home: Home, end: End)
    async throws
  {
    let open = try home.open(hasSchema: false)
    let database = open.database
    try await database.write { try $0.execute(sql: "CREATE TABLE t(x, y)") }
    let ledger = Ledger()
    let count = scale("MARTLET_CANCELS", otherwise: 700) / 4
    var random = SeededGenerator(seed: UInt64(scale("MARTLET_SEED", otherwise: 1)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        if number >= 8 { try await group.next() }
        let longest: UInt64 = [200, 2_000, 20_000][Int.random(in: 0..<3, using: &random)]
        let pause = UInt64.random(in: 0..<longest, using: &random)
        group.addTask {
          let write: @Sendable () async throws -> Void = {
            try await database.write { db in
              try db.execute(sql: "INSERT INTO t VALUES (\(number), 1)")
              _ = try SQLQueryExpression("SELECT count(*) FROM t", as: Int.self).fetchOne(db)
              try db.execute(sql: "INSERT INTO t VALUES (\(number), 2)")
            }
          }
          ledger.note(Int64(number), try await Self.told("\(home)", end, after: pause, write))
        }
      }
      try await group.waitForAll()
    }
    let found = try await database.read { db in
      try SQLQueryExpression("SELECT x FROM t ORDER BY x, y", as: Int.self).fetchAll(db)
    }
    for (number, told) in ledger.all where told != .unknown {
      let rows = found.count { Int64($0) == number }
      #expect(rows == (told == .done ? 2 : 0), "\(number) was \(told)")
    }
    try await database.write { try $0.execute(sql: "INSERT INTO t VALUES (-1, -1)") }
  }
}
