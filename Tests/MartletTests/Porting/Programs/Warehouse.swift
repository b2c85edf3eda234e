/// The tables of a program with a shop.
import Martlet

enum Warehouse {
  @Table struct Item: Equatable {
    let id: Int
    var name = ""
    var price = 0
    var categoryID: Int?
    var stock = 0
  }

  @Table struct Category: Equatable {
    let id: Int
    var name = ""
    var parentID: Int?
    var total = 0
  }

  @Table struct Stock: Equatable, Identifiable {
    let id: ID
    var amount = 0
    var note: String?

    @Selection struct ID: Hashable {
      @Column(primaryKey: true) let shop: String
      @Column(primaryKey: true) let itemID: Int
    }
  }

  @Selection struct Level {
    let id: Int
    let path: String
  }

  @Selection struct Cheap {
    let categoryID: Int?
    let price: Int
  }

  enum Other: AliasName {}

  static let script = """
    CREATE TABLE "categories" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "parentID" INTEGER, "total" INTEGER NOT
    NULL DEFAULT 0);
    INSERT INTO "categories" VALUES (1, 'all', NULL, 0), (2, 'food', 1, 0), (3, 'milk', 2, 0), (4, 'tools', 1, 0);
    CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "price" INTEGER NOT NULL DEFAULT 0,
    "categoryID" INTEGER, "stock" INTEGER NOT NULL DEFAULT 0);
    INSERT INTO "items" VALUES (1, 'bread', 3, 2, 0), (2, 'cream', 5, 3, 1), (3, 'oats', 3, 2, 2), (4, 'nail', 1, 4, 9),
    (5, 'thing', 8, NULL, 0);
    CREATE TABLE "stocks" ("shop" TEXT NOT NULL, "itemID" INTEGER NOT NULL, "amount" INTEGER NOT NULL, "note" TEXT,
    PRIMARY KEY ("shop", "itemID"));
    INSERT INTO "stocks" VALUES ('a', 1, 4, NULL), ('a', 2, 6, 'x'), ('b', 1, 1, 'y'), ('b', 4, 0, NULL);
    """

  static let state = """
    SELECT coalesce((SELECT group_concat(id || name || price || ifnull(categoryID, '-') || '/' || stock, ';') FROM
    (SELECT * FROM items ORDER BY id)), '') || '|' || coalesce((SELECT group_concat(id || name || ifnull(parentID, '-')
    || '/' || total, ';') FROM (SELECT * FROM categories ORDER BY id)), '') || '|' || coalesce((SELECT
    group_concat(shop || itemID || '/' || amount || ifnull(note, '-'), ';') FROM (SELECT * FROM stocks ORDER BY shop,
    itemID)), '')
    """
}
