import Foundation
import MartletDatabase
import SQLite
import Testing

/// What a connection does beside statements that succeed.
@Suite struct ConnectionTests {
  @Test(arguments: Place.allCases)
  func `a closed connection says so`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    let statement = try db.prepare("SELECT 1")
    db.close()
    db.close()
    for call in [
      { _ = try db.scalar(users.count) }, { try db.run(users.delete()) }, { try db.execute("SELECT 1") },
      { _ = try statement.run() }, { try db.transaction {} }, { _ = try db.prepare(users) },
    ] as [() throws -> Void] {
      fails(call) { "\($0)".hasPrefix("The connection was closed.") }
    }
    #expect(db.changes == 0 && db.lastInsertRowid == 0)
  }

  @Test(arguments: [Place.file, .server])
  func `a readonly connection refuses writes`(_ place: Place) throws {
    let open = try place.open()
    try open.db.createUsers()
    try open.db.run(users.insert(email <- "a"))
    let reader = try open.another(readonly: true)
    #expect(reader.readonly)
    #expect(try reader.column(users, email) == ["a"])
    #expect(throws: Result.self) { try reader.run(users.delete()) }
    #expect(throws: Result.self) { try reader.execute("DELETE FROM users") }
    #expect(throws: Result.self) { try reader.run("DELETE FROM users") }
    #expect(throws: Result.self) { try reader.run(users.drop()) }
    #expect(try open.db.scalar(users.count) == 1)
  }

  @Test func `a file that is no database is refused`() throws {
    let path = NSTemporaryDirectory() + "no-database-\(UUID().uuidString)"
    try Data("This is a text and no database at all, however long it may be.".utf8).write(
      to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: Result.self) { try Connection(path).scalar("SELECT count(*) FROM sqlite_schema") }
    #expect(throws: Result.self) { try Connection("/no/such/directory/file.sqlite3") }
    #expect(throws: Result.self) { try Connection("/no/such/file.sqlite3", readonly: true) }
  }

  @Test func `parameters that mean nothing here are refused`() throws {
    let path = NSTemporaryDirectory() + "uri-\(UUID().uuidString)"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    try Connection(.uri(path, parameters: [.mode(.readWriteCreate), .cache(.private)])).createUsers()
    #expect(try Connection(.uri(path, parameters: [.mode(.readOnly)])).readonly)
    #expect(!(try Connection(.uri(path, parameters: [.mode(.readWrite), .immutable(false), .nolock(false)])).readonly))
    for parameter in [.vfs("unix-none"), .cache(.shared), .immutable(true), .nolock(true)] as [URIQueryParameter] {
      fails {
        _ = try Connection(.uri(path, parameters: [parameter]))
      } check: {
        "\($0)".contains("\(parameter)")
      }
    }
    fails {
      _ = try Connection(.uri(path + "-none", parameters: [.mode(.readWrite)]))
    } check: {
      "\($0)".contains("There is no file") && "\($0)".contains("(code: 14)")
    }
    #expect(!FileManager.default.fileExists(atPath: path + "-none"))
  }

  @Test(arguments: Place.allCases)
  func `errors have SQLite's words and codes`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insert(email <- "a"))
    let faults: [(String, Int32, () throws -> Void)] = [
      ("UNIQUE constraint failed: users.email", 19, { try db.run(users.insert(email <- "a")) }),
      ("NOT NULL constraint failed: users.email", 19, { try db.run(users.insert(name <- "x")) }),
      ("no such table: nope", 1, { _ = try db.prepare(Table("nope")) }),
      ("no such column: nope", 1, { _ = try db.scalar("SELECT nope FROM users") }),
    ]
    for (message, code, fault) in faults {
      fails(fault) { error in
        guard case Result.error(let found, let number, _)? = error as? Result else { return false }
        return found == message && number == code
      }
    }
    db.usesExtendedErrorCodes = true
    fails({ try db.run(users.insert(email <- "a")) }) { error in
      guard case Result.extendedError(_, let number, _)? = error as? Result else { return false }
      return number == 2067 && "\(error)".hasSuffix("(extended code: 2067)")
    }
  }

  @Test(arguments: Place.allCases)
  func `errors of typed statements have the statement without its values`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insert(email <- "secret"))
    let nope = Expression<Int>("nope")
    let faults: [(String, () throws -> Void)] = [
      ("INSERT INTO \"users\" (\"email\") VALUES (?)", { try db.run(users.insert(email <- "secret")) }),
      ("SELECT * FROM \"users\" WHERE (\"nope\" = ?)", { _ = try db.prepare(users.filter(nope == 7)) }),
      ("SELECT * FROM \"users\" WHERE (\"nope\" = ?) LIMIT 1", { _ = try db.pluck(users.filter(nope == 7)) }),
      ("SELECT count(*) FROM \"users\" WHERE (\"nope\" = ?)", { _ = try db.scalar(users.filter(nope == 7).count) }),
      ("DELETE FROM \"users\" WHERE (\"nope\" = ?)", { try db.run(users.filter(nope == 7).delete()) }),
      ("DROP TABLE \"nope\"", { try db.run(Table("nope").drop()) }),
    ]
    for (sql, fault) in faults {
      fails(fault) { error in
        guard case Result.error(_, _, let statement)? = error as? Result else { return false }
        return statement?.description == sql && "\(error)".contains("(\(sql)) (code: ")
          && !"\(error)".contains("secret")
      }
    }
    // A statement of thousands of rows does not fill a log.
    fails({ try db.run(users.insertMany((0..<5000).map { _ in [email <- "secret"] })) }) { "\($0)".count < 1_200 }
  }

  @Test(arguments: Place.allCases)
  func `a connection is described by its place`(_ place: Place) throws {
    let open = try place.open()
    switch place {
    case .memory: #expect(open.db.description == "")
    case .file: #expect(open.db.description == URL(fileURLWithPath: open.path).path)
    case .server: #expect(open.db.description.hasPrefix("martlet"))
    }
    #expect(try Connection(.temporary).description == "")
  }

  @Test(arguments: Place.allCases)
  func `bindings that do not fit are errors`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    fails({ _ = try db.scalar("SELECT ?, ?", 1) }) { "\($0)".contains("2 values expected, 1 passed.") }
    fails({ _ = try db.scalar("SELECT 1", 1) }) { "\($0)".contains("0 values expected, 1 passed.") }
    fails({ _ = try db.scalar("SELECT :a", [":b": 1]) }) { "\($0)".contains("no parameter :b") }
    #expect(try db.scalar("SELECT :a + :b + :a", ["a": 1, ":b": 10]) as? Int64 == 12)
    #expect(try db.scalar("SELECT 'a?b' || ?", "c") as? String == "a?bc")
    #expect(try db.scalar("SELECT ?") == nil)
  }

  @Test(arguments: ["?0", "?32767", "?99999999999999999999", "?1, ?0"], Place.allCases)
  func `a number that no parameter can have is an error`(_ parameter: String, _ place: Place) throws {
    let open = try place.open()
    fails({ _ = try open.db.scalar("SELECT \(parameter)", 5) }) {
      "\($0)".contains("variable number must be between ?1 and ?32766")
    }
    #expect(try open.db.scalar("SELECT ?2", 5, 6) as? Int64 == 6)
  }

  @Test(arguments: Place.allCases)
  func `nasty values come back`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    let table = Table("t")
    try db.run(
      table.create { t in
        t.column(id, primaryKey: true)
        t.column(stringOptional)
        t.column(doubleOptional)
        t.column(int64Optional)
        t.column(blobOptional)
      })
    let texts = ["", "a\0b", "it's \"quoted\"", "🌍", String(repeating: "x", count: 100_000)]
    let reals = [0.0, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1]
    let integers = [Int64.min, -1, 0, 1, .max]
    for index in 0..<5 {
      try db.run(
        table.insert(
          stringOptional <- texts[index], doubleOptional <- reals[index], int64Optional <- integers[index],
          blobOptional <- Blob(bytes: [UInt8](repeating: UInt8(index), count: index * 1000))))
    }
    try db.run(table.insert())
    let rows = try db.prepareRowIterator(table.order(id)).map { $0 }
    #expect(rows.prefix(5).map { $0[stringOptional] } == texts)
    #expect(rows.prefix(5).map { $0[doubleOptional] } == reals)
    #expect(rows.prefix(5).map { $0[int64Optional] } == integers)
    #expect(rows.prefix(5).map { $0[blobOptional]?.length } == [0, 1000, 2000, 3000, 4000])
    #expect(rows[5][stringOptional] == nil && rows[5][blobOptional] == nil)
    for index in 0..<5 {
      let found = table.filter(stringOptional == texts[index] && int64Optional == integers[index])
      #expect(try db.scalar(found.count) == 1)
    }
  }

  @Test(arguments: Place.allCases)
  func `statements run beside each other`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insertMany((1...50).map { [email <- "u\($0)"] }))
    var seen = 0
    for user in try db.prepare(users.order(id)) {
      seen += 1
      #expect(try db.scalar(users.filter(id == user[id]).count) == 1)
    }
    #expect(seen == 50)
    let statement = try db.prepare("SELECT id FROM users ORDER BY id")
    #expect(try statement.failableNext()?[0] as? Int64 == 1)
    #expect(try db.scalar(users.count) == 50)
    #expect(try statement.failableNext()?[0] as? Int64 == 2)
    #expect(try db.run(users.filter(id == 2).delete()) == 1)
    statement.reset()
    #expect(statement.map { $0[0] as? Int64 }.prefix(2) == [1, 3])
  }

  @Test(arguments: Place.allCases)
  func `a prepared query runs anew each time`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    let all = try db.prepare(users)
    #expect(all.map { $0[email] } == [])
    try db.run(users.insert(email <- "a"))
    #expect(all.map { $0[email] } == ["a"])
    try db.run(users.insert(email <- "b"))
    #expect(all.map { $0[email] } == ["a", "b"])
  }

  @Test(arguments: Place.allCases)
  func `another thread interrupts a statement`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // Again and again, because one that comes before the statement runs interrupts nothing.
      while isOver.wait(timeout: .now() + .milliseconds(20)) == .timedOut { db.interrupt() }
    }
    fails({ _ = try db.scalar(endless) }) { error in
      guard case Result.error(_, 9, _)? = error as? Result else { return false }
      return true
    }
    isOver.signal()
    #expect(try db.scalar("SELECT 1") as? Int64 == 1)
  }

  @Test(arguments: Place.allCases)
  func `tasks use a connection without blocking`(_ place: Place) async throws {
    let open = try place.open()
    let db = open.db
    try await db.perform { try $0.createUsers() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { _ = try await db.perform { try $0.run(users.insert(email <- "\(number)")) } }
      }
      try await group.waitForAll()
    }
    #expect(try await db.perform { try $0.scalar(users.count) } == 20)
  }

  @Test(arguments: Place.allCases)
  func `the builder's statements run in the same transaction`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try? db.transaction {
      try db.run(users.insert(email <- "a"))
      try db.withDatabase { try $0.execute(sql: "INSERT INTO users (email) VALUES (?)", arguments: ["b"]) }
      #expect(try db.scalar(users.count) == 2)
      throw Stop()
    }
    #expect(try db.scalar(users.count) == 0)
  }

  @Test func `a temporary database is gone with its connection`() throws {
    let db = try Connection(.temporary)
    try db.createUsers()
    try db.run(users.insertMany((0..<2000).map { [email <- "u\($0)"] }))
    #expect(try db.scalar(users.count) == 2000)
    #expect(try Connection(.temporary).scalar("SELECT count(*) FROM sqlite_schema") as? Int64 == 0)
  }

  @Test func `a file is attached beside another`() throws {
    let (first, second) = (try Place.file.open(), try Place.file.open())
    try second.db.createUsers()
    try second.db.run(users.insert(email <- "other"))
    second.db.close()
    try first.db.attach(.uri(second.path), as: "other")
    #expect(try first.db.column(Table("users", database: "other"), email) == ["other"])
    try first.db.detach("other")
    #expect(throws: Result.self) { try first.db.scalar(Table("users", database: "other").count) }
    #expect(throws: Result.self) { try Place.server.open().db.attach(.uri(second.path), as: "other") }
  }

  @Test func `a function may use its own connection`() throws {
    let db = try Place.memory.open().db
    try db.createUsers()
    try db.run(users.insertMany((1...5).map { [email <- "u\($0)", age <- $0] }))
    db.createFunction("older_than", argumentCount: 1) { arguments in
      (arguments[0] as? Int64).flatMap { years in try? db.scalar(users.filter(age > Int(years)).count) }
    }
    let counts = try db.prepare("SELECT older_than(age) FROM users ORDER BY id").map { $0[0] as? Int64 }
    #expect(counts == [4, 3, 2, 1, 0])
    #expect(try db.scalar(users.count) == 5)
  }

  @Test(arguments: Place.allCases)
  func `rows may be let go of on any thread`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insertMany((0..<500).map { [email <- "u\($0)"] }))
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<50 {
        let rows = try? db.prepareRowIterator(users)
        _ = try? rows?.failableNext()
        let statement = try? db.prepare("SELECT email FROM users")
        _ = try? statement?.failableNext()
      }
    }
    #expect(try db.scalar(users.count) == 500)
    #expect(try db.run(users.delete()) == 500)
  }
}
