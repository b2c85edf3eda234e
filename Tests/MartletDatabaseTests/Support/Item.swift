/// Two tables as a macro would write them, and the schema that holds them.
import MartletDatabase
import MartletQuery

struct Item: PrimaryKeyedTable, Equatable, Sendable {
  let id: Int
  var title = ""
  var price: Double?
  var ownerID: Int?

  static let tableName = "items"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = Item

    var id: TableColumn<Item, Int> { TableColumn("id") }
    var title: TableColumn<Item, String> { TableColumn("title") }
    var price: TableColumn<Item, Double?> { TableColumn("price") }
    var ownerID: TableColumn<Item, Int?> { TableColumn("ownerID") }
    var primaryKey: TableColumn<Item, Int> { id }

    static let allColumns = [
      ColumnDescription("id", Int.self, primaryKey: true), ColumnDescription("title", String.self),
      ColumnDescription("price", Double?.self), ColumnDescription("ownerID", Int?.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    Int.fragments(of: id) + String.fragments(of: title) + Double?.fragments(of: price) + Int?.fragments(of: ownerID)
  }

  struct Draft: TableDraft, Sendable {
    typealias PrimaryTable = Item
    typealias TableColumns = DraftColumns<Item>

    var id: Int?
    var title = ""
    var price: Double?
    var ownerID: Int?

    var columnFragments: [QueryFragment] {
      Int?.fragments(of: id) + String.fragments(of: title) + Double?.fragments(of: price)
        + Int?.fragments(of: ownerID)
    }
  }
}

extension Item {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    title = try decoder.value(String.self)
    price = try decoder.value(Double?.self)
    ownerID = try decoder.value(Int?.self)
  }
}

extension Item.Draft {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int?.self)
    title = try decoder.value(String.self)
    price = try decoder.value(Double?.self)
    ownerID = try decoder.value(Int?.self)
  }

  init(_ row: Item) {
    id = row.id
    title = row.title
    price = row.price
    ownerID = row.ownerID
  }
}

struct Owner: PrimaryKeyedTable, Equatable, Sendable {
  let id: Int
  var name = ""

  static let tableName = "owners"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = Owner

    var id: TableColumn<Owner, Int> { TableColumn("id") }
    var name: TableColumn<Owner, String> { TableColumn("name") }
    var primaryKey: TableColumn<Owner, Int> { id }

    static let allColumns = [
      ColumnDescription("id", Int.self, primaryKey: true), ColumnDescription("name", String.self),
    ]
  }

  var columnFragments: [QueryFragment] { Int.fragments(of: id) + String.fragments(of: name) }

  struct Draft: TableDraft, Sendable {
    typealias PrimaryTable = Owner
    typealias TableColumns = DraftColumns<Owner>

    var id: Int?
    var name = ""

    var columnFragments: [QueryFragment] { Int?.fragments(of: id) + String.fragments(of: name) }
  }
}

extension Owner {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    name = try decoder.value(String.self)
  }
}

extension Owner.Draft {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int?.self)
    name = try decoder.value(String.self)
  }

  init(_ row: Owner) {
    id = row.id
    name = row.name
  }
}

enum Schema {
  static let sql = """
    CREATE TABLE "owners" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL COLLATE NOCASE);
    -- Each item may have an owner.
    CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL UNIQUE, "price" REAL,
      "ownerID" INTEGER REFERENCES "owners" ("id") DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER "trimmed" AFTER INSERT ON "items" WHEN NEW."title" LIKE ' %' BEGIN
      UPDATE "items" SET "title" = trim("title") WHERE "id" = NEW."id";
    END;
    """

  static func create(_ writer: some DatabaseWriter) throws {
    try writer.write { db in
      try db.execute(sql: sql)
      try db.seed {
        Owner(id: 1, name: "Anna")
        Owner(id: 2, name: "Ben")
        Item(id: 1, title: "Tea", price: 3.5, ownerID: 1)
        Item(id: 2, title: "Cup", price: nil, ownerID: 1)
        Item.Draft(title: "Pot", price: 20)
      }
    }
  }
}
