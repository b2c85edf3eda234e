/// Rows and groups of columns that many rows of a query have, as one JSON array: those that are NULL are nil where the
/// type has nil, and are left out where it has none.
import Foundation
import Martlet
import Testing

enum Collected {
  @Selection nonisolated struct Span: Codable, Equatable, Sendable {
    var begin: Int
    var end: Int?
  }

  @Selection nonisolated struct Note: Codable, Equatable, Sendable {
    var author: String?
    var text: String?
  }

  @Table nonisolated struct Shift: Codable, Equatable, Sendable {
    let id: Int
    var price: Double?
    var span: Span
    var pause: Pause?
    var note: Note
  }

  @Selection nonisolated struct Pause: Codable, Equatable, Sendable {
    @Column("from") var start: Int
    @Column("to") var end: Int?
  }

  @Table nonisolated struct Worker: Codable, Equatable, Sendable {
    let id: Int
    var shiftID: Int?
  }

  static let rows = [
    Shift(
      id: 1, price: nil, span: Span(begin: 1, end: nil), pause: nil, note: Note(author: nil, text: nil)),
    Shift(
      id: 2, price: 2.5, span: Span(begin: 2, end: 3), pause: Pause(start: 4, end: nil),
      note: Note(author: "a", text: nil)),
  ]
}

@Suite struct CollectedGroupTests {
  typealias Shift = Collected.Shift
  typealias Worker = Collected.Worker
  typealias Span = Collected.Span
  typealias Pause = Collected.Pause
  typealias Note = Collected.Note

  private func database(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Shift.createTable().execute(db)
      try Worker.createTable().execute(db)
      try Shift.insert { Collected.rows }.execute(db)
      try Worker.insert {
        Worker(id: 1, shiftID: 2)
        Worker(id: 2, shiftID: nil)
      }
      .execute(db)
    }
    return database
  }

  private let spans = [Span(begin: 1, end: nil), Span(begin: 2, end: 3)]
  private let notes = [Note(author: nil, text: nil), Note(author: "a", text: nil)]
  private let pause = Pause(start: 4, end: nil)

  @Test(arguments: DatabaseHome.allCases)
  func `a group is an object, and an optional one may be null`(home: DatabaseHome) throws {
    try database(home).read { db in
      same(try Shift.select { $0.span.jsonGroupArray(order: $0.id) }.fetchOne(db), spans)
      same(try Shift.select { $0.note.jsonGroupArray(order: $0.id) }.fetchOne(db), notes)
      same(try Shift.select { $0.pause.jsonGroupArray(order: $0.id) }.fetchOne(db), [nil, pause])
      same(try Shift.order(by: \.id).select(\.pause).map { $0.jsonGroupArray() }.fetchOne(db).map(\.count), 2)
      same(try Shift.select(\.span).map { $0.jsonGroupArray() }.fetchOne(db).map(\.count), 2)
      let object = Shift.find(2).select { jsonObject(["s": $0.span, "p": $0.pause]) }
      same(try object.fetchOne(db), #"{"s":{"begin":2,"end":3},"p":{"start":4,"end":null}}"#)
      same(try Shift.find(1).select { jsonArray($0.pause, $0.id) }.fetchOne(db), "[null,1]")
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what map makes of a value leaves out the rows without one`(home: DatabaseHome) throws {
    try database(home).read { db in
      same(try Shift.select { $0.price.jsonGroupArray(order: $0.id) }.fetchOne(db), [nil, 2.5])
      same(try Shift.select { $0.price.map { $0.jsonGroupArray() } }.fetchOne(db), [2.5])
      same(try Shift.select { $0.price.map { ($0 * 2).jsonGroupArray() } }.fetchOne(db), [5])
      same(try Shift.select { row in row.price.map { $0.jsonGroupArray(filter: row.id < 2) } }.fetchOne(db), [])
      same(try Shift.select { $0.pause.map { $0.jsonGroupArray() } }.fetchOne(db), [pause])
      same(try Shift.select { row in row.price.map { "n".jsonGroupObject($0) } }.fetchOne(db), ["n": 2.5])
      // One that reads other columns alone has the rows of all.
      same(
        try Shift.select { row in row.price.map { _ in row.id.jsonGroupArray(order: row.id) } }.fetchOne(db), [1, 2])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the side that a join may leave out is left out, or nil`(home: DatabaseHome) throws {
    let rows = Worker.leftJoin(Shift.all) { $0.shiftID.eq($1.id) }
    try database(home).read { db in
      same(try rows.select { $1.jsonGroupArray() }.fetchOne(db), [Collected.rows[1]])
      same(try rows.select { $1.map { $0.jsonGroupArray() } }.fetchOne(db), [Collected.rows[1]])
      same(try rows.select { $1.map { $0.span.jsonGroupArray() } }.fetchOne(db), [spans[1]])
      same(try rows.select { $1.span.map { $0.jsonGroupArray() } }.fetchOne(db), [spans[1]])
      same(try rows.select { $1.span.jsonGroupArray(order: $0.id) }.fetchOne(db), [spans[1], nil])
      same(try rows.select { $1.pause.jsonGroupArray(order: $0.id) }.fetchOne(db), [pause, nil])
      same(try rows.map { $1.jsonGroupArray() }.fetchOne(db).map { Set($0.map { $0?.id ?? 0 }) }, [0, 2])
      let each = rows.group { worker, _ in worker.id }.order { worker, _ in worker.id }
      same(try each.select { $1.map { $0.jsonGroupArray() } }.fetchAll(db), [[Collected.rows[1]], []])
    }
  }
}
