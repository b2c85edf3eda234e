import Foundation
import SQLite
import Testing

/// Writes, and writes that would be others than those that were meant.
@Suite struct WriteTests {
  @Test(arguments: Place.allCases)
  func `many rows are one statement`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    let last = try db.run(users.insertMany((1...5000).map { [email <- "u\($0)", age <- ($0 % 3 == 0 ? nil : $0)] }))
    #expect(last == 5000)
    #expect(db.changes == 5000)
    #expect(try db.scalar(users.filter(age == nil).count) == 1666)
    // Columns in another order are the same columns.
    try db.run(users.insertMany([[email <- "x", age <- 1], [age <- 2, email <- "y"]]))
    #expect(try db.pluck(users.filter(email == "y"))?[age] == 2)
    #expect(throws: Result.self) { try db.run(users.insertMany(or: .abort, [[email <- "z"], [email <- "x"]])) }
    #expect(try db.scalar(users.filter(email == "z").count) == 0)
    try db.run(users.insertMany(or: .ignore, [[email <- "z"], [email <- "x"]]))
    #expect(try db.scalar(users.filter(email == "z").count) == 1)
  }

  @Test(arguments: Place.allCases)
  func `rows that do not set the same columns are refused`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    let rows: [[[Setter]]] = [
      [], [[email <- "a"], [age <- 1]], [[email <- "a"], [email <- "b", age <- 1]],
      [[email <- "a", age <- 1], [email <- "b"]], [[email <- "a", email <- "b"]], [[], []],
    ]
    for values in rows { #expect(throws: Result.self) { try db.run(users.insertMany(values)) } }
    #expect(throws: Result.self) { try db.run(users.update([])) }
    #expect(try db.scalar(users.count) == 0)
  }

  @Test(arguments: Place.allCases)
  func `a write of a join is refused and writes nothing`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insertMany([[email <- "a"], [email <- "b"]]))
    let joined = users.join(users.alias("m"), on: users.alias("m")[id] == users[managerId])
    for call in [
      { try db.run(joined.delete()) }, { try db.run(users.group(age).delete()) },
      { try db.run(joined.update(age <- 1)) }, { try db.run(users.union(users).delete()) },
    ] as [() throws -> Int] { #expect(throws: Result.self) { _ = try call() } }
    #expect(try db.scalar(users.filter(age == nil).count) == 2)
  }

  @Test(arguments: Place.allCases)
  func `upserts insert or update`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.upsert(email <- "a", age <- 1, onConflictOf: email))
    try db.run(users.upsert(email <- "a", age <- 2, onConflictOf: email))
    #expect(try db.pluck(users)?[age] == 2)
    try db.run(users.upsert(email <- "a", age <- 9, onConflictOf: email, set: [age <- age + 10]))
    #expect(try db.pluck(users)?[age] == 12)
    try db.run(users.upsert(email <- "a", onConflictOf: email))
    #expect(try db.scalar(users.count) == 1)
    try db.run(users.insert(or: .replace, id <- 1, email <- "a", name <- "new"))
    #expect(try db.pluck(users)?[age] == nil)
  }

  @Test(arguments: Place.allCases)
  func `setters calculate`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insert(email <- "a", age <- 10))
    let steps: [(Setter, Int?)] = [
      (age++, 11), (age--, 10), (age += 5, 15), (age -= 3, 12), (age *= 2, 24), (age /= 5, 4), (age %= 3, 1),
      (age <<= 4, 16), (age >>= 1, 8), (age |= 3, 11), (age &= 6, 2), (age ^= 7, 5),
      (age <- users.select(id.count), 1), (age <- nil, nil),
    ]
    for (setter, value) in steps {
      try db.run(users.update(setter))
      let found = try #require(try db.pluck(users))[age]
      #expect(found.map { $0 } == value)
    }
    try db.run(users.update(email += "b"))
    #expect(try db.pluck(users)?[email] == "ab")
  }

  @Test(arguments: Place.allCases)
  func `common tables and unions run`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    let numbers = Table("numbers")
    let number = Expression<Int>("number")
    try db.createUsers()
    try db.run(users.insert(email <- "a", age <- 1))
    let query = numbers.with(
      numbers, columns: [number], recursive: true,
      as: users.select(age).union(all: true, numbers.select(number + 1).filter(number < 5)))
    #expect(try db.column(query, number) == [1, 2, 3, 4, 5])
    let both = users.select(email).union(users.select(Expression<String>(value: "b"))).order(email)
    #expect(try db.column(both, email) == ["a", "b"])
    #expect(try db.column(users.filter(users.select(id).contains(id)), email) == ["a"])
  }
}
