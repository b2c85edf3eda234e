/// What virtual tables compile for themselves while a statement runs, and what they are made with: nothing of it takes
/// for ever, and their honest work is not ended.
import Foundation
import MartletSQLite
import Testing

@Suite struct VirtualTableCompilationTests {
  private func connection(_ change: (inout ConnectionSetup) -> Void = { _ in }) throws -> Connection {
    var setup = ConnectionSetup()
    change(&setup)
    return try Connection(path: ":memory:", label: "test", access: .writer, setup: setup) { 1 }
  }

  /// Full-text tables of a view that SQLite would compile for longer than anybody lives, and one of window functions.
  private func withCostlyContent() throws -> Connection {
    let connection = try connection()
    try connection.run("CREATE TABLE t(a, b)")
    try connection.run("CREATE VIEW w0 AS SELECT a AS x FROM t")
    for level in 1...40 {
      try connection.run("CREATE VIEW w\(level) AS SELECT x FROM w\(level - 1) UNION ALL SELECT x FROM w\(level - 1)")
    }
    let windows = (0..<1_400).map { "sum(a) OVER (ORDER BY a + \($0))" }.joined(separator: ", ")
    try connection.run("CREATE VIEW windows AS SELECT a AS x, \(windows) FROM t")
    for view in ["w40", "windows"] {
      try connection.run("CREATE VIRTUAL TABLE five_\(view) USING fts5(x, content='\(view)')")
      try connection.run("CREATE VIRTUAL TABLE four_\(view) USING fts4(x, content='\(view)')")
    }
    return connection
  }

  @Test(arguments: ["five_w40", "four_w40", "five_windows", "four_windows"])
  func `the content of a full-text table is compiled in bounded time`(table: String) throws {
    let connection = try withCostlyContent()
    let flag = CancellationFlag()
    flag.cancel()
    for sql in [
      "SELECT * FROM \(table)", "SELECT count(x) FROM \(table)", "INSERT INTO \(table)(\(table)) VALUES ('rebuild')",
      "INSERT INTO t(a) SELECT x FROM \(table)", "SELECT (SELECT max(x) FROM \(table)) FROM sqlite_schema",
    ] {
      for (deadline, cancellation, code) in [
        (UInt64.max, CancellationFlag?.none, SQLiteCode.tooComplex), (1, nil, SQLiteCode.interrupt),
        (.max, flag, SQLiteCode.interrupt),
      ] {
        let statement = try connection.prepare(sql)
        connection.limiter.arm(deadlineNanoseconds: deadline, cancellation: cancellation, isAlone: true)
        let error = #expect(throws: SQLiteError.self, "\(sql)") { while try statement.step() {} }
        connection.limiter.disarm()
        statement.reset()
        #expect(error?.extendedCode == code, "\(sql): \(String(describing: error))")
        #expect(try connection.text("SELECT count(*) FROM t") == "0")
      }
    }
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  /// Their bound is far less than what the work takes, so it would end if it counted for what was compiled before.
  @Test func `what virtual tables do when that is compiled is not counted`() throws {
    let connection = try connection { $0.compileWriteMicrosecondsMax = 2_000 }
    try connection.run("CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
    try connection.run("CREATE VIRTUAL TABLE five USING fts5(a, content='t', content_rowid='id')")
    try connection.run("CREATE VIRTUAL TABLE own USING fts5(a)")
    try connection.run("CREATE VIRTUAL TABLE four USING fts4(a)")
    try connection.run("CREATE VIRTUAL TABLE places USING rtree(id, x0, x1)")
    let numbers = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 4000)"
    for sql in [
      "\(numbers) INSERT INTO t(a) SELECT 'word' || i || ' other' || (i % 97) || ' and more of them' FROM n",
      "INSERT INTO five(five) VALUES ('rebuild')", "INSERT INTO own SELECT a FROM t",
      "INSERT INTO four SELECT a FROM t",
      "\(numbers) INSERT OR REPLACE INTO places SELECT i, i, i + 1 FROM n", "INSERT INTO own(own) VALUES ('optimize')",
      "INSERT INTO four(four) VALUES ('optimize')", "INSERT INTO own(own) VALUES ('integrity-check')",
      "DELETE FROM own WHERE rowid % 2", "UPDATE four SET a = a || ' again'", "UPDATE places SET x1 = x1 + 1",
    ] {
      for isInTransaction in [false, true] {
        if isInTransaction { try connection.execute("BEGIN") }
        let statement = try connection.prepare(sql)
        connection.limiter.arm(isAlone: true)
        while try statement.step() {}
        connection.limiter.disarm()
        statement.reset()
        if isInTransaction { try connection.execute("ROLLBACK") }
      }
    }
    #expect(try connection.text("SELECT count(*) FROM five WHERE five MATCH 'word77'") == "1")
    #expect(try connection.text("SELECT count(*) FROM own WHERE own MATCH 'other5'") == "21")
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  /// Each connection makes a table's tokenizer anew, in time that is the square of what it is told to take for letters.
  @Test func `a module gets no argument that is long`() throws {
    let connection = try connection()
    func letters(_ bytes: Int) -> String { String(repeating: "¡", count: bytes / 2) }
    let long = [
      "CREATE VIRTUAL TABLE f USING fts5(x, tokenize=\"unicode61 tokenchars '\(letters(5_000))'\")",
      "CREATE VIRTUAL TABLE IF NOT EXISTS main.f USING fts4(x, tokenize=unicode61 \"tokenchars=\(letters(5_000))\", y)",
      "create virtual table \"using\" using fts5 ( tokenize='unicode61 separators ''\(letters(5_000))''' , x )",
      "CREATE VIRTUAL TABLE f USING fts5(x, y, /* , */ tokenize = [unicode61 tokenchars '\(letters(5_000))'])",
    ]
    for sql in long {
      let error = #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
      #expect(error?.message.contains("an argument of more than 4096 bytes") == true, "\(String(describing: error))")
    }
    let columns = (0..<1_900).map { "a_column_with_a_long_name_\($0)" }.joined(separator: ", ")
    for sql in [
      "CREATE VIRTUAL TABLE wide USING fts5(\(columns))",
      "CREATE VIRTUAL TABLE f USING fts5(x, tokenize=\"unicode61 tokenchars '\(letters(2_000))'\")",
    ] {
      try connection.run(sql)
    }
    #expect(try connection.text("SELECT count(*) FROM wide") == "0")
  }
}
