import Foundation
import SQLite
import Testing

/// Tables that are made and changed by definitions of columns.
@Suite struct SchemaChangerTests {
  private func columns(_ db: Connection, _ table: String = "users") throws -> [String] {
    try db.schema.columnDefinitions(table: table).map(\.name)
  }

  @Test(arguments: Place.allCases)
  func `a table is made with its indexes`(_ place: Place) throws {
    let open = try place.open()
    let changer = SchemaChanger(connection: open.db)
    try changer.create(table: "things") { table in
      table.add(column: .init(name: "id", primaryKey: .init(autoIncrement: true), type: .INTEGER))
      table.add(column: .init(name: "title", type: .TEXT, nullable: false, defaultValue: .stringLiteral("none")))
      table.add(column: .init(name: "made", type: .TEXT, defaultValue: .CURRENT_DATE))
      table.add(expression: Expression<Double?>("price"))
      table.add(expression: Expression<Int>("count"))
      table.add(index: .init(table: "things", name: "by_title", columns: ["title"], orders: ["title": .DESC]))
    }
    #expect(try columns(open.db, "things") == ["id", "title", "made", "price", "count"])
    #expect(try open.db.schema.indexDefinitions(table: "things").map(\.name) == ["by_title"])
    try open.db.run("INSERT INTO things (count) VALUES (1)")
    #expect(try open.db.scalar("SELECT title FROM things") as? String == "none")
    try changer.create(table: "things", ifNotExists: true) { $0.add(expression: Expression<Int>("other")) }
    #expect(throws: Result.self) { try changer.create(table: "things") { $0.add(expression: Expression<Int>("a")) } }
    #expect(throws: SchemaChanger.Error.self) { try changer.create(table: "empty") { _ in } }
    try changer.rename(table: "things", to: "others")
    try changer.drop(table: "others", ifExists: false)
    try changer.drop(table: "others")
    #expect(throws: Result.self) { try changer.drop(table: "others", ifExists: false) }
  }

