import MartletDatabase
import MartletTestSupport
import SQLite
import Testing

/// Typed statements in the closures of the builder's databases.
@Suite struct DatabaseQueriesTests {
  enum Kind: CaseIterable, Sendable {
    case queue
    case pool
    case remote

    func open(_ directory: TemporaryDirectory) throws -> any DatabaseWriter {
      switch self {
      case .queue: return try DatabaseQueue()
      case .pool: return try DatabasePool(path: directory.path + "/pool.sqlite3")
      case .remote:
        var configuration = Configuration()
        configuration.remote.createsDatabase = true
        let name = "q\(UInt64.random(in: 0 ... .max))"
        return try RemoteDatabase("\(SharedServer.one.url(name))", configuration: configuration)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `both spellings share a transaction`(_ kind: Kind) throws {
    let directory = TemporaryDirectory()
    let database = try kind.open(directory)
    try database.write { db in
      try db.run(
        users.create { t in
          t.column(id, primaryKey: true)
          t.column(email, unique: true)
          t.column(age)
        })
    }
    try database.write { db in
      #expect(try db.run(users.insert(email <- "a", age <- 1)) == 1)
      try db.execute(sql: "INSERT INTO users (email, age) VALUES (?, ?)", arguments: ["b", 2])
      #expect(try db.run(users.filter(age == 2).update(age += 1)) == 1)
      #expect(try db.scalar(users.count) == 2)
    }
    #expect(throws: Stop.self) {
      try database.write { db in
        let deleted = try db.run(users.delete())
        #expect(deleted == 2)
        throw Stop()
      }
    }
    try database.read { db in
      let emails = try db.prepare(users.order(id)).map { $0[email] }
      #expect(emails == ["a", "b"])
      #expect(try db.pluck(users.filter(email == "b"))?[age] == 3)
      #expect(try db.pluck(users.filter(email == "c")) == nil)
      #expect(try db.scalar(users.select(age.max)) == 3)
    }
    #expect(throws: (any Error).self) { try database.read { db in try db.run(users.delete()) } }
  }
}
