/// Items, categories and tags: the tables that most examples are about, with all columns that they name.
///
/// Always true: `Shop.script` makes the tables as the pages do (texts as keys, `uuid()` as their default) and its rows.
import Foundation
import Martlet

enum Shop {
  enum Status: Int, QueryBindable {
    case incomplete = 0
    case completing = 1
    case completed = 2
  }

  @Table
  nonisolated struct Item: Identifiable, Hashable {
    let id: UUID
    var title = ""
    var notes = ""
    var category = ""
    var categoryID: Category.ID?
    var storeID: Store.ID?
    var status: Status = .incomplete
    var priority: Int?
    var position = 0
    var count = 0
    var price = 0.0
    var discountPrice: Double?
    var discount = 0.0
    var revenue = 0.0
    var isInStock = true
    var isActive = true
    var isOnSale = false
    var isArchived = false
    var isDeleted = false
    @Column(lazyInitializable: true) var createdAt: Date
    @Column(lazyInitializable: true) var updatedAt: Date
    @Ephemeral var isSelected = false
  }

  @Table
  nonisolated struct Category: Identifiable, Hashable {
    let id: UUID
    var name = ""
    var isActive = true
    var parentID: UUID?
  }

  @Table
  nonisolated struct Store: Identifiable, Hashable {
    let id: UUID
    var name = ""
    var itemCount = 0
  }

  @Table
  nonisolated struct Tag: Identifiable, Hashable {
    let id: UUID
    var name = ""
  }

  @Table
  nonisolated struct ItemTag: Hashable {
    let itemID: Item.ID
    let tagID: Tag.ID
  }

  @Table
  nonisolated struct ActivityLog: Identifiable, Hashable {
    let id: UUID
    var text = ""
    var timestamp: Date
  }

  static let script = tables + rows

  private static let tables = """
    CREATE TABLE "categories" (
      "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), "name" TEXT NOT NULL, "isActive" INTEGER NOT NULL DEFAULT 1,
      "parentID" TEXT) STRICT;
    CREATE TABLE "stores" (
      "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), "name" TEXT NOT NULL, "itemCount" INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE "tags" ("id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), "name" TEXT NOT NULL) STRICT;
    CREATE TABLE "itemTags" ("itemID" TEXT NOT NULL, "tagID" TEXT NOT NULL, PRIMARY KEY ("itemID", "tagID")) STRICT;
    CREATE TABLE "activityLogs" ("id" TEXT PRIMARY KEY NOT NULL, "text" TEXT NOT NULL,
      "timestamp" TEXT NOT NULL) STRICT;
    CREATE TABLE "items" (
      "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), "title" TEXT NOT NULL DEFAULT '',
        "notes" TEXT NOT NULL DEFAULT '',
      "category" TEXT NOT NULL DEFAULT '', "categoryID" TEXT, "storeID" TEXT, "status" INTEGER NOT NULL DEFAULT 0,
      "priority" INTEGER, "position" INTEGER NOT NULL DEFAULT 0, "count" INTEGER NOT NULL DEFAULT 0,
      "price" REAL NOT NULL DEFAULT 0.0, "discountPrice" REAL, "discount" REAL NOT NULL DEFAULT 0.0,
      "revenue" REAL NOT NULL DEFAULT 0.0, "isInStock" INTEGER NOT NULL DEFAULT 1,
        "isActive" INTEGER NOT NULL DEFAULT 1,
      "isOnSale" INTEGER NOT NULL DEFAULT 0, "isArchived" INTEGER NOT NULL DEFAULT 0,
      "isDeleted" INTEGER NOT NULL DEFAULT 0, "createdAt" TEXT NOT NULL DEFAULT (datetime('now')),
      "updatedAt" TEXT NOT NULL DEFAULT (datetime('now'))) STRICT;

    """

  /// Four items of two categories and one without: of two stores, with tags.
  private static let rows = """
    INSERT INTO "categories" ("id", "name", "isActive") VALUES
      ('\(key(1))', 'Electronics', 1), ('\(key(2))', 'Garden', 0), ('\(key(3))', 'Empty', 1);
    INSERT INTO "stores" VALUES ('\(key(21))', 'North', 3), ('\(key(22))', 'South', 1);
    INSERT INTO "tags" VALUES ('\(key(31))', 'mobile'), ('\(key(32))', 'apple'), ('\(key(33))', 'sale');
    INSERT INTO "itemTags" VALUES ('\(key(11))', '\(key(31))'), ('\(key(11))', '\(key(32))'), ('\(key(13))',
      '\(key(33))');
    INSERT INTO "activityLogs" VALUES
      ('\(key(41))', 'opened', '2026-01-01 00:00:01.000'), ('\(key(42))', 'sold', '2026-01-01 00:00:02.000');
    INSERT INTO "items" ("id", "title", "notes", "category", "categoryID", "storeID", "status", "priority", "position",
      "count", "price", "discountPrice", "discount", "revenue", "isInStock", "isActive", "isOnSale", "isArchived",
      "isDeleted", "createdAt", "updatedAt") VALUES
      ('\(key(11))', 'iPhone Pro', 'a phone', 'Electronics', '\(key(1))', '\(key(21))', 2, 3, 1, 5, 1200.0, 1000.0, 0.1,
        50.0, 1, 1, 1, 0, 0, '2026-01-01 00:01:00.000', '2026-01-01 00:04:00.000'),
      ('\(key(12))', 'iPhone Max', 'search it', 'Electronics', '\(key(1))', '\(key(21))', 0, 1, 2, 0, 900.0, NULL, 0.2,
        20.0, 0, 1, 0, 0, 0, '2026-01-01 00:02:00.000', '2026-01-01 00:03:00.000'),
      ('\(key(13))', 'Rake', 'old search', 'Garden', '\(key(2))', '\(key(22))', 2, NULL, 3, 7, 15.0, 10.0, 0.3, 30.0, 1,
        0, 1, 0, 0, '2026-01-01 00:03:00.000', '2026-01-01 00:02:00.000'),
      ('\(key(14))', ' old box ', '', '', NULL, '\(key(21))', 1, 2, 4, 1, 5.0, NULL, 0.0, 0.0, 1, 1, 0, 1, 0,
        '2026-01-01 00:04:00.000', '2026-01-01 00:01:00.000');
    """

  private static func key(_ number: Int) -> String { UUID(number).uuidString.lowercased() }

  // The items' keys, in the order of the rows.
  static let phone = UUID(11), max = UUID(12), rake = UUID(13), box = UUID(14)
}
