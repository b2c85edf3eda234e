/// Steps of SQLite that take all of a table, under an engine: they end in their own time, and harm nobody.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite(.serialized) struct LongStepTests {
  /// A table of 60 MB, of which a connection keeps 256 KiB.
  private func filled() throws -> Shop {
    let shop = try Shop { $0.limits.pageCacheBytes = 256 << 10 }
    try shop.base.sql("CREATE TABLE large(id INTEGER PRIMARY KEY, b BLOB)")
    try shop.base.sql(
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        + "INSERT INTO large SELECT i, zeroblob(3000) FROM n")
    return shop
  }

  private var soon: MonotonicTime { EngineConfiguration.systemClock().advanced(milliseconds: 4) }

  @Test func `a table that takes longer to drop than the time for it stays, and its neighbours commit`() throws {
    let shop = try filled()
    let clock = ContinuousClock()
    // Time for all of it, and then undone with its batch.
    let whole = clock.measure {
      let steps = ["DROP TABLE large", "INSERT INTO item VALUES (1, NULL, -1)"].map {
        StatementStep(source: .statement(Trees.raw($0)), parameters: [])
      }
      let token = shop.sink.token()
      _ = shop.database.start(BatchRequest(steps: steps, isAtomic: true), token: token, sink: shop.sink)
      #expect(shop.sink.outcome(of: token).error?.reason == .constraint)
    }
    var times: [Duration] = []
    for round in 0..<15 {
      let start = clock.now
      let drop = shop.start(Trees.raw("DROP TABLE large"), deadline: soon).token
      let neighbours = (0..<5).map { index in
        shop.start(Shop.insertItem, [.integer(Int64(round * 5 + index)), .text("\(round) \(index)"), 1]).token
      }
      for token in neighbours { #expect(shop.sink.outcome(of: token).error == nil, "round \(round)") }
      let error = try #require(shop.sink.outcome(of: drop).error, "round \(round)")
      #expect(error.reason == .deadline, "round \(round): \(error)")
      times.append(clock.now - start)
    }
    // It does not run to its end first. Some rounds wait for their turn until their time is over, so the slow ones
    // count, and the machine may have been busy in two of them.
    let slow = times.sorted()[times.count - 3]
    #expect(slow < whole / 4, "\(slow) of \(whole)")
    #expect(try shop.base.sql("SELECT count(*), sum(length(b)) FROM large").rows == [[20_000, 60_000_000]])
    #expect(try shop.base.sql("SELECT count(*) FROM item").rows == [[75]])
    #expect(try shop.base.sql("PRAGMA integrity_check").rows == [["ok"]])
    // With a deadline that is long enough, the table is dropped.
    try shop.base.sql("DROP TABLE large")
  }

  @Test func `a count of a whole table ends at its deadline, and the same thread counts on`() throws {
    let shop = try filled()
    for round in 0..<40 {
      let counts = (0..<4).map { _ in shop.start(Trees.raw("SELECT count(*) FROM large"), deadline: soon).token }
      for token in counts {
        let outcome = shop.sink.outcome(of: token)
        #expect(outcome.error?.reason == .deadline || outcome.rows == [[20_000]], "round \(round): \(outcome)")
      }
    }
    #expect(try shop.base.sql("SELECT count(*) FROM large").rows == [[20_000]])
  }

  /// They take the words of the pattern times those of the row, and no deadline ends them.
  @Test func `offsets, matchinfo and snippet of an FTS4 table hold no writer`() throws {
    let shop = try Shop()
    for sql in [
      "CREATE VIRTUAL TABLE old USING fts4(x)", "CREATE VIRTUAL TABLE new USING fts5(x)", "CREATE TABLE o(a)",
      "INSERT INTO old VALUES ('a b a')", "INSERT INTO new VALUES ('a b a')",
      "CREATE VIEW seen AS SELECT length(offsets(old)) AS a FROM old WHERE old MATCH 'a'",
    ] {
      try shop.base.sql(sql)
    }
    for sql in [
      "INSERT INTO o SELECT offsets(old) FROM old WHERE old MATCH 'a OR b'", "INSERT INTO o SELECT a FROM seen",
      "DELETE FROM o WHERE a IN (SELECT snippet(OLD) FROM Old WHERE x MATCH 'a')",
      "UPDATE o SET a = (SELECT matchinfo(old, 'x') FROM main.old AS z WHERE old MATCH 'b')",
    ] {
      let error = shop.base.result(Trees.raw(sql)).error
      #expect(
        error?.reason == .notAllowed && error?.message.contains("FTS5") == true, "\(sql): \(String(describing: error))")
    }
    try shop.base.sql("INSERT INTO o SELECT snippet(new, 0, '', '', '', 4) FROM new WHERE new MATCH 'a'")
    #expect(try shop.base.sql("SELECT offsets(old) FROM old WHERE old MATCH 'b'").rows == [["0 0 2 1"]])
    #expect(try shop.base.sql("SELECT a FROM seen").rows == [[15]])
  }
}
