/// What SQL text holds, without compiling it.
import Testing

@testable import MartletSQLite

@Suite struct SQLTextTests {
  @Test(
    arguments: [
      ("a \"B\"\"c\" [d e] 'f'", [.word("a"), .quoted("b\"c"), .quoted("d e"), .quoted("f")]),
      ("/* a */ b -- c\n\u{FEFF}d", [.word("b"), .word("d")]), ("a\u{FEFF}b", [.word("a\u{FEFF}b")]),
      ("\"open", [.quoted("open")]), ("/* open", []), ("--", []), ("a.b", [.word("a"), .symbol(46), .word("b")]),
    ] as [(String, [SQLText.Token])])
  func `its tokens are those of SQLite`(sql: String, tokens: [SQLText.Token]) {
    var text = SQLText(bytes: Array(sql.utf8))
    var found: [SQLText.Token] = []
    while let token = text.next() { found.append(token) }
    #expect(found == tokens)
  }

  @Test(arguments: [
    ("", true), (";", true), (";;;", true), (" ;\n;\t", true), ("; -- x", true), ("; /* select 1; */ ;", true),
    (";\u{FEFF};", true), (";\u{0}", true), ("; select 2", false), (";;x", false), ("; \"a\"", false), ("; )", false),
    ("; /**/ vacuum", false), ("; -- x\nselect 2", false), ("; ?", false),
  ])
  func `a text with more than one statement is refused, and empty ones are none`(end: String, isOne: Bool) throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: ConnectionSetup()) { 0 }
    do {
      _ = try connection.prepare("SELECT 1" + end)
      #expect(isOne, "\(end.debugDescription)")
    } catch {
      #expect(!isOne && error.message == "Only one statement may be sent at a time.", "\(end.debugDescription)")
    }
  }

  /// Each view is the one before it, twice. What stands behind a statement was compiled, without a limit.
  @Test func `what stands behind a statement is not compiled`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: ConnectionSetup()) { 0 }
    try connection.execute("CREATE VIEW v0 AS SELECT 1 AS a")
    for level in 1...60 {
      try connection.execute("CREATE VIEW v\(level) AS SELECT x.a FROM v\(level - 1) x, v\(level - 1) y")
    }
    let error = #expect(throws: SQLiteError.self) { try connection.prepare("SELECT 1; SELECT * FROM v60") }
    #expect(error?.message == "Only one statement may be sent at a time.")
  }
}
