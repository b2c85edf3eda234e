/// Reads on the pool: streaming by credit, cancellation, deadlines and eviction.
import Dispatch
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct ReaderPoolTests {
  private let many = "SELECT id, title, price FROM items ORDER BY id"

  @Test func `a stream gives every row in order and ends with its count`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 4 << 10 }
    try fixture.addItems(5_000)
    let outcome = fixture.sink.outcome(of: try fixture.start(many).token)
    #expect(outcome.error == nil)
    #expect(outcome.completion?.rowsReturned == 5_000)
    #expect(outcome.completion?.commitSequence == fixture.commits.sequence)
    #expect(outcome.columns?.columns.map(\.name) == ["id", "title", "price"])
    #expect(outcome.batches.count > 10)
    #expect(outcome.rows.map(\.first) == (1...5_000).map { .integer($0) })
    #expect(fixture.pool.leasedCount == 0)
    #expect(fixture.pool.openReads == 0)
  }

  @Test func `without credit a stream pauses, keeps its connection and frees its thread`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 4 << 10 }
    try fixture.addItems(5_000)
    let (token, execution) = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: token)
    // The only thread must be free for this one.
    #expect(fixture.sink.outcome(of: try fixture.start("SELECT 1").token).completion?.rowsReturned == 1)
    let first = fixture.rowCount(of: token)
    #expect(first < 1_000)
    #expect(fixture.pool.leasedCount == 1)
    // Its snapshot stays what it was.
    try fixture.run("DELETE FROM items")
    execution.extendCredit(.max)
    let outcome = fixture.sink.outcome(of: token)
    #expect(outcome.completion?.rowsReturned == 5_000)
    #expect(outcome.rows.count == 5_000)
  }

  @Test func `a cancelled statement ends soon and its connection is usable again`() throws {
    let fixture = try ReadFixture { $0.readerConnectionsMax = 1 }
    for _ in 0..<3 {
      let (token, execution) = try fixture.start(ReadFixture.endless)
      execution.cancel()
      #expect(fixture.sink.outcome(of: token).error?.reason == .cancelled)
      #expect(fixture.sink.outcome(of: try fixture.start("SELECT 1").token).completion?.rowsReturned == 1)
    }
  }

  @Test func `a paused stream is cancelled at once, an abandoned one without a word`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 4 << 10 }
    try fixture.addItems(5_000)
    let cancelled = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: cancelled.token)
    cancelled.execution.cancel()
    #expect(fixture.sink.outcome(of: cancelled.token).error?.reason == .cancelled)

    let abandoned = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: abandoned.token)
    abandoned.execution.abandon()
    #expect(fixture.sink.outcome(of: try fixture.start("SELECT 1").token).error == nil)
    let ends = fixture.sink.events(of: abandoned.token).filter { if case .rows = $0 { false } else { true } }
    #expect(ends.count == 1)
  }

  @Test func `a deadline ends a statement while it runs`() throws {
    let fixture = try ReadFixture()
    let deadline = fixture.clock.now.advanced(milliseconds: 50)
    let (token, _) = try fixture.start(ReadFixture.endless, deadline: deadline)
    fixture.clock.advance(milliseconds: 60)
    #expect(fixture.sink.outcome(of: token).error?.reason == .deadline)
  }

  @Test func `a snapshot ends when the log has grown past its limit since, and not for its age`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 4 << 10 }
    try fixture.addItems(5_000)
    // However large the log is already, a read that begins now has kept nothing back.
    fixture.growLog(by: 10 * fixture.limits.walBytesMax)
    let (token, _) = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: token)
    fixture.clock.advance(milliseconds: 3_600_000)
    fixture.pool.tick(now: fixture.clock.now)
    fixture.growLog(by: fixture.limits.walBytesMax)
    #expect(fixture.pool.oldestSnapshotAgeMs(now: fixture.clock.now) == 3_600_000)
    #expect(fixture.pool.leasedCount == 1)
    #expect(try fixture.writer.checkpoint(.truncate).isBusy)
    fixture.growLog(by: 1)
    #expect(fixture.pool.leasedCount == 1, "the log is small again: nothing is kept back")
    fixture.growLog(by: fixture.limits.walBytesMax + 1)
    let outcome = fixture.sink.outcome(of: token)
    #expect(outcome.error?.reason == .snapshotEvicted)
    #expect(outcome.error?.isRetryable == true)
    #expect(outcome.error?.message.contains("limit wal-mib") == true)
    #expect(fixture.pool.leasedCount == 0)
    #expect(try !fixture.writer.checkpoint(.truncate).isBusy)
    #expect(ReadFixture.number(fixture.pool.context.counters.evictions) == 1)
  }

  @Test func `only the snapshots go that the log has grown past its limit for`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 4 << 10 }
    try fixture.addItems(5_000)
    let old = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: old.token)
    fixture.growLog(by: 5)
    let young = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: young.token)
    fixture.growLog(by: fixture.limits.walBytesMax)
    #expect(fixture.sink.outcome(of: old.token).error?.reason == .snapshotEvicted)
    young.execution.extendCredit(.max)
    #expect(fixture.sink.outcome(of: young.token).completion?.rowsReturned == 5_000)
  }

  @Test func `who waits for a connection is served in turn, or told when its deadline passes`() throws {
    let fixture = try ReadFixture {
      $0.readerConnectionsMax = 1
      $0.rowBatchBytes = 4 << 10
    }
    try fixture.addItems(5_000)
    let holder = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: holder.token)
    let hurried = try fixture.start("SELECT 1", deadline: fixture.clock.now.advanced(milliseconds: 10))
    let patient = try fixture.start("SELECT 2")
    let gone = try fixture.start("SELECT 3")
    #expect(fixture.pool.waitingCount == 3)
    gone.execution.cancel()
    #expect(fixture.sink.outcome(of: gone.token).error?.reason == .cancelled)
    fixture.clock.advance(milliseconds: 10)
    fixture.pool.tick(now: fixture.clock.now)
    #expect(fixture.sink.outcome(of: hurried.token).error?.reason == .deadline)
    #expect(fixture.sink.events(of: patient.token).isEmpty)
    holder.execution.cancel()
    #expect(fixture.sink.outcome(of: patient.token).rows == [[2]])
  }

  @Test func `a read that waits at its deadline is told whether it had begun`() throws {
    let fixture = try ReadFixture {
      $0.readerConnectionsMax = 1
      $0.rowBatchBytes = 4 << 10
    }
    try fixture.addItems(5_000)
    let deadline = fixture.clock.now.advanced(milliseconds: 10)
    let unread = try fixture.start(many, credit: 1, deadline: deadline)
    fixture.awaitRows(of: unread.token)
    let waiting = try fixture.start("SELECT 1", deadline: deadline)
    fixture.clock.advance(milliseconds: 10)
    fixture.pool.tick(now: fixture.clock.now)
    let errors = [unread, waiting].map { fixture.sink.outcome(of: $0.token).error }
    #expect(errors[0]?.message.contains("before all of its rows were taken") == true)
    #expect(errors[1]?.message.contains("before it could run") == true)
    for error in errors { #expect(error?.reason == .deadline && error?.isRetryable == true) }
  }

  @Test func `connections that many needed at once close when nobody needs them, and open for the next rush`() throws {
    let fixture = try ReadFixture {
      $0.rowBatchBytes = 4 << 10
      $0.idleReadersKept = 3
      $0.streamCopiesBytesMax = 0
    }
    try fixture.addItems(5_000)
    func rush(_ count: Int) throws {
      let reads = try (0..<count).map { try fixture.start(many, credit: 1, session: UInt64($0)) }
      for read in reads { fixture.awaitRows(of: read.token) }
      #expect(fixture.pool.leasedCount == count)
      for read in reads {
        read.execution.extendCredit(.max)
        #expect(fixture.sink.outcome(of: read.token).completion?.rowsReturned == 5_000)
      }
    }
    func pass(milliseconds: Int) {
      fixture.clock.advance(milliseconds: milliseconds)
      for _ in 0..<20 { fixture.pool.tick(now: fixture.clock.now) }
    }
    for _ in 0..<2 {
      try rush(12)
      pass(milliseconds: fixture.limits.idleReaderMs - 1)
      #expect(fixture.pool.idleCount == 12)
      // What is in use, or was a moment ago, is not idle.
      let held = try fixture.start(many, credit: 1)
      fixture.awaitRows(of: held.token)
      pass(milliseconds: 1)
      #expect(fixture.pool.idleCount == 3)
      held.execution.extendCredit(.max)
      #expect(fixture.sink.outcome(of: held.token).completion?.rowsReturned == 5_000)
      #expect(fixture.pool.idleCount == 4)
      pass(milliseconds: 2 * fixture.limits.idleReaderMs)
      #expect(fixture.pool.idleCount == 3)
    }
  }

  @Test func `connections that close at every moment cost no read`() throws {
    let fixture = try ReadFixture {
      $0.readerThreads = 3
      $0.rowBatchBytes = 4 << 10
      $0.idleReadersKept = 0
      $0.idleReaderMs = 0
      $0.idleCacheMs = 0
    }
    try fixture.addItems(500)
    let pool = fixture.pool
    let clock = fixture.clock
    let closing = DispatchGroup()
    DispatchQueue.global().async(group: closing) { for _ in 0..<20_000 { pool.tick(now: clock.now) } }
    for round in 0..<60 {
      let reads = try (0..<10).map { number in
        try fixture.start(many, credit: number % 3 == 0 ? 1 : .max, session: UInt64(number))
      }
      for read in reads { read.execution.extendCredit(.max) }
      for read in reads {
        #expect(fixture.sink.outcome(of: read.token).completion?.rowsReturned == 500, "round \(round)")
      }
    }
    closing.wait()
    pool.tick(now: clock.now)
    #expect(pool.leasedCount == 0)
  }

  @Test func `too many that wait are refused`() throws {
    let fixture = try ReadFixture {
      $0.readerConnectionsMax = 1
      $0.readQueueMax = 1
      $0.rowBatchBytes = 4 << 10
    }
    try fixture.addItems(5_000)
    let holder = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: holder.token)
    _ = try fixture.start("SELECT 1")
    let refused = fixture.sink.outcome(of: try fixture.start("SELECT 1").token).error
    #expect(refused?.reason == .overloaded)
    #expect(refused?.isRetryable == true)
  }

  @Test func `shutdown ends what runs, what is paused and what waits`() throws {
    let fixture = try ReadFixture {
      $0.readerConnectionsMax = 2
      $0.rowBatchBytes = 4 << 10
    }
    try fixture.addItems(5_000)
    let paused = try fixture.start(many, credit: 1)
    fixture.awaitRows(of: paused.token)
    let running = try fixture.start(ReadFixture.endless)
    let waiting = try fixture.start("SELECT 1")
    fixture.pool.shutdown()
    for read in [paused, running, waiting] {
      #expect(fixture.sink.outcome(of: read.token).error?.reason == .shuttingDown)
    }
    #expect(fixture.sink.outcome(of: try fixture.start("SELECT 1").token).error?.reason == .shuttingDown)
  }

  @Test func `many readers at once, some of them cancelled, all get an end and every connection comes back`() throws {
    let fixture = try ReadFixture {
      $0.readerThreads = 3
      $0.readerConnectionsMax = 4
      $0.rowBatchBytes = 4 << 10
    }
    try fixture.addItems(2_000)
    var reads: [(token: RequestToken, execution: Execution)] = []
    for number in 0..<60 {
      let read = try fixture.start(many, credit: number % 3 == 0 ? 1 : .max)
      if number % 5 == 0 { read.execution.cancel() }
      reads.append(read)
    }
    for read in reads { read.execution.extendCredit(.max) }
    for read in reads {
      let outcome = fixture.sink.outcome(of: read.token)
      #expect(outcome.completion?.rowsReturned == 2_000 || outcome.error?.reason == .cancelled)
    }
    #expect(fixture.pool.openReads == 0)
    #expect(fixture.pool.leasedCount == 0)
  }
}
