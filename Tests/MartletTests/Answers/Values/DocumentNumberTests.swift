/// Numbers on their way into JSON documents and out of them are those that they were.
import Foundation
import Martlet
import Testing

@Suite struct DocumentNumberTests {
  @Selection struct Ratio: Codable, Equatable {
    var over = 0.0
    var under: Double?
    @Column(as: [Double].JSONRepresentation.self) var parts: [Double] = []
  }

  @Table struct Reading: Identifiable, Codable, Equatable {
    let id: Int
    var real = 0.0
    var other: Double?
    @Column(as: Ratio.JSONRepresentation.self) var ratio = Ratio()
    @Column(as: [Double].JSONRepresentation.self) var list: [Double] = []
  }

  @Table struct Pair: Equatable {
    var over: Double
    var under: Double?
  }

  enum Part: AliasName {}

  static let numbers = [
    0.1 + 0.2, .leastNonzeroMagnitude, 1e308, 793_109_282.061, .greatestFiniteMagnitude, .leastNormalMagnitude, 1.0 / 3,
    1e22, -1e-7,
    123_456_789_012_345_680, 2, 0.1,
  ]

  @Test(arguments: DatabaseHome.allCases)
  func `a number in JSON has all of its digits`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Reading.createTable().execute(db)
      for (id, number) in Self.numbers.enumerated() {
        let reading = Reading(
          id: id, real: number, other: number, ratio: Ratio(over: number, parts: [number]), list: [number])
        try Reading.insert { reading }.execute(db)
        let row = Reading.find(id)
        same(try row.select { $0.jsonObject() }.fetchOne(db), reading)
        same(try row.select { $0.jsonGroupArray() }.fetchOne(db), [reading])
        same(try row.select { $0.real.jsonGroupArray(order: $0.id) }.fetchOne(db), [number])
        same(try row.select { $0.other.jsonGroupArray(distinct: true) }.fetchOne(db), [number])
        same(try row.select { $0.ratio.jsonExtract(\.over).jsonGroupArray() }.fetchOne(db), [number])
        same(try row.select { $0.id.cast(as: String.self).jsonGroupObject($0.real) }.fetchOne(db), ["\(id)": number])
        let array = try row.select { jsonArray($0.real, number, $0.ratio.jsonExtract(\.under)) }.fetchOne(db) ?? ""
        same(try JSONDecoder().decode([Double?].self, from: Data(array.utf8)), [number, number, nil])
      }
      same(try Reading.find(11).select { jsonArray($0.real) }.fetchOne(db), "[0.1]")
    }
  }

  @Test func `the function of numbers in JSON is refused where what it makes would be stored as a text`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: "CREATE TABLE t (x REAL)")
      for sql in [
        "CREATE INDEX i ON t (martlet_json_number(x))",
        "CREATE TABLE u (x REAL, j TEXT AS (json_array(martlet_json_number(x))) STORED)",
      ] {
        var message = "no error"
        do { try db.execute(sql: sql) } catch { message = "\(error)" }
        #expect(message.contains("Non-deterministic functions prohibited"), "\(sql): \(message)")
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a number that is written into a document is read again`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Reading.createTable().execute(db)
      for (id, number) in Self.numbers.enumerated() {
        try Reading.insert { Reading(id: id, real: number, other: number) }.execute(db)
        let row = Reading.find(id)
        try row.update {
          $0.ratio = $0.ratio.jsonSet(\.over, number).jsonSet(\.under, $0.other).jsonAppend(\.parts, $0.real)
          $0.list = $0.list.jsonAppend(number)
        }
        .execute(db)
        let changed = try row.fetchOne(db)
        same(changed?.ratio, Ratio(over: number, under: number, parts: [number]))
        same(changed?.list, [number])
        try row.update {
          $0.ratio[\.over] = 1
          $0.ratio[\.over] = number
          $0.ratio = $0.ratio.jsonSet("$.under", number)
        }
        .execute(db)
        same(try row.fetchOne(db)?.ratio, Ratio(over: number, under: number, parts: [number]))
        same(try row.select { $0.ratio.jsonExtract(\.over) }.fetchOne(db) ?? nil, number)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `whole numbers of documents are divided as the Doubles that they are`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Reading.createTable().execute(db)
      try Reading.insert { Reading(id: 1, ratio: Ratio(over: 7, under: 2), list: [7, 2]) }.execute(db)
      let pairs = Reading.select { Pair.Columns(over: $0.ratio.jsonExtract(\.over) ?? 0, under: $0.ratio[\.under]) }
      same(
        try With {
          pairs
        } query: {
          Pair.select { $0.over / $0.under }
        }.fetchAll(db), [3.5])
      same(
        try With {
          pairs.union(all: true, pairs)
        } query: {
          Pair.select { $0.over / $0.under }
        }.fetchAll(db), [3.5, 3.5])
      same(try With({ pairs }, query: { $0.select { $0.over / $0.under } }).fetchAll(db), [3.5])
      try Pair.createView(as: pairs).execute(db)
      same(try Pair.select { $0.over / $0.under }.fetchAll(db), [3.5])
      let over = Reading.as(Part.self).select { $0.ratio[\.over] }
      same(try Reading.select { over / $0.ratio[\.under] }.fetchAll(db), [3.5])
      let parts = Reading.join { $0.list.jsonEach().as(Part.self) }
      same(try parts.select { $1.value / $0.ratio[\.under] }.fetchAll(db), [3.5, 1])
    }
  }

  @Test func `a sum of whole numbers of documents may be larger than an integer`() throws {
    try DatabaseQueue().write { db in
      try Reading.createTable().execute(db)
      try Reading.insert { (1...2).map { Reading(id: $0, ratio: Ratio(over: 9e18)) } }.execute(db)
      same(try Reading.select { $0.ratio[\.over].sum() }.fetchOne(db) ?? nil, 1.8e19)
    }
  }
}
