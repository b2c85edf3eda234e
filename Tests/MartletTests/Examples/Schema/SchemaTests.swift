/// 002 "Schema Creation with #sql Macro", 001 "Foreign Key Relationships", 003 "Database Setup".
///
/// Always true: the statements are the pages' own; what they made is shown by rows and refusals.
import Foundation
import Martlet
import Testing

/// The page's own colour: a number in the database, a type of the user interface in Swift.
struct Color: Sendable, Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  static let blue = Color(red: 0x4a, green: 0x99, blue: 0xef)

  struct HexRepresentation: QueryBindable, QueryRepresentable {
    var queryOutput: Color

    init(queryOutput: Color) { self.queryOutput = queryOutput }

    init(decoder: inout some QueryDecoder) throws {
      let hex = try Int(decoder: &decoder)
      queryOutput = Color(
        red: UInt8(truncatingIfNeeded: hex >> 24), green: UInt8(truncatingIfNeeded: hex >> 16),
        blue: UInt8(truncatingIfNeeded: hex >> 8))
    }

    var hexValue: Int? { Int(queryOutput.red) << 24 | Int(queryOutput.green) << 16 | Int(queryOutput.blue) << 8 | 0xff }
    var queryBinding: QueryBinding { (hexValue ?? 0).queryBinding }
  }
}

@Suite struct SchemaSeedTests {
  @Table
  nonisolated struct RemindersList: Hashable, Identifiable {
    let id: UUID

    @Column(as: Color.HexRepresentation.self)  // Custom type representation
    var color: Color = .blue

    var title = ""
  }

  @Table
  nonisolated struct Item: Identifiable, Hashable {
    let id: UUID
    var title = ""
    var isInStock = true
    var price = 0.0
    @Column(lazyInitializable: true) var createdAt: Date
  }

  @Table
  nonisolated struct Category: Identifiable, Hashable {
    let id: UUID
    var name = ""
    var position = 0
  }

  @Table("itemCategories")
  nonisolated struct ItemCategory: Hashable {
    let itemID: Item.ID
    let categoryID: Category.ID
  }

  private func migrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()

    migrator.registerMigration("Create initial tables") { db in
      try #sql(
        """
        CREATE TABLE "items" (
            "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
            "title" TEXT NOT NULL DEFAULT '',
            "isInStock" INTEGER NOT NULL DEFAULT 1,
            "price" REAL NOT NULL DEFAULT 0.0,
            "createdAt" TEXT NOT NULL DEFAULT (datetime('now'))
        ) STRICT
        """
      ).execute(db)

