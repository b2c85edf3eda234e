import Foundation
import SQLite
import Testing

/// Rows that are asked for columns.
@Suite struct RowTests {
  private func joined(_ db: Connection) throws -> Row {
    try db.createUsers()
    try db.run(users.insertMany([[email <- "boss", managerId <- nil], [email <- "worker", managerId <- 1]]))
    let managers = users.alias("managers")
    return try #require(
      try db.pluck(users.join(managers, on: managers[id] == users[managerId])))
  }

  @Test(arguments: Place.allCases)
  func `a table that is joined with itself is told apart`(_ place: Place) throws {
    let open = try place.open()
    let row = try joined(open.db)
    let managers = users.alias("managers")
    #expect(same(row[users[id]], 2))
    #expect(row[users[email]] == "worker")
    #expect(same(row[managers[id]], 1))
    #expect(row[managers[email]] == "boss")
    #expect(throws: QueryError.ambiguousColumn(name: "\"id\"", similar: ["\"users\".\"id\"", "\"managers\".\"id\""])) {
      try row.get(id)
    }
    fails({ _ = try row.get(Expression<String>("nope")) }) { error in
      "\(error)".hasPrefix("There is no column \"nope\" in the row, which has: \"users\".\"id\"")
    }
  }

  @Test(arguments: Place.allCases)
  func `columns of several tables are chosen`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(
      posts.create { t in
        t.column(id, primaryKey: true)
        t.column(userId, references: users, id)
        t.column(published)
      })
    try db.run(users.insert(email <- "a"))
    try db.run(posts.insert(id <- 7, userId <- 1, published <- true))
    let join = users.join(.leftOuter, posts, on: posts[userId] == users[id])
    let row = try #require(try db.pluck(join.select(posts[*], users[email], users[id])))
    #expect(same(row[posts[id]], 7))
    #expect(row[users[email]] == "a")
    #expect(row[email] == "a")
    #expect(row[published])
    #expect(same(row[users[id]], 1))
    let counts = try #require(try db.pluck(join.select(users[email], posts[id].count).group(users[id])))
    #expect(same(counts[posts[id].count], 1))
    let named = try #require(try db.pluck(users.select(email.alias("address"), id)))
    #expect(named[Expression<String>("address")] == "a")
    #expect(named[email.alias("address")] == "a")
    #expect(same(named[users[id]], 1))
  }

  @Test(arguments: Place.allCases)
  func `a value of another type is an error that names the column`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insert(email <- "a"))
    let row = try #require(try db.pluck(users))
    #expect(throws: QueryError.unexpectedNullValue(name: "\"name\"")) { try row.get(Expression<String>("name")) }
    fails({ _ = try row.get(Expression<Int>("email")) }) { "\($0)".contains("\"email\" holds a text") }
    #expect(try row.get(Expression<Int?>("age")) == nil)
    #expect(throws: QueryError.self) { try row.get(Expression<UUID>("email")) }
    #expect(throws: QueryError.self) { try row.get(Expression<Date>("email")) }
  }

  @Test(arguments: Place.allCases)
  func `rows stay when their statement goes on`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insertMany((0..<1000).map { [email <- "u\($0)", age <- $0] }))
    let rows = Array(try db.prepare(users.order(id)))
    #expect(rows.map { $0[age] } == (0..<1000).map { $0 })
    // In any order, and columns in any order.
    for row in rows.reversed().prefix(10) { #expect(row[email] == "u\(row[age] ?? -1)") }
  }

  struct User: Codable, Equatable {
    struct Address: Codable, Equatable {
      var street: String
    }
    var id: Int64
    var email: String
    var name: String?
    var born: Date?
    var tags: [String]
    var key: UUID
    var isNew: Bool
    var level: UInt8
    var score: Double
    var data: Data
    var address: Address?
  }

  @Test(arguments: Place.allCases)
  func `codable values are rows`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    let table = Table("people")
    try db.run(
      table.create { t in
        t.column(id, primaryKey: true)
        t.column(email)
        t.column(name, defaultValue: "unnamed")
        t.column(Expression<Date?>("born"))
        t.column(Expression<String>("tags"))
        t.column(Expression<UUID>("key"))
        t.column(Expression<Bool>("isNew"))
        t.column(Expression<Int>("level"))
        t.column(Expression<Double>("score"))
        t.column(Expression<Data>("data"))
        t.column(Expression<String?>("address"))
      })
    let ada = User(
      id: 1, email: "ada", name: "Ada", born: Date(timeIntervalSince1970: 793_109_282.061), tags: ["a", "b"],
      key: UUID(), isNew: true, level: 255, score: 1.5, data: Data([0, 1]), address: .init(street: "x"))
    var bob = ada
    bob.id = 2
    bob.name = nil
    bob.born = nil
    bob.address = nil
    try db.run(table.insert(ada))
    try db.run(table.insertMany([bob]))
    let found: [User] = try db.prepareRowIterator(table.order(id)).map { try $0.decode() }
    #expect(found == [ada, bob])
    bob.email = "robert"
    try db.run(table.upsert(bob, onConflictOf: id))
    bob.score = 9
    #expect(try db.run(table.filter(id == 2).update(bob)) == 1)
    let again: User = try #require(try db.pluck(table.filter(id == 2))).decode()
    #expect(again == bob)
    // Left out of an INSERT, what is nil has its column's default.
    var carl = bob
    carl.id = 3
    try db.run(table.insert(carl))
    #expect(try db.pluck(table.filter(id == 3))?[name] == "unnamed")
    #expect(throws: QueryError.self) { try table.insert([1, 2, 3]) }
    #expect(throws: QueryError.self) {
      let _: User = try #require(try db.pluck(table.select(id, email))).decode()
    }
  }

  @Test(arguments: Place.allCases)
  func `what is nil in a codable value leaves a row alone`(_ place: Place) throws {
    struct Patch: Codable {
      var email: String
      var name: String?
      var age: Int?
    }
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insert(email <- "a", name <- "Ada", age <- 1))
    try db.run(users.filter(email == "a").update(Patch(email: "a", age: 2)))
    #expect(try db.pluck(users)?[name] == "Ada")
    try db.run(users.upsert(Patch(email: "a", age: 3), onConflictOf: email))
    #expect(try db.pluck(users)?[name] == "Ada")
    #expect(try db.pluck(users)?[age] == 3)
    try db.run(users.filter(email == "a").update(Patch(email: "a"), otherSetters: [name <- nil]))
    #expect(try db.pluck(users)?[name] == nil)
    #expect(try db.pluck(users)?[age] == 3)
  }

  @Test(arguments: Place.allCases)
  func `enums with raw values come back from columns of each type`(_ place: Place) throws {
    enum Kind: String, Codable { case one, two }
    enum Level: Int, Codable { case low = 1, high }
    enum Rate: Double, Codable { case half = 0.5 }
    struct Item: Codable, Equatable {
      var kind: Kind
      var level: Level
      var rate: Rate
      var none: Kind?
    }
    let open = try place.open()
    let table = Table("items")
    try open.db.run(
      table.create { t in
        t.column(Expression<String>("kind"))
        t.column(Expression<Int>("level"))
        t.column(Expression<Double>("rate"))
        t.column(Expression<String?>("none"))
      })
    let item = Item(kind: .two, level: .high, rate: .half)
    try open.db.run(table.insert(item))
    let found: Item = try #require(try open.db.pluck(table)).decode()
    #expect(found == item)
    try open.db.run("UPDATE items SET level = x'00'")
    #expect(throws: QueryError.self) { let _: Item = try #require(try open.db.pluck(table)).decode() }
  }

  @Test(arguments: Place.allCases, [-62_300_000_000, -62_160_000_000, 1e15, -1e15, .nan, .infinity, -.infinity])
  func `a date that no text names is refused`(_ place: Place, seconds: Double) throws {
    let open = try place.open()
    let (people, born) = (Table("people"), Expression<Date?>("born"))
    try open.db.run(people.create { $0.column(born) })
    let date = Date(timeIntervalSince1970: seconds)
    let setters = [[Setter]](repeating: [born <- date], count: 20)
    for body in [
      { try open.db.run(people.insert(born <- date)) }, { try open.db.run(people.insertMany(setters)) },
      { _ = try open.db.scalar(people.filter(born == date).count) },
      { _ = try open.db.scalar(people.filter([date].contains(born)).count) },
    ] as [() throws -> Void] {
      fails(body) { "\($0)".contains("A date has no text that is read as the same date again.") }
    }
    #expect(try open.db.scalar(people.count) == 0)
  }

  @Test func `dates of all years after Christ come back`() throws {
    let db = try Connection()
    let (people, born) = (Table("people"), Expression<Date>("born"))
    try db.run(people.create { $0.column(born) })
    for seconds in [-62_135_596_800.0, 0, 253_402_300_799] {
      let date = Date(timeIntervalSince1970: seconds)
      try db.run(people.insert(born <- date))
      #expect(try db.pluck(people.filter(born == date))?.get(born) == date)
    }
  }

  @Test(arguments: Place.allCases)
  func `a number that a Float cannot hold is an error`(_ place: Place) throws {
    let open = try place.open()
    let (numbers, number) = (Table("numbers"), Expression<Float>("number"))
    try open.db.run(numbers.create { $0.column(number) })
    try open.db.run("INSERT INTO numbers VALUES (1e300)")
    let row = try #require(try open.db.pluck(numbers))
    #expect(throws: QueryError.self) { try row.get(number) }
    try open.db.run("UPDATE numbers SET number = 9e999")
    #expect(try open.db.pluck(numbers)?.get(number) == .infinity)
  }

  @Test func `dates of whole milliseconds are equal afterwards`() throws {
    for step in stride(from: 0, to: 400_000, by: 7) {
      for second in [793_109_282.0, 0, -62_000_000_000, 4_000_000_000] {
        let date = Date(timeIntervalSince1970: second + Double(step) / 1000)
        let back = try Date.fromDatatypeValue(date.datatypeValue)
        if abs(back.timeIntervalSince(date)) >= 0.000_5 {
          Issue.record("\(date.timeIntervalSince1970) came back as \(back.timeIntervalSince1970)")
          return
        }
      }
    }
  }

  /// A value whose coding does not know that it is optional.
  private struct Box<T: Codable & Equatable>: Codable, Equatable {
    var n: T
  }

  private func comesBack<T: Codable & Equatable>(_ value: T, _ db: Connection) throws {
    let table = Table("boxes")
    try db.run(table.delete())
    try db.run(table.insert(Box(n: value)))
    let row = try #require(try db.pluck(table))
    let found: Box<T> = try row.decode()
    #expect(found == Box(n: value))
  }

  @Test(arguments: Place.allCases)
  func `an optional that its coding takes for a value comes back`(_ place: Place) throws {
    let open = try place.open()
    try open.db.execute("CREATE TABLE boxes (n)")
    try comesBack("text" as String?, open.db)
    try comesBack(nil as String?, open.db)
    try comesBack("null" as String?, open.db)
    try comesBack(7 as UInt16?, open.db)
    try comesBack(UInt64(9) as UInt64?, open.db)
    try comesBack(Date(timeIntervalSinceReferenceDate: 5) as Date?, open.db)
    try comesBack(UUID() as UUID?, open.db)
    try comesBack(Data([1, 2]) as Data?, open.db)
    try comesBack([1, 2] as [Int]?, open.db)
  }
}
