/// Nobody holds anybody up on the pool: heavy reads, paused streams and transactions beside the reads of others.
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct ReadSharesTests {
  private let many = "SELECT id, title, price FROM items ORDER BY id"

  @Test(arguments: [1, 2])
  func `reads of others end beside any number of endless ones, and all of them share the time`(threads: Int) throws {
    let fixture = try ReadFixture { $0.readerThreads = threads }
    var endless: [(token: RequestToken, execution: Execution)] = []
    for session in 2..<50 as Range<UInt64> {
      endless.append(try fixture.start(ReadFixture.endless, session: session))
    }
    for _ in 0..<200 {
      let light = try fixture.start("SELECT 1")
      #expect(fixture.sink.outcome(of: light.token).rows == [[1]])
    }
    // One that takes a while goes on between them and ends, too.
    let longer = try fixture.start(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT count(*) FROM n")
    #expect(fixture.sink.outcome(of: longer.token).rows == [[50_000]])
    #expect(fixture.workers.threadCount <= threads + fixture.limits.heavyReadsMax)
    for read in endless { read.execution.cancel() }
    for read in endless { #expect(fixture.sink.outcome(of: read.token).error?.reason == .cancelled) }
    #expect(fixture.pool.leasedCount == 0)
    #expect(fixture.workers.parkedCount == 0)
  }

  @Test func `a parked read hears of its cancellation, its deadline and the shutdown`() throws {
    let fixture = try ReadFixture { $0.readerThreads = 1 }
    let now = EngineConfiguration.systemClock()
    let reads = try (2..<8 as Range<UInt64>).map { try fixture.start(ReadFixture.endless, session: $0) }
    let late = try fixture.start(
      ReadFixture.endless, deadline: fixture.clock.now.advanced(milliseconds: 50), session: 9)
    reads[0].execution.cancel()
    reads[3].execution.abandon()
    #expect(fixture.sink.outcome(of: reads[0].token).error?.reason == .cancelled)
    fixture.clock.advance(milliseconds: 60)
    fixture.pool.tick(now: fixture.clock.now)
    #expect(fixture.sink.outcome(of: late.token).error?.reason == .deadline)
    fixture.pool.shutdown()
    for index in [1, 2, 4, 5] {
      #expect(fixture.sink.outcome(of: reads[index].token).error?.reason == .shuttingDown)
    }
    #expect(fixture.pool.leasedCount == 0)
    #expect(EngineConfiguration.systemClock().milliseconds(since: now) < 30_000)
  }

  @Test func `long reads beyond the seats wait, and each gets its turn`() throws {
    let fixture = try ReadFixture {
      $0.readerThreads = 1
      $0.readerConnectionsMax = 4
      $0.heavyReadsMax = 2
    }
    let endless = try (2..<8 as Range<UInt64>).map { try fixture.start(ReadFixture.endless, session: $0) }
    let longer = try fixture.start(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT count(*) FROM n")
    #expect(fixture.sink.outcome(of: longer.token).rows == [[50_000]])
    #expect(ReadFixture.number(fixture.pool.context.counters.putBack) > 0)
    for read in endless { read.execution.cancel() }
    for read in endless { #expect(fixture.sink.outcome(of: read.token).error?.reason == .cancelled) }
    #expect(fixture.pool.leasedCount == 0)
  }

  @Test func `a hundred streams that nobody reads leave the others their connections`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 4 << 10 }
    try fixture.addItems(60_000)
    let paused = try (0..<99).map { _ in try fixture.start(many, credit: 1, session: 2) }
    // Brief ones find one that is kept for them, long ones get one of the paused streams'.
    for _ in 0..<20 {
      #expect(fixture.sink.outcome(of: try fixture.start("SELECT 1").token).rows == [[1]])
      let all = fixture.sink.outcome(of: try fixture.start(many).token)
      #expect(all.completion?.rowsReturned == 60_000)
    }
    for stream in paused { stream.execution.cancel() }
    for stream in paused {
      let reason = fixture.sink.outcome(of: stream.token).error?.reason
      #expect(reason == .cancelled || reason == .snapshotEvicted)
    }
    #expect(fixture.pool.leasedCount == 0)
    #expect(fixture.workers.copies.takenBytes == 0)
  }

  @Test func `a paused stream whose rest is small loses its connection and no row`() throws {
    let fixture = try ReadFixture {
      $0.rowBatchBytes = 4 << 10
      $0.readerConnectionsMax = 1
    }
    try fixture.addItems(5_000)
    let paused = try fixture.start(many, credit: 1, session: 2)
    try fixture.awaitPaused()
    let other = try fixture.start("SELECT count(*) FROM items")
    fixture.clock.advance(milliseconds: fixture.limits.pausedStreamMs)
    fixture.pool.tick(now: fixture.clock.now)
    #expect(fixture.sink.outcome(of: other.token).rows == [[5_000]])
    #expect(fixture.pool.leasedCount == 0)
    #expect(fixture.workers.copies.takenBytes > 0)
    // It holds no snapshot any more, and what it has is of the one that it had.
    try fixture.run("DELETE FROM items")
    #expect(try !fixture.writer.checkpoint(.truncate).isBusy)
    for _ in 0..<3 { paused.execution.extendCredit(2_000) }
    paused.execution.extendCredit(.max)
    let outcome = fixture.sink.outcome(of: paused.token)
    #expect(outcome.completion?.rowsReturned == 5_000)
    #expect(outcome.rows.map(\.first) == (1...5_000).map { .integer($0) })
    #expect(fixture.workers.copies.takenBytes == 0)
  }

  @Test func `a paused stream whose rest is large is ended where others wait, and told so`() throws {
    let fixture = try ReadFixture {
      $0.rowBatchBytes = 4 << 10
      $0.readerConnectionsMax = 1
      $0.streamCopyBytesMax = 16 << 10
    }
    try fixture.addItems(5_000)
    let paused = try fixture.start(many, credit: 1, session: 2)
    try fixture.awaitPaused()
    fixture.clock.advance(milliseconds: fixture.limits.pausedStreamMs)
    fixture.pool.tick(now: fixture.clock.now)
    #expect(fixture.pool.leasedCount == 1, "nobody waits")
    let other = try fixture.start("SELECT 1")
    #expect(fixture.sink.outcome(of: other.token).rows == [[1]])
    let error = fixture.sink.outcome(of: paused.token).error
    #expect(error?.reason == .snapshotEvicted && error?.isRetryable == true)
    #expect(fixture.workers.copies.takenBytes == 0)
  }

  @Test func `a heavy statement of a transaction is put back and still gives its rows once`() throws {
    let fixture = try ReadFixture {
      $0.readerThreads = 1
      $0.heavyReadsMax = 1
    }
    let endless = try fixture.start(ReadFixture.endless, session: 2)
    let token = fixture.sink.token()
    let transaction = fixture.begin(token)
    let sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT max(i) FROM n"
    let bytes = Trees.raw(sql)
    for _ in 0..<2 {
      let read = fixture.sink.token()
      let execution = Execution(token: read, sink: fixture.sink, deadline: .distantFuture, credit: .max)
      try transaction.start(
        StatementRequest(source: .statement(bytes)), plan: try fixture.plan(bytes), execution: execution)
      let outcome = fixture.sink.outcome(of: read)
      #expect(outcome.rows == [[300_000]])
      #expect(fixture.sink.events(of: read).filter { if case .columns = $0 { true } else { false } }.count == 1)
    }
    endless.execution.cancel()
    transaction.abandon()
    #expect(fixture.sink.outcome(of: endless.token).error?.reason == .cancelled)
  }
}
