/// 002 "Range and Set Membership", "Dynamic Queries", "Distinct Results" and "Pagination".
///
/// Always true: the rows are those of `Shop`.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item
private typealias Category = Shop.Category

@Suite struct RangeTests {
  @Test(arguments: DatabaseHome.allCases)
  func `values are members of lists and of queries`(home: DatabaseHome) throws {
    let selectedIds = [Shop.phone, Shop.rake]
    let excludedIds = selectedIds
    try home.open(Shop.script).read { db in
      let selected =
        try Item
        .where { $0.id.in(selectedIds) }
        .fetchAll(db)
      same(Set(selected.map(\.id)), Set(selectedIds))
      let itemsInActiveCategories =
        try Item
        .where {
          $0.categoryID.in(
            Category.where(\.isActive).select(\.id)
          )
        }
        .fetchAll(db)
      same(Set(itemsInActiveCategories.map(\.id)), [Shop.phone, Shop.max])
      let excluded =
        try Item
        .where { !$0.id.in(excludedIds) }
        .fetchAll(db)
      same(Set(excluded.map(\.id)), [Shop.max, Shop.box])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `numbers lie in ranges`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let midRange =
        try Item
        .where { $0.price.between(10, and: 100) }
        .fetchAll(db)
      same(midRange.map(\.id), [Shop.rake])
      let inRange =
        try Item
        .where { (10...100).contains($0.price) }
        .fetchAll(db)
      same(inRange.map(\.id), [Shop.rake])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a search is a request with a query of its own`(home: DatabaseHome) async throws {
    struct Search: FetchKeyRequest {
      var query = ""
      struct Value { var items: [Shop.Item] = [] }

      func fetch(_ db: Database) throws -> Value {
        let search =
          Shop.Item
          .where { $0.title.contains(query) }
          .order { $0.title }
        return try Value(items: search.fetchAll(db))
      }
    }
    let found = try await home.open(Shop.script).fetch(Search(query: "iPhone"))
    same(found.items.map(\.title), ["iPhone Max", "iPhone Pro"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `distinct rows come once`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let categories =
        try Item
        .select(\.category)
        .distinct()
        .fetchAll(db)
      same(categories.sorted(), ["", "Electronics", "Garden"])
      let uniquePairs =
        try Item
        .select { ($0.category, $0.status) }
        .distinct()
        .fetchAll(db)
      same(uniquePairs.count, 4)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `pages are skipped to, or begin after the last row`(home: DatabaseHome) throws {
    let pageSize = 2
    let page = 1
    let lastSeenId = Shop.max
    try home.open(Shop.script).read { db in
      let items =
        try Item
        .order(by: \.createdAt)
        .limit(pageSize, offset: page * pageSize)
        .fetchAll(db)
      same(items.map(\.id), [Shop.rake, Shop.box])
      let next =
        try Item
        .where { $0.id > lastSeenId }
        .order(by: \.id)
        .limit(pageSize)
        .fetchAll(db)
      same(next.map(\.id), [Shop.rake, Shop.box])
      same(try Item.order(by: \.id).limit(1).offset(2).fetchAll(db).map(\.id), [Shop.rake])
    }
  }
}
