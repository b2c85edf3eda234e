/// Statements of a `write` at a server that nobody waits for: what they do, and where their errors come.
import MartletClient
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite struct DeferredStatementsTests {
  private struct Oops: Error {}

  /// A database at a server, which waits for each statement or does not.
  private func open(_ home: Home = .tcp, defers: Bool = true) throws -> OpenHome {
    var configuration = Configuration()
    configuration.remote.defersStatements = defers
    return try home.open(configuration)
  }

  private func titles(_ open: OpenHome) throws -> [String] {
    try open.database.read { try Item.select(\.title).order(by: \.id).fetchAll($0) }
  }

  @Test(arguments: RemoteTests.homes, [true, false])
  func `what they did is seen by all that follows, and stays`(home: Home, defers: Bool) throws {
    let open = try open(home, defers: defers)
    try open.database.write { db in
      try Item.insert { Item.Draft(title: "A") }.execute(db)
      try Item.find(1).update { $0.title = "B" }.execute(db)
      try expect(["B", "Cup", "Pot", "A"]) { try Item.select(\.title).order(by: \.id).fetchAll(db) }
      try Item.find(2).delete().execute(db)
      try Item.insert { Item.Draft(title: "C") }.execute(db)
    }
    #expect(try titles(open) == ["B", "Pot", "A", "C"])
  }

  @Test(arguments: [true, false])
  func `what the last one did is known when it is asked for`(defers: Bool) throws {
    let open = try open(defers: defers)
    try open.database.write { db in
      try Item.insert { Item.Draft(id: 40, title: "A") }.execute(db)
      try Item.where { $0.id < 3 }.update { $0.price = 1 }.execute(db)
      #expect(db.lastInsertRowID == 40 && db.changesCount == 2 && db.totalChangesCount == 3)
      try Item.insert { Item.Draft(title: "B") }.execute(db)
      #expect(db.lastInsertRowID == 41 && db.changesCount == 1)
      try Item.find(1_000).delete().execute(db)
      #expect(db.lastInsertRowID == 41 && db.changesCount == 0 && db.totalChangesCount == 4)
    }
  }

  @Test(arguments: [true, false])
  func `only what writes rows says how many it changed`(defers: Bool) throws {
    let open = try open(defers: defers)
    try open.database.write { db in
      try Item.where { $0.id < 3 }.update { $0.price = 1 }.execute(db)
      #expect(try Item.fetchCount(db) == 3 && db.changesCount == 2)
      _ = try Item.find(1).fetchOne(db)
      try db.execute(sql: "SELECT 1")
      try db.execute(sql: "CREATE TABLE \"others\" (\"id\" INTEGER PRIMARY KEY)")
      #expect(db.changesCount == 2 && db.totalChangesCount == 2)
      try db.execute(literal: "DELETE FROM \"others\"")
      #expect(db.changesCount == 0)
      let returned = try Item.find(1).update { $0.price = 2 }.returning(\.id).fetchAll(db)
      #expect(returned == [1] && db.changesCount == 1)
      try Item.find(1_000).delete().execute(db)
      #expect(try Item.fetchCount(db) == 3 && db.changesCount == 0 && db.totalChangesCount == 3)
    }
  }

  private static let mistakes: [(name: String, body: @Sendable (Database) throws -> Void)] = [
    ("a constraint", { try Item.insert { Item.Draft(title: "Pot") }.execute($0) }),
    ("a table that is not there", { try $0.execute(sql: "DELETE FROM nothing WHERE 1 = ?", arguments: [1]) }),
    ("no SQL", { try $0.execute(sql: "BRING ? TEA", arguments: [1]) }),
    ("two statements", { try $0.execute(sql: "DELETE FROM items; DELETE FROM owners WHERE ?", arguments: [1]) }),
    ("a transaction's end", { try $0.execute(sql: "COMMIT AND ?", arguments: [1]) }),
    ("a column that may not be NULL", { try $0.execute(literal: "INSERT INTO \"items\"(\"title\") VALUES (NULL)") }),
  ]

  @Test(arguments: mistakes.indices)
  func `an error comes at the end of the closure at the latest, and nothing stays`(index: Int) throws {
    let open = try open()
    let error = #expect(throws: RequestError.self) {
      try open.database.write { db in
        try Item.find(1).delete().execute(db)
        try Self.mistakes[index].body(db)
        try Item.find(2).delete().execute(db)
      }
    }
    #expect(error?.message.contains("an earlier statement, which nobody had waited for: ") == true, "\(error as Any)")
    #expect(error?.reason != .transactionEnded && error?.isOutcomeUnknown == false)
    #expect(try titles(open) == ["Tea", "Cup", "Pot"])
    // The last one of a closure, behind which the commit is on its way already.
    #expect(throws: RequestError.self) {
      try open.database.write { db in
        try Item.find(1).delete().execute(db)
        try Self.mistakes[index].body(db)
      }
    }
    #expect(try titles(open) == ["Tea", "Cup", "Pot"])
  }

  @Test(arguments: mistakes.indices)
  func `the next statement that waits throws it, and a program that ignores it still keeps nothing`(index: Int) throws {
    let open = try open()
    var seen: [RequestError] = []
    let error = #expect(throws: RequestError.self) {
      try open.database.write { db in
        try Item.find(1).delete().execute(db)
        try Self.mistakes[index].body(db)
        for _ in 0..<3 {
          do {
            _ = try Item.fetchCount(db)
          } catch let error as RequestError {
            seen.append(error)
          }
        }
        do {
          try Item.find(2).delete().execute(db)
        } catch let error as RequestError {
          seen.append(error)
        }
      }
    }
    #expect(seen.count == 4 && seen.allSatisfy { $0.message == error?.message }, "\(seen)")
    #expect(try titles(open) == ["Tea", "Cup", "Pot"])
  }

  @Test func `an error of the closure's own is the one that is thrown`() throws {
    let open = try open()
    #expect(throws: Oops.self) {
      try open.database.write { db in
        try Item.insert { Item.Draft(title: "Tea") }.execute(db)
        throw Oops()
      }
    }
    #expect(try titles(open) == ["Tea", "Cup", "Pot"])
  }

  @Test(arguments: [true, false])
  func `inside of a savepoint an error is thrown where it happens and can be caught`(defers: Bool) throws {
    let open = try open(defers: defers)
    try open.database.write { db in
      try Item.insert { Item.Draft(title: "A") }.execute(db)
      var caught = 0
      for title in ["Tea", "B", "Cup"] {
        do {
          try db.inSavepoint {
            try Item.insert { Item.Draft(title: title + "!") }.execute(db)
            try Item.insert { Item.Draft(title: title) }.execute(db)
          }
        } catch let error as RequestError {
          #expect(error.reason == .constraint && !error.message.contains("an earlier statement"))
          caught += 1
        }
      }
      #expect(caught == 2)
      try Item.insert { Item.Draft(title: "C") }.execute(db)
    }
    #expect(try titles(open) == ["Tea", "Cup", "Pot", "A", "B!", "B", "C"])
  }

  @Test func `where each statement is waited for an error can be caught and the rest stays`() throws {
    let open = try open(defers: false)
    try open.database.write { db in
      #expect(throws: RequestError.self) { try Item.insert { Item.Draft(title: "Tea") }.execute(db) }
      try Item.insert { Item.Draft(title: "A") }.execute(db)
    }
    #expect(try titles(open) == ["Tea", "Cup", "Pot", "A"])
  }

  @Test func `in a transaction of its own they are deferred too, and outside of one they are not`() throws {
    let open = try open()
    try open.database.writeWithoutTransaction { db in
      // Without `#expect(throws:)`: the compiler mistakes a later closure for the one that would stand in it.
      var errors: [RequestError] = []
      do {
        try Item.insert { Item.Draft(title: "Tea") }.execute(db)
      } catch let error as RequestError {
        errors.append(error)
      }
      try Item.insert { Item.Draft(title: "A") }.execute(db)
      do {
        try db.inTransaction {
          try Item.insert { Item.Draft(title: "B") }.execute(db)
          try Item.insert { Item.Draft(title: "Tea") }.execute(db)
        }
      } catch let error as RequestError {
        errors.append(error)
      }
      try db.inTransaction { try Item.insert { Item.Draft(title: "C") }.execute(db) }
      #expect(errors.map { $0.message.contains("an earlier statement") } == [false, true])
    }
    #expect(try titles(open) == ["Tea", "Cup", "Pot", "A", "C"])
  }

  @Test func `rows of RETURNING that nobody asked for are dropped, and a cursor that is open goes on`() throws {
    let open = try open()
    try open.database.write { db in
      try Item.insert { for n in 0..<3_000 { Item.Draft(title: "\(n) \(String(repeating: "x", count: 300))") } }
        .returning(\.self).execute(db)
      let cursor = try Item.order(by: \.id).fetchCursor(db)
      var seen = 0
      while let item = try cursor.next() {
        seen += 1
        if seen % 500 == 0 { try Item.find(item.id).update { $0.price = 1 }.returning(\.self).execute(db) }
      }
      #expect(seen == 3_003)
      try expect(6) { try Item.where { $0.price.eq(1) }.fetchCount(db) }
    }
    #expect(try titles(open).count == 3_003)
  }

  @Test func `thousands of them in one closure keep their order`() throws {
    let open = try open()
    try open.database.write { db in
      for n in 0..<3_000 {
        try Item.insert { Item.Draft(id: 10 + n, title: "\(n)") }.execute(db)
        if n % 3 == 0 { try Item.find(10 + n).update { $0.title = $0.title + "!" }.execute(db) }
        if n % 5 == 0 { try Item.find(10 + n).delete().execute(db) }
      }
      // Values of megabytes, of which not all can be on their way at once.
      for n in 0..<12 {
        try Item.insert { Item.Draft(id: 10_000 + n, title: "\(n)" + String(repeating: "y", count: 900_000)) }.execute(
          db)
      }
    }
    let expected = (0..<3_000).filter { $0 % 5 != 0 }.map { "\($0)" + ($0 % 3 == 0 ? "!" : "") }
    let found = try titles(open).dropFirst(3)
    #expect(Array(found.prefix(expected.count)) == expected && found.count == expected.count + 12)
  }

  @Test(arguments: [0, 1, 7, 64, 65, 200])
  func `one that fails among many undoes all, wherever it stands`(place: Int) throws {
    let open = try open()
    #expect(throws: RequestError.self) {
      try open.database.write { db in
        for n in 0..<201 { try Item.insert { Item.Draft(title: n == place ? "Tea" : "\(n)") }.execute(db) }
      }
    }
    #expect(try titles(open) == ["Tea", "Cup", "Pot"])
  }

  @Test func `a deadline that passes and a task that is cancelled undo all`() async throws {
    // A server of its own, which counts nobody else's transactions.
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    defer { withExtendedLifetime(server) {} }
    var configuration = Configuration()
    configuration.remote.defersStatements = true
    configuration.remote.createsDatabase = true
    let database = try RemoteDatabase("\(server.url("shop"))", configuration: configuration)
    try Schema.create(database)
    let open = OpenHome(database: database, directory: directory)
    let asking = try DatabaseClient(server.url("shop"))
    func areOpen(_ count: Int64) async throws -> Bool {
      try await asking.inspect()["open_write_transactions"] == count
    }
    await #expect(throws: (any Error).self) {
      try await withDeadline(.milliseconds(150)) {
        try await database.write { db in
          try Item.delete().execute(db)
          let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
          try db.execute(sql: "INSERT INTO items(title) \(endless) SELECT i || ? FROM n", arguments: ["x"])
        }
      }
    }
    #expect(try titles(open) == ["Tea", "Cup", "Pot"])
    try await suspendUntil { try await areOpen(0) }
    let task = Task {
      try await database.write { db in
        try Item.delete().execute(db)
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        try db.execute(sql: "INSERT INTO items(title) \(endless) SELECT i || ? FROM n", arguments: ["x"])
      }
    }
    try await suspendUntil { try await areOpen(1) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try titles(open) == ["Tea", "Cup", "Pot"])
    await asking.close()
  }
}
