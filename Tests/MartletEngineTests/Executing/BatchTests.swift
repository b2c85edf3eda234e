/// Batches on a real database: atomic or not, on the writer, on a reader, inside a transaction.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct BatchTests {
  private typealias Step = StatementStep

  private func step(_ statement: [UInt8], _ parameters: [StepParameter]) -> StatementStep {
    Step(source: .statement(statement), parameters: parameters)
  }

  private func run(
    _ steps: [StatementStep], isAtomic: Bool, in shop: Shop, _ transaction: Transaction? = nil
  ) -> (end: CollectingSink.Outcome, steps: [CollectingSink.Outcome]) {
    let token = shop.sink.token()
    let batch = BatchRequest(steps: steps, isAtomic: isAtomic)
    if let transaction {
      _ = transaction.start(batch, token: token, sink: shop.sink)
    } else {
      _ = shop.database.start(batch, token: token, sink: shop.sink)
    }
    let end = shop.sink.outcome(of: token)
    let outcomes = steps.indices.map { index in
      let hasEvents = !shop.sink.events(
        of: RequestToken(session: token.session, request: token.request, step: UInt32(index + 1))
      ).isEmpty
      #expect(hasEvents || end.error != nil)
      return hasEvents
        ? shop.sink.outcome(
          of: RequestToken(session: token.session, request: token.request, step: UInt32(index + 1)))
        : CollectingSink.Outcome()
    }
    return (end, outcomes)
  }

  @Test func `a parent and its children in one round trip`() throws {
    let shop = try Shop()
    let insertAny = Trees.insert("parent", ["id"])
    let result = run(
      [
        step(insertAny, [.value(41)]),
        step(Shop.insertChild, [.value(1), .lastInsertRowID(step: 1)]),
        step(Shop.insertChild, [.value(2), .lastInsertRowID(step: 1)]),
      ], isAtomic: true, in: shop)
    #expect(result.end.error == nil && result.end.completion?.rowsChanged == 3)
    #expect(result.steps.allSatisfy { $0.completion?.rowsChanged == 1 })
    #expect(Set(result.steps.map { $0.completion?.commitSequence }).count == 1)
    #expect(try shop.base.run(Trees.select(["id", "parent"], from: "child")).rows == [[1, 41], [2, 41]])
  }

  @Test func `an atomic batch leaves nothing when a step fails`() throws {
    let shop = try Shop()
    let result = run(
      [
        step(Shop.insertItem, [.value(1), .value("a"), .value(1)]),
        step(Shop.insertItem, [.value(2), .value("a"), .value(1)]),
        step(Shop.insertItem, [.value(3), .value("c"), .value(1)]),
      ], isAtomic: true, in: shop)
    #expect(result.end.error?.reason == .constraint)
    #expect(result.steps.map { $0.error?.reason } == [.batchAborted, .constraint, .batchAborted])
    #expect(try shop.base.run(Shop.items).rows.isEmpty)
  }

  @Test func `steps on their own keep what succeeded, and conditions choose`() throws {
    let shop = try Shop()
    var onFailure = step(Shop.insertItem, [.value(3), .value("fallback"), .value(1)])
    onFailure.conditions = [.init(step: 2, .failed)]
    var onSuccess = step(Shop.insertItem, [.value(4), .value("never"), .value(1)])
    onSuccess.conditions = [.init(step: 2, .succeeded)]
    let result = run(
      [
        step(Shop.insertItem, [.value(1), .value("a"), .value(1)]),
        step(Shop.insertItem, [.value(2), .value("a"), .value(1)]), onFailure, onSuccess,
        step(Shop.insertItem, [.firstRow(step: 1, column: 0), .value("dup"), .value(1)]),
        step(Shop.insertPoison, [.value(1)]),
        step(Shop.insertItem, [.value(9), .firstRow(step: 1, column: 5), .value(1)]),
      ], isAtomic: false, in: shop)
    #expect(result.end.error == nil)
    #expect(
      result.steps.map { $0.error?.reason } == [nil, .constraint, nil, nil, .constraint, .constraint, nil])
    #expect(result.steps[3].completion?.isSkipped == true)
    #expect(try shop.base.run(Shop.items).rows == [[1, "a", 1], [3, "fallback", 1], [9, nil, 1]])
  }

  @Test func `a batch that only reads sees one snapshot and leaves the writer alone`() throws {
    let shop = try Shop()
    try shop.base.run(Shop.insertItem, [1, "a", 1])
    shop.together {
      let steps = [step(Shop.items, []), step(Trees.select(["n"], from: "numbers"), [])]
      for isAtomic in [true, false] {
        let result = run(steps, isAtomic: isAtomic, in: shop)
        #expect(result.steps.map { $0.rows.count } == [1, 200])
        #expect(result.end.completion?.rowsReturned == 201)
        #expect(result.steps[0].columns?.columns.map(\.name) == ["id", "name", "qty"])
      }
    }
  }

  @Test func `inside a transaction an atomic batch is undone alone`() throws {
    let shop = try Shop()
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    let good = run(
      [step(Shop.insertItem, [.value(1), .value("a"), .value(1)])], isAtomic: true, in: shop, transaction)
    #expect(good.end.completion?.transaction == .write)
    let bad = run(
      [
        step(Shop.insertItem, [.value(2), .value("b"), .value(1)]),
        step(Shop.insertItem, [.value(3), .value("b"), .value(1)]),
      ], isAtomic: true, in: shop, transaction)
    #expect(bad.end.error?.reason == .constraint)
    let loose = run(
      [
        step(Shop.insertItem, [.value(4), .value("d"), .value(1)]),
        step(Shop.insertItem, [.value(5), .value("d"), .value(1)]),
      ], isAtomic: false, in: shop, transaction)
    #expect(loose.end.error == nil && loose.steps[1].error?.reason == .constraint)
    let finish = shop.sink.token()
    transaction.finish(commit: true, token: finish, sink: shop.sink)
    #expect(shop.sink.outcome(of: finish).error == nil)
    #expect(try shop.base.run(Shop.items).rows.map { $0[0] } == [1, 4])
  }

  @Test func `a read transaction runs batches of reads and refuses writes`() throws {
    let shop = try Shop()
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.read, deadline: .distantFuture, token: begin, sink: shop.sink)
    #expect(shop.sink.outcome(of: begin).completion?.transaction == .read)
    try shop.base.run(Shop.insertItem, [1, "a", 1])
    let reads = run([step(Shop.items, [])], isAtomic: true, in: shop, transaction)
    #expect(reads.end.completion?.transaction == .read && reads.steps[0].rows.isEmpty)
    let writes = run([step(Shop.insertParent, [.value(1)])], isAtomic: true, in: shop, transaction)
    #expect(writes.end.error?.reason == .readOnly)
    let finish = shop.sink.token()
    transaction.finish(commit: true, token: finish, sink: shop.sink)
    #expect(shop.sink.outcome(of: finish).error == nil)
  }

  @Test func `rows that a batch cannot hold are told as those of the query or of the write`() throws {
    let shop = try Shop { $0.limits.returningBytesMax = 2_000 }
    for id in 1...200 { try shop.base.run(Shop.insertItemOrIgnore, [.integer(Int64(id)), .text("name \(id)"), 1]) }
    let update = step(Trees.raw("UPDATE item SET qty = 2 RETURNING name"), [])
    for isAtomic in [true, false] {
      let read = run([step(Shop.items, [])], isAtomic: isAtomic, in: shop)
      let readError = try #require(read.end.error ?? read.steps[0].error)
      #expect(
        readError.reason == .limit && readError.message.contains("this query's") && !readError.message.contains("write")
      )
      let write = run([update], isAtomic: isAtomic, in: shop)
      let writeError = try #require(write.end.error ?? write.steps[0].error)
      #expect(writeError.reason == .limit && writeError.message.contains("that the write returns"))
      // A query between writes of one batch.
      let mixed = run([update, step(Shop.items, [])], isAtomic: true, in: shop)
      #expect(mixed.end.error?.reason == .limit || mixed.steps.contains { $0.error?.reason == .limit })
    }
    #expect(try shop.base.run(Shop.items).rows.allSatisfy { $0[2] == 1 })
  }

  @Test func `a batch with an unknown shape is refused before anything runs`() throws {
    let shop = try Shop()
    let unknown = Step(source: .shape(ShapeID(high: 1, low: 2)))
    let result = run([step(Shop.insertParent, [.value(1)]), unknown], isAtomic: false, in: shop)
    #expect(result.end.error?.reason == .unprepared && result.end.error?.path == "steps[1]")
    #expect(try shop.base.run(Trees.select(["id"], from: "parent")).rows.isEmpty)
  }
}
