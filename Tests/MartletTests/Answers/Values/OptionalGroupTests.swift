/// Groups that may be missing, whose members are never NULL by themselves.
///
/// Always true: such a group is compared as an optional column is. `eq` and `neq` are SQL's, and never true of NULL;
/// `is` and `isNot` say what Swift's `==` would. Compared with nil, `eq` and `is` find the rows without a group.
import Martlet
import Testing

@Suite struct OptionalGroupTests {
  @Selection struct Money: Equatable {
    var amount = 0
    var currency = "EUR"
  }

  @Table struct Thing {
    let id: Int
    var price: Money?
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a group that may be missing is compared as an optional column is`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Thing.createTable().execute(db)
      try Thing.insert {
        Thing(id: 1, price: Money(amount: 3))
        Thing(id: 2, price: nil)
        Thing(id: 3, price: Money(amount: 3, currency: "USD"))
      }.execute(db)
      let three = Money(amount: 3)
      func ids(_ query: Where<Thing>) throws -> [Int] { try query.order(by: \.id).select(\.id).fetchAll(db) }
      same(try ids(Thing.where { $0.price.eq(three) }), [1])
      same(try ids(Thing.where { $0.price.neq(three) }), [3])
      same(try ids(Thing.where { $0.price.is(three) }), [1])
      same(try ids(Thing.where { $0.price.isNot(three) }), [2, 3])
      same(try ids(Thing.where { $0.price.notIn([three]) }), [3])
      same(try ids(Thing.where { $0.price.eq(nil) }), [2])
      same(try ids(Thing.where { $0.price.neq(nil) }), [1, 3])
      same(try ids(Thing.where { $0.price.in([three, nil]) }), [1, 2])
      same(try ids(Thing.where { $0.price.notIn([three, nil]) }), [3])
    }
  }
}
