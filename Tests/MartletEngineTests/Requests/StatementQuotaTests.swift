/// The quotas of a subject on each way that a statement can take through the engine.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct StatementQuotaTests {
  /// How a statement is run.
  enum Way: CaseIterable {
    case alone, inline, atomicBatch, looseBatch, readTransaction, readTransactionBatch
    case writeTransaction, writeTransactionAtomicBatch, writeTransactionLooseBatch

    static let reads = allCases
    static let writes = allCases.filter { ![.inline, .readTransaction, .readTransactionBatch].contains($0) }
  }

  private static func subject(_ values: [Quota: Int]) -> Subject {
    var subject = Subject.program
    subject.quotas = StatementQuotas(values)
    return subject
  }

  /// Runs a statement and returns its result; a write transaction is committed afterwards.
  private static func run(
    _ base: TemporaryDatabase, _ way: Way, _ statement: [UInt8], _ quotas: [Quota: Int], _ parameters: [Value] = []
  ) throws -> CollectingSink.Outcome {
    let (sink, subject) = (CollectingSink(), subject(quotas))
    var request = StatementRequest(source: .statement(statement), parameters: parameters)
    request.subject = subject
    func batch(_ isAtomic: Bool) -> BatchRequest {
      let step = StatementStep(source: .statement(statement), parameters: parameters.map { .value($0) })
      var batch = BatchRequest(steps: [step], isAtomic: isAtomic)
      batch.subject = subject
      return batch
    }
    func onItsOwn(_ batch: BatchRequest) -> CollectingSink.Outcome {
      let token = sink.token()
      _ = base.database.start(batch, token: token, sink: sink)
      return outcome(of: token, step: true, sink)
    }
    func transaction(_ mode: TransactionMode, _ isAtomic: Bool?) -> CollectingSink.Outcome {
      let begin = sink.token()
      let transaction = base.database.begin(mode, deadline: .distantFuture, subject: subject, token: begin, sink: sink)
      _ = sink.outcome(of: begin)
      let token = sink.token()
      if let isAtomic {
        _ = transaction.start(batch(isAtomic), token: token, sink: sink)
      } else {
        _ = transaction.start(request, token: token, sink: sink)
      }
      let result = outcome(of: token, step: isAtomic != nil, sink)
      let end = sink.token()
      transaction.finish(commit: true, token: end, sink: sink)
      _ = sink.outcome(of: end)
      return result
    }
    switch way {
    case .alone: return Self.alone(base, request)
    case .inline: return try inline(base, request)
    case .atomicBatch: return onItsOwn(batch(true))
    case .looseBatch: return onItsOwn(batch(false))
    case .readTransaction: return transaction(.read, nil)
    case .readTransactionBatch: return transaction(.read, false)
    case .writeTransaction: return transaction(.write, nil)
    case .writeTransactionAtomicBatch: return transaction(.write, true)
    case .writeTransactionLooseBatch: return transaction(.write, false)
    }
  }

  /// Of the one step of a batch, if there is one.
  private static func outcome(of token: RequestToken, step: Bool, _ sink: CollectingSink) -> CollectingSink.Outcome {
    _ = sink.outcome(of: token)
    var token = token
    if step { token.step = 1 }
    return sink.outcome(of: token)
  }

  private static func inline(_ base: TemporaryDatabase, _ request: StatementRequest) throws -> CollectingSink.Outcome {
    let reader = try base.database.makeInlineReader(label: "loop.0")
    var (rows, columns) = (RowBatch(columnCount: 0), ResultColumns?.none)
    var outcome = CollectingSink.Outcome()
    switch reader.execute(request, rows: &rows, columns: &columns) {
    case .completed(let completion):
      outcome.completion = completion
      outcome.batches = [rows]
    case .failed(let error): outcome.error = error
    // As a server does.
    case .declined: return alone(base, request)
    }
    return outcome
  }

  private static func alone(_ base: TemporaryDatabase, _ request: StatementRequest) -> CollectingSink.Outcome {
    let sink = CollectingSink()
    let token = sink.token()
    _ = base.database.start(request, token: token, sink: sink)
    return sink.outcome(of: token)
  }

  private static func expect(_ outcome: CollectingSink.Outcome, _ quota: Quota?, _ note: String) {
    guard let quota else {
      #expect(outcome.error == nil, "\(note)")
      return
    }
    #expect(outcome.error?.reason == .quota, "\(note): \(String(describing: outcome.error))")
    #expect(outcome.error?.message.contains("quota \(quota.rawValue) ") == true, "\(note)")
    #expect(outcome.error?.isOutcomeUnknown == false && outcome.completion == nil, "\(note)")
  }

  private static func filled(rows: Int) throws -> TemporaryDatabase {
    let base = try TemporaryDatabase()
    try base.sql("CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT)")
    let values = (1...rows).map {
      [Value.integer(Int64($0)), .text("body \($0) " + String(repeating: "x", count: 90))]
    }
    try base.run(Trees.insertRows("t", ["id", "body"]), [.rows(RowBatch(rows: values, columnCount: 2))])
    return base
  }

  private static let select = Trees.select(["id", "body"], from: "t")

  @Test(arguments: Way.reads) func `a result ends with the error beyond its rows or bytes, and not within them`(
    way: Way
  )
    throws
  {
    for rows in [20, 5_000] {
      let base = try Self.filled(rows: rows)
      let whole = try Self.run(base, way, Self.select, [.resultRows: rows, .resultBytes: 1 << 30])
      Self.expect(whole, nil, "\(way) \(rows)")
      #expect(whole.rows.count == rows)
      for quotas in [[Quota.resultRows: rows - 1], [.resultBytes: rows * 90]] {
        let cut = try Self.run(base, way, Self.select, quotas)
        Self.expect(cut, quotas.keys.first, "\(way) \(rows)")
        #expect(cut.rows.count < rows)
      }
      // Nothing of it stays with the next one.
      #expect(try Self.run(base, way, Self.select, [:]).rows.count == rows)
    }
  }

  @Test(arguments: Way.writes) func `a write whose RETURNING gives too much is undone`(way: Way) throws {
    let base = try Self.filled(rows: 2)
    let insert = Trees.raw("INSERT INTO t(body) SELECT value FROM json_each('[1,2,3,4,5]') RETURNING id, body")
    for quotas in [[Quota.resultRows: 4], [.resultBytes: 40]] {
      Self.expect(try Self.run(base, way, insert, quotas), quotas.keys.first, "\(way)")
      #expect(try base.run(Self.select).rows.count == 2, "\(way)")
    }
    let taken = try Self.run(base, way, insert, [.resultRows: 5, .resultBytes: 4_000])
    Self.expect(taken, nil, "\(way)")
    #expect(try base.run(Self.select).rows.count == 7)
  }

  private static let heavy = """
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
    """

  @Test(arguments: Way.reads) func `a read ends at its number of steps, however its rows leave`(way: Way) throws {
    let base = try Self.filled(rows: 2)
    for text in ["\(Self.heavy) SELECT max(i) FROM n", "\(Self.heavy) SELECT i FROM n"] {
      Self.expect(try Self.run(base, way, Trees.raw(text), [.steps: 100_000]), .steps, "\(way)")
    }
    Self.expect(
      try Self.run(base, way, Trees.raw("\(Self.heavy) SELECT max(i) FROM n"), [.steps: 1 << 40]), nil, "\(way)")
  }

  @Test(arguments: Way.writes) func `a write that takes too many steps is undone`(way: Way) throws {
    let base = try Self.filled(rows: 2)
    let insert = Trees.raw("INSERT INTO t(body) \(Self.heavy) SELECT i FROM n")
    Self.expect(try Self.run(base, way, insert, [.steps: 100_000]), .steps, "\(way)")
    #expect(try base.run(Self.select).rows.count == 2, "\(way)")
    try base.sql("INSERT INTO t(body) VALUES ('after')")
  }

  @Test(arguments: Way.reads) func `a sort beyond its memory ends its statement, and the next one is as good as before`(
    way: Way
  ) throws {
    let base = try Self.filled(rows: 2)
    let sort = Trees.raw(
      "\(Self.heavy) SELECT max(t) FROM (SELECT hex(zeroblob(30)) || i AS t FROM n ORDER BY t DESC LIMIT -1 OFFSET 1)")
    Self.expect(try Self.run(base, way, sort, [.sortBytes: 1 << 20]), .sortBytes, "\(way)")
    Self.expect(try Self.run(base, way, sort, [.sortBytes: 1 << 30]), nil, "\(way)")
    #expect(try Self.run(base, way, Self.select, [.sortBytes: 1 << 20]).rows.count == 2)
  }

  @Test(arguments: Way.writes) func `a database grows to its bound, and takes what needs no more room`(way: Way) throws
  {
    let base = try Self.filled(rows: 2)
    let insert = Trees.raw("INSERT INTO t(body) SELECT zeroblob(5000) FROM json_each('[1,2,3,4,5,6,7,8,9]')")
    let quotas: [Quota: Int] = [.databaseBytes: 300 << 10]
    var taken = 0
    while taken < 100, try Self.run(base, way, insert, quotas).error == nil { taken += 1 }
    #expect(taken >= 3 && taken < 10, "\(taken)")
    Self.expect(try Self.run(base, way, insert, quotas), .databaseBytes, "\(way)")
    let before = try base.sql("SELECT count(*) FROM t").rows
    #expect(before == [[.integer(Int64(2 + 9 * taken))]])
    Self.expect(try Self.run(base, way, Trees.raw("UPDATE t SET body = 'y' WHERE id = 1"), quotas), nil, "\(way)")
    // Somebody else has no bound, or another one.
    Self.expect(try Self.run(base, way, insert, [:]), nil, "\(way)")
    Self.expect(try Self.run(base, way, insert, quotas), .databaseBytes, "\(way)")
    Self.expect(try Self.run(base, way, insert, [.databaseBytes: 3 << 20]), nil, "\(way)")
    Self.expect(try Self.run(base, way, Trees.raw("DELETE FROM t WHERE id > 2"), quotas), nil, "\(way)")
    Self.expect(try Self.run(base, way, insert, quotas), nil, "\(way): there is room again")
  }
}
