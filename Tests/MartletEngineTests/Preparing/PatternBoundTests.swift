/// Patterns of MATCH that nothing could end within one row: they are refused before they run, wherever they come from.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct PatternBoundTests {
  private static let near = "NEAR(" + String(repeating: "a ", count: 1_000) + ")"
  private static let phrase = "\"" + String(repeating: "a ", count: 1_000) + "\""

  private func open() throws -> TemporaryDatabase {
    let database = try TemporaryDatabase()
    for sql in [
      "CREATE VIRTUAL TABLE docs USING fts5(body)", "CREATE VIRTUAL TABLE old USING fts4(body)",
      "CREATE TABLE found(id)", "CREATE TABLE searches(id INTEGER PRIMARY KEY, pattern)",
      "INSERT INTO docs VALUES ('a apple'), ('pear')", "INSERT INTO old VALUES ('a apple')",
      "CREATE VIEW heavy AS SELECT rowid FROM docs WHERE docs MATCH '\(Self.near)'",
    ] {
      try database.sql(sql)
    }
    return database
  }

  private static let writes: [(String, [Value])] = [
    ("INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH ?", [.text(near)]),
    ("INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH ?", [.text(phrase)]),
    ("INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH ?", [.blob(Array(near.utf8))]),
    ("INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH '\(near)'", []),
    ("INSERT INTO found SELECT rowid FROM docs(?)", [.text(near)]),
    ("INSERT INTO found SELECT rowid FROM docs WHERE docs = ?", [.text(near)]),
    ("INSERT INTO found SELECT rowid FROM docs WHERE body MATCH ?", [.text(near)]),
    (
      "INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH ?1 || ?2",
      [.text("NE"), .text(String(near.dropFirst(2)))]
    ),
    (
      "INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH CASE WHEN ?1 THEN ?2 ELSE 'a' END",
      [.integer(1), .text(near)]
    ),
    ("INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH lower(?)", [.text(phrase)]),
    ("INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH martlet_pattern(?)", [.text(near)]),
    (
      "INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH 'NEAR(' || martlet_pattern(?) || ')'",
      [.text(String(repeating: "a ", count: 100))]
    ),
    (
      "INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH trim(?, '\"')",
      [.text("\"NEAR(" + String(repeating: "a ", count: 60) + ")\"")]
    ),
    ("INSERT INTO found SELECT rowid FROM heavy", []),
    ("INSERT INTO found SELECT docid FROM old WHERE old MATCH ?", [.text(phrase)]),
    ("DELETE FROM docs WHERE docs MATCH ?", [.text(near)]),
    ("UPDATE docs SET body = '' WHERE docs MATCH ?", [.text(near)]),
    ("SELECT rowid FROM docs WHERE docs MATCH ?", [.text(near)]),
    ("INSERT INTO found SELECT rowid FROM docs WHERE docs MATCH replace('x', 'x', ?)", [.text(near)]),
    ("INSERT INTO found SELECT docs.rowid FROM searches JOIN docs ON docs MATCH pattern", []),
  ]

  @Test(arguments: writes.indices)
  func `a pattern that asks too much of one row is refused, and nothing happens`(index: Int) throws {
    let database = try open()
    try database.sql("INSERT INTO searches VALUES (1, ?)", [.text(Self.near)])
    let (sql, values) = Self.writes[index]
    // The second time the statement is known.
    for _ in 0..<2 {
      let error = try #require(database.result(Trees.raw(sql), values).error, "\(sql.prefix(90))")
      #expect(error.message.contains("attern") && error.message.contains("MATCH"), "\(error.message)")
      #expect(!error.isRetryable)
    }
    #expect(try database.sql("SELECT count(*) FROM docs WHERE body <> ''").rows == [[.integer(2)]])
    #expect(try database.sql("SELECT count(*) FROM found").rows == [[.integer(0)]])
  }

  private static let ordinary: [(String, [Value], Int64)] = [
    ("SELECT count(*) FROM docs WHERE docs MATCH ?", [.text("apple")], 1),
    ("SELECT count(*) FROM docs WHERE docs MATCH ? || '*'", [.text("app")], 1),
    ("SELECT count(*) FROM docs WHERE docs MATCH '\"' || ? || '\"'", [.text("a apple")], 1),
    ("SELECT count(*) FROM docs WHERE docs MATCH ?", [.text("NEAR(a apple)")], 1),
    (
      "SELECT count(*) FROM docs WHERE docs MATCH ?",
      [.text(Array(repeating: "a", count: 5_000).joined(separator: " OR "))], 1
    ),
    ("SELECT count(*) FROM docs WHERE docs MATCH ?", [.text("\"" + String(repeating: "a ", count: 200) + "\"")], 0),
    ("SELECT count(*) FROM searches JOIN docs ON docs MATCH martlet_pattern(pattern)", [], 1),
    ("SELECT count(*) FROM old WHERE old MATCH ?", [.text("a apple")], 1),
    ("SELECT count(*) FROM searches JOIN old ON old.docid = searches.id", [], 1),
    ("SELECT count(*) FROM searches, json_each('[1, 2]')", [], 2),
    ("SELECT count(*) FROM searches WHERE pattern LIKE ?", [.text("a%")], 1),
  ]

  @Test(arguments: ordinary.indices)
  func `what people search for is found as before`(index: Int) throws {
    let database = try open()
    try database.sql("INSERT INTO searches VALUES (1, 'apple')")
    let (sql, values, count) = Self.ordinary[index]
    for _ in 0..<2 { #expect(try database.sql(sql, values).rows == [[.integer(count)]], "\(sql)") }
  }

  @Test func `a search is explained, whatever it asks for`() throws {
    let database = try open()
    for word in ["EXPLAIN", "EXPLAIN QUERY PLAN"] {
      #expect(try !database.sql("\(word) SELECT rowid FROM docs WHERE docs MATCH printf('%s', 'a')").rows.isEmpty)
    }
  }

  @Test func `a write may ask for less than a read`() throws {
    let database = try open()
    let pattern = Value.text("\"" + String(repeating: "a ", count: 100) + "\"")
    #expect(try database.sql("SELECT count(*) FROM docs WHERE docs MATCH ?", [pattern]).rows == [[.integer(0)]])
    let refused = database.result(Trees.raw("DELETE FROM docs WHERE docs MATCH ?"), [pattern]).error
    #expect(refused?.reason == .limit && refused?.message.contains("count 400, and 256") == true)
    try database.sql("DELETE FROM docs WHERE docs MATCH ?", [.text("NEAR(a apple, 3)")])
    #expect(try database.sql("SELECT count(*) FROM docs").rows == [[.integer(1)]])
  }

  @Test func `a table that has just become one of full text is asked for no more`() throws {
    let database = try TemporaryDatabase()
    try database.sql("CREATE TABLE docs(docs, body)")
    let (read, write) = ("SELECT body FROM docs WHERE docs = ?", "DELETE FROM docs WHERE docs = ?")
    for sql in [read, write] { try database.sql(sql, [.text(Self.near)]) }
    try database.sql("DROP TABLE docs")
    try database.sql("CREATE VIRTUAL TABLE docs USING fts5(body)")
    try database.sql("INSERT INTO docs VALUES ('a a a')")
    for sql in [read, write] {
      #expect(database.result(Trees.raw(sql), [.text(Self.near)]).error?.reason == .limit, "\(sql)")
    }
  }
}
