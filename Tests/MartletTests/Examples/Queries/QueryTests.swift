/// 003 "Quick Reference", "Filtering", "Sorting", "Static Fetch Helpers" and "@FetchOne for Aggregates", by queries.
///
/// Always true: the rows are those of `Shop`.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item

@Suite struct QuerySeedTests {
  @Table
  nonisolated struct Tag: Hashable, Identifiable {
    @Column(primaryKey: true) var title: String  // Custom primary key
    var id: String { title }
  }

  @Table("items")
  nonisolated struct Priced: Identifiable {
    let id: UUID
    var title = ""
    var price: Decimal = 0

    @Ephemeral
    var isSelected = false  // Not stored in database

    @Ephemeral
    var formattedPrice: String {  // Computed, not stored
      "$\(price)"
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `filters are key paths and closures`(home: DatabaseHome) throws {
    let lastWeek = Date(100)
    try home.open(Shop.script).read { db in
      // Simple keypath filter
      let active = Item.where(\.isActive)
      same(try active.fetchCount(db), 3)
      // Complex closure filter
      let recent = Item.where { $0.createdAt > lastWeek && !$0.isArchived }
      same(Set(try recent.fetchAll(db).map(\.id)), [Shop.max, Shop.rake])
      // Contains/prefix/suffix
      let matches = Item.where { $0.title.contains("Phone") }
      same(try matches.fetchCount(db), 2)
      let starts = Item.where { $0.title.hasPrefix("iPhone") }
      same(try starts.fetchCount(db), 2)
      // Enum comparison
      same(try Item.where { $0.status.eq(#bind(.completed)) }.fetchCount(db), 2)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are sorted`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // Single column
      let sorted = Item.order(by: \.title)
      same(try sorted.fetchAll(db).map(\.title), [" old box ", "Rake", "iPhone Max", "iPhone Pro"])
      // Descending
      let descending = Item.order { $0.createdAt.desc() }
      same(try descending.fetchAll(db).map(\.position), [4, 3, 2, 1])
      // Multiple columns
      let multiSort = Item.order { ($0.status, $0.createdAt.desc()) }
      same(try multiSort.fetchAll(db).map(\.position), [2, 4, 3, 1])
      let stocked = Item.order(by: \.title).where(\.isInStock)
      same(try stocked.fetchAll(db).map(\.title), [" old box ", "Rake", "iPhone Pro"])
      same(try Item.limit(10).offset(20).fetchAll(db).count, 0)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `static helpers fetch and find`(home: DatabaseHome) throws {
    let id = Shop.phone
    try home.open(Shop.script).read { db in
      // OLD (verbose)
      let items = try Item.all.fetchAll(db)
      let item = try Item.find(id).fetchOne(db)  // returns Optional
      // NEW (concise)
      same(Set(try Item.fetchAll(db)), Set(items))
      same(try Item.find(db, key: id), item)
      // Works with where clauses too
      let active = try Item.where(\.isActive).find(db, key: id)
      same(active.id, id)
      #expect(throws: NotFound.self) { try Item.where(\.isArchived).find(db, key: id) }
      #expect(throws: NotFound.self) { try Item.find(db, key: UUID(99)) }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `counts and nothing are queries`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      same(try Item.count().fetchOne(db), 4)
      same(try Item.where(\.isInStock).count().fetchOne(db), 3)
      same(try Item.none.fetchAll(db).count, 0)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a key may have any name, and a decimal is a column`(home: DatabaseHome) throws {
    let script = """
      CREATE TABLE "tags" ("title" TEXT PRIMARY KEY NOT NULL);
      CREATE TABLE "items" (
        "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()), "title" TEXT NOT NULL, "price" REAL NOT NULL);
      """
    try home.open(script).write { db in
      try Tag.insert { Tag(title: "sale") }.execute(db)
      same(try Tag.find(db, key: "sale").id, "sale")
      try Priced.insert { Priced.Draft(title: "x", price: 1.5) }.execute(db)
      let row = try #require(try Priced.fetchOne(db))
      same(row.formattedPrice, "$1.5")
      same(row.isSelected, false)
    }
  }
}
