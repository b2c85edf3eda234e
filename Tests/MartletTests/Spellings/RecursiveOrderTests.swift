/// ORDER BY and LIMIT of a compound's last query: its own, but the whole's where a common table reads itself.
import Foundation
import Martlet
import Testing

@Suite struct RecursiveOrderTests {
  @Table struct Worker: Equatable {
    let id: Int
    let name: String
    let bossID: Int?
  }

  /// The same workers in the order of a default scope.
  @Table("workers") struct NamedWorker {
    let id: Int
    let name: String
    let bossID: Int?

    static let all = Self.order { $0.name.desc() }
  }

  @Selection struct Level: Equatable {
    let id: Int
    let name: String
    let depth: Int
  }

  private func database(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Worker.createTable().execute(db)
      try Worker.insert {
        Worker(id: 1, name: "Alice", bossID: nil)
        Worker(id: 2, name: "Bob", bossID: 1)
        Worker(id: 3, name: "Cindy", bossID: 1)
        Worker(id: 4, name: "Dan", bossID: 2)
        Worker(id: 5, name: "Emma", bossID: 2)
        Worker(id: 6, name: "Fred", bossID: 3)
      }.execute(db)
    }
    return database
  }

  private static let first = Worker.where { $0.bossID.is(nil) }
    .select { Level.Columns(id: $0.id, name: $0.name, depth: 0) }

  private static let next = Worker.join(Level.all) { $0.bossID.is($1.id) }
    .select { Level.Columns(id: $0.id, name: $0.name, depth: $1.depth + 1) }

  private static func names(_ rows: some Statement<Level>) -> With<String> {
    With {
      rows
    } query: {
      Level.select(\.name)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the last query of a recursive common table orders and limits the whole`(_ home: DatabaseHome) throws {
    let (first, next) = (Self.first, Self.next)
    try database(home).read { db in
      func gives(_ rows: some Statement<Level>, _ letters: String, at line: SourceLocation = #_sourceLocation) throws {
        let query = Self.names(rows)
        let found = try query.fetchAll(db).map { String($0.prefix(1)) }.joined()
        #expect(found == letters, "\(query)", sourceLocation: line)
      }
      try gives(first.union(all: true, next), "ABCDEF")
      let deepestFirst = first.union(all: true, next.order { ($1.depth + 1).desc() })
      try gives(deepestFirst, "ABDECF")
      #expect(Self.names(deepestFirst).sql.contains("\n  ORDER BY 3 DESC\n)"))
      try gives(first.union(all: true, next.order { #sql("\($1.depth + 1) DESC") }), "ABDECF")
      try gives(first.union(all: true, next.order { #sql("\(($1.depth + 1).desc())") }), "ABDECF")
      try gives(first.union(all: true, next.order { _, _ in #sql("3 DESC") }), "ABDECF")
      try gives(
        first.union(all: true, next.order { (($1.depth + 1).desc(), $0.name.collate(.nocase).desc()) }), "ACFBED")
      try gives(first.union(all: true, next.limit(3)), "ABC")
      try gives(first.union(next.limit(3, offset: 1)), "BCD")
      try gives(first.union(all: true, next).order(byColumn: 3, descending: true).limit(4), "ABDE")
      let named = NamedWorker.join(Level.all) { $0.bossID.is($1.id) }
      let below = named.select { Level.Columns(id: $0.id, name: $0.name, depth: $1.depth + 1) }
      try gives(first.union(all: true, below), "ACFBED")
      try gives(first.union(all: true, below).limit(4), "ACFB")
      let chain = With {
        Worker.where { $0.bossID.is(nil) }
      } recursiveUnion: { chain in
        Worker.join(chain) { $0.bossID.is($1.id) }.select { worker, _ in worker }
          .order { worker, _ in worker.id.desc() }.limit(4)
      } query: { chain in
        chain.select(\.id)
      }
      same(try chain.fetchAll(db), [1, 3, 6, 2])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an order that a recursive common table cannot have is refused`(_ home: DatabaseHome) throws {
    let (first, next) = (Self.first, Self.next)
    try database(home).read { db in
      let refused = [
        first.union(all: true, next.order { $1.depth.desc() }), first.union(all: true, next.limit(3)).limit(2),
        first.union(all: true, next.limit(2)).union(all: true, next),
        first.union(all: true, next.order { worker, _ in worker.id }).order(byColumn: 2),
      ]
      for rows in refused {
        let error = #expect(throws: (any Error).self) { try Self.names(rows).fetchAll(db) }
        #expect(error.map { "\($0)" }?.contains(".union(…).order(byColumn: 2)") == true, "\(String(describing: error))")
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the last query of a compound has an order and a limit of its own`(_ home: DatabaseHome) throws {
    try database(home).read { db in
      let last = Worker.where { $0.id > 3 }.select(\.id).order { $0.id.desc() }.limit(2)
      let workers = Worker.where { $0.id < 3 }.select(\.id)
      same(try workers.union(all: true, last).fetchAll(db), [1, 2, 6, 5])
      let lastTwo = workers.union(all: true, Worker.where { $0.id > 3 }.select(\.id))
        .order(byColumn: 1, descending: true).limit(2)
      same(try lastTwo.fetchAll(db), [6, 5])
      let other = Worker.select { Level.Columns(id: $0.id, name: $0.name, depth: 9) }.order { $0.id.desc() }.limit(2)
      same(try Self.names(Self.first.union(all: true, other)).fetchAll(db), ["Alice", "Fred", "Emma"])
    }
  }
}
