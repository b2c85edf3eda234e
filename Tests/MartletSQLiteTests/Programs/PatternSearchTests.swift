/// Where the texts come from that a statement asks full-text tables for.
import Testing

@testable import MartletSQLite

@Suite struct PatternSearchTests {
  private func open() throws -> Connection {
    let connection = try Connection.inMemory()
    for sql in [
      "CREATE VIRTUAL TABLE docs USING fts5(title, body)", "CREATE VIRTUAL TABLE old USING fts4(body)",
      "CREATE TABLE searches(id INTEGER PRIMARY KEY, pattern, n)", "CREATE TABLE log(x)",
      "CREATE VIEW found AS SELECT rowid AS id FROM docs WHERE docs MATCH 'apple'",
      "CREATE TRIGGER searched AFTER INSERT ON searches WHEN new.n = 1 BEGIN "
        + "INSERT INTO log SELECT rowid FROM docs WHERE docs MATCH new.pattern; END",
      "CREATE TRIGGER fixed AFTER INSERT ON log BEGIN DELETE FROM docs WHERE docs MATCH 'gone'; END",
    ] {
      try connection.run(sql)
    }
    return connection
  }

  private static let joined = PatternSource.joined

  private static let table: [(String, Set<PatternSource>)] = [
    ("SELECT rowid FROM docs WHERE docs MATCH ?", [.parameter(1)]),
    ("SELECT rowid FROM docs WHERE docs MATCH 'a b'", [.constant("a b")]),
    ("SELECT rowid FROM docs(?2) WHERE title = ?1", [.parameter(2)]),
    ("SELECT rowid FROM docs WHERE docs = ? ORDER BY rank LIMIT 3", [.parameter(1)]),
    ("SELECT rowid FROM docs WHERE title MATCH ? AND body MATCH 'x'", [.parameter(1), .constant("x")]),
    ("SELECT rowid FROM docs WHERE docs MATCH ? AND rowid > 5 AND title LIKE 'x'", [.parameter(1)]),
    ("SELECT rowid FROM docs WHERE docs MATCH ? || '*'", [joined(["*"], [1])]),
    ("SELECT rowid FROM docs WHERE docs MATCH '\"' || ?1 || '\" OR ' || ?1", [joined(["\"", "\" OR "], [1, 1])]),
    ("SELECT rowid FROM docs WHERE docs MATCH lower(trim(?))", [.parameter(1)]),
    ("SELECT rowid FROM docs WHERE docs MATCH CAST(? AS TEXT)", [.parameter(1)]),
    ("SELECT rowid FROM docs WHERE docs MATCH coalesce(?, 'none')", [.parameter(1), .constant("none")]),
    (
      "SELECT rowid FROM docs WHERE docs MATCH CASE ?1 WHEN 1 THEN ?2 ELSE 'x' END",
      [.parameter(2), .constant("x")]
    ),
    ("SELECT rowid FROM docs WHERE docs MATCH replace(?, 'a', 'b b')", [.unknown]),
    ("SELECT rowid FROM docs WHERE docs MATCH printf('%s*', ?)", [.unknown]),
    ("SELECT rowid FROM docs WHERE docs MATCH martlet_pattern(replace(?, 'a', 'b b'))", [.checked]),
    ("SELECT rowid FROM docs WHERE docs MATCH 'NEAR(' || martlet_pattern(?) || ')'", [.unknown]),
    ("SELECT rowid FROM docs WHERE docs MATCH lower(martlet_pattern(?))", [.checked]),
    ("SELECT rowid FROM docs WHERE docs MATCH substr(martlet_pattern(?), 2)", [.unknown]),
    ("SELECT rowid FROM docs WHERE docs MATCH trim(?, '\"')", [joined(["\""], [1])]),
    ("SELECT rowid FROM docs WHERE docs MATCH substr(?, 2)", [joined([], [1])]),
    ("SELECT docs.rowid FROM searches JOIN docs ON docs MATCH searches.pattern", [.unknown]),
    ("SELECT docs.rowid FROM searches JOIN docs ON docs MATCH martlet_pattern(searches.pattern)", [.checked]),
    ("SELECT docs.rowid FROM searches JOIN docs ON docs MATCH ? AND docs.rowid = searches.id", [.parameter(1)]),
    ("SELECT rowid FROM docs WHERE docs MATCH (SELECT pattern FROM searches)", [.unknown]),
    (
      "SELECT rowid FROM docs WHERE docs MATCH (SELECT 'a' UNION ALL SELECT pattern FROM searches)",
      [.constant("a"), .unknown]
    ),
    ("WITH q(p) AS (SELECT ?) SELECT docs.rowid FROM docs, q WHERE docs MATCH q.p", [.unknown]),
    (
      "SELECT rowid FROM docs WHERE docs MATCH ?1 UNION SELECT rowid FROM docs WHERE docs MATCH ?2",
      [.parameter(1), .parameter(2)]
    ),
    ("SELECT rowid FROM docs WHERE rowid IN (SELECT rowid FROM docs WHERE docs MATCH ?)", [.parameter(1)]),
    ("SELECT * FROM found WHERE id > ?", [.constant("apple")]),
    ("DELETE FROM docs WHERE docs MATCH ?", [.parameter(1)]),
    ("UPDATE docs SET title = ?1 WHERE docs MATCH ?2", [.parameter(2)]),
    ("INSERT INTO searches VALUES (1, ?, 0)", [.unknown, .constant("gone")]),
    ("INSERT INTO log VALUES (?)", [.constant("gone")]),
    ("SELECT docid FROM old WHERE old MATCH ?", [.parameter(1)]),
    ("SELECT docid FROM old WHERE body MATCH 'x' AND docid > 3", [.constant("x")]),
    ("SELECT old.docid FROM searches JOIN old ON old.docid = searches.id", []),
    ("SELECT j.value FROM searches, json_each(searches.pattern) AS j", []),
    ("SELECT j.value FROM old, json_each(?1) AS j WHERE old MATCH ?2", [.parameter(2)]),
    ("SELECT rowid FROM docs WHERE rowid = ?", []),
    ("SELECT title LIKE ? FROM docs", []),
  ]

