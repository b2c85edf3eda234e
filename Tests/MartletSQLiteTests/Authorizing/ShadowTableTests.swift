/// Tables in which virtual tables keep their data.
import Testing

@testable import MartletSQLite

@Suite struct ShadowTableTests {
  private static let insides = [
    "f_data", "f_idx", "F_Content", "f_docsize", "f_config", "z_segdir", "z_segments", "z_content", "z_docsize",
    "r_node", "r_parent", "r_rowid",
  ]

  private func connection(_ authority: ConnectionSetup.Authority) throws -> Connection {
    var setup = ConnectionSetup()
    setup.authority = authority
    let connection = try Connection(path: ":memory:", label: "shadow", access: .writer, setup: setup) { 0 }
    for sql in [
      "CREATE VIRTUAL TABLE f USING fts5(a)", "CREATE VIRTUAL TABLE z USING fts4(a)",
      "CREATE VIRTUAL TABLE r USING rtree(id, a, b)", "CREATE TABLE my_data(id INTEGER PRIMARY KEY, a)",
      "CREATE TABLE log(a)",
    ] { try connection.run(sql) }
    return connection
  }

  @Test(arguments: insides) func `a client gets no trigger and no index into the inside of a virtual table`(
    table: String
  ) throws {
    let connection = try connection(.clients)
    let trigger = "TRIGGER t AFTER INSERT ON \(table) BEGIN INSERT INTO log VALUES (1); END"
    let words = "A statement may not make an index or a trigger for the table '\(table.lowercased())'"
    for sql in ["CREATE \(trigger)", "CREATE INDEX i ON \(table)(rowid)", "CREATE INDEX i ON \(table)(json('{'))"] {
      let error = #expect(throws: SQLiteError.self) { try connection.run(sql) }
      let isOfTable = error?.message.contains("no such column") == true
      #expect(isOfTable || error?.message.hasPrefix(words) == true, "\(sql): \(String(describing: error))")
    }
    let error = #expect(throws: SQLiteError.self) { try connection.makeTemporary("CREATE TEMPORARY \(trigger)") }
    #expect(error?.message.hasPrefix(words) == true, "\(String(describing: error))")
  }

  @Test func `a table of one's own that a full-text table reads is no inside, whatever it is called`() throws {
    for (module, options, id) in [
      ("fts5", "content='docs_content', content_rowid='id'", "rowid"), ("fts4", "content=\"docs_content\"", "docid"),
    ] {
      let connection = try connection(.owner)
      for sql in [
        "CREATE TABLE docs_content(id INTEGER PRIMARY KEY, body TEXT)",
        "CREATE VIRTUAL TABLE docs USING \(module)(body, \(options))",
        "CREATE TRIGGER t AFTER INSERT ON docs_content BEGIN INSERT INTO docs(\(id), body) VALUES (new.id, new.body); END",
        "CREATE INDEX i ON docs_content(body)", "CREATE TABLE note(doc REFERENCES docs_content(id))",
      ] { try connection.run(sql) }
      #expect(try connection.boundToShadow() == nil)
      try connection.run("CREATE TRIGGER u AFTER INSERT ON docs_docsize BEGIN SELECT 1; END")
      #expect(try connection.boundToShadow() == "trigger 'u'")
    }
  }

  @Test(
    arguments: [
      ("CREATE VIRTUAL TABLE f USING fts5(content, tokenize='porter')", true),
      ("CREATE VIRTUAL TABLE f USING fts5(a /* , content= */, prefix='2,content=3')", true),
      ("CREATE VIRTUAL TABLE f USING \"FTS4\"(a, content , tokenize=porter)", true),
      ("CREATE VIRTUAL TABLE IF NOT EXISTS [f] USING fts5(a, prefix=2, Content = '')", false),
      ("CREATE VIRTUAL TABLE f USING fts4(content=\"t\", a)", false),
      ("CREATE VIRTUAL TABLE f USING rtree(a,b,c)", nil), ("create virtual table \"using\" using fts5(x)", true),
      ("CREATE VIRTUAL TABLE f \u{FEFF}USING\u{FEFF} fts5(x)", nil),
      ("create virtual table f \u{FEFF}using fts5(x)", true),
      ("CREATE VIRTUAL TABLE [using].`a``using``` USING 'fts5'(x)", true),
      ("CREATE VIRTUAL TABLE \"using fts5(content=\" USING fts4", true), ("CREATE VIRTUAL TABLE f", nil), ("", nil),
    ] as [(String, Bool?)])
  func `whether the texts are a virtual table's own is told by its arguments`(sql: String, hasOwn: Bool?) {
    let insides = VirtualTable(sql: sql).insides
    #expect(insides.isEmpty == (hasOwn == nil && !sql.contains("rtree")))
    #expect(insides.contains("content") == (hasOwn == true), "\(insides)")
  }

