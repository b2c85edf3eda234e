/// The rows of docs/FUNCTIONS.md as statements: each function and operation with the input that it takes longest for.
///
/// Always true: the texts are made by the server, so that a request is short.
import MartletAST

struct WorstCall: Sendable {
  var name: String
  var sql: String
  /// One step of it goes on past its deadline: nothing in SQLite asks whether it may.
  var isOneStep = false

  init(_ name: String, _ sql: String, isOneStep: Bool = false) {
    self.name = name
    self.sql = sql
    self.isOneStep = isOneStep
  }

  /// An expression for a text of so many characters.
  private static func big(_ character: String, _ count: Int) -> String {
    "replace(hex(zeroblob(\(count / 2))), '0', '\(character)')"
  }

  private static let long = big("a", 4_000_000)
  private static let half = big("a", 2_000_000)
  private static let needle = big("a", 1_000_000) + " || 'b'"
  private static let array = "('[' || \(big("1,", 2_000_000)) || '1]')"
  private static let paths = String(repeating: ", '$[1900000]'", count: 90)
  private static let changes = String(repeating: ", '$[1900000]', 1", count: 45)
  private static let object =
    "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80000) "
    + "SELECT json_group_object('k' || i, i) FROM n)"
  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

  /// What the calls about full text read.
  static let setup = [
    "CREATE VIRTUAL TABLE f USING fts5(a)", "INSERT INTO f VALUES (\(big("a ", 600_000)))",
  ]

  static let all: [WorstCall] = texts + json + fullText + operations

  private static let texts: [WorstCall] = [
    WorstCall("instr", "SELECT instr(\(half), \(needle))"),
    WorstCall("replace", "SELECT length(replace(\(half), \(needle), ''))"),
    WorstCall("replace that grows", "SELECT length(replace(\(big("a", 2_000)), 'a', \(half)))"),
    WorstCall("ltrim", "SELECT length(ltrim(\(long), \(big("b", 1_000_000)) || 'a'))"),
    WorstCall("rtrim", "SELECT length(rtrim(\(big("é", 1_000_000)), \(big("b", 1_000_000)) || 'é'))"),
    WorstCall("trim", "SELECT length(trim(\(long), 'a'))"),
    WorstCall("like", "SELECT \(long) LIKE '%' || \(big("a", 250)) || 'b%'"),
    WorstCall("like of many parts", "SELECT \(long) LIKE replace(hex(zeroblob(60)), '0', 'a%') || '_b%'"),
    WorstCall("glob", "SELECT \(long) GLOB '*' || substr(\(big("[^b-z]", 100)), 1, 240) || 'b*'"),
    WorstCall("glob of characters", "SELECT \(long) GLOB '*a' || \(big("?", 240)) || 'b*'"),
    WorstCall("printf", "SELECT length(printf('%.*c', 1000000000, 'x'))"),
    WorstCall("format", "SELECT length(format(\(big("%.2147483647c", 200_000))))"),
    WorstCall("upper", "SELECT length(upper(\(long)))"), WorstCall("lower", "SELECT length(lower(\(long)))"),
    WorstCall("hex", "SELECT length(hex(zeroblob(2500000)))"), WorstCall("quote", "SELECT length(quote(\(long)))"),
    WorstCall("unicode", "SELECT unicode(\(long))"), WorstCall("length", "SELECT length(\(big("é", 2_000_000)))"),
    WorstCall("substr", "SELECT length(substr(\(big("é", 2_000_000)), -900000))"),
    WorstCall("soundex", "SELECT soundex(\(big("1", 4_000_000)))"),
    WorstCall("randomblob", "SELECT length(randomblob(5000000))"),
    WorstCall("zeroblob", "SELECT length(zeroblob(2000000000))"),
    WorstCall("char", "SELECT length(char(\(Array(repeating: "128512", count: 99).joined(separator: ","))))"),
    WorstCall("strftime", "SELECT length(strftime(\(big("%Y", 1_000_000)), 0))"),
    WorstCall("date", "SELECT date(0\(String(repeating: ", '+999999 days', 'weekday 3'", count: 45)))"),
    WorstCall("round", "SELECT round(cast(\(big("9", 4_000_000)) AS REAL), 30)"),
  ]

