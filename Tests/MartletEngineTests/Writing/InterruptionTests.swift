/// Interruptions that nobody asked for, at any step of any statement, `BEGIN`, `SAVEPOINT`, `RELEASE` and `COMMIT`
/// included: nobody notices, or hears of it and finds nothing changed.
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct InterruptionTests {
  /// A shop that is interrupted, and one to which the same happens in peace.
  private final class Pair {
    let fault = StepFault()
    let shop: Shop
    let calm: Shop
    let outsider: Connection
    var random: SeededGenerator
    /// About how often a round asks, so that every step of it has its turn.
    var asksOfRound = 200

    init(seed: UInt64) throws {
      let fault = fault
      // The limiter is asked wherever SQLite can be interrupted at all.
      shop = try Shop {
        Self.giveTime(to: &$0)
        $0.limits.progressSteps = 1
        $0.stepFault = fault.hook
      }
      calm = try Shop { Self.giveTime(to: &$0) }
      outsider = try Connection(
        path: shop.base.directory.path + "/test.sqlite", label: "outsider", access: .writer, clock: { 0 })
      random = SeededGenerator(seed: seed)
    }

    /// On a busy machine a write may take longer than its slice. It would run again after the others, and be answered
    /// otherwise than in peace.
    private static func giveTime(to configuration: inout EngineConfiguration) {
      configuration.limits.writeTimeMaxMs = configuration.limits.deadlineMaxMs
      configuration.limits.longWriteTurnMaxMs = configuration.limits.deadlineMaxMs
      configuration.limits.longWriteTurnMs = configuration.limits.deadlineMaxMs
      configuration.limits.writeSliceMs = configuration.limits.deadlineMaxMs
    }

    func arm(_ connections: String) {
      var positions: Set<Int> = [Int.random(in: 1...asksOfRound, using: &random)]
      if Int.random(in: 0..<3, using: &random) == 0 {
        positions.insert(Int.random(in: 1...asksOfRound, using: &random))
      }
      fault.arm(connections, at: positions)
    }

    func disarm() -> Int {
      let (asks, hits) = fault.disarm()
      asksOfRound = max(20, (asksOfRound * 7 + asks) / 8)
      return hits
    }

    /// Whoever wants to write from outside can: no transaction was left open. And both shops hold the same.
    func check(_ what: String) throws {
      for sql in ["BEGIN IMMEDIATE", "ROLLBACK"] {
        #expect(throws: Never.self, "\(what): a transaction is open") { try outsider.execute(sql) }
      }
      for table in [Shop.items, Trees.select(["id", "parent"], from: "child"), Trees.select(["id"], from: "parent")] {
        let (rows, calmRows) = (try shop.base.run(table).rows, try calm.base.run(table).rows)
        #expect(rows == calmRows, "\(what)")
      }
    }
  }

  /// Rounds of each of eight seeds.
  private static let rounds = scale("MARTLET_INTERLEAVINGS", otherwise: 1_600) / 8

  @Test(arguments: 0..<8) func `whatever step is interrupted, a group answers as if none had been`(seed: Int) throws {
    let pair = try Pair(seed: UInt64(seed))
    var hits = 0
    for round in 0..<Self.rounds {
      let what = "round \(round) of seed \(seed)"
      let requests = (0..<Int.random(in: 1...5, using: &pair.random)).map { _ in ShopRequest.random(&pair.random) }
      let expected = requests.map { request in
        let token = request.start(in: pair.calm)
        return request.answers(token, in: pair.calm)
      }
      var tokens: [RequestToken] = []
      pair.shop.together {
        for request in requests { tokens.append(request.start(in: pair.shop)) }
        pair.arm("writer")
      }
      for (index, token) in tokens.enumerated() {
        let answers = requests[index].answers(token, in: pair.shop)
        #expect(answers == expected[index], "\(what): request \(index), \(requests[index])")
      }
      hits += pair.disarm()
      try pair.check(what)
    }
    #expect(hits > Self.rounds / 8, "the faults met statements")
    #expect(pair.shop.counter("connection_recoveries") > 0)
    #expect(pair.shop.counter("databases_fenced") == 0)
  }

  @Test(arguments: 0..<8) func `an interrupted transaction is there as a whole, or its owner hears that it is not`(
    seed: Int
  ) throws {
    let pair = try Pair(seed: UInt64(100 + seed))
    var ends = (committed: 0, lost: 0)
    for round in 0..<Self.rounds {
      let what = "round \(round) of seed \(seed)"
      pair.arm("writer")
      let done = Self.transact(in: pair.shop, &pair.random)
      _ = pair.disarm()
      if let done {
        ends.committed += 1
        _ = Self.replay(done, in: pair.calm)
      } else {
        ends.lost += 1
      }
      try pair.check(what)
    }
    #expect(ends.committed > 0 && ends.lost > 0)
    #expect(pair.shop.counter("databases_fenced") == 0)
  }

  @Test(arguments: 0..<8) func `an interrupted reader answers with the rows, or says that it was interrupted`(
    seed: Int
  ) throws {
    let pair = try Pair(seed: UInt64(200 + seed))
    let inline = try pair.shop.database.makeInlineReader(label: "loop")
    var outcomes: [String: Int] = [:]
    for round in 0..<Self.rounds {
      let what = "round \(round) of seed \(seed)"
      let id = Value.integer(Int64(1_000 + round))
      for shop in [pair.shop, pair.calm] { try shop.base.run(Shop.insertItem, [id, nil, 1]) }
      let expected = try pair.calm.base.run(Shop.items).rows
      pair.asksOfRound = 3 * expected.count + 20
      pair.arm(["reader", "loop"][round % 2])
      var rows = RowBatch()
      var columns: ResultColumns?
      let request = StatementRequest(source: .statement(Shop.items))
      switch inline.execute(request, rows: &rows, columns: &columns) {
      case .completed: #expect(rows.rowCount == expected.count, "\(what)")
      case .declined: break
      case .failed(let error): Issue.record("\(what): \(error)")
      }
      if round % 3 == 0 { inline.endSnapshot() }
      for rows in Self.read(pair.shop) {
        switch rows {
        case .success(let rows): #expect(rows == expected, "\(what)")
        case .failure(let error): #expect(error.code == .aborted && error.isRetryable, "\(what): \(error)")
        }
        outcomes[(try? rows.get()) == nil ? "interrupted" : "answered", default: 0] += 1
      }
      _ = pair.disarm()
      if round % 20 == 19 {
        try pair.shop.base.sql("DELETE FROM item WHERE id > 999")
        try pair.calm.base.sql("DELETE FROM item WHERE id > 999")
      }
      try pair.check(what)
    }
    #expect(outcomes["answered", default: 0] > 0 && outcomes["interrupted", default: 0] > 0)
  }

  // MARK: - Transactions

  /// Runs a transaction, and returns the statements that succeeded if its commit did.
  private static func transact(in shop: Shop, _ random: inout SeededGenerator) -> [([UInt8], [Value])]? {
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    var done: [([UInt8], [Value])] = []
    for number in 0..<Int.random(in: 1...4, using: &random) {
      if Int.random(in: 0..<3, using: &random) == 0 {
        let savepoint = shop.sink.token()
        transaction.savepoint(.set, number: UInt32(number), token: savepoint, sink: shop.sink)
        _ = shop.sink.outcome(of: savepoint)
      }
      let (statement, parameters) = ShopRequest.statement(&random)
      let token = shop.sink.token()
      _ = transaction.start(
        StatementRequest(source: .statement(statement), parameters: parameters), token: token, sink: shop.sink)
      let outcome = shop.sink.outcome(of: token)
      #expect(outcome.error?.code != .cancelled, "nobody cancelled it")
      if outcome.error == nil { done.append((statement, parameters)) }
    }
    let finish = shop.sink.token()
    transaction.finish(commit: true, token: finish, sink: shop.sink)
    let outcome = shop.sink.outcome(of: finish)
    #expect(outcome.error?.isOutcomeUnknown != true)
    if outcome.error?.constraint == "FOREIGN KEY" {
      transaction.abandon()
      // The next begin waits for the end of this one.
      _ = shop.base.result(Shop.insertItem, [1, "a", -1])
    }
    return outcome.error == nil ? done : nil
  }

  private static func replay(_ statements: [([UInt8], [Value])], in shop: Shop) -> [ShopRequest.Answer] {
    let steps = statements.map { statement, values in
      StatementStep(source: .statement(statement), parameters: values.map { .value($0) })
    }
    guard !steps.isEmpty else { return [] }
    let request = ShopRequest.batch(steps, isAtomic: true)
    let answers = request.answers(request.start(in: shop), in: shop)
    #expect(answers.allSatisfy { $0.code == nil }, "\(answers)")
    return answers
  }

  // MARK: - Reads

  /// The items as the pool reads them: alone, and in a read transaction.
  private static func read(_ shop: Shop) -> [Result<[[Value]], RequestError>] {
    func result(_ outcome: CollectingSink.Outcome) -> Result<[[Value]], RequestError> {
      outcome.error.map { .failure($0) } ?? .success(outcome.rows)
    }
    let alone = shop.base.result(Shop.items)
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.read, deadline: .distantFuture, token: begin, sink: shop.sink)
    let token = shop.sink.token()
    _ = transaction.start(StatementRequest(source: .statement(Shop.items)), token: token, sink: shop.sink)
    let finish = shop.sink.token()
    transaction.finish(commit: true, token: finish, sink: shop.sink)
    let within = shop.sink.outcome(of: token)
    let begun = shop.sink.outcome(of: begin)
    _ = shop.sink.outcome(of: finish)
    return [result(alone), result(begun.error == nil ? within : begun)]
  }
}