  @Test(arguments: table.indices)
  func `a pattern is followed to where it comes from`(index: Int) throws {
    let connection = try open()
    let (sql, wanted) = Self.table[index]
    let found = try connection.prepare(sql).fullTextUse?.patterns ?? []
    #expect(Set(found.map(\.source)) == wanted, "\(sql): \(found)")
  }

  @Test func `LIKE and GLOB of a table of trigrams are patterns`() throws {
    let connection = try open()
    try connection.run("CREATE VIRTUAL TABLE tri USING fts5(body, tokenize = 'trigram')")
    for operation in ["LIKE", "GLOB"] {
      let found = try connection.prepare("SELECT rowid FROM tri WHERE body \(operation) ?").fullTextUse?.patterns ?? []
      #expect(found.map(\.source) == [.parameter(1)], "\(operation)")
    }
    #expect(connection.patternBound.words.areCutAnywhere)
  }

  @Test func `tables of FTS4 and of FTS5 are told apart`() throws {
    let connection = try open()
    let sql = "SELECT 1 FROM old, docs WHERE old MATCH ?1 AND docs MATCH ?2"
    #expect(
      try connection.prepare(sql).fullTextUse?.patterns == [
        Pattern(source: .parameter(1), isForOldTable: true), Pattern(source: .parameter(2), isForOldTable: false),
      ])
  }

  @Test func `a file's owner has no patterns that are looked at`() throws {
    var setup = ConnectionSetup()
    setup.authority = .owner
    let connection = try Connection(path: ":memory:", label: "memory", access: .writer, setup: setup, clock: { 0 })
    try connection.run("CREATE VIRTUAL TABLE docs USING fts5(body)")
    #expect(try connection.prepare("SELECT * FROM docs WHERE docs MATCH printf('%s', ?)").fullTextUse == nil)
  }
}
