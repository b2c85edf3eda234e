/// 002 "Query Composition": scopes as static properties and as methods of `Where`, and helpers that return queries.
///
/// Always true: what a scope means is shown by the rows that it leaves.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item
private typealias Category = Shop.Category

extension Shop.Item {
  // Common filters as static properties
  static let active = Shop.Item.where { !$0.isArchived && !$0.isDeleted }
  static let inStock = Shop.Item.where(\.isInStock)
  static let outOfStock = Shop.Item.where { !$0.isInStock }

  // Parameterized scopes as static methods
  static func createdAfter(_ date: Date) -> Where<Shop.Item> {
    Shop.Item.where { $0.createdAt > date }
  }

  static func inCategory(_ category: String) -> Where<Shop.Item> {
    Shop.Item.where { $0.category.eq(category) }
  }

  // Standard "all visible" query
  static let visible = Shop.Item
    .where { !$0.isDeleted }
    .order(by: \.position)

  // With eager-loaded relationships
  static let withCategory = Shop.Item
    .join(Shop.Category.all) { $0.categoryID.eq($1.id) }

  // Fetch with common options
  static func search(
    _ query: String, category: String? = nil, limit: Int = 50
  ) -> some Statement<Shop.Item> {
    var base = Shop.Item.active.where { $0.title.contains(query) }
    if let category {
      base = base.where { $0.category.eq(category) }
    }
    return base.order(by: \.title).limit(limit)
  }
}

extension Where<Shop.Item> {
  // Add filters to existing queries
  func onlyActive() -> Where<Shop.Item> {
    self.where { !$0.isArchived }
  }

  func matching(_ search: String) -> Where<Shop.Item> {
    self.where { $0.title.contains(search) || $0.notes.contains(search) }
  }

  // What the page chains as static methods.
  func createdAfter(_ date: Date) -> Where<Shop.Item> { and(Shop.Item.createdAfter(date)) }
  func inCategory(_ category: String) -> Where<Shop.Item> { and(Shop.Item.inCategory(category)) }
}

@Suite struct ScopeTests {
  @Test(arguments: DatabaseHome.allCases)
  func `scopes chain`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let results = try Item.active
        .inStock
        .order(by: \.title)
        .fetchAll(db)
      same(results.map(\.title), ["Rake", "iPhone Pro"])
      same(try Item.outOfStock.fetchAll(db).map(\.id), [Shop.max])

      let lastWeek = Date(90)
      let recent = try Item.active
        .createdAfter(lastWeek)
        .inCategory("Electronics")
        .fetchAll(db)
      same(recent.map(\.id), [Shop.max])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `default queries are static properties`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      same(try Item.visible.fetchAll(db).map(\.position), [1, 2, 3, 4])
      let pairs = try Item.withCategory.order { item, _ in item.position }.fetchAll(db)
      same(
        pairs.map { ($0.0.title, $0.1.name) },
        [
          ("iPhone Pro", "Electronics"), ("iPhone Max", "Electronics"), ("Rake", "Garden"),
        ])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `filters of Where compose`(home: DatabaseHome) throws {
    let searchText = "phone"
    try home.open(Shop.script).read { db in
      let results = try Item.inStock
        .onlyActive()
        .matching(searchText)
        .fetchAll(db)
      same(results.map(\.id), [Shop.phone])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a helper returns a query of rows`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let results = try Item.search("Phone", category: "Electronics").fetchAll(db)
      same(results.map(\.title), ["iPhone Max", "iPhone Pro"])
      same(try Item.search("iPhone", limit: 1).fetchAll(db).count, 1)
    }
  }
}
