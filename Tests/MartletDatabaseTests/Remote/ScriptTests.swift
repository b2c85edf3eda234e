// Members of C's time are declared there if the compiler has read Dispatch before.
import CoreFoundation
import Foundation
import MartletDatabase
import MartletQuery
/// Scripts with transactions of their own mean the same in a file of the program's and at a server.
import MartletValues
import Testing

@Suite struct ScriptTests {
  private func titles(_ database: any DatabaseWriter) throws -> [String] {
    try database.read { try Item.order(by: \.id).fetchAll($0).map(\.title) }
  }

  @Test(arguments: Home.allCases)
  func `a script's transactions are committed and undone as it says`(home: Home) throws {
    let open = try home.open()
    let before = try titles(open.database)
    try open.database.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; INSERT INTO items(title) VALUES ('a'); ROLLBACK;")
      try db.execute(sql: "begin immediate transaction; INSERT INTO items(title) VALUES ('b'); end")
      try db.execute(
        sql: """
          SAVEPOINT one; INSERT INTO items(title) VALUES ('c'); -- ; COMMIT
          SAVEPOINT "two"; INSERT INTO items(title) VALUES ('d'); ROLLBACK TO two; RELEASE ONE
          """)
    }
    #expect(try titles(open.database) == before + ["b", "c"])
  }

  @Test(arguments: Home.allCases)
  func `statements between two calls are in the transaction that the first began`(home: Home) throws {
    let open = try home.open()
    let before = try titles(open.database)
    try open.database.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN")
      #expect(db.isInsideTransaction)
      try Item.insert { Item.Draft(title: "typed") }.execute(db)
      #expect(try Item.all.fetchAll(db).count == before.count + 1)
      try db.execute(sql: "ROLLBACK")
      #expect(!db.isInsideTransaction)
      try Item.insert { Item.Draft(title: "kept") }.execute(db)
    }
    #expect(try titles(open.database) == before + ["kept"])
  }

  @Test(arguments: Home.allCases)
  func `the last write is known, or a script that asks for it fails`(home: Home) throws {
    let open = try home.open()
    let before = try titles(open.database)
    let ask = "UPDATE items SET title = title || '!' WHERE id = last_insert_rowid()"
    try open.database.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; INSERT INTO items(title) VALUES ('a'); \(ask); COMMIT")
    }
    #expect(try titles(open.database) == before + ["a!"])
    // Without a transaction a server has forgotten it, and must not go on with 0.
    var refusal: RequestError?
    do {
      try open.database.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO items(title) VALUES ('b'); \(ask)")
      }
    } catch let error as RequestError {
      refusal = error
    }
    #expect(try titles(open.database) == before + ["a!", refusal == nil ? "b!" : "b"])
    if let refusal { #expect(refusal.message.contains("last_insert_rowid()")) }
  }

  @Test(arguments: Home.allCases)
  func `the last write is known, or a statement of the builder that asks for it fails`(home: Home) async throws {
    let open = try home.open()
    let database = open.database
    let id = SQLQueryExpression("Last_Insert_RowID( )", as: Int.self)
    let asks: [@Sendable (Database) throws -> Int?] = [
      { try SQLQueryExpression("SELECT last_insert_rowid()", as: Int.self).fetchOne($0) },
      { try Item.find(id).select(\.id).fetchAll($0).first },
      { try Item.find(id).update { $0.price = 7 }.returning(\.id).fetchOne($0) },
    ]
    for (index, ask) in asks.enumerated() {
      let (made, found) = try await database.write { db in
        try Item.insert { Item.Draft(title: "in \(index)") }.execute(db)
        return (db.lastInsertRowID, try ask(db))
      }
      #expect(found.map { Int64($0) == made } == true, "\(index)")
      do {
        let (made, found) = try await database.writeWithoutTransaction { db in
          try Item.insert { Item.Draft(title: "alone \(index)") }.execute(db)
          return (db.lastInsertRowID, try ask(db))
        }
        #expect(Home.embedded.contains(home) && found.map { Int64($0) == made } == true, "\(index)")
      } catch let error as RequestError {
        #expect(!Home.embedded.contains(home) && error.message.contains("last_insert_rowid()"), "\(index)")
      }
    }
    guard let remote = database as? RemoteDatabase else { return }
    await #expect(throws: RequestError.self) { try await Item.find(id).fetchOne(remote) }
    await #expect(throws: RequestError.self) { try await Item.find(id).delete().execute(remote) }
    // These are words like any other if they call nothing.
    let changes = try await SQLQueryExpression("SELECT count(*) AS changes FROM items", as: Int.self).fetchOne(remote)
    #expect(changes.map { $0 > 3 } == true)
  }

  @Test(arguments: Home.allCases)
  func `a transaction that is left open is undone and told`(home: Home) throws {
    let open = try home.open()
    let before = try titles(open.database)
    let error = #expect(throws: RequestError.self) {
      try open.database.writeWithoutTransaction { try $0.execute(sql: "BEGIN; INSERT INTO items(title) VALUES ('x')") }
    }
    #expect(error?.reason == .transactionEnded)
    #expect(try titles(open.database) == before)
    // The writer is free.
    try open.database.write { try $0.execute(sql: "INSERT INTO items(title) VALUES ('y')") }
  }

  @Test(arguments: Home.allCases)
  func `a statement that fails ends the script and undoes its transaction`(home: Home) throws {
    let open = try home.open()
    let before = try titles(open.database)
    #expect(throws: RequestError.self) {
      try open.database.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN; INSERT INTO items(title) VALUES ('x'); INSERT INTO nowhere VALUES (1); COMMIT")
      }
    }
    #expect(try titles(open.database) == before)
  }

  @Test(arguments: Home.allCases)
  func `inside of a write the library's transaction is the only one`(home: Home) throws {
    let open = try home.open()
    for sql in ["COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT a"] {
      let error = #expect(throws: RequestError.self) { try open.database.write { try $0.execute(sql: sql) } }
      #expect(error?.reason == .notAllowed, "\(sql)")
    }
  }

  @Test(arguments: Home.allCases)
  func `VACUUM, ANALYZE, REINDEX and PRAGMA optimize run everywhere`(home: Home) throws {
    let open = try home.open()
    try open.database.writeWithoutTransaction { db in
      for sql in ["VACUUM", "ANALYZE", "REINDEX", "PRAGMA optimize", "vacuum main;"] { try db.execute(sql: sql) }
    }
    let error = #expect(throws: RequestError.self) { try open.database.write { try $0.execute(sql: "VACUUM") } }
    #expect(error?.message.contains("cannot VACUUM from within a transaction".dropFirst()) == true)
  }

  /// How long this thread has run: what else the machine does is no part of it.
  private static var threadTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Duration.seconds(time.tv_sec) + Duration.nanoseconds(time.tv_nsec)
  }

  @Test(arguments: Home.embedded)
  func `a long script takes about as long as its statements one by one`(home: Home) throws {
    let open = try home.open()
    let statement = "UPDATE items SET title = title WHERE id = -1;\n"
    let count = 20_000
    let script = String(repeating: statement, count: count)
    try open.database.write { db in
      let start = Self.threadTime
      for _ in 0..<count { try db.execute(sql: statement) }
      let middle = Self.threadTime
      try db.execute(sql: script)
      let (oneByOne, together) = (middle - start, Self.threadTime - middle)
      #expect(together < oneByOne * 3, "\(together), one by one \(oneByOne)")
    }
  }

  @Test(arguments: Home.allCases)
  func `a zero byte in a script is refused, and what stands before it is done`(home: Home) throws {
    let open = try home.open()
    let before = try titles(open.database)
    let error = #expect(throws: RequestError.self) {
      try open.database.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO items(title) VALUES ('a'); \0 INSERT INTO items(title) VALUES ('b')")
      }
    }
    #expect(error.map(\.description)?.hasPrefix("INVALID_") ?? false, "\(String(describing: error))")
    #expect(try titles(open.database) == before + ["a"])
  }
}
