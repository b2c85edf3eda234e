/// Terms of ORDER BY within raw SQL: the direction and the place of the NULLs are said wherever a term stands.
import Foundation
import Martlet
import Testing

@Suite struct OrderSpellingTests {
  @Selection struct Size: Equatable {
    var width = 0
    var height = 0
  }

  @Table struct Box: Equatable {
    let id: Int
    var weight = 0
    var label: String?
    var size = Size()
    @Column(as: Decimal.TextRepresentation.self) var price: Decimal = 0
  }

  private static let boxes = [
    Box(id: 1, weight: 1, label: "d", size: Size(width: 1, height: 1)),
    Box(id: 2, weight: 3, label: nil, size: Size(width: 0, height: 2)),
    Box(id: 3, weight: 2, label: "b", size: Size(width: 1, height: 3)),
    Box(id: 4, weight: 2, label: "a", size: Size(width: 0, height: 4)),
  ]

  private func database(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Box.createTable().execute(db)
      try Box.insert { Self.boxes }.execute(db)
    }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a term within raw SQL keeps its direction and the place of its NULLs`(_ home: DatabaseHome) throws {
    try database(home).read { db in
      let box = Box.columns
      let whole = #sql(
        "SELECT \(box.id) FROM \(Box.self) ORDER BY \(box.weight.desc()), \(box.id.asc())", as: Int.self)
      same(try whole.fetchAll(db), [2, 3, 4, 1])
      let terms: [(QueryFragment, [Int])] = [
        ("\(box.id.desc())", [4, 3, 2, 1]), ("\(box.id.asc())", [1, 2, 3, 4]),
        ("\(box.id.desc().queryFragment)", [4, 3, 2, 1]),
        ("\(box.label.asc(nulls: .last))", [4, 3, 1, 2]), ("\(box.label.asc())", [2, 4, 3, 1]),
        ("\(box.label.desc(nulls: .first))", [2, 1, 3, 4]), ("\(box.label.desc())", [1, 3, 4, 2]),
        ("\(box.label.collate(.nocase).desc())", [1, 3, 4, 2]),
        ("\(box.size.desc())", [3, 1, 4, 2]), ("\((box.id + 1).desc())", [4, 3, 2, 1]),
        ("\(box.id.desc().asc())", [1, 2, 3, 4]), ("\(box.id.asc().desc())", [4, 3, 2, 1]),
        ([box.weight.desc(), box.id.desc()].map(\.queryFragment).joined(separator: ", "), [2, 4, 3, 1]),
      ]
      for (term, expected) in terms {
        let query = Box.order { _ in #sql("\(term)", as: Int.self) }.select(\.id)
        same(try query.fetchAll(db), expected)
        same(try #sql("SELECT id FROM \(Box.self) ORDER BY \(term)", as: Int.self).fetchAll(db), expected)
        var appended: QueryFragment = "SELECT id FROM \(Box.self) ORDER BY "
        appended.append(term)
        same(try SQLQueryExpression<Int>(appended).fetchAll(db), expected)
      }
      same(
        try Box.order {
          $0.weight.desc(); #sql("\($0.id.desc())")
        }.select(\.id).fetchAll(db), [2, 4, 3, 1])
      same(try Box.order { SQLQueryExpression($0.id.desc()) }.select(\.id).fetchAll(db), [4, 3, 2, 1])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a term within raw SQL orders windows, aggregates and indexes`(_ home: DatabaseHome) throws {
    try database(home).write { db in
      let places = Box.order(by: \.id).select {
        rowNumber().over(Window.order(by: #sql("\($0.id.desc())", as: Int.self)))
      }
      same(try places.fetchAll(db), [4, 3, 2, 1])
      let ids = Box.select {
        $0.id.cast(as: String.self).groupConcat(order: #sql("\($0.weight.desc()), \($0.id.desc())", as: Int.self))
      }
      same(try ids.fetchOne(db) ?? nil, "2,4,3,1")
      let labels = Box.select {
        ($0.label ?? "-").groupConcat(order: #sql("\($0.label.desc(nulls: .first))", as: String?.self))
      }
      same(try labels.fetchOne(db) ?? nil, "-,d,b,a")
      let index = Box.createIndex("heavy") { (#sql("\($0.weight.desc())", as: Int.self), $0.id) }
      try index.execute(db)
      same(index.sql, #"CREATE INDEX "heavy" ON "boxes" ("weight" DESC, "id")"#)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a write deletes the row that comes first by a term within raw SQL`(_ home: DatabaseHome) throws {
    try database(home).write { db in
      let last = #sql(
        "SELECT \(Box.columns.id) FROM \(Box.self) ORDER BY \(Box.columns.id.desc()) LIMIT 1", as: Int.self)
      try #sql("DELETE FROM \(Box.self) WHERE id = (\(last.queryFragment))").execute(db)
      same(try Box.order(by: \.id).select(\.id).fetchAll(db), [1, 2, 3])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a term of what is not sorted, and one where nothing is ordered, is refused`(_ home: DatabaseHome) throws {
    try database(home).read { db in
      let unsorted = Box.order { #sql("\($0.price.desc())", as: Decimal.TextRepresentation.self) }.select(\.id)
      let sorting = #expect(throws: (any Error).self) { try unsorted.fetchAll(db) }
      #expect(sorting.map { "\($0)" }?.contains("texts do not sort as numbers do") == true)
      let reason = "A direction belongs to 'order'. Leave out 'asc' and 'desc' here."
      let misplaced = [
        Box.group { $0.weight.desc() }.select(\.id), Box.group { ($0.weight.desc(), $0.id) }.select(\.id),
        Box.select { rowNumber().over(Window.partition(by: $0.weight.desc())) },
        Box.select { QueryFunction<Int>("abs", $0.id.desc()) },
      ]
      for query in misplaced {
        let error = #expect(throws: (any Error).self) { try query.fetchAll(db) }
        #expect(error.map { "\($0)" }?.contains(reason) == true, "\(String(describing: error)), \(query)")
      }
      let chosen = #expect(throws: (any Error).self) { try Box.select { $0.id.desc() }.execute(db) }
      #expect(chosen.map { "\($0)" }?.contains(reason) == true)
    }
  }
}
