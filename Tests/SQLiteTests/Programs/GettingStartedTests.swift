import Foundation
import SQLite
import Testing

/// The programs of SQLite.swift's documentation, in today's spelling, on each kind of database.
@Suite struct GettingStartedTests {
  @Test(arguments: Place.allCases)
  func `rows are inserted, read, changed and deleted`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    let rowid = try db.run(users.insert(email <- "alice@mac.com", name <- "Alice"))
    #expect(rowid == 1)
    #expect(try db.run(users.insert(email <- "betty@icloud.com")) == 2)
    let found = try db.prepare(users).map { "\($0[id]) \($0[email]) \($0[name] ?? "nobody")" }
    #expect(found == ["1 alice@mac.com Alice", "2 betty@icloud.com nobody"])
    let alice = users.filter(id == rowid)
    #expect(try db.run(alice.update(email <- email.replace("mac.com", with: "me.com"))) == 1)
    #expect(try db.pluck(alice)?[email] == "alice@me.com")
    #expect(try db.run(alice.delete()) == 1)
    #expect(try db.scalar(users.count) == 1)
    #expect(try db.pluck(alice) == nil)
  }

  @Test(arguments: Place.allCases)
  func `queries chain their clauses`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insertMany((1...9).map { [email <- "u\($0)@mac.com", age <- $0 * 10, admin <- ($0 % 2 == 0)] }))
    #expect(
      try db.column(users.select(email).filter(age >= 30).order(email.desc).limit(2, offset: 1), email)
        == ["u8@mac.com", "u7@mac.com"])
    #expect(try db.column(users.filter([1, 3, 5].contains(id)), id) == [1, 3, 5])
    #expect(try db.column(users.filter(email.like("u1%")), id) == [1])
    #expect(try db.column(users.filter(admin && email.lowercaseString == "u2@mac.com"), id) == [2])
    #expect(try db.column(users.filter(2...3 ~= id || age > 80), id) == [2, 3, 9])
    #expect(try db.column(users.filter(!(admin) && name == nil && age != nil), id) == [1, 3, 5, 7, 9])
    let sentence = email + " is " + cast(age) + " years old!"
    #expect(try db.pluck(users.select(sentence).filter(id == 1))?[sentence] == "u1@mac.com is 10 years old!")
  }

  @Test(arguments: Place.allCases)
  func `aggregates are values`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    #expect(try db.scalar(users.select(age.max)) == nil)
    #expect(try db.scalar(users.select(age.total)) == 0)
    try db.run(users.insertMany([20, 20, 50].enumerated().map { [email <- "u\($0)", age <- $1] }))
    #expect(try db.scalar(users.count) == 3)
    #expect(try db.scalar(users.filter(age == 20).count) == 2)
    #expect(try db.scalar(users.select(age.distinct.count)) == 2)
    #expect(try db.scalar(users.select(age.sum)) == 90)
    #expect(try db.scalar(users.select(age.average)) == 30)
    #expect(try db.scalar(users.select(id.max)) == 3)
    #expect(try db.scalar(users.exists))
    #expect(try db.scalar(users.filter(age > 90).exists) == false)
    let groups = try db.prepare(users.select(age, count(*)).group(age, having: count(*) > 1)).map { $0[count(*)] }
    #expect(groups == [2])
  }

  @Test(arguments: Place.allCases)
  func `transactions commit or undo`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.transaction {
      let rowid = try db.run(users.insert(email <- "betty@icloud.com"))
      try db.run(users.insert(email <- "cathy@icloud.com", managerId <- rowid))
    }
    #expect(try db.column(users.filter(managerId != nil), email) == ["cathy@icloud.com"])
    #expect(throws: Stop(name: "a")) {
      try db.transaction(.immediate) {
        try db.run(users.delete())
        throw Stop(name: "a")
      }
    }
    #expect(try db.scalar(users.count) == 2)
    #expect(!db.isInTransaction)
  }

  @Test(arguments: Place.allCases)
  func `full text is searched`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    let subject = Expression<String>("subject")
    let body = Expression<String>("body")
    let modules: [Module] = [
      .FTS4([subject, body], tokenize: .Porter), .FTS4([subject, body], tokenize: .Unicode61(tokenchars: ["."])),
      .FTS5(FTS5Config().columns([subject, body]).tokenizer(.Unicode61(removeDiacritics: true))),
      .FTS4(FTS4Config().column(subject).column(body, [.unindexed]).prefix([2, 4]).order(.desc)),
    ]
    for (number, module) in modules.enumerated() {
      let emails = VirtualTable("emails\(number)")
      try db.run(emails.create(module))
      try db.run(emails.insert(subject <- "Just Checking In", body <- "Hey, I was just wondering."))
      #expect(try db.column(emails.filter(emails.match("check*")), subject) == ["Just Checking In"])
      #expect(try db.column(emails.filter(subject.match("checking")), subject).count == 1)
      #expect(try db.column(emails.match("nothing") as VirtualTable, subject).isEmpty)
    }
    let places = VirtualTable("places")
    let (minX, maxX) = (Expression<Double>("minX"), Expression<Double>("maxX"))
    try db.run(places.create(.RTree(id, (minX, maxX))))
    try db.run(places.insert(id <- 1, minX <- -1.5, maxX <- 2.5))
    #expect(try db.column(places.filter(minX <= 0 && maxX >= 0), id) == [1])
  }

  @Test(arguments: Place.allCases)
  func `schemas change`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    let suffix = Expression<String?>("suffix")
    try db.run(users.addColumn(suffix, check: ["JR", "SR"].contains(suffix), defaultValue: "SR"))
    try db.run(users.createIndex(email, age, unique: true, ifNotExists: true))
    try db.run(users.dropIndex(email, age))
    try db.run(users.insert(email <- "a"))
    #expect(try db.pluck(users)?[suffix] == "SR")
    #expect(throws: Result.self) { try db.run(users.update(suffix <- "XX")) }
    try db.run(View("names").create(users.select(email)))
    #expect(try db.column(View("names"), email) == ["a"])
    try db.run(Table("copy").create(users.filter(id == 1)))
    try db.run(View("names").drop())
    try db.run(users.rename(Table("people")))
    #expect(try db.scalar(Table("people").count) == 1)
    try db.run(Table("people").drop())
    try db.run(Table("people").drop(ifExists: true))
    #expect(throws: Result.self) { try db.scalar(Table("people").count) }
  }

  @Test(arguments: Place.allCases)
  func `migrations follow the user version`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    #expect(db.sqliteVersion > SQLiteVersion(major: 3, minor: 37, point: 2))
    #expect("\(db.sqliteVersion)".hasPrefix("SQLite 3."))
    #expect(db.userVersion == 0)
    if db.userVersion == 0 {
      try db.createUsers()
      db.userVersion = 1
    }
    if db.userVersion == 1 {
      try db.run(users.addColumn(Expression<Int?>("score")))
      db.userVersion = 2
    }
    #expect(db.userVersion == 2)
    #expect(try db.integrityCheck().isEmpty)
  }

  @Test(arguments: Place.allCases)
  func `SQL of the program runs`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.execute(
      """
      BEGIN TRANSACTION;
      CREATE TABLE users (id INTEGER PRIMARY KEY NOT NULL, email TEXT UNIQUE NOT NULL, name TEXT);
      PRAGMA user_version = 1;
      COMMIT TRANSACTION;
      """)
    let insert = try db.prepare("INSERT INTO users (email) VALUES (?)")
    for address in ["betty@icloud.com", "cathy@icloud.com"] { try insert.run(address) }
    #expect(db.totalChanges == 2)
    let rows = try db.prepare("SELECT id, email FROM users WHERE id > $least ORDER BY id", ["$least": 0])
    let found = rows.map { "\($0[0] ?? "-") \($0[1] ?? "-")" }
    #expect(found == ["1 betty@icloud.com", "2 cathy@icloud.com"])
    #expect(rows.columnNames == ["id", "email"])
    #expect(try db.scalar("SELECT count(*) FROM users") as? Int64 == 2)
    #expect(try db.scalar("SELECT email FROM users WHERE id = ?2 OR id = ?1", 9, 2) as? String == "cathy@icloud.com")
    let iterator = try db.prepareRowIterator("SELECT email AS address FROM users WHERE id = :id", bindings: 1)
    #expect(try iterator.map { try $0.get(Expression<String>("address")) } == ["betty@icloud.com"])
  }

  @Test(arguments: Place.allCases)
  func `a count is of the rows that the query has`(_ place: Place) throws {
    let open = try place.open()
    let (a, n) = (Table("a"), Expression<Int>("n"))
    try open.db.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO a (n) VALUES (1), (1), (2)")
    #expect(try open.db.scalar(a.count) == 3)
    #expect(try open.db.scalar(a.limit(2).count) == 2)
    #expect(try open.db.scalar(a.order(n).limit(2, offset: 1).count) == 2)
    #expect(try open.db.scalar(a.limit(2, offset: 2).count) == 1)
    #expect(try open.db.scalar(a.select(n).group(n).count) == 2)
    #expect(try open.db.scalar(a.select(n).group(n, having: n.count > 1).count) == 1)
    #expect(try open.db.scalar(a.select(distinct: n).count) == 2)
    #expect(try open.db.scalar(a.filter(n == 1).union(all: true, a).count) == 5)
    #expect(try open.db.scalar(a.alias("x").limit(1).count) == 1)
    #expect(a.filter(n == 1).count.asSQL() == "SELECT count(*) FROM \"a\" WHERE (\"n\" = 1)")
    #expect(a.limit(2).count.asSQL() == "SELECT count(*) FROM (SELECT * FROM \"a\" LIMIT 2) AS \"a\"")
  }
}
