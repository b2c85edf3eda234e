/// What only a database at a server has: single statements in one round trip, and rows as they arrive.
import MartletDatabase
import MartletQuery
import MartletValues
import Testing

@Suite struct RemoteTests {
  static let homes = [Home.tcp, .unix]

  @Test(arguments: homes)
  func `single statements need no transaction`(home: Home) async throws {
    let open = try home.open()
    let remote = try #require(open.database as? RemoteDatabase)
    try await remote.ping()
    let changed = try await Item.where { $0.id < 3 }.update { $0.price = 2 }.execute(remote)
    #expect(changed == 2)
    let items = try await Item.order(by: \.id).fetchAll(remote)
    #expect(items.map(\.price) == [2, 2, 20])
    let first = try await Item.order(by: \.id).fetchOne(remote)
    #expect(first?.title == "Tea")
    let pairs = try await Item.order(by: \.id).select { ($0.id, $0.title) }.fetchAll(remote)
    #expect(pairs.map(\.1) == ["Tea", "Cup", "Pot"])
    let last = try await Item.order { $0.id.desc() }.select { ($0.id, $0.title, $0.price, $0.ownerID) }.fetchOne(remote)
    #expect(last?.0 == 3 && last?.1 == "Pot" && last?.2 == 20)
    let nobody = try await Item.none.select { ($0.id, $0.title) }.fetchOne(remote)
    #expect(nobody == nil)
    await #expect(throws: RequestError.self) {
      try await Item.insert { Item.Draft(title: "Tea") }.execute(remote)
    }
  }

  @Test(arguments: homes)
  func `a side that a join left out is asked for a member where the rows are fetched`(home: Home) async throws {
    let open = try home.open()
    let remote = try #require(open.database as? RemoteDatabase)
    let items = Item.leftJoin(Item.as(Next.self).all) { $1.id.eq($0.id + 1) }.order { item, _ in item.id }
    #expect(try await items.fetchAll(remote).map { $0.1?.title ?? $0.0.title + "!" } == ["Cup", "Pot", "Pot!"])
    #expect(try await items.fetchOne(remote)?.1?.title == "Cup")
    let three = items.leftJoin(Item.as(Last.self).all) { $2.id.eq($0.id + 2) }
    #expect(try await three.fetchAll(remote).map { $0.2?.title ?? "-" } == ["Pot", "-", "-"])
    #expect(try await three.limit(1, offset: 2).fetchOne(remote).map { $0.2?.title ?? "-" } == "-")
  }

  private enum Next: AliasName {}
  private enum Last: AliasName {}

  @Test(arguments: homes)
  func `rows stream while other statements run`(home: Home) async throws {
    let open = try home.open()
    let remote = try #require(open.database as? RemoteDatabase)
    let padding = String(repeating: "x", count: 500)
    try await Item.insert { for n in 0..<5_000 { Item.Draft(title: "\(n)\(padding)") } }.execute(remote)
    var seen = 0
    for try await item in remote.rows(Item.order(by: \.id)) {
      seen += 1
      if seen % 1_000 == 0 {
        let same = try await Item.where { $0.id.eq(item.id) }.fetchOne(remote)
        #expect(same == item)
      }
    }
    #expect(seen == 5_003)
    // A loop that ends early leaves the connection usable.
    for try await item in remote.rows(Item.all) where item.id > 2 { break }
    let count = try await Item.count().fetchOne(remote)
    #expect(count == 5_003)
  }

  @Test(arguments: homes)
  func `a statement runs while a cursor of the same transaction is open`(home: Home) throws {
    let open = try home.open()
    let padding = String(repeating: "x", count: 500)
    try open.database.write { db in
      try Item.insert { for n in 0..<4_000 { Item.Draft(title: "\(n)\(padding)") } }.execute(db)
      let cursor = try Item.order(by: \.id).fetchCursor(db)
      var seen = 0
      while let item = try cursor.next() {
        seen += 1
        if seen % 1_000 == 0 { try Item.find(item.id).update { $0.price = 1 }.execute(db) }
      }
      #expect(seen == 4_003)
      try expect(4) { try Item.where { $0.price.eq(1) }.fetchCount(db) }
    }
  }

  @Test(arguments: homes)
  func `the first row of a write is its whole effect`(home: Home) throws {
    let open = try home.open()
    try open.database.write { db in
      let first = try Item.insert { for n in 0..<500 { Item.Draft(title: "\(n)") } }.returning(\.id).fetchOne(db)
      #expect(first == 4)
      try expect(503) { try Item.fetchCount(db) }
    }
  }

  @Test func `a server that is not there is an error`() async throws {
    let remote = try RemoteDatabase("martlet+unix:///no/such.sock?db=x")
    await #expect(throws: (any Error).self) { try await remote.read { try Item.fetchCount($0) } }
    #expect(throws: (any Error).self) { try RemoteDatabase("https://example.com") }
    await remote.close()
  }
}
