/// Money moves between accounts from many threads, in every way that the engine offers; the sum stays.
import Foundation
import MartletAST
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct BankTests {
  private static let accounts = 8
  private static let add = Trees.add("account", to: "balance", key: "id")

  @Test func `the sum of all accounts is the same in every snapshot`() throws {
    let base = try TemporaryDatabase()
    try base.sql("CREATE TABLE account(id INTEGER PRIMARY KEY, balance INTEGER NOT NULL CHECK(balance >= 0))")
    for id in 1...Self.accounts {
      try base.run(Trees.insert("account", ["id", "balance"]), [.integer(Int64(id)), 100])
    }
    let wrongSums = Atomic<Int>(0)
    let moved = Atomic<Int>(0)
    let threads = 6
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let sink = CollectingSink()
      var random = SeededGenerator(seed: UInt64(thread))
      for round in 0..<60 {
        if thread == 0 {
          let sum = base.result(Trees.raw("SELECT sum(balance) FROM account")).rows
          if sum != [[.integer(Int64(100 * Self.accounts))]] { wrongSums.add(1, ordering: .relaxed) }
          continue
        }
        let from = Int64.random(in: 1...Int64(Self.accounts), using: &random)
        let to = Int64.random(in: 1...Int64(Self.accounts), using: &random)
        let amount = Int64.random(in: 1...60, using: &random)
        let isDone =
          round % 2 == 0
          ? Self.moveInBatch(from, to, amount, base, sink) : Self.moveInTransaction(from, to, amount, base, sink)
        if isDone { moved.add(1, ordering: .relaxed) }
      }
    }
    #expect(wrongSums.load(ordering: .relaxed) == 0)
    #expect(moved.load(ordering: .relaxed) > 0)
    #expect(try base.sql("SELECT sum(balance) FROM account").rows == [[.integer(Int64(100 * Self.accounts))]])
  }

  private static func moveInBatch(
    _ from: Int64, _ to: Int64, _ amount: Int64, _ base: TemporaryDatabase, _ sink: CollectingSink
  ) -> Bool {
    let token = sink.token()
    let steps = [(to, amount), (from, -amount)].map { account, change in
      StatementStep(
        source: .statement(add), parameters: [.value(.integer(change)), .value(.integer(account))])
    }
    _ = base.database.start(BatchRequest(steps: steps, isAtomic: true), token: token, sink: sink)
    return sink.outcome(of: token).error == nil
  }

  private static func moveInTransaction(
    _ from: Int64, _ to: Int64, _ amount: Int64, _ base: TemporaryDatabase, _ sink: CollectingSink
  ) -> Bool {
    let begin = sink.token()
    let transaction = base.database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    var isGood = true
    for (account, change) in [(to, amount), (from, -amount)] {
      let token = sink.token()
      let request = StatementRequest(source: .statement(add), parameters: [.integer(change), .integer(account)])
      _ = transaction.start(request, token: token, sink: sink)
      isGood = isGood && sink.outcome(of: token).error == nil
    }
    let finish = sink.token()
    transaction.finish(commit: isGood, token: finish, sink: sink)
    return sink.outcome(of: finish).error == nil && isGood
  }
}
