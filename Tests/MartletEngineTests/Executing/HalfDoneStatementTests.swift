/// Statements of an interactive transaction that fail, and of which SQLite by itself would keep the first rows.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct HalfDoneStatementTests {
  private static let long = Value.text(String(repeating: "x", count: 60_000))

  private static let kinds: [(name: String, update: [UInt8], parameters: [Value])] = [
    // A value of a wrong type for a strict table, in the third row.
    ("type", Trees.raw("UPDATE typed SET a = CASE id WHEN 3 THEN 'x' ELSE 7 END"), []),
    ("type", Trees.raw("INSERT INTO typed SELECT id + 10, CASE id WHEN 3 THEN 'x' ELSE 7 END FROM typed"), []),
    // A value that becomes too long in the third row.
    ("length", Trees.raw("UPDATE typed SET a = a + 1, note = note || ?1"), [long]),
    (
      "length", Trees.raw("UPDATE typed SET a = a + 1, note = note || ?1 RETURNING id"),
      [long]
    ),
    ("length", Trees.raw("DELETE FROM typed WHERE note || ?1 <> ''"), [long]),
  ]

  private func shop() throws -> Shop {
    let shop = try Shop { $0.limits.valueBytesMax = 100_000 }
    try shop.base.sql("CREATE TABLE typed(id INTEGER PRIMARY KEY, a INTEGER, note TEXT) STRICT")
    for (id, length) in [(1, 1), (2, 1), (3, 60_000)] {
      let note = Value.text(String(repeating: "n", count: length))
      try shop.base.run(Trees.insert("typed", ["id", "a", "note"]), [.integer(Int64(id)), 1, note])
    }
    return shop
  }

  private func sums(_ shop: Shop) throws -> [[Value]] {
    try shop.base.run(Trees.raw("SELECT count(*), sum(a), sum(length(note)) FROM typed")).rows
  }

  @Test(arguments: kinds.indices, [false, true])
  func `nothing of it stays, and the transaction goes on`(index: Int, isBatch: Bool) throws {
    let (name, update, parameters) = Self.kinds[index]
    let shop = try shop()
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    func run(_ statement: [UInt8], _ parameters: [Value]) -> CollectingSink.Outcome {
      let token = shop.sink.token()
      if isBatch {
        let steps = [StatementStep(source: .statement(statement), parameters: parameters.map { .value($0) })]
        _ = transaction.start(BatchRequest(steps: steps, isAtomic: false), token: token, sink: shop.sink)
        _ = shop.sink.outcome(of: token)
        return shop.sink.outcome(of: RequestToken(session: token.session, request: token.request, step: 1))
      }
      _ = transaction.start(
        StatementRequest(source: .statement(statement), parameters: parameters), token: token, sink: shop.sink)
      return shop.sink.outcome(of: token)
    }
    #expect(run(Shop.insertItem, [1, "before", 1]).error == nil)
    #expect(run(update, parameters).error != nil, "\(name)")
    #expect(run(Shop.insertItem, [2, "after", 1]).error == nil)
    let end = shop.sink.token()
    transaction.finish(commit: true, token: end, sink: shop.sink)
    #expect(shop.sink.outcome(of: end).error == nil)
    #expect(try sums(shop) == [[3, 3, 60_002]], "\(name)")
    #expect(try shop.base.run(Shop.items).rows.map { $0[0] } == [1, 2])
  }

  @Test func `what OR FAIL keeps stays, as in SQLite`() throws {
    let shop = try shop()
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    let keep = Trees.raw("INSERT OR FAIL INTO item SELECT id, 'same', 1 FROM typed")
    let token = shop.sink.token()
    _ = transaction.start(StatementRequest(source: .statement(keep), parameters: []), token: token, sink: shop.sink)
    #expect(shop.sink.outcome(of: token).error?.code == .alreadyExists)
    let end = shop.sink.token()
    transaction.finish(commit: true, token: end, sink: shop.sink)
    #expect(shop.sink.outcome(of: end).error == nil)
    #expect(try shop.base.run(Shop.items).rows == [[1, "same", 1]])
  }
}
