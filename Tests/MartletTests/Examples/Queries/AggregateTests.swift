/// 002 "Aggregation": strings, JSON, filters; 001 "HAVING Clause".
///
/// Always true: an aggregate's order is its own, whatever the library below supports.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item
private typealias ItemTag = Shop.ItemTag
private typealias Store = Shop.Store

@Suite struct StringAggregateTests {
  private typealias Tag = Shop.Tag

  @Test(arguments: DatabaseHome.allCases)
  func `texts of a group are joined`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // Get comma-separated tags for each item
      let itemsWithTags =
        try Item
        .group(by: \.id)
        .leftJoin(ItemTag.all) { $0.id.eq($1.itemID) }
        .leftJoin(Tag.all) { $1.tagID.eq($2.id) }
        .select {
          (
            $0.title,
            $2.name.groupConcat(separator: ", ")
          )
        }
        .fetchAll(db)
      same(
        itemsWithTags.map { ($0.0, $0.1?.count) },
        [("iPhone Pro", 13), ("iPhone Max", nil), ("Rake", 4), (" old box ", nil)])
      // What the libraries of the page call it.
      let unlabelled = try Tag.where { $0.name.eq("sale") }.select { $0.name.groupConcat(", ") }.fetchOne(db)
      same(unlabelled ?? nil, "sale")
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `texts are joined in an order of their own`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // With ordering within the aggregate
      let orderedTags =
        try Item
        .group(by: \.id)
        .leftJoin(ItemTag.all) { $0.id.eq($1.itemID) }
        .leftJoin(Tag.all) { $1.tagID.eq($2.id) }
        .select {
          $2.name.groupConcat(separator: ", ", order: { $0.asc() })
        }
        .fetchAll(db)
      same(orderedTags, ["apple, mobile", nil, "sale", nil])
      let descending =
        try Item.where { $0.id.eq(Shop.phone) }
        .leftJoin(ItemTag.all) { $0.id.eq($1.itemID) }
        .leftJoin(Tag.all) { $1.tagID.eq($2.id) }
        .select { $2.name.groupConcat(", ", order: $2.name.desc()) }
        .fetchAll(db)
      same(descending, ["mobile, apple"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `distinct texts are joined with a separator`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // Distinct values only
      let uniqueCategories =
        try Item
        .group(by: \.storeID)
        .select {
          $0.category.groupConcat(distinct: true, separator: " | ")
        }
        .fetchAll(db)
      same(uniqueCategories, ["Electronics | ", "Garden"])
    }
  }
}

@Suite struct JSONAggregateTests {
  @Test(arguments: DatabaseHome.allCases)
  func `values of a group are a JSON array`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // Aggregate rows into JSON array
      let itemsJson =
        try Store
        .group(by: \.id)
        .leftJoin(Item.all) { $0.id.eq($1.storeID) }
        .select {
          (
            $0.name,
            $1.title.jsonGroupArray()  // ["item1", "item2", ...]
          )
        }
        .fetchAll(db)
      same(
        itemsJson.map { ($0.0, Set($0.1)) },
        [("North", ["iPhone Pro", "iPhone Max", " old box "]), ("South", ["Rake"])])

      // With filtering
      let activeItemsJson =
        try Store
        .group(by: \.id)
        .leftJoin(Item.all) { $0.id.eq($1.storeID) }
        .select {
          $1.title.jsonGroupArray(filter: $1.isActive)
        }
        .fetchAll(db)
      same(activeItemsJson.map(\.count), [3, 0])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `names and values are a JSON object`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      // Build JSON objects
      let storeData =
        try Store
        .select {
          jsonObject(
            "id", $0.id,
            "name", $0.name,
            "itemCount", $0.itemCount
          )
        }
        .fetchAll(db)
      same(
        storeData.first, "{\"id\":\"\(UUID(21).uuidString.lowercased())\",\"name\":\"North\",\"itemCount\":3}")
    }
  }
}

@Suite struct FilteredAggregateTests {
  @Selection
  struct Stats {
    var total: Int
    var activeCount: Int
    var inStockCount: Int
    var avgPrice: Double?
    var avgActivePrice: Double?
    var maxDiscount: Double?
    var totalRevenue: Double?
  }

  @Table
  nonisolated struct Customer: Identifiable {
    let id: Int
    var name = ""
  }

  @Table
  nonisolated struct Order: Identifiable {
    let id: Int
    var customerID: Customer.ID
  }

  @Test(arguments: DatabaseHome.allCases)
  func `aggregates have filters of their own`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let stats =
        try Item
        .select {
          Stats.Columns(
            total: $0.count(),
            activeCount: $0.count(filter: $0.isActive),
            inStockCount: $0.count(filter: $0.isInStock),
            avgPrice: $0.price.avg(),
            avgActivePrice: $0.price.avg(filter: $0.isActive),
            maxDiscount: $0.discount.max(filter: $0.isOnSale),
            totalRevenue: $0.revenue.sum(filter: $0.status.eq(.completed))
          )
        }
        .fetchOne(db)
      same(stats?.total, 4)
      same(stats?.activeCount, 3)
      same(stats?.inStockCount, 3)
      same(stats?.avgPrice, 530)
      same(stats?.avgActivePrice, 2105.0 / 3)
      same(stats?.maxDiscount, 0.3)
      same(stats?.totalRevenue, 80)
      let bound = try Item.select { $0.revenue.sum(filter: $0.status.eq(#bind(.completed))) }.fetchOne(db)
      same(bound ?? nil, 80)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `having filters groups`(home: DatabaseHome) throws {
    let script = """
      CREATE TABLE "customers" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL);
      CREATE TABLE "orders" ("id" INTEGER PRIMARY KEY, "customerID" INTEGER NOT NULL);
      INSERT INTO "customers" VALUES (1, 'Ada'), (2, 'Bob');
      INSERT INTO "orders" ("customerID") VALUES (1), (1), (1), (1), (1), (1), (2);
      """
    try home.open(script).read { db in
      let frequentCustomers = try Customer.group(by: \.id)
        .leftJoin(Order.all) { $0.id.eq($1.customerID) }
        .having { $1.count() > 5 }
        .select { ($0.name, $1.count()) }
        .fetchAll(db)
      same(frequentCustomers, [("Ada", 6)])
    }
  }
}
