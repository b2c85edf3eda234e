/// A closure whose task is cancelled between two of its statements.
///
/// Always true: the cancel comes while a closure waits in Swift, so that no statement runs which it could end.
import Dispatch
import MartletDatabase
import MartletQuery
import MartletValues
import Synchronization
import Testing

@Suite struct CancelledClosureTests {
  /// Where a closure waits until its task has been cancelled.
  private final class Gate: Sendable {
    private let go = DispatchSemaphore(value: 0)
    private let (began, tellBegan) = AsyncStream.makeStream(of: Void.self)

    /// In the closure.
    func wait() {
      tellBegan.yield()
      go.wait()
    }

    /// Runs `body` in a task, and cancels that when it waits.
    func cancelling<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async -> Result<T, any Error> {
      let task = Task {
        // A closure that does not come to wait is told by its error.
        defer { tellBegan.finish() }
        return try await body()
      }
      for await _ in began { break }
      task.cancel()
      go.signal()
      return await task.result
    }
  }

  private static func titles(_ database: any DatabaseWriter) async throws -> [String] {
    try await database.read { try Item.select(\.title).order(by: \.id).fetchAll($0) }
  }

  @Test(arguments: Home.allCases, [true, false])
  func `no statement runs after the task was cancelled, in the builder or as SQL, and nothing is kept`(
    home: Home, isSQL: Bool
  ) async throws {
    let open = try home.open()
    let database = open.database
    let gate = Gate()
    let result = await gate.cancelling {
      try await database.write { db in
        try Item.insert { Item.Draft(title: "A") }.execute(db)
        #expect(db.changesCount == 1)
        gate.wait()
        let error = #expect(throws: RequestError.self) {
          if isSQL {
            try db.execute(sql: "INSERT INTO items (title) VALUES ('B')")
          } else {
            try Item.insert { Item.Draft(title: "B") }.execute(db)
          }
          _ = try Item.fetchCount(db)
        }
        #expect(error?.code == .cancelled)
        // A program that ignores the error commits no half of what it wanted.
      }
    }
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(try await Self.titles(database) == ["Tea", "Cup", "Pot"])
  }

  @Test(arguments: Home.allCases)
  func `a read whose task was cancelled reads no more`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    let gate = Gate()
    let result = await gate.cancelling {
      try await database.read { db in
        _ = try Item.fetchCount(db)
        gate.wait()
        return try Item.fetchCount(db)
      }
    }
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test(arguments: Home.allCases)
  func `of statements without a transaction those before the cancel stay, and a transaction does not`(
    home: Home
  ) async throws {
    let open = try home.open()
    let database = open.database
    let gate = Gate()
    let result = await gate.cancelling {
      try await database.writeWithoutTransaction { db in
        try Item.insert { Item.Draft(title: "A") }.execute(db)
        try db.inTransaction {
          try db.inSavepoint { try Item.insert { Item.Draft(title: "B") }.execute(db) }
          gate.wait()
        }
      }
    }
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(try await Self.titles(database) == ["Tea", "Cup", "Pot", "A"])
  }

  @Test(arguments: Home.embedded, [true, false])
  func `what a closure has set it can put back, whether its task was cancelled or its deadline passed`(
    home: Home, isCancelled: Bool
  ) async throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    let open = try home.open(configuration)
    let database = open.database
    let gate = Gate()
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let closure: @Sendable (Database) throws -> Void = { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      defer { #expect(throws: Never.self) { try db.execute(sql: " /* again */ pragma foreign_keys = ON") } }
      if isCancelled { gate.wait() } else { try db.execute(sql: endless) }
      try Item.insert { Item.Draft(title: "A", ownerID: 99) }.execute(db)
    }
    if isCancelled {
      let result = await gate.cancelling { try await database.writeWithoutTransaction(closure) }
      #expect(throws: CancellationError.self) { try result.get() }
    } else {
      await #expect(throws: RequestError.self) {
        try await withDeadline(.milliseconds(50)) { try await database.writeWithoutTransaction(closure) }
      }
    }
    await #expect(throws: RequestError.self) {
      try await database.write { try Item.insert { Item.Draft(title: "C", ownerID: 99) }.execute($0) }
    }
    #expect(try await Self.titles(database) == ["Tea", "Cup", "Pot"])
  }

  @Test(arguments: Home.allCases)
  func `a migration whose task was cancelled is undone, and those before it stay`(home: Home) async throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    let open = try home.open(configuration)
    let database = open.database
    let gate = Gate()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("first") { db in try Item.insert { Item.Draft(title: "A") }.execute(db) }
    migrator.registerMigration("second") { db in
      try Item.insert { Item.Draft(title: "B") }.execute(db)
      gate.wait()
    }
    migrator.registerMigration("third") { _ in Issue.record("ran after the cancel") }
    let all = migrator
    let result = await gate.cancelling { try await all.migrate(database) }
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(try await Self.titles(database) == ["Tea", "Cup", "Pot", "A"])
    #expect(try await database.read { try all.completedMigrations($0) } == ["first"])
    // The checks that a migration puts off are on again.
    await #expect(throws: RequestError.self) {
      try await database.write { try Item.insert { Item.Draft(title: "C", ownerID: 99) }.execute($0) }
    }
  }
}
