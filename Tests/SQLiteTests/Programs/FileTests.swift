import Foundation
import SQLite
import Testing

/// What is done with a file as a whole.
@Suite struct FileTests {
  @Test(arguments: Place.embedded, Place.embedded)
  func `a database is copied over another`(_ from: Place, _ to: Place) throws {
    let (source, target) = (try from.open(), try to.open())
    try source.db.createUsers()
    try source.db.run(users.insertMany((0..<5000).map { [email <- "user number \($0)"] }))
    // The target knows another schema, and has compiled statements of it.
    try target.db.execute("CREATE TABLE users (id INTEGER, other TEXT); INSERT INTO users VALUES (1, 'x')")
    #expect(try target.db.scalar(users.count) == 1)
    let backup = try source.db.backup(usingConnection: target.db)
    try backup.step(pagesToCopy: .limited(number: 1))
    #expect(backup.pageCount > 10)
    #expect(backup.remainingPages == backup.pageCount - 1)
    while backup.remainingPages > 0 { try backup.step(pagesToCopy: .limited(number: 20)) }
    try backup.step()
    backup.finish()
    #expect(try target.db.scalar(users.count) == 5000)
    #expect(try target.db.integrityCheck().isEmpty)
    try target.db.run(users.insert(email <- "one more"))
    #expect(try target.db.schema.columnDefinitions(table: "users").count == 6)
    #expect(try source.db.scalar(users.count) == 5000)
  }

  @Test func `a copy that is given up is undone`() throws {
    let (source, target) = (try Place.memory.open().db, try Place.file.open())
    try source.createUsers()
    try source.run(users.insertMany((0..<5000).map { [email <- "user number \($0)"] }))
    try target.db.execute("CREATE TABLE mine (id INTEGER)")
    do {
      let backup = try source.backup(usingConnection: target.db)
      try backup.step(pagesToCopy: .limited(number: 2))
    }
    #expect(try target.db.schema.tableDefinitions().map(\.name) == ["mine"])
    try target.db.run("INSERT INTO mine VALUES (1)")
  }

  @Test func `copies that go both ways do not wait for each other`() throws {
    let (first, second) = (try Place.memory.open().db, try Place.memory.open().db)
    try first.createUsers()
    try second.createUsers()
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      for _ in 0..<200 {
        let (from, to) = number == 0 ? (first, second) : (second, first)
        try? from.backup(usingConnection: to).step()
      }
    }
    #expect(try first.scalar(users.count) == 0)
  }

  @Test func `the log is moved into the file`() throws {
    let open = try Place.file.open()
    try open.db.createUsers()
    try open.db.run(users.insertMany((0..<1000).map { [email <- "u\($0)"] }))
    let checkpoint = try open.db.checkpoint(.truncate)
    #expect(same(checkpoint.logPages, checkpoint.movedPages))
    #expect(!checkpoint.isBusy)
    #expect(try FileManager.default.attributesOfItem(atPath: open.path + "-wal")[.size] as? Int == 0)
    #expect(throws: Result.self) {
      try open.db.transaction {
        try open.db.run(users.delete())
        try open.db.checkpoint()
      }
    }
    #expect(try open.db.scalar(users.count) == 1000)
  }

  @Test func `the journal and the disk's word are settings`() throws {
    let open = try Place.file.open()
    let db = open.db
    #expect(same(db.journalMode, .wal))
    #expect(same(db.synchronous, .full))
    db.synchronous = .normal
    #expect(same(db.synchronous, .normal))
    db.journalMode = .delete
    #expect(same(db.journalMode, .delete))
    try db.createUsers()
    db.journalMode = .off
    #expect(!same(db.journalMode, .off))
    db.journalMode = .wal
    #expect(same(db.journalMode, .wal))
    try db.run(users.insert(email <- "a"))
    #expect(try open.another().scalar(users.count) == 1)
    let server = try Place.server.open().db
    #expect(same(server.journalMode, .wal))
    server.synchronous = .off
    #expect(same(server.synchronous, .full))
  }

  @Test func `what a server does not do is said`() throws {
    let open = try Place.server.open()
    let memory = try Place.memory.open().db
    let calls: [() throws -> Void] = [
      { try open.db.checkpoint() }, { _ = try open.db.backup(usingConnection: memory) },
      { _ = try memory.backup(usingConnection: open.db) }, { try open.db.registerTokenizer("t") { _ in nil } },
    ]
    for call in calls { fails(call) { "\($0)".contains("at a server") } }
  }

  @Test func `a query that was prepared and not read does not keep the connection in the past`() throws {
    let open = try Place.file.open()
    let (table, n) = (Table("t"), Expression<Int>("n"))
    try open.db.execute("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
    let prepared = try open.db.prepare(table)
    let other = try open.another()
    try other.run(table.insert(n <- 2))
    #expect(try open.db.scalar(table.count) == 2)
    try open.db.run(table.insert(n <- 3))
    #expect(prepared.map { $0[n] } == [1, 2, 3])
    fails({ _ = try open.db.prepare(Table("missing")) }) { "\($0)".contains("no such table: missing") }
  }
}
