/// Documents that SQLite reads as JSON again and again, and those whose parsed form it keeps.
import MartletSQLite
import Testing

@Suite struct KeptDocumentsTests {
  private static func many(_ part: String, _ count: Int, joined separator: String = "|") -> String {
    (0..<count).map { part.replacing("#", with: "\($0)") }.joined(separator: separator)
  }

  private func count(
    _ sql: String, on values: Statement.OperatorValues = .row, after setup: [String] = []
  ) throws -> Int {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE t(id INTEGER PRIMARY KEY, x TEXT, y TEXT, z TEXT, u TEXT, v TEXT)")
    for sql in setup { try connection.run(sql) }
    return try connection.prepare(sql).operatorCount(on: values)
  }

  @Test func `json_valid goes on after a malformed text, which is read anew for each call`() throws {
    let stored = try count("SELECT \(Self.many("json_valid(x)", 200)) FROM t")
    #expect(stored >= 200 * 12, "\(stored)")
    let bound = try count("SELECT \(Self.many("json_valid(?1)", 200))", on: .message)
    #expect(bound >= 200 * 12, "\(bound)")
  }

  @Test(arguments: ["substr(?1, #)", "trim(?1, '#')", "replace(?1, '#', '')", "?1 || '#'", "upper(substr(?1, #))"])
  func `what a function makes of a document is another document`(document: String) throws {
    let calls = ["json_valid(\(document))", "json_extract(\(document), '$')", "(\(document) ->> 'a')"]
    for call in calls {
      let found = try count("SELECT \(Self.many(call, 100))", on: .message)
      #expect(found >= 100 * 12, "\(found) of \(call)")
    }
  }

  @Test func `paths of a few documents are looked for in what SQLite has kept`() throws {
    let table: [(String, Range<Int>)] = [
      ("SELECT \(Self.many("(x ->> 'a#')", 200)) FROM t", 200..<260),
      ("SELECT \(Self.many("json_extract(x, '$.a#')", 100, joined: ", ")) FROM t", 12..<60),
      ("SELECT \(Self.many("json_extract(ifnull(x, '{}'), '$.a#')", 100, joined: ", ")) FROM t", 12..<60),
      ("SELECT \(Self.many("(x ->> 'a#'), (y ->> 'b#'), (z ->> '#')", 30, joined: ", ")) FROM t", 36..<80),
      ("SELECT \(Self.many("json_array_length(x, '$.a#')", 100, joined: ", ")) FROM t", 12..<60),
    ]
    for (sql, range) in table {
      let found = try count(sql)
      #expect(range.contains(found), "\(found) of \(sql.prefix(60))")
    }
  }

  @Test func `more documents than SQLite keeps are read anew for each call, and so are those that short ones push out`()
    throws
  {
    let five = ["x", "y", "z", "u", "v"].map { "json_array_length(\($0))" }.joined(separator: "|")
    #expect(try count("SELECT \(Self.many(five, 20)) FROM t") >= 20 * 12)
    let short = Self.many("json_array_length('[#]')", 4)
    #expect(try count("SELECT \(Self.many("\(short)|json_array_length(x)", 20)) FROM t") >= 20 * 12)
    let chosen = "CASE id WHEN 1 THEN '[1]' WHEN 2 THEN '[2]' WHEN 3 THEN '[3]' WHEN 4 THEN '[4]' ELSE x END"
    #expect(try count("SELECT \(Self.many("json_array_length(\(chosen))", 20)) FROM t") >= 20 * 12)
  }

  @Test func `each run of a trigger reads the document again`() throws {
    let triggers = (0..<40).map {
      "CREATE TRIGGER t\($0) AFTER INSERT ON t BEGIN INSERT INTO n VALUES (json_array_length(new.x, '$.a\($0)')); END"
    }
    let found = try count("INSERT INTO t(x) VALUES (?1)", after: ["CREATE TABLE n(a)"] + triggers)
    #expect(found >= 40 * 12, "\(found)")
  }

  @Test(arguments: ["'a'", "'$.a'", "'$.\"a\"'", "'$'", "u", "'$.' || u"])
  func `a member that is asked for again is written again, and so is what it is in`(path: String) throws {
    let calls = ["(x -> \(path))", "(x ->> \(path))", "json_extract(x, \(path))", "json_extract(x, '$.b', \(path))"]
    for call in calls where !call.hasPrefix("json") || path != "'a'" {
      let found = try count("SELECT \(Self.many("(\(call) IS NULL)", 200)) FROM t")
      #expect(found >= 200 * 3, "\(found) of \(call)")
    }
    let nested = (0..<100).map { "(x -> '$\(String(repeating: "[0]", count: $0))')" }.joined(separator: ", ")
    #expect(try count("SELECT \(nested) FROM t") >= 100 * 3)
  }
}
