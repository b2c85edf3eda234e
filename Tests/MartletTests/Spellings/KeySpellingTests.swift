/// Keys of a range that has no end, and values that SQL without a type gives.
import Foundation
import Martlet
import Testing

@Suite struct KeySpellingTests {
  @Selection struct Address: Codable, Equatable {
    var city = ""
    var zip: Int?
    var place: Place?
  }

  @Selection struct Place: Codable, Equatable {
    var latitude: Double
    var longitude: Double
  }

  @Table struct Customer: Equatable, Identifiable {
    let id: Int
    var name = ""
    @Column(as: Address.JSONRepresentation.self) var address = Address()
  }

  private func database(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Customer.createTable().execute(db)
      try Customer.insert {
        for id in 1...6 {
          Customer(
            id: id, name: "c\(id)",
            address: Address(city: "Bern", zip: 3000 + id, place: Place(latitude: 47, longitude: 7)))
        }
      }.execute(db)
    }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a range of keys without an end is a condition`(_ home: DatabaseHome) throws {
    try database(home).write { db in
      same(try Customer.find(5...).order(by: \.id).fetchAll(db).map(\.id), [5, 6])
      same(try Customer.where { $0.id < 6 }.find(5...).select(\.id).fetchAll(db), [5])
      same(try Customer.select(\.id).order(by: \.id).find(5...).fetchAll(db), [5, 6])
      same(try Customer.Draft.find(5...).fetchAll(db).map(\.name).sorted(), ["c5", "c6"])
      same(try Customer.Draft.where { $0.id < 6 }.find(5...).fetchAll(db).map(\.name), ["c5"])
      #expect(Customer.find(5...).sql.hasSuffix(#"WHERE (("customers"."id") >= (?1))"#))
      try Customer.update { $0.name = "late" }.find(5...).execute(db)
      try Customer.find(6...).update { $0.name = "last" }.execute(db)
      same(try Customer.order(by: \.id).select(\.name).fetchAll(db), ["c1", "c2", "c3", "c4", "late", "last"])
      try Customer.delete().find(6...).execute(db)
      try Customer.find(5...).delete().execute(db)
      same(try Customer.order(by: \.id).select(\.id).fetchAll(db), [1, 2, 3, 4])
      same(try Customer.find([1, 9]).select(\.id).fetchAll(db), [1])
      same(try Customer.find(2...3).select(\.id).fetchAll(db), [2, 3])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a query in SQL without a type gives values of the column`(_ home: DatabaseHome) throws {
    try database(home).read { db in
      let some = Customer.where { $0.id.in(#sql("SELECT id FROM customers WHERE id > \(4)")) }
      same(try some.select(\.id).fetchAll(db), [5, 6])
      let others = Customer.where { $0.name.notIn(#sql("SELECT name FROM customers WHERE id > 2")) }
      same(try others.select(\.id).fetchAll(db), [1, 2])
      let typed = Customer.where { $0.id.in(#sql("SELECT id FROM customers WHERE id = 3", as: Int.self)) }
      same(try typed.select(\.id).fetchAll(db), [3])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a member of a document is set to a value that is bound`(_ home: DatabaseHome) throws {
    try database(home).write { db in
      try Customer.find(1).update {
        $0.address[\.place] = nil
        $0.address[\.zip] = #bind(9)
      }.execute(db)
      try Customer.find(2).update { $0.address[\.city] = #bind("Thun") }.execute(db)
      try Customer.find(3).update { $0.address[\.zip] = #bind(nil) }.execute(db)
      try Customer.find(4).update {
        $0.address[\.place] = #bind(Place(latitude: 1, longitude: 2))
        $0.address[\.place.longitude] = #bind(3)
      }.execute(db)
      let addresses = try Customer.where { $0.id < 5 }.order(by: \.id).fetchAll(db).map(\.address)
      let old = Place(latitude: 47, longitude: 7)
      let expected = [
        Address(city: "Bern", zip: 9, place: nil), Address(city: "Thun", zip: 3002, place: old),
        Address(city: "Bern", zip: nil, place: old),
        Address(city: "Bern", zip: 3004, place: Place(latitude: 1, longitude: 3)),
      ]
      same(addresses, expected)
    }
  }
}
