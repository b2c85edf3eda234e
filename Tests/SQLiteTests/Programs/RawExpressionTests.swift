import Foundation
import SQLite
import Testing

/// SQL of the program's own within expressions, with its values.
@Suite struct RawExpressionTests {
  private let items = Table("items")
  private let id = Expression<Int64>("id")

  private func open(_ place: Place) throws -> OpenPlace {
    let open = try place.open()
    try open.db.execute(
      "CREATE TABLE items (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO items VALUES (1, 2), (2, 1)")
    return open
  }

  private func ids(_ db: Connection, _ query: Table) throws -> [Int64] { try db.prepare(query).map { try $0.get(id) } }

  @Test(arguments: Place.allCases)
  func `a numbered parameter is the value of that number`(_ place: Place) throws {
    let open = try open(place)
    let second = Expression<Bool>("id = ?2 AND ?1 = 'a'", ["a", 2])
    #expect(try ids(open.db, items.filter(id > 0 && second)) == [2])
    let twice = Expression<Bool>("id = ?1 AND n + 1 = ?1", [2])
    #expect(try ids(open.db, items.filter(id > 0 && twice && id < 9)) == [2])
    let behind = Expression<Bool>("?2 = 'b' AND id = ?", ["a", "b", 1])
    #expect(try ids(open.db, items.filter(id > 0 && behind)) == [1])
    #expect(second.asSQL() == "id = 2 AND 'a' = 'a'")
  }

  @Test(arguments: ["id <> ?2", "id <> :x", "id <> @x", "id <> $x", "id <> ?0"], Place.allCases)
  func `a parameter without a value is refused`(_ sql: String, _ place: Place) throws {
    let open = try open(place)
    let wrong = Expression<Bool>(sql, [5])
    fails({ _ = try ids(open.db, items.filter(id > 0 && wrong)) }) { "\($0)".contains("has no value") }
  }

  @Test func `what stands in quotes is no parameter`() throws {
    let open = try open(.memory)
    #expect(try ids(open.db, items.filter(Expression<Bool>("id > 0 AND ':x' <> '?2'", []))) == [1, 2])
  }

  @Test(arguments: Place.allCases)
  func `values in a view mean what they mean in a query`(_ place: Place) throws {
    let open = try open(place)
    let less = Expression<Int64>("id -?", [-5])
    let query = items.select(less.alias("x")).order(Expression<Int>(value: 2), id.desc)
    try open.db.run(View("less").create(query))
    #expect(try open.db.prepare("SELECT x FROM less").map { $0[0] as? Int64 } == [7, 6])
    #expect(less.asSQL() == "id - -5")
    let grouped = items.select(id.count.alias("x")).group(Expression<Int>(value: 1))
    try open.db.run(View("groups").create(grouped))
    #expect(try open.db.scalar("SELECT x FROM groups") as? Int64 == 2)
  }
}
