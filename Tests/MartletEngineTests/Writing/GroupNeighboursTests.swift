/// Members of one group on a real database: whoever fails, fails alone.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct GroupNeighboursTests {
  @Test func `writes that wait together share one commit`() throws {
    let shop = try Shop()
    let before = shop.database.commitSequence
    var tokens: [RequestToken] = []
    shop.together {
      for id in 1...20 {
        tokens.append(shop.start(Shop.insertItem, [.integer(Int64(id)), .text("i\(id)"), 1]).token)
      }
    }
    let outcomes = tokens.map { shop.sink.outcome(of: $0) }
    #expect(outcomes.allSatisfy { $0.error == nil })
    #expect(outcomes.map { $0.completion?.lastInsertRowID } == (1...20).map { Int64($0) })
    #expect(outcomes.allSatisfy { $0.completion?.rowsChanged == 1 && $0.rows.count == 1 })
    #expect(Set(outcomes.map { $0.completion?.commitSequence }) == [before + 1])
    #expect(shop.counter("group_members_max") >= 20)
  }

  /// What poisons the group, and the error that it gets.
  static let poisons: [(name: String, statement: [UInt8], parameters: [Value], code: RequestError.Code)] = [
    ("unique", Shop.insertItem, [100, "first", 1], .alreadyExists),
    ("check", Shop.insertItem, [101, "check", -1], .failedPrecondition),
    ("not null", Shop.insertItem, [102, "null", nil], .failedPrecondition),
    ("deferred foreign key", Shop.insertChild, [1, 999], .failedPrecondition),
    ("on conflict rollback", Shop.insertItemOrRollback, [103, "first", 1], .alreadyExists),
    ("raise rollback", Shop.insertPoison, [1], .failedPrecondition),
    ("unknown table", Trees.insert("absent", ["a"]), [1], .invalidArgument),
    ("wrong number of values", Shop.insertItem, [1], .invalidArgument),
  ]

  @Test(arguments: poisons.indices, [false, true])
  func `one member's failure is nobody else's`(index: Int, isProven: Bool) throws {
    let poison = Self.poisons[index]
    let shop = try Shop()
    if isProven { try shop.prove() }
    try shop.base.run(Shop.insertItem, [1, "first", 5])
    var innocents: [RequestToken] = []
    var guilty: RequestToken?
    shop.together {
      for id in 2...6 {
        innocents.append(shop.start(Shop.insertItem, [.integer(Int64(id)), .text("i\(id)"), 1]).token)
      }
      innocents.append(shop.start(Shop.insertParent, [7]).token)
      guilty = shop.start(poison.statement, poison.parameters).token
      // Depends on what an innocent before it wrote.
      innocents.append(shop.start(Shop.insertChild, [7, 7]).token)
      innocents.append(shop.start(Shop.addQuantity, [10, 2]).token)
    }
    for token in innocents {
      let outcome = shop.sink.outcome(of: token)
      #expect(outcome.error == nil, "\(poison.name)")
      #expect(outcome.completion?.rowsChanged == 1, "\(poison.name)")
    }
    let outcome = shop.sink.outcome(of: try #require(guilty))
    #expect(outcome.error?.code == poison.code, "\(poison.name): \(String(describing: outcome.error))")
    #expect(outcome.error?.isOutcomeUnknown == false)
    let rows = try shop.base.run(Shop.items).rows
    #expect(rows.count == 6 && rows[1] == [2, "i2", 11])
  }

  @Test func `a member that runs beyond its deadline is undone alone`() throws {
    let shop = try Shop()
    var innocents: [RequestToken] = []
    var late: RequestToken?
    shop.together {
      innocents.append(shop.start(Shop.insertItem, [1, "a", 1]).token)
      let deadline = EngineConfiguration.systemClock().advanced(milliseconds: 300)
      late = shop.start(Shop.insertSlow, [1], deadline: deadline).token
      innocents.append(shop.start(Shop.insertItem, [2, "b", 1]).token)
    }
    #expect(shop.sink.outcome(of: try #require(late)).error?.code == .deadlineExceeded)
    for token in innocents { #expect(shop.sink.outcome(of: token).completion?.rowsChanged == 1) }
    #expect(try shop.base.run(Shop.items).rows.count == 2)
    #expect(try shop.base.run(Trees.select(["n"], from: "slow")).rows.isEmpty)
  }

  @Test func `a member that is cancelled while it runs is undone alone`() throws {
    let shop = try Shop()
    var innocents: [RequestToken] = []
    var slow: (token: RequestToken, execution: Execution)?
    shop.together {
      innocents.append(shop.start(Shop.insertItem, [1, "a", 1]).token)
      slow = shop.start(Shop.insertSlow, [1])
      innocents.append(shop.start(Shop.insertItem, [2, "b", 1]).token)
    }
    let cancelled = try #require(slow)
    cancelled.execution.cancel()
    #expect(shop.sink.outcome(of: cancelled.token).error?.reason == .cancelled)
    for token in innocents { #expect(shop.sink.outcome(of: token).completion?.rowsChanged == 1) }
  }

  @Test func `what waits can be cancelled or abandoned, and its deadline counts`() throws {
    let shop = try Shop()
    var cancelled: RequestToken?
    var abandoned: RequestToken?
    var late: RequestToken?
    shop.together {
      let first = shop.start(Shop.insertItem, [1, "a", 1])
      first.execution.cancel()
      cancelled = first.token
      let second = shop.start(Shop.insertItem, [2, "b", 1])
      second.execution.abandon()
      abandoned = second.token
      late = shop.start(Shop.insertItem, [3, "c", 1], deadline: EngineConfiguration.systemClock()).token
      #expect(shop.sink.outcome(of: first.token).error?.reason == .cancelled)
      #expect(late.map { shop.sink.outcome(of: $0).error?.reason } == .deadline)
    }
    #expect(cancelled != nil && late != nil)
    #expect(try shop.base.run(Shop.items).rows.isEmpty)
    #expect(shop.sink.events(of: try #require(abandoned)).isEmpty)
  }

  @Test func `a full queue refuses with an error that may be retried`() throws {
    let shop = try Shop {
      $0.limits.writeQueueMax = 4
      $0.limits.groupMembersMax = 4
    }
    var tokens: [RequestToken] = []
    shop.together {
      for id in 1...6 { tokens.append(shop.start(Shop.insertItem, [.integer(Int64(id)), nil, 1]).token) }
    }
    let errors = tokens.map { shop.sink.outcome(of: $0).error }
    #expect(errors.prefix(4).allSatisfy { $0 == nil })
    #expect(errors.suffix(2).allSatisfy { $0?.reason == .overloaded && $0?.isRetryable == true })
  }

  /// Five hundred rows are written and returned, of which their owner takes one batch.
  private func untaken(_ shop: Shop) -> (token: RequestToken, execution: Execution) {
    let rows = RowBatch(rows: (1...500).map { [.integer($0), .text("name \($0)"), 1] }, columnCount: 3)
    var insert = ASTInsert()
    insert.into.name = "item"
    insert.columns = ["id", "name", "qty"]
    insert.rows.index = 1
    insert.rows.list = true
    insert.rows.columns = 3
    var returned = ASTResultColumn()
    returned.expression.column.name = "name"
    insert.returning = [returned]
    var statement = ASTStatement()
    statement.insert = insert
    let (token, execution) = shop.start(Trees.bytes(statement), [.rows(rows)], credit: 1)
    shop.sink.wait(for: token) { $0.contains { if case .rows = $0 { true } else { false } } }
    return (token, execution)
  }

  @Test func `rows of RETURNING wait for credit, after the commit`() throws {
    let shop = try Shop { $0.limits.rowBatchBytes = 1_000 }
    let (token, execution) = untaken(shop)
    // Another reader sees all of it although its owner has taken one batch.
    #expect(try shop.base.run(Shop.items).rows.count == 500)
    #expect(!shop.sink.events(of: token).contains { if case .completed = $0 { true } else { false } })
    execution.extendCredit(1 << 20)
    let outcome = shop.sink.outcome(of: token)
    #expect(outcome.rows.count == 500 && outcome.completion?.rowsReturned == 500)
    #expect(outcome.completion?.rowsChanged == 500 && outcome.columns?.columns.map(\.name) == ["name"])
  }

  @Test func `rows that nobody takes are dropped, and the end says that the write was done without them`() throws {
    let shop = try Shop { $0.limits.rowBatchBytes = 1_000 }
    let (token, execution) = untaken(shop)
    execution.dropUntakenRows()
    let outcome = shop.sink.outcome(of: token)
    #expect(outcome.error == .rowsUntaken && outcome.rows.count < 500)
    #expect(try shop.base.run(Shop.items).rows.count == 500)

    // Who cancels hears how it ended, as before: it asked for no more rows.
    try shop.base.sql("DELETE FROM item")
    let (other, cancelled) = untaken(shop)
    cancelled.cancel()
    #expect(shop.sink.outcome(of: other).completion?.rowsChanged == 500)
  }

  @Test func `a write that returns too much changes nothing`() throws {
    let shop = try Shop { $0.limits.returningBytesMax = 2_000 }
    for id in 1...200 { try shop.base.run(Shop.insertItemOrIgnore, [.integer(Int64(id)), .text("name \(id)"), 1]) }
    let outcome = shop.base.result(Trees.raw("UPDATE item SET qty = 2 RETURNING name"))
    #expect(outcome.error?.reason == .limit)
    #expect(try shop.base.run(Shop.items).rows.allSatisfy { $0[2] == 1 })
  }
}
