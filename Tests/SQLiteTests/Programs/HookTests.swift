import Foundation
import SQLite
import Testing

/// What a program hears of its connection.
@Suite struct HookTests {
  @Test(arguments: Place.embedded)
  func `rows, commits and rollbacks are told`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    var heard: [String] = []
    db.updateHook { operation, schema, table, row in heard.append("\(operation) \(schema).\(table) \(row)") }
    db.commitHook { heard.append("commit") }
    db.rollbackHook { heard.append("rollback") }
    try db.run(users.insert(email <- "a"))
    try db.run(users.filter(id == 1).update(age <- 2))
    try db.run(users.filter(id == 1).delete())
    #expect(
      heard == [
        "insert main.users 1", "commit", "update main.users 1", "commit", "delete main.users 1", "commit",
      ])
    heard = []
    try? db.transaction {
      try db.run(users.insert(email <- "b"))
      throw Stop()
    }
    #expect(heard == ["insert main.users 1", "rollback"])
    heard = []
    db.updateHook(nil)
    db.commitHook(nil)
    db.rollbackHook(nil)
    try db.run(users.insert(email <- "c"))
    try? db.transaction { throw Stop() }
    #expect(heard.isEmpty)
  }

  @Test(arguments: Place.embedded)
  func `a commit hook that throws undoes the transaction`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    for _ in 0..<100 {
      db.commitHook { throw Stop() }
      #expect(throws: Result.self) { try db.run(users.insert(email <- "a")) }
      #expect(throws: Result.self) {
        try db.transaction {
          try db.run(users.insert(email <- "b"))
          try db.run(users.insert(email <- "c"))
        }
      }
      #expect(!db.isInTransaction)
      db.commitHook(nil)
    }
    try db.run(users.insert(email <- "a"))
    #expect(try db.column(users, email) == ["a"])
  }

  @Test(arguments: Place.allCases)
  func `statements are traced with their values`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    var heard: [String] = []
    db.trace { heard.append($0) }
    try db.run(users.insert(email <- "a"))
    _ = try db.pluck(users.filter(email == "a"))
    #expect(heard.count == 2)
    #expect(heard.first?.hasPrefix("INSERT INTO \"users\"") == true)
    if place != .server { #expect(heard.first?.contains("'a'") == true) }
    db.trace(nil)
    _ = try db.scalar(users.count)
    #expect(heard.count == 2)
  }

  /// A hook that is silent would hide changes, and the calls that set one cannot throw.
  @Test func `writes at a server throw while a hook is set`() throws {
    let open = try Place.server.open()
    let db = open.db
    try db.createUsers()
    let hooks: [(set: () -> Void, unset: () -> Void)] = [
      ({ db.updateHook { _, _, _, _ in } }, { db.updateHook(nil) }),
      ({ db.commitHook {} }, { db.commitHook(nil) }),
      ({ db.rollbackHook {} }, { db.rollbackHook(nil) }),
    ]
    for hook in hooks {
      hook.set()
      let writes: [() throws -> Void] = [
        { try db.run(users.insert(email <- "a")) }, { try db.run("DELETE FROM users") },
        { try db.execute("DELETE FROM users") }, { try db.run(users.drop()) },
        { try db.transaction { try db.run(users.insert(email <- "a")) } },
        { try db.withDatabase { _ in } },
      ]
      for write in writes { fails(write) { "\($0)".contains("A server does not tell of changes yet.") } }
      #expect(!db.isInTransaction)
      #expect(try db.scalar(users.count) == 0)
      #expect(try db.scalar("SELECT count(*) FROM users") as? Int64 == 0)
      hook.unset()
      try db.run(users.insert(email <- "a"))
      try db.run(users.delete())
    }
  }

  @Test func `a busy handler decides how long a statement waits`() throws {
    let open = try Place.file.open()
    try open.db.createUsers()
    let other = try open.another()
    var tries: [Int] = []
    other.busyHandler { number in
      tries.append(number)
      return number < 3
    }
    try open.db.transaction(.immediate) {
      try open.db.run(users.insert(email <- "a"))
      fails({ try other.run(users.insert(email <- "b")) }) {
        guard case Result.error(_, let code, _) = $0 else { return false }
        return same(code, 5)
      }
      #expect(tries == [0, 1, 2, 3])
      other.busyHandler(nil)
      #expect(throws: Result.self) { try other.run(users.insert(email <- "b")) }
    }
    #expect(tries.count == 4)
    try other.run(users.insert(email <- "b"))
    #expect(try open.db.scalar(users.count) == 2)
  }

  @Test func `hooks of a connection that was closed are nothing`() throws {
    let db = try Place.memory.open().db
    db.close()
    db.updateHook { _, _, _, _ in }
    db.commitHook {}
    db.busyHandler { _ in true }
    db.trace { _ in }
  }
}
