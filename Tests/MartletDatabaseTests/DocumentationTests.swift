/// The examples of docs/DATABASE.md, as they stand there.
import Foundation
import MartletDatabase
import MartletQuery
import MartletTestSupport
import Testing

@Suite struct DocumentationTests {
  @Test func `a database is opened in memory, in a file and at a server`() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/shop.sqlite"
    let memory = try DatabaseQueue()
    let queue = try DatabaseQueue(path: path)
    let pool = try DatabasePool(path: path)
    let remote = try RemoteDatabase("martlet://localhost:6278/shop")
    let writers: [any DatabaseWriter] = [memory, queue, pool, remote]
    #expect(writers.count == 4)

    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.pageChecksums = true  // of a file that is made; decisions/0016
    configuration.prepareDatabase { db in
      db.trace { print($0) }
      db.add(function: Shout())
    }
    let prepared = try DatabasePool(path: path, configuration: configuration)
    prepared.close()
    configuration.remote.statementTimeout = .seconds(1_800)
  }

  @Test(arguments: Home.allCases)
  func `the page's examples of reading and writing run`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    // Closures without await stand in functions that are not asynchronous.
    func run() throws {
      let cheap = try database.read { db in
        try Item.where { $0.price < 10 }.order(by: \.title).fetchAll(db)
      }
      #expect(cheap.map(\.title) == ["Tea"])
      try database.write { db in
        try Item.insert { Item.Draft(title: "Jug", price: 7) }.execute(db)
        try Item.find(1).update { $0.price = 4 }.execute(db)
      }
      try database.write { db in
        try Item.find(1).update { $0.price = 3 }.execute(db)
        try Item.find(2).update { $0.price = 4 }.execute(db)
        try Item.insert { Item.Draft(title: "Lid", price: 1) }.execute(db)
      }
      try database.write { db in
        do {
          try db.inSavepoint { try Item.insert { Item.Draft(title: "Tea") }.execute(db) }
        } catch let error as RequestError where error.reason == .constraint {
          try Item.where { $0.title.eq("Tea") }.update { $0.price = 2 }.execute(db)
        }
      }
      try database.write { db in
        let titles = try Item.select { ($0.id, $0.title) }.fetchCursor(db)
        while let (id, title) = try titles.next() {
          if title.isEmpty { try Item.find(id).delete().execute(db) }
        }
        let tea = try Item.find(db, key: 1)
        try db.inSavepoint {
          try Item.find(tea.id).update { $0.price = 5 }.execute(db)
        }
      }
    }
    try run()
    let count = try await database.read { db in try Item.fetchCount(db) }
    #expect(count == 5)
  }

  @Test(arguments: Home.allCases)
  func `a call may have a deadline`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    let cheap = try await database.read(deadline: .seconds(60)) { db in
      try Item.where { $0.price < 10 }.fetchAll(db)
    }
    try await withDeadline(.seconds(60)) {
      try await database.write { db in try Item.find(1).update { $0.price = 4 }.execute(db) }
    }
    #expect(cheap.map(\.title) == ["Tea"])
  }

  struct Dashboard: FetchKeyRequest {
    struct Value: Sendable {
      var items: [Item] = []
      var count = 0
    }
    func fetch(_ db: Database) throws -> Value {
      Value(items: try Item.order(by: \.id).limit(2).fetchAll(db), count: try Item.fetchCount(db))
    }
  }

  @Test(arguments: Home.allCases)
  func `migrations, rows and requests`(home: Home) throws {
    let open = try home.open(hasSchema: false)
    let database = open.database
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create owners") { db in
      try db.execute(sql: #"CREATE TABLE "owners" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)"#)
    }
    migrator.registerMigration("Create items") { db in
      try db.execute(
        sql: #"""
          CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "price" REAL, "ownerID" INTEGER)
          """#)
    }
    try migrator.migrate(database)
    let isCurrent = try database.read { db in try migrator.hasBeenMigrated(db) }
    #expect(isCurrent)
    try database.write { db in
      try db.seed {
        Owner(id: 1, name: "Anna")
        Owner(id: 2, name: "Ben")
        Item.Draft(title: "Tea", price: 3.5, ownerID: 1)
      }
    }
    let dashboard = try database.fetch(Dashboard())
    #expect(dashboard.count == 1 && dashboard.items.map(\.title) == ["Tea"])
  }

  @Test(arguments: Home.allCases)
  func `the page's example of following a database runs`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    var seen: [[String]] = []
    let titles = ValueObservation.tracking { db in
      try Item.order(by: \.title).select(\.title).fetchAll(db)
    }
    for try await titles in titles.values(in: database) {
      seen.append(titles)
      if seen.count == 2 { break }
      try await database.write { try Item.find(1).delete().execute($0) }
    }
    #expect(seen == [["Cup", "Pot", "Tea"], ["Cup", "Pot"]])
  }

  @Test(arguments: RemoteTests.homes)
  func `the page's example of a database at a server runs`(home: Home) async throws {
    let open = try home.open()
    let remote = try #require(open.database as? RemoteDatabase)
    let changed = try await Item.where { $0.price.is(nil) }.update { $0.price = 1 }.execute(remote)
    let all = try await Item.order(by: \.id).fetchAll(remote)
    var titles: [String] = []
    for try await item in remote.rows(Item.order(by: \.id)) {
      titles.append(item.title)
    }
    #expect(changed == 1 && all.map(\.title) == titles)
  }
}
