/// 003 "Raw SQL with #sql Macro" and "When to Drop to GRDB", whose queries need no raw SQL here.
///
/// Always true: what is interpolated is bound, unless `raw:` says otherwise.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item

@Suite struct RawSQLSeedTests {
  @Test(arguments: DatabaseHome.allCases)
  func `values are bound and names stand raw`(home: DatabaseHome) throws {
    let minPrice = 100.0
    let tableName = "items"
    try home.open(Shop.script).write { db in
      // Direct SQL with parameter interpolation
      try #sql("SELECT * FROM items WHERE price > \(minPrice)").execute(db)
      // Using \(raw:) for literal values
      try #sql("SELECT * FROM \(raw: tableName)").execute(db)
      let titles = try #sql("SELECT title FROM items WHERE price > \(minPrice) ORDER BY price", as: String.self)
        .fetchAll(db)
      same(titles, ["iPhone Max", "iPhone Pro"])
      let items = try #sql("SELECT \(Item.columns) FROM \(Item.self) WHERE price > 1000", as: Item.self).fetchAll(db)
      same(items.map(\.id), [Shop.phone])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a join of four tables is typed`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let rows =
        try Item
        .join(Shop.Category.all) { $0.categoryID.eq($1.id) }
        .join(Shop.ItemTag.all) { $0.id.eq($2.itemID) }
        .join(Shop.Tag.all) { $2.tagID.eq($3.id) }
        .where { $3.name.in(["apple", "sale"]) }
        .order { item, _, _, _ in item.position }
        .select { item, category, _, _ in (item.title, category.name) }
        .fetchAll(db)
      same(rows, [("iPhone Pro", "Electronics"), ("Rake", "Garden")])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a window ranks rows without raw SQL`(home: DatabaseHome) throws {
    try home.open(Shop.script).read { db in
      let ranked =
        try Item
        .order { ($0.category, $0.price.desc()) }
        .select { ($0.title, rowNumber().over(Window().partition(by: $0.category).order(by: $0.price.desc()))) }
        .fetchAll(db)
      same(ranked, [(" old box ", 1), ("iPhone Pro", 1), ("iPhone Max", 2), ("Rake", 1)])
    }
  }
}
