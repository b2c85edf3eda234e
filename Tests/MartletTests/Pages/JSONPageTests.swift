/// The examples of docs/JSON.md, as they stand there.
import Foundation
import Martlet
import Testing

@Suite struct JSONPageTests {
  @Selection
  struct Address: Codable {
    var street = ""
    var city = ""
  }

  @Table
  struct Customer: Identifiable, Codable {
    let id: Int
    var name = ""
    @Column(as: Address.JSONRepresentation.self) var address: Address
    @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
  }

  @Test func `the page shows nothing that this test does not run`() throws {
    try PageText("JSON.md").expectAll(in: #filePath)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `documents are looked into, changed and made`(home: DatabaseHome) throws {
    let database = try home.empty()
    try database.write { db in
      try Customer.createTable().execute(db)
      try Customer.insert {
        Customer(id: 1, name: "Anna", address: Address(street: "High Street", city: "Bath"), tags: ["regular", "new"])
        Customer(id: 2, name: "Ben", address: Address(street: "Low Street", city: "York"))
      }
      .execute(db)
      try Customer.createIndex("customers_by_city", on: { $0.address.jsonExtract(\.city) }).execute(db)
      let cities =
        try Customer
        .where { $0.address.jsonExtract(\.city).eq("Bath") }
        .select { ($0.name, $0.address.jsonExtract(\.street)) }
        .fetchAll(db)
      #expect(cities.map { $0.0 } == ["Anna"] && cities.first?.1 == "High Street")
      let regulars =
        try Customer
        .where { $0.tags.jsonEach().where { $0.value.eq("regular") }.exists() }
        .fetchAll(db)
      #expect(regulars.map(\.name) == ["Anna"])
      let words =
        try Customer
        .join { $0.tags.jsonEach() }
        .select { ($0.name, $1.value) }
        .fetchAll(db)
      #expect(words.map { $0.1 } == ["regular", "new"])
      try Customer.find(1).update {
        $0.address[\.city] = "Wells"
      }
      .execute(db)
      let objects = try Customer.select { jsonObject("id", $0.id, "name", $0.name) }.fetchAll(db)
      #expect(objects.first == #"{"id":1,"name":"Anna"}"#)
      let all = try Customer.select { $0.jsonGroupArray() }.fetchOne(db)
      #expect(all?.map(\.address.city) == ["Wells", "York"] && all?.first?.address.street == "High Street")
    }
  }
}
