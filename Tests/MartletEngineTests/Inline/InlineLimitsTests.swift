/// What an event loop does not read: long values, long statements, and functions that take long in one step.
import MartletAST
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct InlineLimitsTests {
  private func call(_ name: String, _ arguments: [ASTExpression]) -> ASTExpression {
    var call = ASTExpression()
    call.call.function = name
    call.call.arguments = arguments
    return call
  }

  private func parameter(_ index: UInt32) -> ASTExpression {
    var parameter = ASTExpression()
    parameter.parameter.index = index
    return parameter
  }

  private func column(_ name: String) -> ASTExpression {
    var column = ASTExpression()
    column.column.name = name
    return column
  }

  /// `SELECT expression`, from the items if it says so.
  private func select(_ expression: ASTExpression, fromItems: Bool = false) -> [UInt8] {
    var result = ASTResultColumn()
    result.expression = expression
    var statement = ASTStatement()
    statement.select.columns = [result]
    if fromItems { statement.select.from.table.name = "items" }
    return Trees.bytes(statement)
  }

  private func outcome(
    _ bytes: [UInt8], _ parameters: [Value] = [], on fixture: ReadFixture
  ) throws -> InlineReader.Outcome {
    var rows = RowBatch()
    var columns: ResultColumns?
    return try fixture.inlineReader().execute(
      StatementRequest(source: .statement(bytes), parameters: parameters), rows: &rows, columns: &columns)
  }

  private func isCompleted(_ outcome: InlineReader.Outcome) -> Bool {
    if case .completed = outcome { true } else { false }
  }

  @Test func `long bound values go to the pool, and short ones do not`() throws {
    let fixture = try ReadFixture()
    let position = select(call("instr", [parameter(1), parameter(2)]))
    let short = Value.text(String(repeating: "a", count: 30_000))
    let long = Value.text(String(repeating: "a", count: 40_000))
    #expect(isCompleted(try outcome(position, [short, short], on: fixture)))
    #expect(try outcome(position, [long, long], on: fixture) == .declined)
    #expect(try outcome(position, [.blob([UInt8](repeating: 0, count: 70_000)), "a"], on: fixture) == .declined)
  }

  @Test func `long values that are met or made go to the pool`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(2)
    for function in ["upper", "length", "json_valid", "trim", "unicode"] {
      #expect(isCompleted(try outcome(select(call(function, [column("title")]), fromItems: true), on: fixture)))
    }
    try fixture.run("UPDATE items SET title = replace(hex(zeroblob(500000)), '0', 'a') WHERE id = 2")
    for function in ["upper", "length", "json_valid", "trim", "unicode"] {
      let statement = select(call(function, [column("title")]), fromItems: true)
      #expect(try outcome(statement, on: fixture) == .declined, "\(function)")
    }
    let made = select(call("length", [call("randomblob", [parameter(1)])]))
    #expect(try outcome(made, [4_000_000], on: fixture) == .declined)
    #expect(isCompleted(try outcome(made, [4_000], on: fixture)))
  }

  @Test func `functions whose one step may take seconds go to the pool`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(1)
    let offsets = select(call("offsets", [column("title")]), fromItems: true)
    #expect(try outcome(offsets, on: fixture) == .declined)
    for (name, pattern) in [("like", "%item%"), ("glob", "*item*")] {
      let comparison = select(call(name, [parameter(1), column("title")]), fromItems: true)
      #expect(isCompleted(try outcome(comparison, [.text(pattern)], on: fixture)), "\(name)")
    }
  }

  @Test func `what compares one value many times goes to the pool, and what compares many values does not`() throws {
    // What takes long to compile goes to the pool, too, so a busy machine gets time for it here.
    let fixture = try ReadFixture { $0.inlineStopMicroseconds = 10_000_000 }
    try fixture.addItems(2)
    let names = (0..<200).map { "c\($0)" }
    try fixture.run("CREATE TABLE wide(\(names.map { "\($0) TEXT" }.joined(separator: ", ")))")
    let many = (0..<500).map { "(title LIKE '%\($0)x%')" }.joined(separator: " + ")
    try fixture.run("CREATE VIEW many AS SELECT \(many) AS title FROM items")
    try fixture.run(
      "CREATE VIEW few AS SELECT \(names.map { "(\($0) LIKE '%x%')" }.joined(separator: " + ")) AS title FROM wide")
    #expect(try outcome(Trees.select(["title"], from: "many"), on: fixture) == .declined)
    #expect(isCompleted(try outcome(Trees.select(["title"], from: "few"), on: fixture)))
  }

  @Test func `counting all rows of a table is one step, and goes to the pool`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(3)
    let texts = [
      "SELECT count(*) FROM items", "SELECT Count(*) AS n FROM items", "SELECT (SELECT count(*) FROM items) + 1",
      "SELECT 1 WHERE 2 < (SELECT count(*) FROM items)", "WITH c AS (SELECT count(*) AS n FROM items) SELECT n FROM c",
    ]
    for text in texts { #expect(try pace(of: text, on: fixture) == .long, "\(text)") }
    for text in [
      "SELECT count(*) FROM items WHERE id > 0", "SELECT count(title) FROM items", "SELECT title FROM items",
      "SELECT count(*) FROM (SELECT id FROM items LIMIT 2)", "SELECT 'count(*)' FROM items",
      // What explains a statement does nothing of it, and cannot be explained.
      "EXPLAIN SELECT count(*) FROM items", "EXPLAIN QUERY PLAN SELECT count(*) FROM items",
    ] { #expect(try pace(of: text, on: fixture) == .ordinary, "\(text)") }
    let all = select(call("count", []), fromItems: true)
    #expect(try outcome(all, on: fixture) == .declined)
  }

  private func pace(of text: String, on fixture: ReadFixture) throws -> StatementPace {
    try fixture.writer.prepare(text).pace
  }

  @Test func `what takes SQLite long to compile goes to the pool, and is found out once`() throws {
    try #require(SQLiteLibrary.isTuned)
    let fixture = try ReadFixture()
    try fixture.run("CREATE VIEW v0 AS SELECT 1 AS title")
    for level in 1...40 {
      let before = "SELECT title FROM v\(level - 1)"
      try fixture.run("CREATE VIEW v\(level) AS \(before) UNION ALL \(before)")
    }
    let statement = Trees.select(["title"], from: "v40")
    #expect(try outcome(statement, on: fixture) == .declined)
    let text = Trees.raw("SELECT title FROM v40")
    #expect(try outcome(text, on: fixture) == .declined)
    let plan = try fixture.plans.plan(
      for: .statement(text), subject: .program, classifier: nil, isPatient: false)
    #expect(plan.complexity == .slow && plan.access == .raw)
    let error = #expect(throws: RequestError.self) { _ = try fixture.plans.plan(for: .statement(text)) }
    #expect(error?.reason == .limit && plan.complexity == .tooComplex)
    #expect(isCompleted(try outcome(Trees.select(["title"], from: "v3"), on: fixture)))
  }

  @Test func `a long statement is not read on a loop`() throws {
    let fixture = try ReadFixture()
    let decodes = ReadFixture.number(fixture.plans.counters.decodes)
    let sql = "SELECT 1" + String(repeating: ", 1", count: 80_000)
    #expect(try outcome(Trees.raw(sql), on: fixture) == .declined)
    #expect(ReadFixture.number(fixture.plans.counters.decodes) == decodes)
    // Nor is one that is known by its shape only.
    let plan = try fixture.plans.plan(for: .statement(Trees.raw(sql)))
    #expect(plan.access == .raw)
    let prepares = ReadFixture.number(fixture.plans.counters.prepares)
    var rows = RowBatch()
    var columns: ResultColumns?
    let reader = try fixture.inlineReader()
    let outcome = reader.execute(
      shape: plan.shape, parameters: [], columnsVersion: 0, rows: &rows, columns: &columns)
    #expect(outcome == .declined)
    #expect(ReadFixture.number(fixture.plans.counters.prepares) == prepares)
  }
}
