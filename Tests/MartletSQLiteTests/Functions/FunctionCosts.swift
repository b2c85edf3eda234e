/// What the functions of SQLite cost at their worst, within the limits: the calls behind docs/FUNCTIONS.md.
///
/// `MeasureFunctionCosts` measures them.
import Foundation
import MartletSQLite
import Testing

/// A call that is made to take as long as it can. `?1` is a text of 5 MB, `?2` one of half of that, `?3` a needle that
/// occurs in neither, `?4` a pattern of the greatest length, `?5` a JSON array of 5 MB, `?6` one of objects.
struct CostlyCall {
  var name: String
  var input: String
  var sql: String
  var done: String
  /// SQLite's own function takes minutes, or ends the process.
  var isEndless = false
  var setup: [String] = []

  init(_ name: String, _ input: String, _ sql: String, _ done: String, isEndless: Bool = false, setup: [String] = []) {
    self.name = name
    self.input = input
    self.sql = sql
    self.done = done
    self.isEndless = isEndless
    self.setup = setup
  }
}

enum CostlyCalls {
  static let replaced = "replaced: linear, interruptible"
  static let onePass = "one pass; looked at every 8 steps"
  static let plain = "harmless: one pass"

  private static let fullText = [
    "CREATE VIRTUAL TABLE f USING fts5(a)", "INSERT INTO f VALUES (replace(hex(zeroblob(1200000)), '0', 'a '))",
  ]
  private static let paths = String(repeating: ", '$[2000000]'", count: 98)

