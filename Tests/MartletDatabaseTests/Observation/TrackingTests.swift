/// Which commits concern which reads: by tables, through views, triggers and foreign keys, and in every kind of
/// transaction.
///
/// Always true: whether an observer is due is known when the write returns, so nothing is waited for.
import Dispatch
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite struct TrackingTests {
  private static let script = """
    CREATE TABLE "a" ("id" INTEGER PRIMARY KEY, "n" INTEGER);
    CREATE TABLE "b" ("id" INTEGER PRIMARY KEY, "a" INTEGER REFERENCES "a" ("id") ON DELETE CASCADE);
    CREATE TABLE "log" ("text" TEXT);
    CREATE TABLE "c" ("id" INTEGER PRIMARY KEY, "n" INTEGER);
    CREATE TRIGGER "logged" AFTER DELETE ON "b" BEGIN INSERT INTO "log" VALUES ('gone'); END;
    CREATE VIEW "v" AS SELECT "id" FROM "a";
    CREATE TRIGGER "written" INSTEAD OF INSERT ON "v" BEGIN INSERT INTO "a" ("id") VALUES (NEW."id"); END;
    CREATE VIRTUAL TABLE "f" USING fts5("text");
    CREATE VIRTUAL TABLE "words" USING fts5vocab("f", "row");
    INSERT INTO "a" VALUES (1, 1), (2, 2);
    INSERT INTO "b" VALUES (1, 1);
    """

  private static func fetch(_ observer: DatabaseObserver, _ sql: String) throws {
    try observer.fetch { db in
      let rows = try SQLQueryExpression<Int>("\(raw: sql)").fetchCursor(db)
      while try rows.next() != nil {}
    }
  }

  /// What is read, what is written, and whether that concerns it.
  private static let cases: [(reads: String, writes: String, concerns: Bool)] = [
    (#"SELECT "n" FROM "a""#, #"INSERT INTO "a" VALUES (9, 9)"#, true),
    (#"SELECT "n" FROM "a""#, #"insert into A values (9, 9)"#, true),
    (#"SELECT "n" FROM "a""#, #"UPDATE main."a" SET "n" = 3"#, true),
    (#"SELECT "n" FROM "a""#, #"DELETE FROM "a""#, true),
    (#"SELECT "n" FROM "a""#, #"INSERT INTO "c" VALUES (9, 9)"#, false),
    (#"SELECT count(*) FROM "a""#, #"INSERT INTO "a" VALUES (9, 9)"#, true),
    (#"SELECT count(*) FROM "a""#, #"INSERT INTO "c" VALUES (9, 9)"#, false),
    // Of a table of which no column is read SQLite tells the name as it is written.
    (#"SELECT count(*) FROM "A""#, #"INSERT INTO "a" VALUES (9, 9)"#, true),
    (#"SELECT count(*) FROM MAIN."A""#, #"INSERT INTO "a" VALUES (9, 9)"#, true),
    (#"SELECT count(*) FROM "A""#, #"INSERT INTO "c" VALUES (9, 9)"#, false),
    (#"SELECT EXISTS (SELECT 1 FROM LOG)"#, #"DELETE FROM A WHERE "id" = 1"#, true),
    (#"SELECT count(*) FROM PRAGMA_USER_VERSION"#, #"INSERT INTO "c" VALUES (9, 9)"#, true),
    (#"SELECT EXISTS (SELECT 1 FROM "a")"#, #"DELETE FROM "a""#, true),
    (#"WITH q AS (SELECT "n" FROM "a") SELECT count(*) FROM q"#, #"UPDATE "a" SET "n" = 3"#, true),
    (#"SELECT "a"."id" FROM "a" JOIN "b" ON "b"."a" = "a"."id""#, #"INSERT INTO "b" VALUES (2, 2)"#, true),
    (#"SELECT "id" FROM "v""#, #"UPDATE "a" SET "n" = 3"#, true),
    (#"SELECT "id" FROM "a""#, #"INSERT INTO "v" VALUES (7)"#, true),
    (#"SELECT "id" FROM "b""#, #"DELETE FROM "a" WHERE "id" = 1"#, true),
    (#"SELECT count(*) FROM "log""#, #"DELETE FROM "a" WHERE "id" = 1"#, true),
    (#"SELECT count(*) FROM "log""#, #"UPDATE "a" SET "n" = 3"#, false),
    (#"SELECT count(*) FROM "f" WHERE "f" MATCH 'x'"#, #"INSERT INTO "f" VALUES ('x y')"#, true),
    (#"SELECT count(*) FROM "f" WHERE "f" MATCH 'x'"#, #"INSERT INTO "c" VALUES (9, 9)"#, false),
    (#"SELECT "doc" FROM "words""#, #"INSERT INTO "f" VALUES ('x y')"#, true),
    (#"SELECT "n" FROM "a""#, #"INSERT INTO "f" VALUES ('x y')"#, false),
    (#"SELECT "n" FROM "a""#, #"WITH q AS (SELECT 9) INSERT INTO "c" SELECT 9, 9 FROM q"#, false),
    (#"SELECT "n" FROM "a""#, #"CREATE TABLE "z" ("id" INTEGER)"#, true),
    (#"SELECT "n" FROM "a""#, #"DROP TABLE "c""#, true),
    (#"SELECT "n" FROM "a""#, #"ALTER TABLE "c" ADD COLUMN "m" INTEGER"#, true),
    (#"SELECT "n" FROM "a""#, #"EXPLAIN UPDATE "a" SET "n" = 3"#, false),
    (#"SELECT "n" FROM "a""#, #"SELECT "n" FROM "a""#, false),
    (#"SELECT "user_version" FROM pragma_user_version"#, #"PRAGMA user_version = 3"#, true),
    (#"SELECT count(*) FROM sqlite_schema"#, #"CREATE INDEX "i" ON "c" ("n")"#, true),
    (#"SELECT 1"#, #"DELETE FROM "a""#, false),
  ]

  @Test(arguments: Home.embedded, cases.indices)
  func `a commit concerns those who read what it wrote`(home: Home, index: Int) throws {
    let (reads, writes, concerns) = Self.cases[index]
    let open = try home.open(hasSchema: false)
    try open.database.write { try $0.execute(sql: Self.script) }
    let observer = DatabaseObserver(open.database)
    #expect(observer.isDue)
    // Twice, because the second time the statement is compiled already.
    try Self.fetch(observer, reads)
    try Self.fetch(observer, reads)
    #expect(!observer.isDue)
    try open.database.write { try $0.execute(sql: writes) }
    #expect(observer.isDue == concerns, "\(writes) for \(reads)")
  }

  @Test(arguments: Home.embedded)
  func `statements of the builder are tracked, compiled and cached`(home: Home) throws {
    let open = try home.open()
    let observer = DatabaseObserver(open.database)
    for price in [1.0, 2, 3] {
      try observer.fetch { _ = try Item.order(by: \.id).fetchAll($0) }
      try open.database.write { try Owner.find(1).update { $0.name = "Al" }.execute($0) }
      #expect(!observer.isDue)
      try open.database.write { try Item.find(1).update { $0.price = price }.execute($0) }
      #expect(observer.isDue)
    }
    try observer.fetch { _ = try Item.fetchCount($0) }
    try open.database.write { try $0.seed { Owner(id: 7, name: "Cy") } }
    #expect(!observer.isDue)
    _ = try open.database.write { try Item.find(1).delete().returning(\.id).fetchOne($0) }
    #expect(observer.isDue)
  }

  @Test(arguments: Home.embedded)
  func `what is undone concerns nobody`(home: Home) throws {
    struct Undo: Error {}
    let open = try home.open()
    let database = open.database
    let observer = DatabaseObserver(database)
    try observer.fetch { _ = try Item.fetchAll($0) }
    #expect(throws: Undo.self) {
      try database.write { db in
        try Item.find(1).delete().execute(db)
        throw Undo()
      }
    }
    #expect(throws: RequestError.self) {
      // The owner is missing, which the commit finds out.
      try database.write { db in try Item.find(1).update { $0.ownerID = 99 }.execute(db) }
    }
    try database.writeWithoutTransaction { db in
      try db.inTransaction {
        try Item.find(1).delete().execute(db)
        return Database.TransactionCompletion.rollback
      }
      try db.execute(sql: #"BEGIN IMMEDIATE; DELETE FROM "items"; ROLLBACK"#)
    }
    #expect(!observer.isDue)
    try database.write { try Item.find(1).delete().execute($0) }
    #expect(observer.isDue)
  }

  /// Ways to change a price, and whether they are told of before their closure ends.
  private static let writes: [(String, @Sendable (Database) throws -> Void)] = [
    ("a statement", { try Item.find(1).update { $0.price = 1 }.execute($0) }),
    ("a transaction", { db in try db.inTransaction { try Item.find(1).update { $0.price = 1 }.execute(db) } }),
    ("a savepoint", { db in try db.inSavepoint { try Item.find(1).update { $0.price = 1 }.execute(db) } }),
    ("a script", { try $0.execute(sql: #"BEGIN; UPDATE "items" SET "price" = 1; COMMIT"#) }),
    ("a cursor", { _ = try Item.find(1).update { $0.price = 1 }.returning(\.id).fetchCursor($0).all() }),
  ]

  @Test(arguments: Home.embedded, writes.indices)
  func `each commit is told when it happens, whatever comes after it`(home: Home, index: Int) throws {
    struct Later: Error {}
    let (name, write) = Self.writes[index]
    let open = try home.open()
    let observer = DatabaseObserver(open.database)
    try observer.fetch { _ = try Item.fetchAll($0) }
    #expect(throws: Later.self) {
      try open.database.writeWithoutTransaction { db in
        try write(db)
        #expect(observer.isDue, "\(name)")
        throw Later()
      }
    }
    #expect(observer.isDue, "\(name)")
  }

  @Test(arguments: Home.embedded)
  func `a write is told of when readers can see it`(home: Home) throws {
    let open = try home.open()
    let observer = DatabaseObserver(open.database)
    try observer.fetch { _ = try Item.fetchAll($0) }
    try open.database.write { db in
      try Item.find(1).update { $0.price = 1 }.execute(db)
      #expect(!observer.isDue)
    }
    #expect(observer.isDue)
    let price = try observer.fetch { try Item.find($0, key: 1).price }
    #expect(price.map { $0 == 1 } == true)
  }

  @Test(arguments: Home.embedded)
  func `a cached statement learns of a trigger that came later`(home: Home) throws {
    let open = try home.open()
    let observer = DatabaseObserver(open.database)
    func raise() throws { try open.database.write { try Item.find(1).update { $0.price += 1 }.execute($0) } }
    try raise()
    try open.database.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER "renamed" AFTER UPDATE ON "items" BEGIN UPDATE "owners" SET "name" = 'x' WHERE "id" = 1; END
          """)
    }
    try observer.fetch { _ = try Owner.fetchAll($0) }
    try raise()
    #expect(observer.isDue)
  }

  @Test(arguments: Home.embedded)
  func `a cached query learns of a view that was made anew`(home: Home) throws {
    let open = try home.open()
    let observer = DatabaseObserver(open.database)
    let read = #"SELECT "id" FROM "seen""#
    try open.database.write { try $0.execute(sql: #"CREATE VIEW "seen" AS SELECT "id" FROM "items""#) }
    try Self.fetch(observer, read)
    try open.database.write {
      try $0.execute(sql: #"DROP VIEW "seen"; CREATE VIEW "seen" AS SELECT "id" FROM "owners""#)
    }
    try Self.fetch(observer, read)
    try open.database.write { try Owner.find(2).delete().execute($0) }
    #expect(observer.isDue)
  }

  @Test func `temporary views are followed, and making them on a new connection concerns nobody`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: #"CREATE TEMPORARY VIEW "seen" AS SELECT "id" FROM "items""#)
    }
    let open = try Home.pool.open(configuration)
    let database = open.database
    let observer = DatabaseObserver(database)
    try Self.fetch(observer, #"SELECT "id" FROM "seen""#)
    try database.read { _ in
      // A second reader is opened, because the first is in use.
      let isRead = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        let count = try? database.read { try Item.fetchCount($0) }
        #expect(count != nil)
        isRead.signal()
      }
      isRead.wait()
    }
    #expect(!observer.isDue)
    try database.write { try Item.find(1).delete().execute($0) }
    #expect(observer.isDue)
  }

  @Test(arguments: Home.embedded)
  func `a fetch that fails is due after any commit`(home: Home) throws {
    let open = try home.open()
    let observer = DatabaseObserver(open.database)
    #expect(throws: RequestError.self) { try Self.fetch(observer, #"SELECT "id" FROM "missing""#) }
    #expect(!observer.isDue)
    try open.database.write { try $0.execute(sql: #"CREATE TABLE "missing" ("id" INTEGER)"#) }
    #expect(observer.isDue)
    try Self.fetch(observer, #"SELECT "id" FROM "missing""#)
  }
}
