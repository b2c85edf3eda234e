/// The limiter: what it ends while it is armed, and that it ends nothing while it is not.
import MartletSQLite
import Testing

@Suite struct DisarmedLimiterTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  /// How the last armed statement was ended, before the limiter was disarmed.
  private static let ways: [(stop: ExecutionLimiter.Stop, arm: @Sendable (ExecutionLimiter) -> Void)] = [
    (.budget, { $0.arm(steps: 5_000) }),
    (.deadline, { $0.arm(deadlineNanoseconds: 1) }),
    (
      .cancelled,
      {
        let flag = CancellationFlag()
        flag.cancel()
        $0.arm(cancellation: flag)
      }
    ),
  ]

  /// `BEGIN`, `SAVEPOINT`, `RELEASE` and `COMMIT` are short, but SQLite adds their steps up over their runs, so that
  /// each asks the limiter now and then.
  @Test func `once it is disarmed it ends nothing, however often a statement runs`() throws {
    for (stop, arm) in Self.ways {
      let connection = try Connection(path: ":memory:", label: "test", access: .writer, clock: { 2 })
      let transaction = try ["BEGIN IMMEDIATE", "SAVEPOINT m", "RELEASE m", "COMMIT"].map {
        try connection.prepare($0, for: .engine)
      }
      arm(connection.limiter)
      #expect(throws: SQLiteError.self) { _ = try connection.prepare(Self.endless).step() }
      #expect(connection.limiter.stop == stop)
      connection.limiter.disarm()
      for round in 0..<3_000 {
        for (index, statement) in transaction.enumerated() {
          defer { statement.reset() }
          #expect(throws: Never.self, "round \(round) after \(stop)") { while try statement.step() {} }
          #expect(connection.isAutocommit == (index == 3), "round \(round) after \(stop)")
        }
      }
      #expect(connection.limiter.stop == stop, "what stopped the last armed statement stays readable")
    }
  }

  @Test func `a statement that began armed goes on when the limiter is disarmed`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, clock: { 2 })
    let statement = try connection.prepare(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT i FROM n")
    connection.limiter.arm(deadlineNanoseconds: 3)
    #expect(try statement.step())
    connection.limiter.arm(deadlineNanoseconds: 1)
    connection.limiter.disarm()
    var rows = 1
    while try statement.step() { rows += 1 }
    #expect(rows == 100_000)
  }
}
