/// Literals of rows beside columns of other types than their own.
import Foundation
import Martlet
import Testing

@Suite struct RowSpellingTests {
  @Table struct Cell: Equatable {
    let id: Int
    var wide: Int64
    var byte: UInt8
    var real: Float
    var maybe: Int64?
    var made: Date
  }

  private static let now = Date(timeIntervalSince1970: 1000)

  private static let cells = (1...3).map { id in
    Cell(
      id: id, wide: Int64(id), byte: UInt8(id), real: Float(id), maybe: id == 2 ? nil : Int64(id),
      made: now.addingTimeInterval(Double(id)))
  }

  private typealias Condition = (Cell.TableColumns) -> SQLQueryExpression<Bool>

  private func expect(_ ids: [Int], _ db: Database, where condition: Condition) throws {
    same(try Cell.where { condition($0) }.order(by: \.id).select(\.id).fetchAll(db), ids)
  }

  private func read(_ home: DatabaseHome, _ body: (Database) throws -> Void) throws {
    let database = try home.empty()
    try database.write { db in
      try Cell.createTable().execute(db)
      try Cell.insert { Self.cells }.execute(db)
      try body(db)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `lists of rows have the types of their columns`(_ home: DatabaseHome) throws {
    let (now, cell) = (Self.now, Self.cells[2])
    try read(home) { db in
      try expect([1, 2], db) { RowValue($0.wide, $0.id).in([(1, 1), (2, 2), (3, 4)]) }
      try expect([3], db) { RowValue($0.id, $0.wide).notIn([(1, 1), (2, 2)]) }
      try expect([2], db) { RowValue($0.byte, $0.real).in([(2, 2), (2, 3.5)]) }
      try expect([1], db) { RowValue($0.maybe, $0.id).in([(1, 1), (nil, 2)]) }
      try expect([1, 3], db) { RowValue($0.wide, $0.id).in([(1, 1), (cell.wide, cell.id)]) }
      try expect([2], db) { RowValue($0.made, $0.wide).in([(now.addingTimeInterval(2), 2), (now, 3)]) }
      try expect([2], db) { RowValue($0.wide, $0.byte, $0.id).in([(2, 2, 2), (1, 2, 3)]) }
      try expect([1, 2], db) { RowValue($0.wide, $0.byte, $0.id, $0.real).notIn([(3, 3, 3, 3)]) }
      try expect([1], db) { RowValue($0.id, $0.id, $0.id, $0.id, $0.id).in([(1, 1, 1, 1, 1), (1, 2, 2, 2, 2)]) }
      let rows: [(Int64, Int)] = [(1, 1), (3, 3)]
      try expect([1, 3], db) { RowValue($0.wide, $0.id).in(rows) }
      try expect([2], db) { RowValue($0.wide, $0.id).notIn(rows.lazy.map { ($0, $1) }) }
      try expect([], db) { RowValue($0.wide, $0.id).in([]) }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row that others are compared with has the types of their columns`(_ home: DatabaseHome) throws {
    let last = Self.cells[2].made
    try read(home) { db in
      try expect([2], db) { RowValue($0.wide, $0.id).eq((2, 2)) }
      try expect([1, 3], db) { RowValue($0.byte, $0.real).neq((2, 2)) }
      try expect([2], db) { RowValue($0.maybe, $0.wide).is((nil, 2)) }
      try expect([1, 3], db) { RowValue($0.maybe, $0.wide).isNot((nil, 2)) }
      try expect([1], db) { RowValue($0.wide, $0.id) < (2, 2) }
      try expect([1, 2], db) { RowValue($0.wide, $0.byte, $0.id) <= (2, 2, 2) }
      try expect([3], db) { RowValue($0.made, $0.wide) >= (last, 3) }
      try expect([2, 3], db) { RowValue($0.wide, $0.byte, $0.id, $0.real) > (1, 1, 1, 1.5) || $0.id.eq(2) }
      try expect([1], db) { RowValue($0.wide, $0.id) < RowValue(2 as Int64, $0.id) }
    }
  }
}
