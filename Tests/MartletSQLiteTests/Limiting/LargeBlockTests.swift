/// Statements of which a few steps take long, because they compare long keys: they end in time all the same.
import MartletSQLite
import Synchronization
import Testing

@Suite struct LargeBlockTests {
  /// Each look at the clock makes it a nanosecond later.
  private final class CountingClock: Sendable {
    let looks = Atomic<UInt64>(0)

    func now() -> UInt64 { looks.add(1, ordering: .relaxed).newValue }
  }

  private static let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"

  /// Each keeps long keys in a tree of its own.
  private static let statements = [
    "WITH RECURSIVE d(x, n) AS (SELECT x, 1 FROM big UNION SELECT x, n + 1 FROM d WHERE n < 60) SELECT count(*) FROM d",
    "\(rows) SELECT count(*) FROM (SELECT DISTINCT x, i FROM n, big)",
    "\(rows) SELECT count(*) FROM (SELECT x, i FROM n, big EXCEPT SELECT x, i + 1 FROM n, big)",
    "\(rows) SELECT count(*) FROM n, big WHERE (x, i) IN (SELECT x, i FROM n, big)",
  ]

  @Test(arguments: statements, [false, true])
  func `a deadline is seen between two steps that take long, and the connection goes on`(
    sql: String, isInTransaction: Bool
  ) throws {
    let clock = CountingClock()
    var setup = ConnectionSetup()
    setup.progressSteps = 100_000_000
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: setup) { clock.now() }
    try connection.run("CREATE TABLE big(x TEXT COLLATE NOCASE)")
    try connection.run("INSERT INTO big VALUES (printf('%.*c', 140000, 'x'))")
    let statement = try connection.prepare(sql)
    if isInTransaction { try connection.execute("BEGIN") }
    connection.limiter.arm(deadlineNanoseconds: clock.now() + 100, isAlone: true)
    let error = #expect(throws: SQLiteError.self) { while try statement.step() {} }
    #expect(error?.code == SQLiteCode.interrupt && connection.limiter.stop == .deadline, "\(String(describing: error))")
    statement.reset()
    connection.limiter.disarm()
    #expect(try statement.step(), "without a deadline it has all the time")
    statement.reset()
    connection.limiter.arm(deadlineNanoseconds: .max - 1, isAlone: true)
    #expect(try statement.step(), "with a late one, too")
    #expect(connection.limiter.stop == nil)
    connection.limiter.disarm()
    statement.reset()
    #expect(connection.isAutocommit != isInTransaction)
  }

  @Test func `who goes while armed is asked no more`() throws {
    let clock = CountingClock()
    var first: Connection? = try Connection(path: ":memory:", label: "first", access: .writer) { clock.now() }
    first?.limiter.arm(deadlineNanoseconds: 1)
    first = nil
    let looks = clock.looks.load(ordering: .relaxed)
    let second = try Connection(path: ":memory:", label: "second", access: .writer) { 0 }
    #expect(try second.integer("SELECT length(printf('%.*c', 3000000, 'x'))") == 3_000_000)
    #expect(clock.looks.load(ordering: .relaxed) == looks)
  }
}
