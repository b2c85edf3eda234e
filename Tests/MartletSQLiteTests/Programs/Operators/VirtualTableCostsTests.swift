/// What virtual tables do with long values: columns that are made for each use, and texts that are cut into words.
import MartletSQLite
import Testing

@Suite struct VirtualTableCostsTests {
  private func open() throws -> Connection {
    let connection = try Connection.inMemory()
    let all = (1...31).map { "\($0)" }
    for sql in [
      "CREATE TABLE t(id INTEGER PRIMARY KEY, x TEXT)", "CREATE VIRTUAL TABLE plain USING fts5(x)",
      "CREATE VIRTUAL TABLE old USING fts4(x)",
      "CREATE VIRTUAL TABLE few USING fts5(x, prefix = '2 3')",
      "CREATE VIRTUAL TABLE named USING fts5(x, content = 'trigram', content_rowid = 'prefix=2')",
      "CREATE VIRTUAL TABLE threes USING fts5(x, tokenize = 'trigram')",
      "CREATE VIRTUAL TABLE firsts USING fts5(x, prefix = '\(all.joined(separator: " "))')",
      "CREATE VIRTUAL TABLE abbreviated USING fts5(x, PRE = '\(all.joined(separator: " "))')",
      "CREATE VIRTUAL TABLE oldfirsts USING fts4(x, prefix=\"\(all.joined(separator: ","))\")",
      "CREATE TRIGGER t_i AFTER INSERT ON t BEGIN INSERT INTO firsts(rowid, x) VALUES (new.id, new.x); END",
    ] {
      try connection.run(sql)
    }
    return connection
  }

  private static func many(_ part: String, _ count: Int) -> String {
    Array(repeating: part, count: count).joined(separator: "|")
  }

  @Test func `a column of a virtual table costs something each time it is read`() throws {
    let connection = try open()
    let table: [(String, Range<Int>)] = [
      ("SELECT \(Self.many("(j.value IS NULL)", 200)) FROM t, json_tree(t.x) AS j", 600..<700),
      ("SELECT \(Self.many("(atom IS NULL)", 200)) FROM json_each(?1)", 600..<700),
      ("SELECT \(Self.many("(j.id + j.parent)", 100)) FROM t, json_tree(t.x) AS j", 100..<300),
      ("SELECT \(Self.many("(x IS NULL)", 400)) FROM plain", 100..<140),
      ("SELECT \(Self.many("(x IS NULL)", 400)) FROM old", 100..<140),
      ("SELECT \(Self.many("(x IS NULL)", 400)) FROM t", 25..<60),
    ]
    for (sql, range) in table {
      let found = try connection.prepare(sql).operatorCount(on: .row)
      #expect(range.contains(found), "\(found) of \(sql.suffix(60))")
    }
  }

  @Test func `trigrams and indexes of first letters cost a multiple of the words, in a trigger too`() throws {
    let connection = try open()
    let table: [(String, Range<Int>)] = [
      ("INSERT INTO plain VALUES (?1)", 12..<30), ("INSERT INTO old VALUES (?1)", 12..<30),
      ("INSERT INTO named VALUES (?1)", 12..<30),
      ("INSERT INTO few VALUES (?1)", 84..<100), ("INSERT INTO threes VALUES (?1)", 240..<256),
      ("INSERT INTO firsts VALUES (?1)", 1_128..<1_200), ("INSERT INTO abbreviated VALUES (?1)", 1_128..<1_200),
      ("INSERT INTO oldfirsts VALUES (?1)", 1_128..<1_200),
      ("INSERT INTO t(x) VALUES (?1)", 1_128..<2_400),
    ]
    for (sql, range) in table {
      let found = try connection.prepare(sql).operatorCount(on: .message)
      #expect(range.contains(found), "\(found) of \(sql)")
    }
  }

  @Test func `a row that goes is cut into words once more, and a small statement is no exception`() throws {
    let connection = try open()
    let table: [(String, Range<Int>)] = [
      ("DELETE FROM threes", 240..<256), ("UPDATE threes SET x = 'a'", 240..<520),
      ("REPLACE INTO threes(rowid, x) VALUES (1, 'a')", 240..<256), ("INSERT INTO threes SELECT x FROM t", 240..<256),
      ("DELETE FROM firsts WHERE rowid = 1", 1_128..<1_200),
    ]
    for (sql, range) in table {
      let statement = try connection.prepare(sql)
      let found = try statement.operatorCount(on: .row)
      #expect(range.contains(found) && !statement.isSmall, "\(found) of \(sql)")
    }
    #expect(try connection.prepare("DELETE FROM plain").isSmall)
  }
}
