/// The examples of docs/MIGRATIONS.md, as they stand there.
import Foundation
import Martlet
import Testing

@Suite struct MigrationPageTests {
  @Test func `the page shows nothing that this test does not run`() throws {
    try PageText("MIGRATIONS.md").expectAll(in: #filePath)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a schema follows its steps`(home: DatabaseHome) throws {
    let database = try home.empty()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create items") { db in
      try db.execute(sql: "CREATE TABLE items(id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    }
    // The version before, with a row in it.
    try migrator.migrate(database)
    try database.write { db in try db.execute(sql: "INSERT INTO items(title) VALUES ('Tea'), ('Cup')") }
    migrator.registerMigration("Add prices") { db in
      try db.execute(sql: "ALTER TABLE items ADD COLUMN price REAL")
      try db.execute(sql: "UPDATE items SET price = 1 WHERE title = 'Tea'")
    }
    #expect(try !database.read { db in try migrator.hasBeenMigrated(db) })
    try migrator.migrate(database, upTo: "Add prices")
    migrator.registerMigration("Prices are never missing") { db in
      try db.execute(
        sql: """
          CREATE TABLE new_items(id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL NOT NULL);
          INSERT INTO new_items SELECT id, title, coalesce(price, 0) FROM items;
          DROP TABLE items;
          ALTER TABLE new_items RENAME TO items;
          """)
    }
    try migrator.migrate(database)
    let isCurrent = try database.read { db in try migrator.hasBeenMigrated(db) }
    let isNewer = try database.read { db in try migrator.hasBeenSuperseded(db) }
    #expect(isCurrent && !isNewer)
    let prices = try database.read { db in try #sql("SELECT price FROM items ORDER BY id", as: Double.self).fetchAll(db)
    }
    #expect(prices == [1, 0])
    // A former version of the program finds that a later one was here.
    var former = DatabaseMigrator()
    former.registerMigration("Create items") { _ in }
    #expect(try database.read { db in try former.hasBeenSuperseded(db) })
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = 3")
    }
    let version = try database.read { db in
      try #sql("SELECT user_version FROM pragma_user_version", as: Int.self).fetchOne(db)
    }
    #expect(version == 3)
  }
}
