import Foundation
import SQLite
import Testing

/// What a table that is made anew keeps of itself, and what it is refused for.
@Suite struct TableRebuildTests {
  @Test(arguments: Place.allCases)
  func `rows keep their numbers`(_ place: Place) throws {
    let db = try place.open().db
    for table in [
      "t (code TEXT UNIQUE, name TEXT)", "t (code TEXT UNIQUE, rowid TEXT)", "t (code UNIQUE, k PRIMARY KEY)",
    ] {
      try db.execute("CREATE TABLE \(table)")
      try db.execute("INSERT INTO t (_rowid_, code) VALUES (7, 'a'), (-3, 'b'), (9000000000, 'c')")
      try SchemaChanger(connection: db).alter(table: "t") { $0.drop(column: "code") }
      let numbers = try db.prepare("SELECT _rowid_ FROM t ORDER BY 1").compactMap { $0[0] as? Int64 }
      #expect(numbers == [-3, 7, 9_000_000_000], "\(table)")
      try db.execute("DROP TABLE t")
    }
  }

  @Test(arguments: Place.allCases)
  func `a full-text table beside a table that is made anew still finds its rows`(_ place: Place) throws {
    let db = try place.open().db
    try db.execute(
      """
      CREATE TABLE notes (code TEXT UNIQUE, text TEXT);
      INSERT INTO notes (rowid, code, text) VALUES (5, 'a', 'milk'), (8, 'b', 'bread');
      CREATE VIRTUAL TABLE found USING fts5(text, content='notes');
      INSERT INTO found (found) VALUES ('rebuild')
      """)
    try SchemaChanger(connection: db).alter(table: "notes") { $0.drop(column: "code") }
    #expect(try db.scalar("SELECT text FROM found WHERE found MATCH 'bread'") as? String == "bread")
  }

  private static let lossy: [(sql: String, reason: String)] = [
    ("CREATE TABLE t (c TEXT UNIQUE, a REFERENCES x(id) REFERENCES y(id), b)", "several tables"),
    ("CREATE TABLE t (c TEXT UNIQUE, a REFERENCES x(id), b, FOREIGN KEY (A) REFERENCES y(id))", "several tables"),
    ("CREATE TABLE t (c TEXT UNIQUE, a, b, PRIMARY KEY (b DESC, a))", "DESC"),
    ("CREATE TABLE t (c TEXT UNIQUE, a, b, PRIMARY KEY (b, a))", "another order"),
    ("CREATE TABLE t (c TEXT UNIQUE, a INTEGER PRIMARY KEY DESC, b)", "DESC"),
  ]

  @Test(arguments: lossy.map(\.sql), Place.allCases)
  func `a table whose key or references would change is not made anew`(_ sql: String, _ place: Place) throws {
    let db = try place.open().db
    try db.execute("CREATE TABLE x (id INTEGER PRIMARY KEY); CREATE TABLE y (id INTEGER PRIMARY KEY); \(sql)")
    let reason = try #require(Self.lossy.first { $0.sql == sql }).reason
    fails({ try SchemaChanger(connection: db).alter(table: "t") { $0.drop(column: "c") } }) {
      $0.localizedDescription.contains(reason)
    }
    #expect(try db.schema.objectDefinitions(name: "t").first?.sql == sql)
  }

  @Test(arguments: Place.embedded)
  func `a table with a temporary trigger is not made anew`(_ place: Place) throws {
    let db = try place.open().db
    try db.execute(
      """
      CREATE TABLE t (c TEXT UNIQUE, a); CREATE TABLE other (a);
      CREATE TEMP TRIGGER elsewhere AFTER INSERT ON other BEGIN DELETE FROM other; END
      """)
    let changer = SchemaChanger(connection: db)
    try changer.alter(table: "t") { $0.add(column: .init(name: "d", type: .TEXT, unique: true)) }
    try db.execute("CREATE TEMP TRIGGER watch AFTER INSERT ON T BEGIN DELETE FROM other; END")
    fails({ try changer.alter(table: "t") { $0.drop(column: "c") } }) {
      $0.localizedDescription.contains("temporary trigger")
    }
    #expect(try db.schema.objectDefinitions(type: .trigger, temporary: true).count == 2)
  }

