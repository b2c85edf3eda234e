/// Interactive write transactions on a real database.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct WriteTransactionTests {
  /// A transaction with calls that wait for their answer.
  private struct Open {
    let shop: Shop
    let begin: RequestToken
    let transaction: Transaction

    init(_ shop: Shop) {
      self.shop = shop
      begin = shop.sink.token()
      transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    }

    @discardableResult
    func run(
      _ statement: [UInt8], _ parameters: [Value] = [], isRequired: Bool = false
    ) -> CollectingSink.Outcome {
      let token = shop.sink.token()
      var request = StatementRequest(source: .statement(statement), parameters: parameters)
      request.isRequired = isRequired
      _ = transaction.start(request, token: token, sink: shop.sink)
      return shop.sink.outcome(of: token)
    }

    func savepoint(_ action: SavepointAction, _ number: UInt32) -> CollectingSink.Outcome {
      let token = shop.sink.token()
      transaction.savepoint(action, number: number, token: token, sink: shop.sink)
      return shop.sink.outcome(of: token)
    }

    func finish(commit: Bool, required: Int = 0) -> CollectingSink.Outcome {
      let token = shop.sink.token()
      transaction.finish(commit: commit, required: required, token: token, sink: shop.sink)
      return shop.sink.outcome(of: token)
    }

    /// Waits for the engine's word that it has ended the transaction.
    func ended() -> RequestError? {
      var found: RequestError?
      shop.sink.wait(for: begin) { events in
        for case .transactionEnded(let error, _) in events { found = error }
        return found != nil
      }
      return found
    }
  }

  @Test func `a transaction sees its own writes and others see them after the commit`() throws {
    let shop = try Shop()
    let open = Open(shop)
    #expect(shop.sink.outcome(of: open.begin).completion?.transaction == .write)
    let before = shop.database.commitSequence
    let insert = open.run(Shop.insertItem, [1, "a", 1])
    #expect(insert.completion?.transaction == .write && insert.completion?.lastInsertRowID == 1)
    #expect(open.run(Shop.items).rows.count == 1)
    #expect(try shop.base.run(Shop.items).rows.isEmpty)
    let commit = open.finish(commit: true)
    #expect(commit.completion?.transaction == TransactionStatus.none)
    #expect(commit.completion?.commitSequence == before + 1)
    #expect(try shop.base.run(Shop.items).rows.count == 1)
    #expect(open.run(Shop.items).error?.reason == .transactionEnded)
  }

  @Test func `a rollback leaves nothing`() throws {
    let shop = try Shop()
    let open = Open(shop)
    open.run(Shop.insertItem, [1, "a", 1])
    #expect(open.finish(commit: false).error == nil)
    #expect(try shop.base.run(Shop.items).rows.isEmpty)
  }

  @Test func `savepoints undo a part`() throws {
    let shop = try Shop()
    let open = Open(shop)
    open.run(Shop.insertItem, [1, "a", 1])
    #expect(open.savepoint(.set, 7).error == nil)
    open.run(Shop.insertItem, [2, "b", 1])
    #expect(open.savepoint(.rollBackTo, 7).error == nil)
    open.run(Shop.insertItem, [3, "c", 1])
    #expect(open.savepoint(.release, 7).error == nil)
    #expect(open.savepoint(.release, 7).error == .noSavepoint(7))
    for number in 0..<UInt32(EngineLimits.savepointsMax) { #expect(open.savepoint(.set, number).error == nil) }
    #expect(open.savepoint(.set, 5).error == .tooManySavepoints)
    #expect(open.finish(commit: true).error == nil)
    #expect(try shop.base.run(Shop.items).rows.map { $0[0] } == [1, 3])
  }

  @Test func `a failed statement leaves the transaction usable`() throws {
    let shop = try Shop()
    let open = Open(shop)
    open.run(Shop.insertItem, [1, "a", 1])
    #expect(open.run(Shop.insertItem, [1, "a", 1]).error?.reason == .constraint)
    #expect(open.run(Trees.raw("COMMIT")).error?.code == .permissionDenied)
    #expect(open.run(Trees.raw("no sql")).error?.reason == .invalidStatement)
    #expect(open.finish(commit: true).error == nil)
    #expect(try shop.base.run(Shop.items).rows.count == 1)
  }

  @Test func `when SQLite rolls back the transaction is over and says so`() throws {
    let shop = try Shop()
    let open = Open(shop)
    open.run(Shop.insertItem, [1, "a", 1])
    #expect(open.run(Shop.insertPoison, [1]).error?.reason == .constraint)
    #expect(open.ended()?.reason == .transactionEnded)
    #expect(open.run(Shop.items).error?.reason == .transactionEnded)
    #expect(open.finish(commit: true).error?.reason == .transactionEnded)
    #expect(try shop.base.run(Shop.items).rows.isEmpty)
  }

  @Test func `a commit that a deferred key forbids fails and can be mended`() throws {
    let shop = try Shop()
    let open = Open(shop)
    #expect(open.run(Shop.insertChild, [1, 5]).error == nil)
    #expect(open.finish(commit: true).error?.reason == .constraint)
    #expect(open.run(Shop.insertParent, [5]).error == nil)
    #expect(open.finish(commit: true).error == nil)
  }

  @Test func `statements may follow the begin without waiting, and one transaction waits for the other`() throws {
    let shop = try Shop()
    let first = Open(shop)
    let second = Open(shop)
    first.run(Shop.insertItem, [1, "a", 1])
    let token = shop.sink.token()
    let request = StatementRequest(source: .statement(Shop.addQuantity), parameters: [4, 1])
    _ = second.transaction.start(request, token: token, sink: shop.sink)
    #expect(shop.sink.events(of: second.begin).isEmpty)
    #expect(first.finish(commit: true).error == nil)
    #expect(shop.sink.outcome(of: token).rows == [[5]])
    #expect(second.finish(commit: true).error == nil)
  }

  @Test func `an idle transaction is ended, others go on, and its owner is told`() throws {
    let clock = ManualClock()
    let shop = try Shop {
      $0.clock = clock.read
      $0.limits.transactionIdleMs = 1_000
      $0.limits.transactionContendedIdleMs = 1_000
    }
    let open = Open(shop)
    open.run(Shop.insertItem, [1, "a", 1])
    let waiting = shop.start(Shop.insertItem, [2, "b", 1])
    clock.advance(milliseconds: 999)
    #expect(open.run(Shop.items).rows.count == 1)
    // When the last statement ended is the writer's to say, so the clock moves until it has noticed.
    shop.sink.wait(for: open.begin, meanwhile: { clock.advance(milliseconds: 250) }) { events in
      events.contains { if case .transactionEnded = $0 { true } else { false } }
    }
    #expect(open.ended()?.code == .aborted)
    #expect(shop.sink.outcome(of: waiting.token).error == nil)
    #expect(open.finish(commit: true).error?.reason == .transactionEnded)
    #expect(try shop.base.run(Shop.items).rows.map { $0[0] } == [2])
    let ages = shop.sink.events(of: open.begin).map {
      if case .transactionEnded(_, let ageMs) = $0 { ageMs } else { 0 }
    }
    #expect((ages.max() ?? 0) >= 1_999)
  }

  @Test func `a busy transaction is ended at the total limit, in the middle of a statement`() throws {
    let shop = try Shop {
      $0.limits.transactionIdleMs = 400
      $0.limits.transactionTotalMs = 400
    }
    let open = Open(shop)
    let error = open.run(Shop.insertSlow, [1]).error
    #expect(error?.reason == .transactionEnded && error?.isRetryable == true)
    #expect(error?.message.contains("it was open for 400 ms") == true)
    #expect(open.ended()?.reason == .transactionEnded)
    #expect(try shop.base.run(Shop.insertItem, [1, "a", 1]).completion?.rowsChanged == 1)
  }

  @Test func `an abandoned transaction frees the writer and tells nobody`() throws {
    let shop = try Shop()
    let open = Open(shop)
    open.run(Shop.insertItem, [1, "a", 1])
    let waiting = Open(shop)
    waiting.transaction.abandon()
    let events = shop.sink.events(of: open.begin).count
    open.transaction.abandon()
    #expect(try shop.base.run(Shop.insertItem, [2, "b", 1]).completion?.rowsChanged == 1)
    #expect(try shop.base.run(Shop.items).rows.map { $0[0] } == [2])
    #expect(shop.sink.events(of: open.begin).count == events)
    #expect(shop.sink.events(of: waiting.begin).isEmpty)
  }

  @Test func `a begin whose turn does not come fails, with what waits behind it`() throws {
    let clock = ManualClock()
    let shop = try Shop {
      $0.clock = clock.read
      $0.limits.transactionIdleMs = 20_000
    }
    let first = Open(shop)
    _ = shop.sink.outcome(of: first.begin)
    let begin = shop.sink.token()
    let late = shop.database.begin(
      .write, deadline: clock.now.advanced(milliseconds: 500), token: begin, sink: shop.sink)
    let token = shop.sink.token()
    _ = late.start(StatementRequest(source: .statement(Shop.items)), token: token, sink: shop.sink)
    clock.advance(milliseconds: 500)
    #expect(shop.sink.outcome(of: begin).error?.reason == .deadline)
    #expect(shop.sink.outcome(of: token).error?.reason == .transactionEnded)
    #expect(first.finish(commit: true).error == nil)
  }

  @Test func `rows inside a transaction stop at the credit and go on with more`() throws {
    let shop = try Shop { $0.limits.rowBatchBytes = 500 }
    let open = Open(shop)
    let token = shop.sink.token()
    let request = StatementRequest(source: .statement(Trees.select(["n"], from: "numbers")), credit: 1)
    let execution = open.transaction.start(request, token: token, sink: shop.sink)
    shop.sink.wait(for: token) { $0.contains { if case .rows = $0 { true } else { false } } }
    for _ in 0..<3 { execution.extendCredit(1) }
    execution.extendCredit(1 << 20)
    #expect(shop.sink.outcome(of: token).rows.count == 200)
    #expect(open.finish(commit: true).error == nil)
  }

  @Test(arguments: [false, true])
  func `a cancel of a write whose rows have begun drops the rest, and what it wrote stays`(waits: Bool) throws {
    let shop = try Shop { $0.limits.rowBatchBytes = 500 }
    let open = Open(shop)
    let update = Trees.raw("UPDATE numbers SET n = n + 1000 RETURNING n")
    let token = shop.sink.token()
    let execution = open.transaction.start(
      StatementRequest(source: .statement(update), credit: 1), token: token, sink: shop.sink)
    shop.sink.wait(for: token) { $0.contains { if case .rows = $0 { true } else { false } } }
    // It waits for credit for a moment, or hears of the cancel before it does.
    if waits { execution.extendCredit(1) }
    execution.cancel()
    let outcome = shop.sink.outcome(of: token)
    #expect(outcome.completion?.rowsReturned == 200 && outcome.completion?.rowsChanged == 200, "\(outcome)")
    #expect(outcome.rows.count < 200)
    // Those that run after it are cancelled by their own owners only.
    let again = open.run(Trees.raw("UPDATE numbers SET n = n + 1000 RETURNING n"))
    #expect(again.rows.count == 200 && again.error == nil)
    #expect(open.finish(commit: true).error == nil)
    #expect(try shop.base.run(Trees.raw("SELECT min(n), max(n) FROM numbers")).rows == [[2_001, 2_200]])
  }

  /// A transaction whose statements wait for credit after a few rows, by a clock that the test moves.
  private static func stalling(_ clock: ManualClock) throws -> Open {
    Open(
      try Shop {
        $0.clock = clock.read
        $0.limits.rowBatchBytes = 500
      })
  }

  /// Whoever left its rows would never hear that it was undone, and commit the rest.
  @Test func `a write that had given rows and fails takes the transaction with it`() throws {
    let clock = ManualClock()
    let open = try Self.stalling(clock)
    let shop = open.shop
    let token = shop.sink.token()
    let update = Trees.raw("UPDATE numbers SET n = n + 1000 RETURNING n")
    _ = open.transaction.start(
      StatementRequest(source: .statement(update), deadline: clock.read().advanced(milliseconds: 200), credit: 1),
      token: token, sink: shop.sink)
    shop.sink.wait(for: token) { $0.contains { if case .rows = $0 { true } else { false } } }
    // When the statement begins to wait is the writer's to say, so the clock moves until it has noticed.
    shop.sink.wait(for: token, meanwhile: { clock.advance(milliseconds: 50) }) { events in
      events.contains { if case .failed = $0 { true } else { false } }
    }
    #expect(shop.sink.outcome(of: token).error?.reason == .deadline)
    #expect(open.ended()?.reason == .transactionEnded)
    #expect(open.finish(commit: true).error?.reason == .transactionEnded)
    #expect(try shop.base.run(Trees.raw("SELECT max(n) FROM numbers")).rows == [[200]])
  }

  @Test func `whoever takes no rows loses the transaction at the idle limit`() throws {
    let clock = ManualClock()
    let open = try Self.stalling(clock)
    let shop = open.shop
    let token = shop.sink.token()
    let request = StatementRequest(source: .statement(Trees.select(["n"], from: "numbers")), credit: 1)
    _ = open.transaction.start(request, token: token, sink: shop.sink)
    shop.sink.wait(for: token) { $0.contains { if case .rows = $0 { true } else { false } } }
    // When the statement begins to wait is the writer's to say, so the clock moves until it has noticed.
    shop.sink.wait(for: token, meanwhile: { clock.advance(milliseconds: 1_000) }) { events in
      events.contains { if case .failed = $0 { true } else { false } }
    }
    #expect(shop.sink.outcome(of: token).error?.reason == .transactionEnded)
    #expect(open.ended() != nil)
  }

  @Test func `a shutdown ends what is open and answers what waits`() throws {
    let shop = try Shop()
    let open = Open(shop)
    open.run(Shop.insertItem, [1, "a", 1])
    let waiting = shop.start(Shop.insertItem, [2, "b", 1])
    shop.base.engine.shutdown()
    #expect(open.ended()?.reason == .transactionEnded)
    #expect(shop.sink.outcome(of: waiting.token).completion?.rowsChanged == 1)
    #expect(shop.sink.outcome(of: shop.start(Shop.insertItem, [3, "c", 1]).token).error?.reason == .shuttingDown)
  }

  @Test(
    arguments: [
      // What each of four required statements is, how many the commit requires, and whether it is one.
      ([true, true, true, true], 4, true), ([true, true, true, true], 0, true), ([true, true, true, true], 3, true),
      ([true, false, true, true], 4, false), ([false, true, true, true], 4, false),
      ([true, true, true, false], 4, false),
      ([true, false, true, true], 3, true), ([false, false, false, false], 1, false), ([], 1, false), ([], 0, true),
      ([true], .max, false),
    ] as [([Bool], Int, Bool)])
  func `a commit is one only if as many required statements have succeeded as it says`(
    statements: [Bool], required: Int, isCommitted: Bool
  ) throws {
    let shop = try Shop()
    let open = Open(shop)
    open.run(Shop.insertItem, [99, "not required", 1])
    for (index, isGood) in statements.enumerated() {
      let outcome = open.run(
        Shop.insertItem, [.integer(Int64(index)), .text("\(index)"), isGood ? 1 : -1], isRequired: true)
      #expect((outcome.error == nil) == isGood)
    }
    let commit = open.finish(commit: true, required: required)
    #expect((commit.error == nil) == isCommitted)
    if !isCommitted {
      #expect(commit.error?.reason == .transactionEnded && commit.error?.isOutcomeUnknown == false)
      #expect(open.run(Shop.items).error?.reason == .transactionEnded)
    }
    let kept = isCommitted ? 1 + statements.filter { $0 }.count : 0
    #expect(try shop.base.run(Shop.items).rows.count == kept)
    // The writer is free again.
    let next = Open(shop)
    next.run(Shop.insertItem, [100, "next", 1])
    #expect(next.finish(commit: true).error == nil)
  }

  @Test func `a statement that is refused before it reaches the writer is missing from the commit`() throws {
    let shop = try Shop()
    let open = Open(shop)
    open.run(Shop.insertItem, [1, "a", 1], isRequired: true)
    #expect(open.run([0xFF, 0xFF], isRequired: true).error != nil)
    #expect(open.finish(commit: true, required: 2).error?.reason == .transactionEnded)
    #expect(try shop.base.run(Shop.items).rows.isEmpty)
  }
}