  @Test(arguments: ["\"using\"", "f5 \u{FEFF}", "\"a\"\"using\"\"b\"", "'using fts4'"])
  func `however a full-text table is made, its inside is found`(name: String) throws {
    let connection = try connection(.clients)
    try connection.run("CREATE VIRTUAL TABLE \(name)USING fts5(x)")
    let inside = try #require(
      try connection.text(
        "SELECT name FROM sqlite_schema WHERE name GLOB '*_data' AND name NOT IN ('f_data', 'my_data')"))
    let trigger = "CREATE TRIGGER t AFTER INSERT ON \"\(inside.replacing("\"", with: "\"\""))\" BEGIN SELECT 1; END"
    let error = #expect(throws: SQLiteError.self) { try connection.run(trigger) }
    #expect(error?.message.contains("an index or a trigger for the table") == true, "\(String(describing: error))")
  }

  @Test func `what is known of a statement is not lost when it is looked for an inside`() throws {
    let connection = try connection(.clients)
    #expect(try connection.prepare("CREATE INDEX i ON my_data(a)").growsSchema)
    #expect(try connection.prepare("CREATE TRIGGER t AFTER INSERT ON my_data BEGIN SELECT 1; END").growsSchema)
    let long = "CREATE TRIGGER t AFTER INSERT ON my_data BEGIN SELECT count(*) FROM f WHERE f MATCH 'a'; END"
    #expect(try connection.prepare(long).growsSchema)
  }

  /// `PRAGMA table_list` compiles every view, and each of these is compiled twice for the next one, up to 65,535 times.
  @Test func `views that double make nothing of this long`() throws {
    let connection = try connection(.clients)
    try connection.run("CREATE TABLE my_own(a)")
    try connection.run("CREATE VIEW v0 AS SELECT a FROM my_own")
    for level in 1...60 {
      try connection.run("CREATE VIEW v\(level) AS SELECT a FROM v\(level - 1) UNION ALL SELECT a FROM v\(level - 1)")
    }
    try connection.run("CREATE INDEX i ON my_own(a)")
    let key = try connection.prepare("CREATE TABLE child_of(a REFERENCES my_own(a))")
    _ = try key.step()
    #expect(try connection.keyToShadow(madeBy: key) == nil)
    #expect(try connection.boundToShadow() == nil)
    #expect(try connection.text("SELECT count(*) FROM f WHERE f MATCH 'a'") == "0")
    #expect(try connection.tableNames().contains("v60"))
    _ = try SchemaDeeds(on: connection)
    // It compiles them while it is compiled itself.
    #expect(throws: SQLiteError.self) { try connection.run("PRAGMA table_list") }
    #expect(throws: SQLiteError.self) { try connection.columnNames(of: "v60") }
    #expect(try connection.text("SELECT count(*) FROM my_own") == "0")
  }

  @Test func `tables that are called like one have triggers and indexes, and an owner may do everything`() throws {
    for authority in [ConnectionSetup.Authority.clients, .owner] {
      let connection = try connection(authority)
      try connection.run("CREATE TRIGGER t AFTER INSERT ON my_data BEGIN INSERT INTO log VALUES (1); END")
      try connection.run("CREATE INDEX i ON my_data(a)")
      try connection.run("INSERT INTO my_data(a) VALUES (1)")
      #expect(try connection.text("SELECT count(*) FROM log") == "1")
    }
    let owner = try connection(.owner)
    try owner.run("CREATE TRIGGER t AFTER INSERT ON f_data BEGIN INSERT INTO log VALUES (1); END")
  }
}