  @Test(arguments: Place.allCases)
  func `defaults stay what they are`(_ place: Place) throws {
    let db = try place.open().db
    let defaults = ["0x10", "-0x10", "0xFFFFFFFFFFFFFFFF", "+5", "1e3", "-1.5", "'0x10'", "9223372036854775808"]
    let columns = defaults.enumerated().map { "d\($0.offset) DEFAULT \($0.element)" }.joined(separator: ", ")
    try db.execute("CREATE TABLE t (c TEXT UNIQUE, a, \(columns)); INSERT INTO t (a) VALUES (1)")
    try SchemaChanger(connection: db).alter(table: "t") { $0.drop(column: "c") }
    try db.execute("INSERT INTO t (a) VALUES (2)")
    for index in defaults.indices {
      let kinds = try db.prepare("SELECT typeof(d\(index)) || quote(d\(index)) FROM t ORDER BY a").map {
        $0[0] as? String
      }
      #expect(kinds[0] == kinds[1], "\(defaults[index])")
    }
  }

  private static let broken = [
    ("CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.c); END", "trigger tr"),
    ("CREATE TRIGGER tr AFTER INSERT ON log BEGIN DELETE FROM t WHERE c = 1; END", "trigger tr"),
    ("CREATE VIEW v AS SELECT c FROM t", "view v"),
  ]

  @Test(arguments: broken.map(\.0), Place.allCases)
  func `a column that a trigger or a view names is not dropped`(_ sql: String, _ place: Place) throws {
    let db = try place.open().db
    try db.execute("CREATE TABLE log (a); CREATE TABLE t (a, c UNIQUE); INSERT INTO t VALUES (1, 2); \(sql)")
    let name = try #require(Self.broken.first { $0.0 == sql }).1
    fails({ try SchemaChanger(connection: db).alter(table: "t") { $0.drop(column: "c") } }) {
      "\($0)".contains("error in \(name): no such column")
    }
    #expect(try db.scalar("SELECT c FROM t") as? Int64 == 2)
    try db.run("INSERT INTO t VALUES (3, 4)")
    try db.execute("DROP \(name)")
    try SchemaChanger(connection: db).alter(table: "t") { $0.drop(column: "c") }
    #expect(try db.schema.objectDefinitions(type: .table).map(\.name).sorted() == ["log", "t"])
  }

  @Test(arguments: ["(\"a\", \"b\")", "(a, b)"], Place.allCases)
  func `a key of several columns keeps what it does with a conflict`(_ key: String, _ place: Place) throws {
    let db = try place.open().db
    try db.execute("CREATE TABLE t (a, b, n, c UNIQUE, PRIMARY KEY \(key) ON CONFLICT REPLACE)")
    try db.execute("INSERT INTO t VALUES (1, 2, 3, 4)")
    try SchemaChanger(connection: db).alter(table: "t") { $0.drop(column: "c") }
    try db.run("INSERT INTO t VALUES (1, 2, 5)")
    #expect(try db.scalar("SELECT group_concat(n) FROM t") as? String == "5")
  }

  @Test(arguments: Place.embedded)
  func `what pointed nowhere before is not the change's fault`(_ place: Place) throws {
    let db = try place.open().db
    try db.execute(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE old (p REFERENCES parent (id));
      CREATE TABLE keyed (k PRIMARY KEY, p REFERENCES parent (id)) WITHOUT ROWID;
      INSERT INTO old VALUES (7); INSERT INTO keyed VALUES (1, 7), (2, 8);
      CREATE TABLE t (a REFERENCES parent (id), c UNIQUE); INSERT INTO t VALUES (9, 1)
      """)
    let changer = SchemaChanger(connection: db)
    try changer.alter(table: "t") { $0.drop(column: "c") }
    #expect(try db.foreignKeyCheck().count == 4)
    let column = ColumnDefinition(
      name: "d", type: .INTEGER, defaultValue: .numericLiteral("5"),
      references: .init(fromColumn: "d", toTable: "parent", toColumn: "id"))
    fails({ try changer.alter(table: "t") { $0.add(column: column) } }) {
      $0.localizedDescription == "The change was undone: row 1 of t points to a row that is not in parent."
    }
  }
}
