/// Migrations run once, in order, each in its own transaction.
import MartletDatabase
import MartletQuery
import MartletValues
import Testing

@Suite struct MigratorTests {
  struct Oops: Error {}

  static func migrator(_ log: Log = Log()) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("tables") { db in
      log.add("tables")
      try db.execute(sql: Schema.sql)
    }
    migrator.registerMigration("first rows") { db in
      log.add("first rows")
      try db.seed { Owner(id: 1, name: "Anna") }
    }
    return migrator
  }

  @Test(arguments: Home.allCases)
  func `migrations run once and are recorded`(home: Home) throws {
    let open = try home.open(hasSchema: false)
    let log = Log()
    var migrator = Self.migrator(log)
    #expect(try open.database.read { try !migrator.hasBeenMigrated($0) })
    try migrator.migrate(open.database, upTo: "tables")
    #expect(try open.database.read { try migrator.appliedIdentifiers($0) } == ["tables"])
    try migrator.migrate(open.database)
    try migrator.migrate(open.database)
    #expect(log.lines == ["tables", "first rows"])
    #expect(try open.database.read { try migrator.hasCompletedMigrations($0) })
    migrator.registerMigration("more") { db in try db.seed { Owner(id: 2, name: "Ben") } }
    #expect(try open.database.read { try !migrator.hasBeenMigrated($0) })
    try migrator.migrate(open.database)
    #expect(try open.database.read { try migrator.hasBeenMigrated($0, "more") })
    #expect(try open.database.read { try Self.migrator().hasBeenSuperseded($0) })
    try expect(["Anna", "Ben"]) { try open.database.read { try Owner.select(\.name).order(by: \.id).fetchAll($0) } }
  }

  @Test(arguments: Home.allCases)
  func `a migration that fails leaves nothing and stops the others`(home: Home) throws {
    let open = try home.open(hasSchema: false)
    var migrator = Self.migrator()
    migrator.registerMigration("broken") { db in
      try db.seed { Owner(id: 9, name: "Nobody") }
      throw Oops()
    }
    migrator.registerMigration("never") { _ in Issue.record("ran after a failure") }
    #expect(throws: Oops.self) { try migrator.migrate(open.database) }
    let applied = try open.database.read { try migrator.appliedIdentifiers($0) }
    #expect(applied == ["tables", "first rows"])
    try expect(1) { try open.database.read { try Owner.fetchCount($0) } }
  }

  @Test(arguments: Home.embedded)
  func `a migration may make a table anew that others point to`(home: Home) throws {
    let open = try home.open()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("wider owners") { db in
      try db.execute(
        sql: """
          CREATE TABLE "wider" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "age" INTEGER);
          INSERT INTO "wider" ("id", "name") SELECT "id", "name" FROM "owners";
          DROP TABLE "owners";
          ALTER TABLE "wider" RENAME TO "owners";
          """)
    }
    try migrator.migrate(open.database)
    try expect(2) { try open.database.read { try Owner.fetchCount($0) } }
    migrator.registerMigration("lost owners") { db in try Owner.delete().execute(db) }
    let error = #expect(throws: RequestError.self) { try migrator.migrate(open.database) }
    #expect(error?.table == "items")
    try expect(2) { try open.database.read { try Owner.fetchCount($0) } }
    // Foreign keys are enforced again.
    #expect(throws: RequestError.self) {
      try open.database.write { db in try Item.insert { Item.Draft(title: "X", ownerID: 77) }.execute(db) }
    }
  }

  @Test func `tasks migrate`() async throws {
    let open = try Home.pool.open(hasSchema: false)
    try await Self.migrator().migrate(open.database)
    let count = try await open.database.read { try Owner.fetchCount($0) }
    #expect(count == 1)
  }
}
