/// `OR FAIL` and `RAISE(FAIL)`: the rows before the one that fails stay, as in SQLite, however the statement is sent.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct FailingInPartTests {
  enum Way: CaseIterable { case alone, inCompany, looseBatch, atomicBatch, transaction }

  private static let insert = Trees.raw(
    "INSERT OR FAIL INTO item VALUES (1, 'a', 1), (2, 'b', 1), (1, 'c', 1), (3, 'd', 1)")

  private func run(_ statement: [UInt8], _ way: Way, in shop: Shop) -> RequestError? {
    let token = shop.sink.token()
    switch way {
    case .alone: return shop.base.result(statement).error
    case .inCompany:
      var failing: RequestToken?
      shop.together {
        shop.start(Shop.insertItem, [10, "before", 1])
        failing = shop.start(statement).token
        shop.start(Shop.insertItem, [11, "after", 1])
      }
      return failing.flatMap { shop.sink.outcome(of: $0).error }
    case .looseBatch, .atomicBatch:
      let steps = [StatementStep(source: .statement(statement), parameters: [])]
      _ = shop.database.start(BatchRequest(steps: steps, isAtomic: way == .atomicBatch), token: token, sink: shop.sink)
      _ = shop.sink.outcome(of: token)
      let step = RequestToken(session: token.session, request: token.request, step: 1)
      return shop.sink.outcome(of: step).error
    case .transaction:
      let begin = shop.sink.token()
      let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
      let request = StatementRequest(source: .statement(statement), parameters: [])
      _ = transaction.start(request, token: token, sink: shop.sink)
      let error = shop.sink.outcome(of: token).error
      let end = shop.sink.token()
      transaction.finish(commit: true, token: end, sink: shop.sink)
      _ = shop.sink.outcome(of: end)
      return error
    }
  }

  @Test(arguments: Way.allCases) func `the rows before the one that fails stay`(way: Way) throws {
    let shop = try Shop()
    #expect(run(Self.insert, way, in: shop)?.code == .alreadyExists)
    let own = try shop.base.run(Shop.items).rows.filter { $0[0] == 1 || $0[0] == 2 || $0[0] == 3 }
    #expect(own == (way == .atomicBatch ? [] : [[1, "a", 1], [2, "b", 1]]))
  }

  @Test(arguments: Way.allCases) func `of a statement that does not say so nothing stays`(way: Way) throws {
    let shop = try Shop()
    let insert = Trees.raw("INSERT INTO item VALUES (1, 'a', 1), (2, 'b', 1), (1, 'c', 1)")
    #expect(run(insert, way, in: shop)?.code == .alreadyExists)
    #expect(try shop.base.run(Shop.items).rows.allSatisfy { $0[0] == 10 || $0[0] == 11 })
  }

  @Test(arguments: [Way.alone, .inCompany, .looseBatch, .transaction])
  func `a trigger's RAISE(FAIL) keeps them too`(way: Way) throws {
    let shop = try Shop()
    try shop.base.sql("CREATE TRIGGER f AFTER INSERT ON item WHEN new.id = 3 BEGIN SELECT RAISE(FAIL, 'no'); END")
    let insert = Trees.raw("INSERT INTO item VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 1), (4, 'd', 1)")
    #expect(run(insert, way, in: shop)?.message.contains("no") == true)
    #expect(try shop.base.run(Shop.items).rows.filter { $0[0].isLow }.map { $0[0] } == [1, 2, 3])
  }

  @Test(arguments: [Way.alone, .looseBatch])
  func `nothing of it stays if it leaves a deferred key violated`(way: Way) throws {
    let shop = try Shop()
    let insert = Trees.raw("INSERT OR FAIL INTO child VALUES (1, 99), (1, 99)")
    #expect(run(insert, way, in: shop)?.code == .failedPrecondition)
    #expect(try shop.base.run(Trees.select(["id"], from: "child")).rows.isEmpty)
  }
}

extension Value {
  fileprivate var isLow: Bool { if case .integer(let number) = self { number < 10 } else { false } }
}
