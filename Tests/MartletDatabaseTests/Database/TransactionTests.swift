/// Transactions: what is committed, what is undone, and who sees it.
import Foundation
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite struct TransactionTests {
  struct Oops: Error, Equatable {}

  @Test(arguments: Home.allCases)
  func `a write that throws is undone`(home: Home) throws {
    let open = try home.open()
    #expect(throws: Oops.self) {
      try open.database.write { db in
        try Item.delete().execute(db)
        throw Oops()
      }
    }
    try expect(3) { try open.database.read { try Item.fetchCount($0) } }
  }

  @Test(arguments: Home.allCases)
  func `a savepoint that throws leaves the rest`(home: Home) throws {
    let open = try home.open()
    try open.database.write { db in
      try Item.insert { Item.Draft(title: "A") }.execute(db)
      #expect(throws: Oops.self) {
        try db.inSavepoint {
          try Item.insert { Item.Draft(title: "B") }.execute(db)
          try db.inSavepoint { try Item.insert { Item.Draft(title: "C") }.execute(db) }
          throw Oops()
        }
      }
      let wish = try db.inSavepoint {
        try Item.insert { Item.Draft(title: "D") }.execute(db)
        return Database.TransactionCompletion.rollback
      }
      #expect(wish == .rollback)
      try db.inSavepoint { try Item.insert { Item.Draft(title: "E") }.execute(db) }
    }
    let titles = try open.database.read { try Item.select(\.title).order(by: \.id).fetchAll($0) }
    #expect(titles == ["Tea", "Cup", "Pot", "A", "E"])
  }

  @Test(arguments: Home.allCases)
  func `closures of one, two and three statements mean what they say`(home: Home) throws {
    typealias Completion = Database.TransactionCompletion
    let open = try home.open()
    func add(_ title: String, _ db: Database) throws { try Item.insert { Item.Draft(title: title) }.execute(db) }
    try open.database.write { db in
      try db.inSavepoint { try add("1", db) }
      try db.inSavepoint {
        try add("2", db)
        try add("3", db)
      }
      try db.inSavepoint {
        for title in ["4", "5"] { try add(title, db) }
      }
      try db.inSavepoint {
        if try Item.fetchCount(db) == 8 { return }
        try add("not", db)
      }
      let count = try db.inSavepoint { try Item.fetchCount(db) }
      let same: Int = try db.inSavepoint {
        let count = try Item.fetchCount(db)
        return count
      }
      let none = try db.inSavepoint { try Item.find(1_000).fetchOne(db) }
      #expect(count == 8 && same == 8 && none == nil)
      try db.inSavepoint { .rollback }
      try db.inSavepoint {
        try add("undone", db)
        return .rollback
      }
      let wish = try db.inSavepoint {
        try add("undone", db)
        return Completion.rollback
      }
      let kept = try db.inSavepoint {
        try add("6", db)
        if try Item.fetchCount(db) == 0 { return .rollback }
        return .commit
      }
      let stored: () throws -> Completion = {
        try add("undone", db)
        return .rollback
      }
      try db.inSavepoint(stored)
      #expect(wish == .rollback && kept == .commit)
    }
    try open.database.writeWithoutTransaction { db in
      try db.inTransaction {
        try add("7", db)
        try add("8", db)
      }
      try db.inTransaction {
        try add("undone", db)
        return .rollback
      }
      let count = try db.inTransaction { try Item.fetchCount(db) }
      #expect(count == 11)
    }
    let titles = try open.database.read { try Item.select(\.title).order(by: \.id).fetchAll($0) }
    #expect(titles.dropFirst(3) == ["1", "2", "3", "4", "5", "6", "7", "8"])
  }

  @Test(arguments: Home.allCases)
  func `a closure that returns nothing may end with one that returns commit or rollback`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    @Sendable func add(_ title: String, _ db: Database) throws {
      try Item.insert { Item.Draft(title: title) }.execute(db)
    }
    func run(_ body: () throws -> Void) rethrows { try body() }
    var count = 0
    try run {
      try database.write { db in
        try db.inSavepoint {
          count += 1
          try add("1", db)
          return .commit
        }
      }
    }
    try run {
      try database.writeWithoutTransaction { db in
        try db.inTransaction {
          try add("undone", db)
          return .rollback
        }
      }
    }
    let later: @Sendable () async throws -> Void = {
      try await database.write { db in
        try db.inSavepoint {
          try add("undone", db)
          return .rollback
        }
      }
    }
    try await later()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await database.writeWithoutTransaction { db in
          try db.inTransaction {
            try add("2", db)
            return .commit
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(count == 1)
    let titles = try await database.read { try Item.select(\.title).order(by: \.id).fetchAll($0) }
    #expect(titles.dropFirst(3) == ["1", "2"])
  }

  @Test(arguments: Home.allCases)
  func `a database of any kind is closed`(home: Home) async throws {
    let open = try home.open()
    let database: any DatabaseWriter = open.database
    #expect(try await database.read { try Item.fetchCount($0) } == 3)
    await database.close()
    await #expect(throws: (any Error).self) { try await database.read { try Item.fetchCount($0) } }
  }

  @Test(arguments: Home.allCases)
  func `a read cannot write`(home: Home) throws {
    let open = try home.open()
    let error = #expect(throws: RequestError.self) {
      try open.database.read { db in try Item.delete().execute(db) }
    }
    #expect(error?.reason == .readOnly)
    #expect(throws: (any Error).self) {
      try open.database.read { db in try db.execute(sql: "DELETE FROM \"items\"") }
    }
    try expect(3) { try open.database.read { try Item.fetchCount($0) } }
  }

  @Test(arguments: Home.allCases)
  func `a closure inside of a closure is refused`(home: Home) throws {
    let open = try home.open()
    try open.database.write { db in
      let error = #expect(throws: RequestError.self) { try open.database.write { _ in } }
      #expect(error?.message.contains("inside of another") == true)
      #expect(throws: RequestError.self) { try open.database.read { try Item.fetchCount($0) } }
      try Item.find(1).update { $0.price = 4 }.execute(db)
    }
    try expect(4) { try open.database.read { try Item.find($0, key: 1).price } }
  }

  @Test(arguments: Home.allCases)
  func `a database is of no use after its closure`(home: Home) throws {
    let open = try home.open()
    var leaked: Database?
    var cursor: QueryCursor<Item>?
    try open.database.write { db in
      leaked = db
      cursor = try Item.fetchCursor(db)
      _ = try cursor?.next()
    }
    let database = try #require(leaked)
    #expect(throws: RequestError.self) { try Item.fetchCount(database) }
    #expect((try? cursor?.next()) == nil)
    // The cursor let go of its statement, so that the file can be changed.
    try open.database.write { db in try db.execute(sql: "DROP TABLE \"items\"") }
  }

  @Test(arguments: Home.allCases)
  func `a foreign key that points nowhere undoes the write`(home: Home) throws {
    let open = try home.open()
    let error = #expect(throws: RequestError.self) {
      try open.database.write { db in try Item.insert { Item.Draft(title: "X", ownerID: 77) }.execute(db) }
    }
    #expect(error?.constraint == "FOREIGN KEY")
    try expect(3) { try open.database.read { try Item.fetchCount($0) } }
  }

  @Test(arguments: Home.allCases)
  func `statements without a transaction commit themselves`(home: Home) throws {
    let open = try home.open()
    #expect(throws: Oops.self) {
      try open.database.writeWithoutTransaction { db in
        if db.isInsideTransaction { return }
        try Item.insert { Item.Draft(title: "Kept") }.execute(db)
        try db.inTransaction {
          guard db.isInsideTransaction else { return }
          try Item.insert { Item.Draft(title: "Kept too") }.execute(db)
        }
        do {
          try db.inTransaction {
            try Item.insert { Item.Draft(title: "Undone") }.execute(db)
            throw Oops()
          }
        } catch is Oops {}
        let wish = try db.inTransaction {
          try Item.insert { Item.Draft(title: "Unwanted") }.execute(db)
          return .rollback
        }
        #expect(wish == .rollback)
        #expect(!db.isInsideTransaction)
        throw Oops()
      }
    }
    let titles = try open.database.read { try Item.select(\.title).where { $0.id > 3 }.fetchAll($0) }
    #expect(titles == ["Kept", "Kept too"])
  }

  @Test(arguments: Home.allCases)
  func `tasks read and write`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { try await database.write { try Item.insert { Item.Draft(title: "t\(number)") }.execute($0) } }
        group.addTask { _ = try await database.read { try Item.fetchCount($0) } }
      }
      try await group.waitForAll()
    }
    let count = try await database.read { try Item.fetchCount($0) }
    #expect(count == 23)
  }

  static let endless = SQLQueryExpression(
    """
    WITH RECURSIVE "n" ("x") AS (SELECT 1 UNION ALL SELECT "x" + 1 FROM "n")
    SELECT count(*) FROM "n" WHERE "x" < 0
    """, as: Int.self)

  @Test(arguments: Home.allCases)
  func `cancelling the task ends the statement`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await database.write { db in
        try Item.delete().execute(db)
        start.finish()
        return try Self.endless.fetchOne(db)
      }
    }
    for await _ in started {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let count = try await database.read { try Item.fetchCount($0) }
    #expect(count == 3)
  }

  @Test(arguments: Home.allCases.filter { $0 != .memory && $0 != .queue })
  func `a read keeps its snapshot while others write`(home: Home) throws {
    let open = try home.open()
    let database = open.database
    let (before, after) = try database.read { db in
      let before = try Item.fetchCount(db)
      let thread = Thread {
        try? database.write { try Item.insert { Item.Draft(title: "Later") }.execute($0) }
      }
      thread.start()
      try waitUntil { thread.isFinished }
      return (before, try Item.fetchCount(db))
    }
    #expect(before == 3 && after == 3)
    try expect(4) { try database.read { try Item.fetchCount($0) } }
  }

  @Test(arguments: Home.embedded)
  func `a program cannot end the transaction that it was given`(home: Home) throws {
    let open = try home.open()
    #expect(throws: RequestError.self) {
      try open.database.write { db in try db.execute(sql: "COMMIT") }
    }
    try open.database.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    #expect(throws: RequestError.self) {
      try open.database.writeWithoutTransaction { try $0.execute(sql: "BEGIN") }
    }
    // What SQLite itself undoes is told, and what follows does not run outside of it.
    let error = #expect(throws: RequestError.self) {
      try open.database.write { db in
        try Item.insert { Item.Draft(title: "Lost") }.execute(db)
        try? db.execute(sql: "INSERT OR ROLLBACK INTO \"items\" (\"title\") VALUES ('Tea')")
        try Item.insert { Item.Draft(title: "Stray") }.execute(db)
      }
    }
    #expect(error?.reason == .transactionEnded)
    try expect(3) { try open.database.read { try Item.fetchCount($0) } }
  }
}
