/// A comment at the end of raw SQL is the raw SQL's own.
import Martlet
import Testing

@Suite struct RawCommentTests {
  @Table struct Item: Equatable {
    let id: Int
    var price = 0
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a comment ends with the SQL that it stands in`(_ home: DatabaseHome) throws {
    let open = SQLQueryExpression(QueryFragment("id > 1 /* not the first"), as: Bool.self)
    try home.empty().write { db in
      try Item.createTable().execute(db)
      try Item.insert { (1...3).map { Item(id: $0, price: $0 * 10) } }.execute(db)
      same(try Item.where { _ in #sql("id > 1 -- not the first") }.limit(1).select(\.price).fetchAll(db), [20])
      same(try Item.where { _ in open }.limit(1).select(\.price).fetchAll(db), [20])
      let pairs = Item.where { $0.id > 2 }.select { (#sql("id -- the key", as: Int.self), $0.price) }
      same(try pairs.fetchAll(db), [(3, 30)])
      let texts = Item.where { $0.id > 2 }.select { (#sql("'-- ' || id", as: String.self), $0.price) }
      same(try texts.fetchAll(db), [("-- 3", 30)])
      same(try #sql("SELECT count(*) FROM \(Item.self) -- all", as: Int.self).fetchOne(db), 3)
      same(
        try Item.order { _ in #sql("id DESC /* last */ -- first", as: Int.self) }.select(\.id).fetchAll(db), [3, 2, 1])
    }
  }
}
