/// Plans: cached, bounded, and what SQLite says about raw text.
import MartletAST
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct PlanCacheTests {
  @Test func `a statement is decoded once, and then known by its shape`() throws {
    let fixture = try ReadFixture()
    let plan = try fixture.plan(ReadFixture.byID)
    #expect(plan.access == .read)
    #expect(try fixture.plan(ReadFixture.byID) === plan)
    #expect(try fixture.plans.plan(for: .shape(plan.shape)) === plan)
    #expect(ReadFixture.number(fixture.plans.counters.decodes) == 1)
    #expect(ReadFixture.number(fixture.plans.counters.hits) == 2)
    #expect(throws: RequestError.unprepared) { try fixture.plans.plan(for: .shape(ShapeID(high: 9, low: 9))) }
  }

  @Test func `what is new to a loop is of its allowance, also if it is refused; what the loop knows is not`() throws {
    let fixture = try ReadFixture()
    let clock = ManualClock()
    // Each look at the clock takes a millisecond, so looks can be counted.
    let allowance = LoopAllowance(limits: fixture.limits) {
      clock.advance(milliseconds: 1)
      return clock.now
    }
    func looks(_ source: StatementSource) throws -> Int {
      let before = clock.now
      _ = try? fixture.plans.plan(for: source, subject: .program, classifier: nil, allowance: allowance)
      return clock.now.milliseconds(since: before)
    }
    let raw = Trees.raw("SELECT 1")
    #expect(try looks(.statement(raw)) == 2)
    #expect(try looks(.statement(raw)) == 0)
    #expect(try looks(.shape(fixture.plan(raw).shape)) == 0)
    #expect(try looks(.shape(ShapeID(high: 9, low: 9))) == 0)
    #expect(try looks(.statement(ReadFixture.byID)) == 2)
    #expect(try looks(.statement([0xFF])) == 2)
    // SQLite cannot read this text, so that it is judged each time.
    let unknown = Trees.raw("SELECT * FROM nobody")
    #expect(try looks(.statement(unknown)) == 2)
    #expect(try looks(.statement(unknown)) == 2)
  }

  @Test func `the cache is bounded in plans and in bytes`() throws {
    let few = try ReadFixture { $0.plansMax = 3 }
    for number in 0..<10 { _ = try few.plan(Trees.raw("SELECT \(number)")) }
    #expect(few.plans.plans.count == 3)
    #expect(ReadFixture.number(few.plans.counters.evictions) == 7)

    let small = try ReadFixture { $0.planBytesMax = 4_000 }
    for number in 0..<10 { _ = try small.plan(Trees.raw("SELECT '\(String(repeating: "x", count: 500))', \(number)")) }
    #expect(small.plans.plans.count == 2)
  }

  @Test func `of statements with many columns a connection keeps few`() throws {
    let fixture = try ReadFixture { $0.statementBytesPerConnectionMax = 1 << 20 }
    let prepared = PreparedPlans(connection: fixture.writer, limits: fixture.limits, counters: fixture.plans.counters)
    func prepare(_ columns: Int, _ number: Int) throws -> PreparedPlan {
      let list = (0..<columns).map { "\(number) AS a_column_with_a_long_name_\($0)" }.joined(separator: ", ")
      return try prepared.prepared(for: fixture.plan(Trees.raw("SELECT \(list)")))
    }
    for number in 0..<100 { _ = try prepare(2, number) }
    #expect(prepared.count == 100)
    let wide = try prepare(1_000, 0).byteCount
    #expect(wide > 100_000 && wide < 1 << 20, "names, and what SQLite holds for each")
    for number in 1..<20 { _ = try prepare(1_000, number) }
    #expect(prepared.count == (1 << 20) / wide)
  }

  @Test func `a connection's statements that nobody has used for a while go, and an idle one keeps few`() throws {
    let fixture = try ReadFixture {
      $0.cacheRoundMs = 1_000
      $0.idleStatementsKept = 4
    }
    let prepared = PreparedPlans(connection: fixture.writer, limits: fixture.limits, counters: fixture.plans.counters)
    let plans = try (0..<20).map { try fixture.plan(Trees.raw("SELECT \($0)")) }
    func tick(_ ms: Int) { prepared.tick(now: MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms)) }
    tick(0)
    let held = try prepared.prepared(for: plans[0])
    for plan in plans.dropFirst() { _ = try prepared.prepared(for: plan) }
    tick(1_000)
    #expect(prepared.count == 20)
    for plan in plans[10..<16] { _ = try prepared.prepared(for: plan) }
    tick(2_000)
    #expect(prepared.count == 6)
    prepared.releaseMemory()
    #expect(prepared.count == 4)
    // Whoever holds one that went may use it, and the next who asks gets another.
    #expect(try held.statement.step())
    #expect(try prepared.prepared(for: plans[0]) !== held)
  }

  @Test func `what an idle database keeps is few plans and statements, and none that are huge`() throws {
    let fixture = try ReadFixture {
      $0.cacheRoundMs = 1_000
      $0.idlePlanBytesKept = 100_000
      $0.idleStatementBytesKept = 100_000
    }
    let prepared = PreparedPlans(connection: fixture.writer, limits: fixture.limits, counters: fixture.plans.counters)
    func prepare(_ width: Int, _ number: Int) throws {
      let columns = (0..<width).map { "\(number) + \($0)" }.joined(separator: ",")
      _ = try prepared.prepared(for: try fixture.plan(Trees.raw("SELECT \(columns)")))
    }
    func tick(_ ms: Int) { fixture.plans.tick(now: MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms)) }
    tick(0)
    for number in 0..<30 { try prepare(300, number) }
    tick(1_000)
    #expect(fixture.plans.plans.count == 30 && prepared.count == 30, "All are in use.")
    tick(2_000)
    prepared.releaseMemory()
    let held = fixture.plans.plans.reduce(0) { $0 + $1.byteCount }
    #expect(held <= 100_000 && fixture.plans.plans.count < 20 && prepared.count < 4)
    for number in 0..<30 { try prepare(2, number) }
    prepared.releaseMemory()
    #expect(prepared.count == 16, "Those of the usual size stay.")
  }

  @Test func `plans that nobody has used for a while go, but for those used last`() throws {
    let fixture = try ReadFixture {
      $0.cacheRoundMs = 1_000
      $0.idlePlansKept = 4
    }
    func tick(_ ms: Int) { fixture.plans.tick(now: MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms)) }
    tick(0)
    let first = try fixture.plan(Trees.raw("SELECT 0"))
    for number in 1..<20 { _ = try fixture.plan(Trees.raw("SELECT \(number)")) }
    tick(1_000)
    #expect(fixture.plans.plans.count == 20, "All were used in the round that ended.")
    tick(1_500)
    #expect(try fixture.plans.plan(for: .shape(first.shape)) === first)
    tick(2_000)
    #expect(fixture.plans.plans.count == 4)
    #expect(try fixture.plans.plan(for: .shape(first.shape)) === first)
    #expect(try fixture.plan(Trees.raw("SELECT 7")).access == .read, "One that went is made again.")
  }

  @Test(arguments: [
    ("SELECT 1", StatementAccess.read), ("INSERT INTO items(id) VALUES (1)", .write), ("DROP TABLE items", .write),
    ("EXPLAIN DELETE FROM items", .read), ("PRAGMA user_version", .read), ("PRAGMA user_version = 3", .write),
    ("WITH x AS (SELECT 1) DELETE FROM items", .write), ("SELECT * FROM nowhere", .raw), ("nonsense", .raw),
    ("BEGIN", .raw), ("SELECT 1; DELETE FROM items", .raw),
  ])
  func `raw text is what SQLite says it is`(_ sql: String, _ access: StatementAccess) throws {
    #expect(try ReadFixture().plan(Trees.raw(sql)).access == access)
  }

  @Test func `raw text that could not be compiled is asked about again`() throws {
    let fixture = try ReadFixture()
    let bytes = Trees.raw("SELECT * FROM later")
    #expect(try fixture.plan(bytes).access == .raw)
    try fixture.run("CREATE TABLE later(a)")
    #expect(try fixture.plan(bytes).access == .read)
  }
}
