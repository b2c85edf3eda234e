import SQLite
import Testing

/// What a database says of its own schema.
@Suite struct SchemaReaderTests {
  @Test(arguments: Place.allCases)
  func `columns are read as they were made`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.execute("CREATE TABLE lists (id INTEGER PRIMARY KEY)")
    try db.execute(
      """
      CREATE TABLE items (
        id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, title VARCHAR(80) NOT NULL UNIQUE DEFAULT 'it''s', price REAL,
        due DATETIME DEFAULT CURRENT_TIMESTAMP, picture BLOB DEFAULT X'53', size INT DEFAULT -12.5,
        list INTEGER REFERENCES lists (id) ON DELETE CASCADE ON UPDATE SET NULL, code TEXT DEFAULT (lower('A')))
      """)
    let expected: [ColumnDefinition] = [
      .init(name: "id", primaryKey: .init(autoIncrement: true), type: .INTEGER, nullable: false),
      .init(name: "title", type: .TEXT, nullable: false, unique: true, defaultValue: .stringLiteral("it's")),
      .init(name: "price", type: .REAL),
      .init(name: "due", type: .NUMERIC, defaultValue: .CURRENT_TIMESTAMP),
      .init(name: "picture", type: .BLOB, defaultValue: .blobLiteral("53")),
      .init(name: "size", type: .INTEGER, defaultValue: .numericLiteral("-12.5")),
      .init(
        name: "list", type: .INTEGER,
        references: .init(
          fromColumn: "list", toTable: "lists", toColumn: "id", onUpdate: .setNull, onDelete: .cascade)),
      .init(name: "code", type: .TEXT, defaultValue: .expression("lower('A')")),
    ]
    let found = try db.schema.columnDefinitions(table: "items")
    for (found, expected) in zip(found, expected) { #expect(same(found, expected)) }
    #expect(found.count == expected.count)
    #expect(try db.schema.columnDefinitions(table: "nothing").isEmpty)
    #expect(try db.schema.foreignKeys(table: "items").count == 1)
  }

  @Test(arguments: Place.allCases)
  func `objects are found by name and kind`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.run(users.createIndex(name))
    try db.run(View("adults").create(users.filter(age > 17)))
    let kinds = try db.schema.objectDefinitions().filter { !$0.isInternal }.map { "\($0.type) \($0.name)" }
    #expect(kinds.sorted() == ["index index_users_on_name", "table users", "view adults"])
    let index = try #require(try db.schema.objectDefinitions(name: "index_users_on_name").first)
    #expect(same(index.tableName, "users"))
    #expect(same(index.sql, #"CREATE INDEX "index_users_on_name" ON "users" ("name")"#))
    #expect(try db.schema.objectDefinitions(type: .trigger).isEmpty)
    #expect(try db.schema.objectDefinitions(name: "users", type: .view).isEmpty)
    #expect(try db.schema.tableDefinitions().map(\.name) == ["users"])
    #expect(try db.schema.objectDefinitions(temporary: true).isEmpty)
  }

  @Test func `temporary objects are as apart as they are`() throws {
    let db = try Place.memory.open().db
    try db.execute("CREATE TEMPORARY TABLE short (id INTEGER)")
    #expect(try db.schema.objectDefinitions(temporary: true).map(\.name) == ["short"])
    #expect(try db.schema.objectDefinitions().isEmpty)
  }

  @Test(arguments: Place.allCases)
  func `indexes tell their columns, orders and conditions`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.createUsers()
    try db.execute(
      "CREATE INDEX down ON users (name, age DESC) WHERE age > 1 AND name <> 'WHERE'; "
        + "CREATE UNIQUE INDEX one ON users (age)")
    let indexes = try db.schema.indexDefinitions(table: "users")
    func index(_ name: String) -> IndexDefinition? { indexes.first { $0.name == name } }
    let down = IndexDefinition(
      table: "users", name: "down", columns: ["name", "age"], where: "age > 1 AND name <> 'WHERE'",
      orders: ["age": .DESC])
    #expect(same(index("down"), down))
    #expect(same(index("one"), IndexDefinition(table: "users", name: "one", unique: true, columns: ["age"])))
    let internalOne = try #require(indexes.first { $0.isInternal })
    #expect(same(internalOne.origin, .uniqueConstraint))
    #expect(same(internalOne.columns, ["email"]))
  }

  @Test(arguments: Place.embedded)
  func `rows that point nowhere are found`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.execute(
      "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a); "
        + "INSERT INTO b VALUES (7, 1)")
    let errors = try db.foreignKeyCheck()
    #expect(errors.map { "\($0.from) \($0.rowId) \($0.to)" } == ["b 7 a"])
    #expect(try db.foreignKeyCheck(table: "a").isEmpty)
    #expect(try db.integrityCheck().isEmpty)
    #expect(try db.integrityCheck(table: "b").isEmpty)
  }

  @Test(arguments: Place.allCases)
  func `names are values and never SQL`(_ place: Place) throws {
    let open = try place.open()
    let db = open.db
    let hostile = #"x'); DROP TABLE users; --""#
    try db.createUsers()
    try db.run(Table(hostile).create { $0.column(id, primaryKey: true) })
    #expect(try db.schema.columnDefinitions(table: hostile).map(\.name) == ["id"])
    #expect(try db.schema.indexDefinitions(table: hostile).isEmpty)
    #expect(try db.schema.objectDefinitions(name: hostile).count == 1)
    #expect(try db.scalar(users.count) == 0)
  }
}
