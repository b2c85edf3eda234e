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
}
