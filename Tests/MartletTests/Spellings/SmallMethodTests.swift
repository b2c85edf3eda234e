/// Methods that stand beside others of their kind.
import Foundation
import Martlet
import Testing

@Suite struct SmallMethodTests {
  @Table struct Lap: Equatable {
    let id: Int
    var length = Duration.zero
    var pause: Duration?
    var bits = 0
    var mask = 0
  }

  @Selection struct Found: Equatable {
    var bits: Int?
  }

  private static let laps = (1...6).map { id in
    Lap(id: id, length: .milliseconds(id * 1500), pause: id > 5 ? .seconds(3) : nil, bits: id, mask: 7 - id)
  }

  private func database(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Lap.createTable().execute(db)
      try Lap.insert { Self.laps }.execute(db)
    }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `durations have a sum and a mean`(_ home: DatabaseHome) throws {
    try database(home).read { db in
      same(try Lap.select { $0.length.sum() }.fetchOne(db) ?? nil, .milliseconds(31_500))
      same(try Lap.select { $0.length.avg() }.fetchOne(db) ?? nil, .milliseconds(5250))
      same(try Lap.select { $0.pause.total() }.fetchOne(db), .seconds(3))
      same(try Lap.where { $0.id > 9 }.select { $0.pause.total() }.fetchOne(db), .zero)
      same(try Lap.where { $0.id > 9 }.select { $0.length.sum() ?? .seconds(1) }.fetchOne(db), .seconds(1))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `bits of two columns are exclusive`(_ home: DatabaseHome) throws {
    try database(home).read { db in
      same(try Lap.select { $0.bits ^ $0.mask }.fetchAll(db), Self.laps.map { $0.bits ^ $0.mask })
      same(try Lap.select { $0.bits ^ 3 }.fetchAll(db), Self.laps.map { $0.bits ^ 3 })
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a table has pages in both directions`(_ home: DatabaseHome) throws {
    try database(home).read { db in
      same(try Lap.page(after: Self.laps[1], size: 2).fetchAll(db).map(\.id), [3, 4])
      same(try Lap.page(before: Self.laps[3], size: 2).fetchAll(db).map(\.id), [3, 2])
      same(try Lap.page(before: Self.laps[3], size: 2, by: \.mask).fetchAll(db).map(\.id), [5, 6])
      same(try Lap.page(before: Self.laps[3], size: 2) { $0.mask.desc() }.fetchAll(db).map(\.id), [3, 2])
      same(try Lap.where { $0.id > 2 }.page(before: Self.laps[3], size: 2).fetchAll(db).map(\.id), [3])
      same(try Lap.where { $0.id > 2 }.page(before: Self.laps[3], size: 1, by: \.id).fetchAll(db).map(\.id), [3])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a limit of a write is of the first rows in an order`(_ home: DatabaseHome) throws {
    try database(home).write { db in
      try Lap.delete().order(by: \.mask).limit(2).execute(db)
      same(try Lap.select(\.id).fetchAll(db), [1, 2, 3, 4])
      try Lap.update { $0.bits = 9 }.order(by: \.id).limit(1).execute(db)
      same(try Lap.where { $0.bits.eq(9) }.select(\.id).fetchAll(db), [1])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a value may stand for one that may be nil`(_ home: DatabaseHome) throws {
    try database(home).read { db in
      let found = Lap.find(2).select { Found.Columns(bits: $0.bits.asOptional()) }
      same(try found.fetchAll(db), [Found(bits: 2)])
      let both = Lap.find(2).select { $0.length.asOptional() }.union(Lap.find(1).select(\.pause))
      same(Set(try both.fetchAll(db)), [nil, .seconds(3)])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `pairs of a query are fetched in a closure`(_ home: DatabaseHome) throws {
    let pairs = try database(home).read { db in
      try Lap.order(by: \.id).limit(2).select { ($0.id, $0.bits) }.fetchAll(db)
    }
    same(pairs, [(1, 1), (2, 2)])
    let rows: [(Int, Duration?)] = try database(home).read { try Lap.find(1).select { ($0.id, $0.pause) }.fetchAll($0) }
    same(rows.map(\.0), [1])
    let one = try database(home).read { db in try Lap.find(2).select { ($0.id, $0.bits, $0.mask) }.fetchOne(db) }
    same(one?.2, 5)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `every column of a table stands in raw SQL, too`(_ home: DatabaseHome) throws {
    enum Other: AliasName {}
    try database(home).read { db in
      let star = Lap.columns.star
      let rows = #sql("SELECT \(star) FROM \(Lap.self) WHERE id = 2", as: Lap.self)
      same(try rows.fetchAll(db), [Self.laps[1]])
      same(rows.sql, #"SELECT "laps".* FROM "laps" WHERE id = 2"#)
      let other = Lap.as(Other.self)
      let named = #sql("SELECT \(other.columns.star) FROM laps AS \(other) WHERE id = 3", as: Lap.self)
      same(try named.fetchAll(db), [Self.laps[2]])
      let joined = ["SELECT ", star.queryFragment, " FROM laps WHERE id = 4"].joined()
      same(try SQLQueryExpression<Lap>(joined).fetchAll(db), [Self.laps[3]])
    }
  }
}