  static let all: [CostlyCall] = [
    CostlyCall("instr", "2.5 MB of `a`, 1.2 MB of `a` and a `b`", "SELECT instr(?2, ?3)", replaced, isEndless: true),
    CostlyCall("replace", "the same", "SELECT length(replace(?2, ?3, ''))", replaced, isEndless: true),
    CostlyCall(
      "ltrim", "a set of 1 MB", "SELECT length(ltrim(?1, replace(substr(?2, 1, 1000000), 'a', 'b') || 'a'))", replaced,
      isEndless: true),
    CostlyCall(
      "rtrim", "the same", "SELECT length(rtrim(?1, replace(substr(?2, 1, 1000000), 'a', 'b') || 'a'))", replaced,
      isEndless: true),
    CostlyCall(
      "trim", "the same", "SELECT length(trim(?1, replace(substr(?2, 1, 1000000), 'a', 'b') || 'a'))", replaced,
      isEndless: true),
    CostlyCall("like", "`%aa…ab%` of 256 bytes, 5 MB of `a`", "SELECT ?1 LIKE ?4", replaced),
    CostlyCall(
      "glob", "`*[^b-z]…b*` of 256 bytes, 5 MB of `a`",
      "SELECT ?1 GLOB '*' || substr(replace(hex(zeroblob(50)), '0', '[^b-z]'), 1, 246) || 'b*'",
      replaced),
    CostlyCall(
      "printf", "`%.1000000000c`", "SELECT printf('%.*c', 1000000000, 'x')", replaced, isEndless: true),
    CostlyCall(
      "format", "300,000 times `%.2147483647c`",
      "SELECT format(replace(substr(?2, 1, 300000), 'a', '%.2147483647c'))", replaced, isEndless: true),
    CostlyCall(
      "json_set", "a path of 500,000 steps",
      "SELECT length(json_set('{}', '$' || replace(substr(?2, 1, 500000), 'a', '.a'), 1))",
      replaced, isEndless: true),
    CostlyCall(
      "json_insert", "the same, `[0]`",
      "SELECT length(json_insert('[]', '$' || replace(substr(?2, 1, 500000), 'a', '[0]'), 1))", replaced,
      isEndless: true),
    CostlyCall(
      "json_patch", "two objects of 100,000 members",
      "SELECT length(json_patch(?6, replace(?6, '\"k', '\"j')))", replaced, isEndless: true),
    CostlyCall("json_extract", "98 paths to the end of 5 MB", "SELECT json_extract(?5\(paths)) IS NULL", replaced),
    CostlyCall("json_remove", "98 paths in 5 MB", "SELECT length(json_remove(?5\(paths)))", replaced),
    CostlyCall(
      "json_replace", "49 paths in 5 MB",
      "SELECT length(json_replace(?5\(String(repeating: ", '$[2000000]', 1", count: 49))))", replaced),
    CostlyCall(
      "json_extract", "31 paths, which are SQLite's own",
      "SELECT json_extract(?5\(String(repeating: ", '$[2000000]'", count: 31))) IS NULL", onePass),
    CostlyCall("json", "an array of 5 MB", "SELECT length(json(?5))", onePass),
    CostlyCall("json_valid", "the same", "SELECT json_valid(?5)", onePass),
    CostlyCall("json_type", "the same", "SELECT json_type(?5, '$[#-1]')", onePass),
    CostlyCall("json_array_length", "the same", "SELECT json_array_length(?5)", onePass),
    CostlyCall("->", "the same", "SELECT ?5 -> '$[#-1]'", onePass),
    CostlyCall("->>", "the same", "SELECT ?5 ->> '$[#-1]'", onePass),
    CostlyCall("json_array", "text of 2.5 MB", "SELECT length(json_array(?2))", onePass),
    CostlyCall("json_object", "text of 2.5 MB", "SELECT length(json_object('a', ?2))", onePass),
    CostlyCall("json_quote", "text of 2.5 MB", "SELECT length(json_quote(?2))", onePass),
    CostlyCall(
      "json_group_array", "400,000 rows",
      "SELECT length(json_group_array(value)) FROM json_each(substr(?5, 1, 800000) || ']')", onePass),
    CostlyCall(
      "json_group_object", "200,000 rows",
      "SELECT length(json_group_object(key, value)) FROM json_each(substr(?5, 1, 400000) || ']')", onePass),
    CostlyCall(
      "json_each", "an array of 5 MB", "SELECT count(*) FROM json_each(?5)", "a row at a time, after one pass"),
    CostlyCall(
      "json_tree", "a depth of 1,990",
      """
      SELECT count(fullkey) FROM (SELECT substr(?2, 1, 1990) AS a),
        json_tree(replace(a, 'a', '[') || replace(a, 'a', ']'))
      """,
      "a row at a time, after one pass; depth at most 2,000"),
    CostlyCall(
      "highlight", "1,200,000 matches in one row", "SELECT length(highlight(f, 0, '', '')) FROM f WHERE f MATCH 'a'",
      replaced, isEndless: true, setup: fullText),
    CostlyCall(
      "snippet", "the same", "SELECT snippet(f, 0, '', '', '', 30) FROM f WHERE f MATCH 'a'", replaced, isEndless: true,
      setup: fullText),
    CostlyCall(
      "bm25", "the same", "SELECT bm25(f) FROM f WHERE f MATCH 'a'", "never on an event loop", setup: fullText),
    CostlyCall(
      "match", "`NEAR` of 12 words that all occur 1,200,000 times",
      "SELECT count(*) FROM f WHERE f MATCH 'NEAR(a a a a a a a a a a a a, 1000)'",
      "never on an event loop; one step, not bounded: see below", setup: fullText),
    CostlyCall("upper", "5 MB", "SELECT length(upper(?1))", onePass),
    CostlyCall("lower", "5 MB", "SELECT length(lower(?1))", onePass),
    CostlyCall("hex", "2.5 MB", "SELECT length(hex(?2))", onePass),
    CostlyCall("quote", "5 MB", "SELECT length(quote(substr(?1, 3)))", onePass),
    CostlyCall("length", "5 MB of text", "SELECT length(?1)", onePass),
    CostlyCall("substr", "the end of 5 MB of text", "SELECT length(substr(?1, -1000000))", onePass),
    CostlyCall("substring", "the same", "SELECT length(substring(?1, -1000000))", onePass),
    CostlyCall("unicode", "5 MB", "SELECT unicode(?1)", onePass),
    CostlyCall("soundex", "5 MB of what is no letter", "SELECT soundex(replace(?2, 'a', '11'))", onePass),
    CostlyCall("randomblob", "5 MB", "SELECT length(randomblob(5000000))", onePass),
    CostlyCall(
      "zeroblob", "5 MB", "SELECT hex(zeroblob(5000000)) IS NULL", "bounded by `valueBytesMax` before it is made"),
    CostlyCall(
      "strftime", "a format of 2.5 MB", "SELECT length(strftime(replace(substr(?2, 1, 1200000), 'a', '%Y'), 0))",
      onePass),
    CostlyCall(
      "group_concat", "a separator of 100 KB, 40 rows",
      "SELECT length(group_concat(value, substr(?2, 1, 100000))) FROM json_each(substr(?5, 1, 80) || ']')", onePass),
    CostlyCall(
      "char", "100 arguments", "SELECT length(char(\(Array(repeating: "128512", count: 99).joined(separator: ","))))",
      "bounded by `functionArgumentsMax`"),
    CostlyCall("(concatenation)", "2.5 MB and 2.5 MB", "SELECT length(?2 || ?2)", plain),
    CostlyCall("(comparison)", "equal texts of 5 MB", "SELECT ?1 = substr(?1, 1)", plain),
    CostlyCall("(comparison, NOCASE)", "equal texts of 5 MB", "SELECT ?1 = substr(?1, 1) COLLATE NOCASE", plain),
    CostlyCall("(cast to a number)", "5 MB of digits", "SELECT cast(replace(?1, 'a', '1') AS REAL)", plain),
    CostlyCall(
      "(ORDER BY)", "8 equal texts of 5 MB",
      "SELECT count(*) FROM (SELECT substr(?1, 1) AS a FROM json_each('[1,2,3,4,5,6,7,8]') ORDER BY a LIMIT 9)", plain),
    CostlyCall(
      "(DISTINCT)", "8 equal texts of 5 MB",
      "SELECT count(DISTINCT substr(?1, value)) FROM json_each('[1,1,1,1,1,1,1,1]')", plain),
    CostlyCall(
      "(IN)", "a text of 5 MB among 4", "SELECT ?1 IN (substr(?1, 1), substr(?1, 2), substr(?1, 3), '')", plain),
  ]
}

@Suite struct FunctionCostTests {
  @Test func `every function of this SQLite has its row in docs FUNCTIONS`() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/FUNCTIONS.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    // The first cell names one function or several.
    let named = Set(
      rows.flatMap { row in
        row.split(separator: "|", maxSplits: 1).first.map { cell in
          cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        } ?? []
      })
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    let list = try connection.prepare("SELECT DISTINCT name FROM pragma_function_list ORDER BY 1")
    var missing: [String] = []
    while try list.step() {
      let name = String(decoding: list.value(at: 0).textBytes, as: UTF8.self)
      if !named.contains(name) { missing.append(name) }
    }
    #expect(missing.isEmpty, "docs/FUNCTIONS.md has no row for \(missing)")
    #expect(named.isSuperset(of: CostlyCalls.all.map(\.name).filter { !$0.hasPrefix("(") }))
  }
}