      try #sql(
        """
        CREATE TABLE "categories" (
            "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
            "name" TEXT NOT NULL UNIQUE,
            "position" INTEGER NOT NULL DEFAULT 0
        ) STRICT
        """
      ).execute(db)

      // Foreign key relationship
      try #sql(
        """
        CREATE TABLE "itemCategories" (
            "itemID" TEXT NOT NULL REFERENCES "items"("id") ON DELETE CASCADE,
            "categoryID" TEXT NOT NULL REFERENCES "categories"("id") ON DELETE CASCADE,
            PRIMARY KEY ("itemID", "categoryID")
        ) STRICT
        """
      ).execute(db)
    }
    return migrator
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a migration makes tables that keep their promises`(home: DatabaseHome) throws {
    let database = try home.empty()
    try migrator().migrate(database)
    // A second run does nothing.
    try migrator().migrate(database)
    try database.write { db in
      let item = try #require(try Item.insert { Item.Draft(title: "x") }.returning(\.self).fetchOne(db))
      same(item.isInStock, true)
      let category = try #require(try Category.insert { Category.Draft(name: "c") }.returning(\.id).fetchOne(db))
      try ItemCategory.insert { ItemCategory(itemID: item.id, categoryID: category) }.execute(db)
      same(try ItemCategory.fetchCount(db), 1)
      try Item.find(item.id).delete().execute(db)
      same(try ItemCategory.fetchCount(db), 0)
      // An error that is caught stands in a savepoint, since a server's answers come later otherwise.
      #expect(throws: (any Error).self) {
        try db.inSavepoint { try Category.insert { Category.Draft(name: "c") }.execute(db) }
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `raw text and numbers stand in the SQL`(home: DatabaseHome) throws {
    let database = try home.empty()
    var migrator = DatabaseMigrator()
    let defaultColor = Color(red: 1, green: 2, blue: 3)
    migrator.registerMigration("Create table with dynamic defaults") { db in
      let defaultListColor = Color.HexRepresentation(queryOutput: defaultColor).hexValue
      let tableName = "remindersLists"

      try #sql(
        """
        CREATE TABLE \(raw: tableName) (
            "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
            "color" INTEGER NOT NULL DEFAULT \(raw: defaultListColor ?? 0),
            "title" TEXT NOT NULL DEFAULT ''
        ) STRICT
        """
      ).execute(db)
    }
    try migrator.migrate(database)
    try database.write { db in
      let color = try RemindersList.insert {
        $0.title
      } values: {
        "Home"
      }.returning(\.color).fetchOne(db)
      same(color, defaultColor)
      try RemindersList.insert { RemindersList.Draft(title: "Work") }.execute(db)
      same(try RemindersList.where { $0.title.eq("Work") }.fetchOne(db)?.color, .blue)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `indexes, triggers and columns come with later migrations`(home: DatabaseHome) throws {
    let database = try home.open(
      """
      CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "isInStock" INTEGER NOT NULL DEFAULT 1,
        "isArchived" INTEGER NOT NULL DEFAULT 0, "createdAt" TEXT, "updatedAt" TEXT)
      """)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Add indexes") { db in
      try #sql(
        """
        CREATE INDEX "idx_items_createdAt"
        ON "items" ("createdAt" DESC)
        """
      ).execute(db)

      try #sql(
        """
        CREATE INDEX "idx_items_search"
        ON "items" ("title", "isInStock")
        WHERE "isArchived" = 0
        """
      ).execute(db)
    }
    migrator.registerMigration("Add audit triggers") { db in
      try #sql(
        """
        CREATE TRIGGER "update_item_timestamp"
        AFTER UPDATE ON "items"
        BEGIN
            UPDATE "items"
            SET "updatedAt" = datetime('now')
            WHERE "id" = NEW."id";
        END
        """
      ).execute(db)
    }
    migrator.registerMigration("Add notes column") { db in
      try #sql(
        """
        ALTER TABLE "items"
        ADD COLUMN "notes" TEXT NOT NULL DEFAULT ''
        """
      ).execute(db)
    }
    try migrator.migrate(database)
    try database.write { db in
      try #sql("INSERT INTO \"items\" (\"title\") VALUES ('x')").execute(db)
      try #sql("UPDATE \"items\" SET \"title\" = 'y'").execute(db)
      let row = try #sql("SELECT \"notes\", \"updatedAt\" IS NOT NULL FROM \"items\"", as: (String, Bool).self)
        .fetchOne(db)
      same(row?.0, "")
      same(row?.1, true)
      let indexes = try #sql(
        "SELECT \"name\" FROM \"sqlite_master\" WHERE \"type\" = 'index' AND \"tbl_name\" = 'items' ORDER BY 1",
        as: String.self
      ).fetchAll(db)
      same(indexes, ["idx_items_createdAt", "idx_items_search"])
    }
  }

  @Test func `a connection is prepared with pragmas and tracing`() throws {
    let log = TraceLog()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA foreign_keys = ON")
      db.trace { log.append("SQL: \($0)") }
    }
    let database = try DatabaseQueue(configuration: configuration)
    try migrator().migrate(database)
    #expect(log.lines.contains { $0.contains("CREATE TABLE \"items\"") })
    #expect(throws: (any Error).self) {
      try database.write { db in
        try ItemCategory.insert { ItemCategory(itemID: UUID(1), categoryID: UUID(2)) }.execute(db)
      }
    }
  }
}

/// Lines that a trace wrote, on whatever thread.
private final class TraceLog: @unchecked Sendable {
  // Unchecked because the lock guards the lines.
  private let lock = NSLock()
  private var text: [String] = []

  var lines: [String] { lock.withLock { text } }
  func append(_ line: String) { lock.withLock { text.append(line) } }
}
