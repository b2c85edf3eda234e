/// Statements of a transaction that the client sends without waiting, against the real server.
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.timeLimit(.minutes(2))) struct SentStatementsTests {
  private struct Stage {
    let directory = TemporaryDirectory()
    let server: TestServer
    let database: DatabaseClient

    init(limits: Limits = Limits()) async throws {
      server = try TestServer(directory: directory.path, limits: limits)
      database = try DatabaseClient(
        server.url("shop"), configuration: ClientConfiguration(createsDatabase: true))
      try await database.execute(.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, n INTEGER CHECK (n >= 0))"))
    }

    var ids: [Int] {
      get async throws {
        try await database.fetchAll(.sql("SELECT id FROM items ORDER BY id", isRead: true)).map {
          try $0.get(Int.self, 0)
        }
      }
    }
  }

  private static let insert = RemoteStatement.sql("INSERT INTO items (id, n) VALUES (?1, ?2)")
  private static let count = RemoteStatement.sql("SELECT count(*) FROM items", isRead: true)

  @Test func `they run in their order, before what is waited for and before the commit`() async throws {
    let stage = try await Stage()
    try await stage.database.write { transaction in
      for id in 1...200 {
        try await transaction.send(Self.insert, [.integer(Int64(id)), 1])
        if id % 50 == 0 {
          let count = try await transaction.fetchOne(Self.count)?.get(Int.self, 0)
          #expect(count == id)
        }
      }
      try await transaction.send(.sql("DELETE FROM items WHERE id > 150"))
    }
    #expect(try await stage.ids == Array(1...150))
  }

  private static let mistakes: [(RemoteStatement, [Value])] = [
    (insert, [1, -1]), (insert, [0, 1]), (.sql("INSERT INTO nothing VALUES (1)"), []), (.sql("BRING TEA"), []),
    // Refused before they reach the writer: bytes that are no tree, and more values than the tree has parameters.
    (RemoteStatement(bytes: [0xFF, 0xFF, 0xFF]), []), (insert, Array(repeating: 1, count: 40_000)),
  ]

  @Test(arguments: mistakes.indices, [0, 1, 2])
  func `one that fails undoes all, whatever the program does with its error`(index: Int, ending: Int) async throws {
    let stage = try await Stage()
    try await stage.database.execute(Self.insert, [0, 0])
    let (statement, values) = Self.mistakes[index]
    let error = await #expect(throws: RequestError.self) {
      try await stage.database.write { transaction in
        try await transaction.send(Self.insert, [1_000, 1])
        try await transaction.send(statement, values)
        switch ending {
        case 0: break
        case 1: try await transaction.send(Self.insert, [1_001, 1])
        default:
          _ = try? await transaction.fetchOne(Self.count)
          _ = try? await transaction.savepoint { try await transaction.execute(Self.insert, [1_002, 1]) }
          _ = try? await transaction.send(Self.insert, [1_003, 1])
        }
      }
    }
    #expect(
      error?.reason != .transactionEnded && error?.message.contains("nobody had waited for") == true, "\(error as Any)")
    #expect(try await stage.ids == [0])
    // The connection and the writer are as they were.
    try await stage.database.write { try await $0.send(Self.insert, [2, 1]) }
    #expect(try await stage.ids == [0, 2])
  }

  @Test func `in a read they are refused as execute is`() async throws {
    let stage = try await Stage()
    let error = await #expect(throws: RequestError.self) {
      try await stage.database.read { try await $0.send(Self.insert, [1, 1]) }
    }
    #expect(error?.reason == .readOnly)
    #expect(try await stage.ids == [])
  }

  @Test func `a transaction that never begins says so`() async throws {
    var limits = Limits()
    limits.transactionContendedIdleMs = 60_000
    limits.transactionContendedIdleMinMs = 60_000
    let stage = try await Stage(limits: limits)
    try await stage.database.write { _ = try await $0.execute(Self.insert, [1, 1]) }
    let error = await #expect(throws: RequestError.self) {
      try await stage.database.write { holder in
        _ = try await holder.execute(Self.insert, [2, 1])
        try await withDeadline(.milliseconds(200)) {
          try await stage.database.write { try await $0.send(Self.insert, [3, 1]) }
        }
      }
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(try await stage.ids == [1])
  }

  @Test func `tasks that send and wait side by side lose nothing and keep nothing of a failure`() async throws {
    let stage = try await Stage()
    for round in 0..<20 {
      let isBad = round % 2 == 1
      let write = {
        try await stage.database.write { transaction in
          try await withThrowingTaskGroup { group in
            for task in 0..<8 {
              group.addTask {
                for step in 0..<10 {
                  let id = Int64(round * 1_000 + task * 10 + step)
                  try await transaction.send(Self.insert, [.integer(id), isBad && task == 3 && step == 5 ? -1 : 1])
                  if step % 4 == 0 { _ = try await transaction.fetchOne(Self.count) }
                }
              }
            }
            try await group.waitForAll()
          }
        }
      }
      if isBad {
        await #expect(throws: (any Error).self) { try await write() }
      } else {
        try await write()
      }
      #expect(try await stage.ids.count == (round / 2 + 1) * 80)
    }
  }

  /// What became of one client's transactions.
  private struct Tally: Sendable {
    var committed = 0
    var refused = 0
  }

  /// Each transaction moves an amount between two rows and writes a line about it, in a random order. `mischief`: some
  /// have a mistake at a random place, some are cancelled at a random moment.
  private static func transfer(
    _ database: DatabaseClient, times: Int, seed: UInt64, mischief: Bool
  ) async throws -> Tally {
    var random = SeededGenerator(seed: seed)
    var tally = Tally()
    for _ in 0..<times {
      let amount = Int64.random(in: 1...100, using: &random)
      var statements: [(RemoteStatement, [Value])] = [
        (.sql("UPDATE items SET n = n + ?1 WHERE id = 1"), [.integer(amount)]),
        (.sql("UPDATE items SET n = n - ?1 WHERE id = 2"), [.integer(amount)]),
        (.sql("INSERT INTO lines VALUES (?1)"), [.integer(amount)]),
      ]
      statements.shuffle(using: &random)
      let kind = mischief ? Int.random(in: 0..<3, using: &random) : 2
      if kind == 0 {
        let place = Int.random(in: 0...3, using: &random)
        statements.insert((.sql("UPDATE items SET n = -1 WHERE id = 3"), []), at: place)
      }
      let waits = Int.random(in: 0..<4, using: &random)
      let todo = statements
      let task = Task {
        try await database.write { transaction in
          for (index, (statement, values)) in todo.enumerated() {
            try await transaction.send(statement, values)
            if index == waits { _ = try await transaction.fetchOne(Self.count) }
          }
        }
      }
      if kind == 1 {
        // Any moment is to be met, so there is nothing to wait for.
        try await Task.sleep(for: .microseconds(Int.random(in: 0..<3_000, using: &random)))
        task.cancel()
      }
      do {
        try await task.value
        tally.committed += 1
      } catch  where mischief {
        tally.refused += 1
      }
    }
    return tally
  }

  @Test func `thousands that fail or are cancelled lose nothing, keep nothing and hold nobody up`() async throws {
    let stage = try await Stage()
    try await stage.database.execute(.sql("CREATE TABLE lines (amount INTEGER)"))
    for id in 1...3 { try await stage.database.execute(Self.insert, [.integer(Int64(id)), 1_000_000]) }
    let times = scale("MARTLET_SENT_TRANSACTIONS", otherwise: 120)
    let tallies = try await withThrowingTaskGroup(of: (Bool, Tally).self) { group in
      for seed in 0..<8 as Range<UInt64> {
        group.addTask {
          let mischief = seed < 5
          return (
            mischief, try await Self.transfer(stage.database, times: times, seed: seed + 1, mischief: mischief)
          )
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tallies.allSatisfy { $0.0 ? $0.1.refused > 0 : $0.1.committed == times })
    let sums = try #require(
      try await stage.database.fetchOne(.sql("SELECT sum(n), (SELECT count(*) FROM lines) FROM items", isRead: true)))
    #expect(try sums.get(Int.self, 0) == 3_000_000)
    // A commit is never reported as anything else, so the database holds exactly what was reported.
    #expect(try sums.get(Int.self, 1) == tallies.reduce(0) { $0 + $1.1.committed })
  }
}