  private static let json: [WorstCall] = [
    WorstCall("json_set", "SELECT length(json_set('{}', '$' || \(big(".a", 400_000)), 1))"),
    WorstCall("json_insert", "SELECT length(json_insert('[]', '$' || \(big("[0]", 400_000)), 1))"),
    WorstCall("json_patch", "SELECT length(json_patch(\(object), replace(\(object), 'k', 'q')))"),
    WorstCall("json_extract", "SELECT length(json_extract(\(array)\(paths)))", isOneStep: true),
    WorstCall("json_remove", "SELECT length(json_remove(\(array)\(paths)))", isOneStep: true),
    WorstCall("json_replace", "SELECT length(json_replace(\(array)\(changes)))", isOneStep: true),
    WorstCall("json", "SELECT length(json(\(array)))"), WorstCall("json_valid", "SELECT json_valid(\(array))"),
    WorstCall("json_type", "SELECT json_type(\(array), '$[#-1]')"),
    WorstCall("json_array_length", "SELECT json_array_length(\(array))"),
    WorstCall("->", "SELECT \(array) -> '$[#-1]'"), WorstCall("->>", "SELECT \(array) ->> '$[#-1]'"),
    WorstCall("json_quote", "SELECT length(json_quote(\(half)))"),
    WorstCall("json_array", "SELECT length(json_array(\(half)))"),
    WorstCall("json_object", "SELECT length(json_object('a', \(half)))"),
    WorstCall("json_group_array", "\(endless) SELECT length(json_group_array(i)) FROM n LIMIT 1"),
    WorstCall("json_group_object", "\(endless) SELECT length(json_group_object(i, i)) FROM n LIMIT 1"),
    WorstCall("json_each", "SELECT count(*) FROM json_each(\(array))"),
    WorstCall(
      "json_tree", "SELECT count(fullkey) FROM json_tree(\(big("[", 1_990)) || \(big("]", 1_990)))"),
  ]

  private static let fullText: [WorstCall] = [
    WorstCall("highlight", "SELECT length(highlight(f, 0, '<', '>')) FROM f WHERE f MATCH 'a'"),
    WorstCall("snippet", "SELECT snippet(f, 0, '<', '>', '', 30) FROM f WHERE f MATCH 'a'"),
    WorstCall("bm25", "SELECT bm25(f) FROM f WHERE f MATCH 'a'"),
    WorstCall("rank", "SELECT rowid FROM f WHERE f MATCH 'a OR a OR a' ORDER BY rank"),
    WorstCall(
      "match", "SELECT count(*) FROM f WHERE f MATCH 'NEAR(a a a a a a a a, 1000)'", isOneStep: true),
    WorstCall(
      "match of a phrase", "SELECT count(*) FROM f WHERE f MATCH martlet_pattern('\"' || \(big("a ", 20)) || '\"')",
      isOneStep: true),
    WorstCall(
      "match of many words", "SELECT count(*) FROM f WHERE f MATCH martlet_pattern('b' || \(big(" OR b", 5_000)))"),
    WorstCall(
      "match of prefixes", "SELECT count(*) FROM f WHERE f MATCH martlet_pattern('a*' || \(big(" AND a*", 8)))"),
  ]

  private static let operations: [WorstCall] = [
    WorstCall("concatenation", "\(endless) SELECT max(length(\(half) || i || \(half))) FROM n"),
    WorstCall("comparison", "\(endless) SELECT count(*) FROM n WHERE \(long) = substr(\(long), 1)"),
    WorstCall("comparison without case", "SELECT \(long) = substr(\(long), 1) COLLATE NOCASE"),
    WorstCall("cast", "\(endless) SELECT sum(cast(\(big("1", 4_000_000)) AS REAL)) FROM n"),
    WorstCall("order by", "\(endless) SELECT \(half) || i AS a FROM n ORDER BY a LIMIT 1"),
    WorstCall("distinct", "\(endless) SELECT count(DISTINCT \(big("a", 100_000)) || i) FROM n"),
    WorstCall("in", "SELECT \(long) IN (substr(\(long), 1), substr(\(long), 2), \(long))"),
    WorstCall("group_concat", "\(endless) SELECT length(group_concat(i, \(big("a", 100_000)))) FROM n"),
    WorstCall("sum", "\(endless) SELECT sum(i), avg(i), total(i), min(i), max(i) FROM n"),
    WorstCall("count of distinct", "\(endless) SELECT count(DISTINCT i % 1000000) FROM n"),
    WorstCall("window", "\(endless) SELECT max(a) FROM (SELECT sum(i) OVER (ORDER BY -i) AS a FROM n)"),
    WorstCall(
      "window of a wide frame",
      "SELECT max(s) FROM (SELECT max(value) OVER (ORDER BY key ROWS BETWEEN 50000 PRECEDING AND 50000 FOLLOWING "
        + "EXCLUDE CURRENT ROW) AS s FROM json_each(substr(\(array), 1, 400000) || '1]'))"),
    WorstCall(
      "group_concat in a window",
      "SELECT max(length(s)) FROM (SELECT group_concat(value) OVER (ORDER BY key) "
        + "AS s FROM json_each(substr(\(array), 1, 40000) || '1]'))"),
    WorstCall(
      "a list in IN", "SELECT count(*) FROM points WHERE value IN (SELECT a.value + b.value FROM points a, points b)"),
    WorstCall("exists", "SELECT count(*) FROM points a, points b, points c WHERE a.value + b.value < c.value"),
    WorstCall("except", "\(endless) SELECT i FROM n EXCEPT SELECT value FROM points"),
  ]
}
