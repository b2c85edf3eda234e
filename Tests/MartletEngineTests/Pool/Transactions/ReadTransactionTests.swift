/// Read transactions: one snapshot, statements in order, ends.
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct ReadTransactionTests {
  private func begin(_ fixture: ReadFixture) -> (token: RequestToken, transaction: ReadTransaction) {
    let token = fixture.sink.token()
    return (token, fixture.begin(token))
  }

  private func start(
    _ sql: String, in transaction: ReadTransaction, _ fixture: ReadFixture, credit: Int = .max
  ) throws -> RequestToken {
    let bytes = Trees.raw(sql)
    let token = fixture.sink.token()
    let execution = Execution(token: token, sink: fixture.sink, deadline: .distantFuture, credit: credit)
    do {
      let request = StatementRequest(source: .statement(bytes), credit: credit)
      try transaction.start(request, plan: try fixture.plan(bytes), execution: execution)
    } catch let error as RequestError {
      execution.deliver(.failed(error))
    }
    return token
  }

  private func end(of token: RequestToken, _ fixture: ReadFixture) -> RequestError? {
    var found: RequestError?
    fixture.sink.wait(for: token) { events in
      for case .transactionEnded(let error, _) in events { found = error }
      return found != nil
    }
    return found
  }

  /// Without waiting for it.
  private func end(of token: RequestToken, soon fixture: ReadFixture) -> RequestError? {
    for case .transactionEnded(let error, _) in fixture.sink.events(of: token) { return error }
    return nil
  }

  @Test func `its statements see one snapshot, whatever is committed meanwhile`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(3)
    let (token, transaction) = begin(fixture)
    let begun = fixture.sink.outcome(of: token).completion
    #expect(begun?.transaction == .read)
    #expect(begun?.commitSequence == fixture.commits.sequence)
    try fixture.run("DELETE FROM items")
    for _ in 0..<2 {
      let outcome = fixture.sink.outcome(of: try start("SELECT count(*) FROM items", in: transaction, fixture))
      #expect(outcome.rows == [[3]])
      #expect(outcome.completion?.transaction == .read)
      #expect(outcome.completion?.commitSequence == begun?.commitSequence)
    }
    let failed = fixture.sink.outcome(of: try start("SELECT nothing", in: transaction, fixture))
    #expect(failed.error?.reason == .invalidStatement)
    let finish = fixture.sink.token()
    transaction.finish(token: finish, sink: fixture.sink)
    #expect(fixture.sink.outcome(of: finish).completion?.transaction == TransactionStatus.none)
    #expect(fixture.pool.leasedCount == 0)
    #expect(try !fixture.writer.checkpoint(.truncate).isBusy)
    let late = fixture.sink.outcome(of: try start("SELECT 1", in: transaction, fixture))
    #expect(late.error?.reason == .transactionEnded)
  }

  @Test func `what comes behind a begin that has failed is answered, though its owner has let go of it`() throws {
    let fixture = try ReadFixture()
    let (_, transaction) = begin(fixture)
    transaction.abandon()
    let late = try start("SELECT 1", in: transaction, fixture)
    let finish = fixture.sink.token()
    transaction.finish(token: finish, sink: fixture.sink)
    for token in [late, finish] { #expect(fixture.sink.outcome(of: token).error?.reason == .transactionEnded) }
  }

  @Test func `statements that did not wait run in their order`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 4 << 10 }
    try fixture.addItems(2_000)
    let (_, transaction) = begin(fixture)
    let order = Mutex<[Int]>([])
    var tokens: [RequestToken] = []
    for number in 0..<5 {
      tokens.append(try start("SELECT id, title FROM items", in: transaction, fixture))
      transaction.perform(
        { _ in
          order.withLock { $0.append(number) }
          return .done
        }, refused: { _ in })
    }
    let finish = fixture.sink.token()
    transaction.finish(token: finish, sink: fixture.sink)
    for token in tokens { #expect(fixture.sink.outcome(of: token).completion?.rowsReturned == 2_000) }
    #expect(fixture.sink.outcome(of: finish).error == nil)
    #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
  }

  @Test func `it refuses writes, raw ones too`() throws {
    let fixture = try ReadFixture()
    let (_, transaction) = begin(fixture)
    let outcome = fixture.sink.outcome(of: try start("DELETE FROM items", in: transaction, fixture))
    #expect(outcome.error?.reason == .readOnly)
    #expect(fixture.sink.outcome(of: try start("SELECT 1", in: transaction, fixture)).rows == [[1]])
    transaction.abandon()
  }

  @Test func `an idle one is ended, and its owner told why`() throws {
    let fixture = try ReadFixture()
    let (token, transaction) = begin(fixture)
    _ = fixture.sink.outcome(of: try start("SELECT 1", in: transaction, fixture))
    let marker = DispatchSignal()
    transaction.perform(
      { _ in
        marker.signal()
        return .done
      }, refused: { _ in })
    marker.wait()
    // The work's end is noted just after it; the limit counts from there.
    let share = TimeShares.Share(database: 0, subject: 0, session: 0)
    fixture.workers.submit(
      Turn(on: fixture.workers, as: share, clock: fixture.clock.read) { _ in
        marker.signal()
        return .done
      })
    marker.wait()
    fixture.clock.advance(milliseconds: fixture.limits.transactionIdleMs)
    fixture.pool.tick(now: fixture.clock.now)
    #expect(end(of: token, fixture)?.reason == .transactionEnded)
    #expect(fixture.pool.leasedCount == 0)
    let late = fixture.sink.outcome(of: try start("SELECT 1", in: transaction, fixture))
    #expect(late.error?.reason == .transactionEnded)
    #expect(late.error?.message.contains("idle") == true)
  }

  @Test func `while others wait to begin one, it ends if it does nothing or its rows are not taken`() throws {
    for hasStream in [false, true] {
      let fixture = try ReadFixture {
        $0.readerConnectionsMax = 4
        $0.rowBatchBytes = 4 << 10
      }
      try fixture.addItems(2_000)
      let held = (0..<2).map { _ in begin(fixture) }
      for (token, transaction) in held {
        #expect(fixture.sink.outcome(of: token).completion != nil)
        if hasStream {
          fixture.awaitRows(of: try start("SELECT id, title FROM items", in: transaction, fixture, credit: 1))
        }
      }
      var token = fixture.sink.token()
      token.session += 1
      let waiting = fixture.begin(token)
      try waitUntil {
        fixture.clock.advance(milliseconds: EngineLimits.idleReadMs / 4)
        fixture.pool.tick(now: fixture.clock.now)
        return held.contains { end(of: $0.token, soon: fixture) != nil }
      }
      let ended = held.compactMap { end(of: $0.token, soon: fixture) }
      #expect(ended.count == 1 && ended[0].reason == .transactionEnded && ended[0].isRetryable)
      #expect(ended[0].message.contains("others waited to begin one"))
      #expect(fixture.sink.outcome(of: token).completion?.transaction == .read)
      for transaction in held.map(\.transaction) + [waiting] { transaction.abandon() }
    }
  }

  @Test func `eviction ends its paused stream and then the transaction`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 4 << 10 }
    try fixture.addItems(2_000)
    let (token, transaction) = begin(fixture)
    let stream = try start("SELECT id, title FROM items", in: transaction, fixture, credit: 1)
    let queued = try start("SELECT 1", in: transaction, fixture)
    fixture.awaitRows(of: stream)
    fixture.growLog(by: fixture.limits.walBytesMax + 1)
    #expect(end(of: token, fixture)?.reason == .snapshotEvicted)
    // The statement that ran hears why, so that whoever has seen nothing of it can begin again.
    #expect(fixture.sink.outcome(of: stream).error?.reason == .snapshotEvicted)
    #expect(fixture.sink.outcome(of: queued).error?.reason == .transactionEnded)
    #expect(fixture.pool.leasedCount == 0)
  }

  @Test func `an abandoned one ends without a word`() throws {
    let fixture = try ReadFixture { $0.readerConnectionsMax = 1 }
    let (token, transaction) = begin(fixture)
    let running = try start(ReadFixture.endless, in: transaction, fixture)
    transaction.abandon()
    let (next, other) = begin(fixture)
    #expect(fixture.sink.outcome(of: next).error == nil)
    #expect(fixture.sink.events(of: running).allSatisfy { if case .failed = $0 { true } else { false } })
    #expect(!fixture.sink.events(of: token).contains { if case .transactionEnded = $0 { true } else { false } })
    other.abandon()
  }
}
