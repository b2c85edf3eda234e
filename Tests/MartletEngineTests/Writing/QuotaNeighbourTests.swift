/// Members of one group under quotas: whoever exceeds one, fails alone.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct QuotaNeighbourTests {
  private static func subject(_ values: [Quota: Int]) -> Subject {
    var subject = Subject.program
    subject.quotas = StatementQuotas(values)
    return subject
  }

  private func start(_ shop: Shop, _ statement: [UInt8], _ parameters: [Value], _ quotas: [Quota: Int]) -> RequestToken
  {
    let token = shop.sink.token()
    let request = StatementRequest(
      source: .statement(statement), parameters: parameters, subject: Self.subject(quotas))
    _ = shop.database.start(request, token: token, sink: shop.sink)
    return token
  }

  /// What exceeds which quota.
  private static let excesses: [(quota: Quota, value: Int, statement: [UInt8], parameters: [Value])] = [
    (.databaseBytes, 100 << 10, Shop.addAndGrow, [1, .text(String(repeating: "x", count: 200_000))]),
    (.resultRows, 1, Trees.raw("INSERT INTO log(note) VALUES ('a'), ('b') RETURNING id"), []),
    (.resultBytes, 10, Trees.raw("INSERT INTO log(note) VALUES ('a'), ('b') RETURNING id"), []),
    (.steps, 10_000, Shop.insertSlow, [1]),
    (
      .sortBytes, 1 << 20,
      Trees.raw(
        "INSERT INTO log(note) SELECT a.n || hex(zeroblob(60)) FROM numbers a, numbers b ORDER BY -b.n, a.n || hex(zeroblob(60))"
      ),
      []
    ),
  ]

  @Test(arguments: excesses.indices) func `a member beyond its quota fails alone, and its neighbours commit`(index: Int)
    throws
  {
    let excess = Self.excesses[index]
    let shop = try Shop()
    var innocents: [RequestToken] = []
    var guilty: [RequestToken] = []
    shop.together {
      for id in 1...12 {
        innocents.append(shop.start(Shop.insertItem, [.integer(Int64(id)), .text("i\(id)"), 1]).token)
        if id % 4 == 0 {
          guilty.append(start(shop, excess.statement, excess.parameters, [excess.quota: excess.value]))
        }
      }
      // The same from somebody without a bound, which is no different from the others.
      if excess.quota == .databaseBytes { innocents.append(shop.start(excess.statement, excess.parameters).token) }
    }
    for token in innocents { #expect(shop.sink.outcome(of: token).error == nil, "\(excess.quota)") }
    for token in guilty {
      let error = shop.sink.outcome(of: token).error
      #expect(error?.reason == .quota, "\(String(describing: error))")
      #expect(error?.message.contains("quota \(excess.quota.rawValue) ") == true)
      #expect(error?.isOutcomeUnknown == false)
    }
    #expect(try shop.base.run(Shop.items).rows.count == 12)
    let logged = try shop.base.sql("SELECT count(*) FROM log").rows
    #expect(logged == [[.integer(excess.quota == .databaseBytes ? 1 : 0)]])
    #expect(try shop.base.sql("SELECT count(*) FROM slow").rows == [[0]])
  }

  @Test func `a write transaction ends at its owner's quota, and its statements say so`() throws {
    let shop = try Shop()
    let (sink, begin) = (shop.sink, shop.sink.token())
    let transaction = shop.database.begin(
      .write, deadline: .distantFuture, subject: Self.subject([.writeTransactionMs: 400]), token: begin, sink: sink)
    _ = sink.outcome(of: begin)
    let insert = sink.token()
    _ = transaction.start(
      StatementRequest(source: .statement(Shop.insertParent), parameters: [1]), token: insert, sink: sink)
    #expect(sink.outcome(of: insert).error == nil)
    // Long enough to be running when the time is over.
    let slow = sink.token()
    _ = transaction.start(
      StatementRequest(source: .statement(Shop.insertSlow), parameters: [1]), token: slow, sink: sink)
    let told = sink.outcome(of: slow).error
    #expect(told == .quotaExceeded(.writeTransactionMs, 400), "\(String(describing: told))")
    #expect(
      sink.wait(for: begin) { events in
        events.contains {
          if case .transactionEnded(let error, _) = $0 {
            error == .quotaExceeded(.writeTransactionMs, 400)
          } else {
            false
          }
        }
      })
    let late = sink.token()
    transaction.finish(commit: true, token: late, sink: sink)
    #expect(sink.outcome(of: late).error?.reason == .quota)
    #expect(try shop.base.sql("SELECT count(*) FROM parent").rows == [[0]])
  }
}