  @Test(arguments: Place.allCases)
  func `columns are added, renamed and dropped`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insert(email <- "a", name <- "A"))
    try SchemaChanger(connection: db).alter(table: "users") { table in
      table.add(column: .init(name: "city", type: .TEXT, nullable: false, defaultValue: .stringLiteral("Rome")))
      table.rename(column: "name", to: "full_name")
      table.drop(column: "age")
      table.add(index: .init(table: "users", name: "by_city", columns: ["city"]))
    }
    #expect(try columns(db) == ["id", "email", "full_name", "admin", "manager_id", "city"])
    #expect(try db.scalar("SELECT full_name || city FROM users") as? String == "ARome")
    try SchemaChanger(connection: db).alter(table: "users") { $0.drop(index: "by_city") }
    #expect(throws: Result.self) {
      try SchemaChanger(connection: db).alter(table: "users") { $0.drop(index: "by_city") }
    }
  }

  /// What ALTER TABLE does not do.
  @Test(arguments: Place.allCases)
  func `a table is made anew with its rows, indexes and triggers`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.execute(
      """
      CREATE TABLE items (
        id INTEGER PRIMARY KEY AUTOINCREMENT, code VARCHAR(9) UNIQUE, title TEXT NOT NULL DEFAULT 'x', n INTEGER);
      CREATE INDEX by_title ON items (title DESC) WHERE n > 0;
      CREATE INDEX by_lower ON items (lower(title));
      CREATE TABLE log (text TEXT);
      CREATE TRIGGER logs AFTER INSERT ON items BEGIN INSERT INTO log VALUES (new.title); END;
      CREATE VIEW titles AS SELECT title FROM items;
      INSERT INTO items (code, title, n) VALUES ('a', 'one', 1), ('b', 'two', 2), ('c', 'three', 3);
      DELETE FROM items WHERE id = 3; DELETE FROM log
      """)
    try SchemaChanger(connection: db).alter(table: "items") { table in
      table.drop(column: "code")
      table.add(column: .init(name: "key", type: .TEXT, unique: true))
      table.add(column: .init(name: "made", type: .TEXT, nullable: false, defaultValue: .CURRENT_DATE))
    }
    #expect(try columns(db, "items") == ["id", "title", "n", "key", "made"])
    #expect(
      try db.prepare("SELECT id, title, n FROM items ORDER BY id").map { "\($0[0]!) \($0[1]!) \($0[2]!)" }
        == ["1 one 1", "2 two 2"])
    #expect(try db.scalar("SELECT count(*) FROM items WHERE made = date('now')") as? Int64 == 2)
    #expect(try db.scalar("SELECT count(*) FROM log") as? Int64 == 0)
    try db.run("INSERT INTO items (title, key) VALUES ('four', 'k')")
    #expect(try db.scalar("SELECT max(id) FROM items") as? Int64 == 4)
    #expect(try db.scalar("SELECT text FROM log") as? String == "four")
    #expect(throws: Result.self) { try db.run("INSERT INTO items (title, key) VALUES ('five', 'k')") }
    #expect(try db.scalar("SELECT count(*) FROM titles") as? Int64 == 3)
    let indexes = try db.schema.indexDefinitions(table: "items")
    #expect(Set(indexes.map(\.name)).isSuperset(of: ["by_title", "by_lower"]))
    #expect(same(indexes.first { $0.name == "by_title" }?.where, "n > 0"))
    let names = try db.schema.objectDefinitions(type: .table).filter { !$0.isInternal }.map(\.name)
    #expect(names.sorted() == ["items", "log"])
  }

  @Test(arguments: Place.embedded)
  func `rows that point to a table stay when it is made anew`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    db.foreignKeys = true
    try db.execute(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a ON DELETE CASCADE);
      INSERT INTO a VALUES (1, 'x'); INSERT INTO b VALUES (1, 1)
      """)
    try SchemaChanger(connection: db).alter(table: "a") { $0.drop(column: "code") }
    #expect(try db.scalar("SELECT count(*) FROM b") as? Int64 == 1)
    #expect(db.foreignKeys)
    #expect(throws: SchemaChanger.Error.self) {
      try db.transaction {
        try SchemaChanger(connection: db).alter(table: "a") {
          $0.add(column: .init(name: "c", type: .TEXT, unique: true))
        }
      }
    }
    #expect(try columns(db, "a") == ["id"])
    #expect(try db.scalar("SELECT count(*) FROM b") as? Int64 == 1)
  }

  @Test func `a server makes no table anew that rows point to`() throws {
    let open = try Place.server.open()
    try open.db.execute(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a ON DELETE CASCADE);
      INSERT INTO a VALUES (1, 'x'); INSERT INTO b VALUES (1, 1)
      """)
    fails({ try SchemaChanger(connection: open.db).alter(table: "a") { $0.drop(column: "code") } }) {
      "\($0.localizedDescription)".contains("rows of b point to it")
    }
    #expect(try columns(open.db, "a") == ["id", "code"])
    #expect(try open.db.scalar("SELECT count(*) FROM b") as? Int64 == 1)
  }

  private static let lossy: [(sql: String, reason: String)] = [
    ("CREATE TABLE t (a TEXT UNIQUE, b INTEGER CHECK (b > 0))", "CHECK"),
    ("CREATE TABLE t (a TEXT UNIQUE, b TEXT COLLATE NOCASE)", "COLLATE"),
    ("CREATE TABLE t (a TEXT UNIQUE, b INTEGER AS (length(a)))", "AS"),
    ("CREATE TABLE t (a TEXT UNIQUE, b INTEGER PRIMARY KEY) WITHOUT ROWID", "WITHOUT"),
    ("CREATE TABLE t (a TEXT UNIQUE, b INTEGER) STRICT", "STRICT"),
    ("CREATE TABLE t (a TEXT UNIQUE, b INTEGER, c INTEGER, UNIQUE (b, c))", "several columns"),
    ("CREATE TABLE t (a TEXT UNIQUE, b INTEGER NOT NULL ON CONFLICT REPLACE)", "CONFLICT"),
  ]

  @Test(arguments: lossy.map(\.sql), Place.allCases)
  func `a table that would lose something is not made anew`(_ sql: String, _ place: Place) throws {
    let open = try place.open()
    try open.db.execute(sql)
    try open.db.run(
      "INSERT INTO t (a, b) VALUES ('x', 1)".replacing(", b)", with: sql.contains(" AS ") ? ")" : ", b)")
        .replacing(", 1)", with: sql.contains(" AS ") ? ")" : ", 1)"))
    let reason = try #require(Self.lossy.first { $0.sql == sql }).reason
    fails({ try SchemaChanger(connection: open.db).alter(table: "t") { $0.drop(column: "a") } }) {
      $0.localizedDescription.contains(reason)
    }
    #expect(try open.db.scalar("SELECT a FROM t") as? String == "x")
    #expect(try open.db.schema.objectDefinitions(name: "t").first?.sql == sql)
  }

  @Test(arguments: Place.allCases)
  func `an error undoes every change of its call`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.insert(email <- "a"))
    let before = try columns(db)
    let changer = SchemaChanger(connection: db)
    let faults: [(SchemaChanger.AlterTableDefinition) -> Void] = [
      { $0.add(column: .init(name: "k", primaryKey: .init(), type: .INTEGER)) },
      { $0.add(column: .init(name: "k", type: .TEXT, nullable: false)) },
      { $0.drop(column: "nothing") }, { $0.drop(column: "id") }, { $0.rename(column: "nothing", to: "k") },
      { $0.add(column: .init(name: "email", type: .TEXT)) },
      { $0.add(index: .init(table: "users", name: "i", columns: ["nothing"])) },
      { $0.add(column: .init(name: "k", type: .TEXT, nullable: false, unique: true, defaultValue: .NULL)) },
    ]
    for fault in faults {
      #expect(throws: (any Error).self) {
        try changer.alter(table: "users") { table in
          table.add(column: .init(name: "fresh", type: .TEXT))
          fault(table)
        }
      }
      #expect(try columns(db) == before)
    }
    #expect(throws: (any Error).self) { try changer.alter(table: "nothing") { $0.drop(column: "a") } }
    #expect(try db.column(users, email) == ["a"])
    #expect(!db.isInTransaction)
  }

  @Test(arguments: Place.allCases)
  func `a key of two columns stays one`(_ place: Place) throws {
    let open = try place.open()
    try open.db.execute(
      "CREATE TABLE t (a INTEGER, b TEXT, c TEXT UNIQUE, PRIMARY KEY (a, b)); INSERT INTO t VALUES (1, 'x', 'y')")
    try SchemaChanger(connection: open.db).alter(table: "t") { $0.drop(column: "c") }
    #expect(throws: Result.self) { try open.db.run("INSERT INTO t VALUES (1, 'x')") }
    try open.db.run("INSERT INTO t VALUES (1, 'y')")
    #expect(try columns(open.db, "t") == ["a", "b"])
  }
}
