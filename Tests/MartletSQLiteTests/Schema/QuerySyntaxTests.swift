/// What is wrong with a query before there is a database for it.
import MartletSQLite
import Testing

@Suite struct QuerySyntaxTests {
  private static let right: [(query: String, words: Set<String>)] = [
    ("SELECT 1", []), ("SELECT a FROM t WHERE b = 1", ["a", "t", "b"]),
    ("SELECT a FROM t JOIN u USING (a)", ["a", "t", "u"]),
    ("SELECT lower(a), max(b) FROM t GROUP BY c", ["a", "b", "c", "t"]),
    ("SELECT rowid, _rowid_, oid, a FROM t", ["rowid", "_rowid_", "oid", "a", "t"]),
    ("SELECT \"two words\" FROM \"a table\"", ["two words", "a table"]),
    ("SELECT \"say \"\"x\"\"\" FROM \"o'brien\"", ["say \"x\"", "o'brien"]),
    ("SELECT a FROM main.t", ["a", "t", "main"]),
    ("SELECT a FROM t WHERE a IN (SELECT b FROM u)", ["a", "b", "t", "u"]),
    ("SELECT count(*) OVER (PARTITION BY a) FROM t", ["a", "t"]),
    ("WITH c AS (SELECT a FROM t) SELECT * FROM c", ["a", "t", "c"]),
    ("SELECT value FROM json_each(a), t", ["value", "json_each", "a", "t"]),
    // What depends on the tables that there will be is not looked at.
    ("SELECT missing FROM t", ["a"]), ("SELECT a FROM t", []), ("SELECT x.a FROM t", ["a"]),
  ]

  @Test func `nothing is wrong with a query that some database could run`() {
    for (query, words) in Self.right {
      let fault = SQLiteLibrary.fault(of: query, naming: words)
      #expect(fault == nil, "\(query): \(fault ?? "")")
    }
  }

  private static let wrong: [(query: String, words: Set<String>, says: String)] = [
    ("SELEC 1", [], "near \"SELEC\": syntax error"), ("SELECT a FROM", ["a"], "incomplete input"),
    ("SELECT (1", [], "incomplete input"), ("SELECT a FROM t WHERE", ["a", "t"], "incomplete input"),
    ("SELECT 'open", [], "unrecognized token"), ("SELECT a FROM t LIMIT 1 WHERE b", ["a", "b", "t"], "near \"WHERE\""),
    ("SELECT nofunction(a) FROM t", ["a", "t"], "no such function: nofunction"),
    ("SELECT a FROM t WHERE nofunction(b) = 1", ["a", "b", "t"], "no such function"),
    ("SELECT lower(a, b, c) FROM t", ["a", "b", "c", "t"], "wrong number of arguments to function lower()"),
    ("SELECT a FROM t WHERE max(a) OVER () = 1", ["a", "t"], "misuse of window function"),
    ("SELECT a FROM t WHERE count(*) > 1", ["a", "t"], "misuse of aggregate"),
    ("SELECT a FROM t ORDER BY a COLLATE nowhere", ["a", "t"], "no such collation sequence: nowhere"),
    ("SELECT lower(a) OVER () FROM t", ["a", "t"], "may not be used as a window function"),
    ("SELECT lower(a) FILTER (WHERE b) FROM t", ["a", "b", "t"], "FILTER may not be used"),
    ("SELECT load_extension(a) FROM t", ["a", "t"], "A statement may not call the function load_extension"),
    ("SELECT nofunction(1) FROM t, u, v", ["nofunction", "t", "u", "v"], "no such function"),
    ("SELECT nofunction(a) FROM main.t", ["a", "t", "main"], "no such function"),
    ("SELECT nofunction(rowid, a) FROM \"o'brien\"", ["rowid", "a", "o'brien"], "no such function"),
    ("SELECT nofunction(\"say \"\"x\"\"\") FROM t", ["say \"x\"", "t"], "no such function"),
  ]

  @Test func `what is wrong in any database is told in SQLite's words`() {
    for (query, words, says) in Self.wrong {
      let fault = SQLiteLibrary.fault(of: query, naming: words)
      #expect(fault?.contains(says) == true, "\(query): \(fault ?? "nothing")")
    }
  }

  @Test func `hostile texts have an end, whatever the answer is`() {
    let many = Set((0..<600).map { "c\($0)" })
    for query in [
      String(repeating: "(", count: 5_000), "SELECT " + String(repeating: "-", count: 2_000) + "1",
      "SELECT " + String(repeating: "a+", count: 5_000) + "a FROM t", "SELECT 1; DROP TABLE t", "\0", "SELECT 1\0",
      String(repeating: "x", count: 100_000),
    ] {
      _ = SQLiteLibrary.fault(of: query, naming: ["a", "t", "nul\0", "\"", ""])
      _ = SQLiteLibrary.fault(of: query, naming: many)
    }
    #expect(SQLiteLibrary.fault(of: String(repeating: "(", count: 5_000), naming: []) != nil)
    // With so many words the functions are not looked at.
    #expect(SQLiteLibrary.fault(of: "SELECT nofunction(c1) FROM t", naming: many) == nil)
  }
}
