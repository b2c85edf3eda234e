/// Floats and raw values in JSON documents are those that columns hold.
import Foundation
import Martlet
import MartletValues
import Testing

@Suite struct DocumentMemberTests {
  struct Switch: RawRepresentable, Hashable, Codable, QueryBindable {
    var rawValue: Bool
  }

  struct Blob: RawRepresentable, Hashable, Codable, QueryBindable {
    var rawValue: Data
  }

  @Selection struct Gauge: Codable, Equatable {
    var float: Float = 0.1
    var isOn = Switch(rawValue: true)
    var maybe: Switch?
    var blob = Blob(rawValue: Data([1]))
    @Column(as: [Float].JSONRepresentation.self) var floats: [Float] = [0.1, 1e-7, .greatestFiniteMagnitude]
  }

  @Table struct Meter: Codable, Equatable, Identifiable {
    let id: Int
    var float: Float = 0.1
    var isOn = Switch(rawValue: true)
    var maybe: Switch?
    @Column(as: Switch.RawRepresentation.self) var raw = Switch(rawValue: false)
    @Column(as: Gauge.JSONRepresentation.self) var gauge = Gauge()
  }

  private static func ids(
    _ db: Database, _ condition: (Meter.TableColumns) -> SQLQueryExpression<Bool>
  ) throws -> [Int] {
    try Meter.where { condition($0) }.select(\.id).fetchAll(db)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a Float in a document is found by its value, and by a column of the same`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Meter.createTable().execute(db)
      try Meter.insert { Meter(id: 1) }.execute(db)
      same(try Self.ids(db) { $0.gauge.jsonExtract(\.float).eq(0.1) }, [1])
      same(try Self.ids(db) { $0.gauge.jsonExtract(\.float).eq($0.float) }, [1])
      same(try Self.ids(db) { $0.gauge.jsonExtract(\.float) > 0.1 }, [])
      same(try Self.ids(db) { $0.gauge.eq(Gauge()) }, [1])
      try Meter.update { $0.gauge[\.float] = 0.3 }.execute(db)
      same(try Self.ids(db) { $0.gauge.jsonExtract(\.float).eq(0.3) }, [1])
      try Meter.update { $0.gauge[\.float] = $0.float }.execute(db)
      same(try Meter.fetchAll(db), [Meter(id: 1)])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a number that no Float is throws, and infinity does not`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Meter.createTable().execute(db)
      try Meter.insert { Meter(id: 1, float: -.infinity) }.execute(db)
      same(try Meter.select(\.float).fetchAll(db), [-.infinity])
      try db.execute(sql: "UPDATE meters SET float = 1e300")
      #expect(throws: QueryDecodingError.self) { try Meter.select(\.float).fetchAll(db) }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a raw value stands in JSON as its type writes it`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Meter.createTable().execute(db)
      let meters = [Meter(id: 1), Meter(id: 2, isOn: Switch(rawValue: false), maybe: Switch(rawValue: true))]
      try Meter.insert { meters }.execute(db)
      same(try Meter.select { $0.jsonGroupArray(order: $0.id) }.fetchOne(db) ?? [], meters)
      same(
        try Meter.select { $0.isOn.jsonGroupArray(order: $0.id) }.fetchOne(db) ?? [],
        [Switch(rawValue: true), Switch(rawValue: false)])
      let object = Meter.find(2).select { jsonObject("on", $0.isOn, "maybe", $0.maybe, "raw", $0.raw) }
      same(try object.fetchOne(db), #"{"on":false,"maybe":true,"raw":false}"#)
      try Meter.find(2).update { $0.gauge[\.isOn] = $0.isOn }.execute(db)
      same(try Meter.find(db, key: 2).gauge.isOn, Switch(rawValue: false))
      same(try Self.ids(db) { $0.gauge.jsonExtract(\.isOn).eq(Switch(rawValue: false)) }, [2])
      // Codable writes bytes as a text of its own, and the struct around them too.
      #expect(throws: QueryBindingFailure.self) { try Self.ids(db) { $0.gauge.jsonExtract(\.blob).is(nil) } }
    }
  }
}
