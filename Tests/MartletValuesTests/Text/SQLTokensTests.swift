/// What a text of SQL begins with, as SQLite reads it.
import MartletValues
import Testing

@Suite struct SQLTokensTests {
  @Test(arguments: [
    ("create table t(a)", "CREATE"), ("  \n\t\r\u{0C}Drop table t", "DROP"), (";create table t(a)", "CREATE"),
    ("; ;\n;ALTER", "ALTER"), ("\u{FEFF}analyze", "ANALYZE"), (" \u{FEFF} \u{FEFF};vacuum", "VACUUM"),
    ("-- drop\ncreate", "CREATE"), ("/* a */ /* b */create", "CREATE"), ("/*;*/;/**/--\n\u{FEFF}select 1", "SELECT"),
    ("CREATE\u{FEFF}TABLE", "CREATE\u{FEFF}TABLE"), ("", nil), (";;", nil), ("-- create", nil), ("/* create", nil),
    ("\"create\" table", nil), ("(select 1)", nil),
  ])
  func `the first word stands behind space, comments and empty statements`(sql: String, word: String?) {
    #expect(SQLTokens.firstWord(of: sql) == word)
  }

  @Test(
    arguments: [
      ("\u{FEFF}select 1", [.word("select"), .word("1")]), ("a\u{FEFF}b", [.word("a\u{FEFF}b")]),
      (";\u{FEFF} \u{FEFF}[x y]", [.symbol(UInt8(ascii: ";")), .quoted("x y")]),
      ("from/**/\u{FEFF}pragma_x", [.word("from"), .word("pragma_x")]), ("\u{FEFF}", []),
      ("'a\u{FEFF}'\u{FEFF}", [.quoted("a\u{FEFF}")]),
    ] as [(String, [SQLTokens.Token])])
  func `a mark of byte order is space before a token and a letter inside of one`(
    sql: String, tokens: [SQLTokens.Token]
  ) {
    #expect(Array(SQLTokens(sql)) == tokens)
  }
}
