/// Which scripts are dumps of SQLite's shell.
import Testing

@testable import MartletCommand

struct DumpRecognizerTests {
  @Test(
    arguments: [
      (
        ["PRAGMA foreign_keys=OFF", "BEGIN TRANSACTION", "CREATE TABLE t(a)", "INSERT INTO t VALUES(1)", "COMMIT"],
        [.perhaps, .statement, .statement, .statement, .complete]
      ),
      (["select 1", "PRAGMA foreign_keys=OFF", "BEGIN TRANSACTION"], [.no, .no, .no]),
      (["PRAGMA foreign_keys=OFF", "select 1"], [.perhaps, .notAfterAll]),
      (
        ["PRAGMA foreign_keys=OFF", "BEGIN TRANSACTION", "DROP TABLE t", "COMMIT"],
        [.perhaps, .statement, .notAfterAll, .no]
      ),
      (
        ["PRAGMA foreign_keys=OFF", "BEGIN TRANSACTION", "INSERT INTO t SELECT 1"],
        [.perhaps, .statement, .notAfterAll]
      ),
      (["PRAGMA foreign_keys=OFF", "BEGIN TRANSACTION", "ROLLBACK"], [.perhaps, .statement, .notAfterAll]),
      (
        ["PRAGMA foreign_keys=OFF", "BEGIN TRANSACTION", "CREATE TABLE t AS SELECT 1"],
        [.perhaps, .statement, .notAfterAll]
      ),
      (
        ["PRAGMA foreign_keys=OFF", "BEGIN TRANSACTION", "CREATE TEMP TABLE t(a)"],
        [.perhaps, .statement, .notAfterAll]
      ),
      (
        [
          "PRAGMA foreign_keys=OFF", "BEGIN TRANSACTION", "PRAGMA writable_schema=ON",
          "INSERT INTO sqlite_schema(type,name)VALUES('table','f')", "DELETE FROM sqlite_sequence",
          "INSERT INTO \"a VALUES\" VALUES('SELECT')", "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END",
          "PRAGMA writable_schema=OFF", "ANALYZE sqlite_schema", "INSERT INTO sqlite_stat1 VALUES('t',NULL,'1')",
          "PRAGMA user_version=5", "pragma application_id = -7", "COMMIT", "select 1",
        ],
        [.perhaps] + Array(repeating: .statement, count: 11) + [.complete, .no]
      ),
    ] as [([String], [DumpRecognizer.Verdict])])
  func `a dump is recognized statement by statement`(statements: [String], verdicts: [DumpRecognizer.Verdict]) {
    var recognizer = DumpRecognizer()
    #expect(statements.map { recognizer.statementArrived($0) } == verdicts)
  }

  @Test(
    arguments: [
      ("a", "a"), (#"\\"#, #"\"#), (#"\u00e9"#, "é"), (#"\00e9"#, "é"), (#"\+01F600"#, "😀"), (#"\U0001F600!"#, "😀!"),
      (#"\"#, nil), (#"\u12"#, nil), (#"\x"#, nil), (#"\ud800"#, nil), ("", ""),
    ] as [(String, String?)])
  func `escapes are decoded as SQLite decodes them`(text: String, decoded: String?) {
    #expect((try? EscapedText.decode(text)) == decoded)
  }

  @Test(
    arguments: [
      ("PRAGMA foreign_keys=OFF", .foreignKeys(isOn: false)), ("pragma Foreign_Keys(1)", .foreignKeys(isOn: true)),
      ("PRAGMA foreign_keys = 'on'", .foreignKeys(isOn: true)), ("PRAGMA foreign_keys", nil),
      ("PRAGMA writable_schema=OFF", .skipped(note: nil)), ("PRAGMA table_info(t)", nil),
      ("PRAGMA user_version = 3", nil),
      ("SELECT 1", nil),
      (
        "PRAGMA journal_mode=WAL",
        .skipped(note: "PRAGMA journal_mode was skipped: the server keeps this setting itself.")
      ),
      (
        "PRAGMA cache_size = -2000",
        .skipped(note: "PRAGMA cache_size was skipped: the server keeps this setting itself.")
      ),
    ] as [(String, ScriptPragma?)])
  func `pragmas of scripts are followed, or skipped with a note`(sql: String, pragma: ScriptPragma?) {
    #expect(ScriptPragma(sql) == pragma)
  }
}
