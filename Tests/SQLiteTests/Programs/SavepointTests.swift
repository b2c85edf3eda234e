import Foundation
import SQLite
import Testing

/// Transactions and savepoints inside of each other, with errors at every level.
@Suite struct SavepointTests {
  @Test(arguments: Place.allCases)
  func `an error undoes its own level alone`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    for failing in 0...3 {
      try? db.transaction {
        try db.run(users.insert(email <- "\(failing) one"))
        try? db.savepoint {
          try db.run(users.insert(email <- "\(failing) two"))
          try? db.savepoint("inner") {
            try db.run(users.insert(email <- "\(failing) three"))
            if failing == 3 { throw Stop() }
          }
          if failing == 2 { throw Stop() }
        }
        if failing == 1 { throw Stop() }
      }
    }
    #expect(try db.column(users.order(id), email) == ["0 one", "0 two", "0 three", "2 one", "3 one", "3 two"])
  }

  @Test(arguments: Place.allCases)
  func `a failed statement leaves the transaction usable`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.transaction {
      try db.run(users.insert(email <- "a"))
      for _ in 0..<100 {
        #expect(throws: Result.self) { try db.run(users.insert(email <- "a")) }
      }
      try db.run(users.insert(email <- "b"))
    }
    #expect(try db.scalar(users.count) == 2)
  }

  @Test(arguments: Place.allCases)
  func `a transaction inside of one is refused`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.transaction {
      try db.run(users.insert(email <- "a"))
      #expect(throws: Result.self) { try db.transaction {} }
      try db.run(users.insert(email <- "b"))
    }
    #expect(try db.scalar(users.count) == 2)
  }

  @Test(arguments: Place.allCases)
  func `words of SQL begin and end transactions between calls`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run("BEGIN IMMEDIATE")
    #expect(db.isInTransaction)
    try db.run(users.insert(email <- "a"))
    try db.run("ROLLBACK")
    try db.execute("BEGIN; INSERT INTO users (email) VALUES ('b'); COMMIT")
    #expect(try db.column(users, email) == ["b"])
    #expect(!db.isInTransaction)
  }

  @Test(arguments: [Place.file, .server])
  func `what is not committed is gone with the connection`(_ place: Place) throws {
    let open = try place.open()
    try open.db.createUsers()
    let other = try open.another()
    try other.run("BEGIN IMMEDIATE")
    try other.run(users.insert(email <- "a"))
    other.close()
    #expect(try open.db.scalar(users.count) == 0)
    try open.db.run(users.insert(email <- "b"))
    #expect(try open.db.scalar(users.count) == 1)
  }

  @Test(arguments: Place.allCases)
  func `threads share a connection`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<20 {
        try? db.transaction {
          try db.run(users.insert(email <- "\(thread) \(number)"))
          let before = try db.scalar(users.count)
          try db.run(users.filter(email == "\(thread) \(number)").update(age <- before))
          if number % 4 == 0 { throw Stop() }
        }
      }
    }
    // Each transaction saw what was committed before it and nothing else, so no count came twice.
    #expect(try db.scalar(users.count) == 120)
    #expect(try db.scalar(users.select(age.distinct.count)) == 120)
  }
}
