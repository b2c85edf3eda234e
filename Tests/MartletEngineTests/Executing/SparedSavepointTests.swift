/// Writes that have no savepoint of their own beside others: who fails, fails alone all the same.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SparedSavepointTests {
  private static let first: [Value] = [1, "first", 1]

  /// Runs a write between two innocent ones, as one group. Returns its error, and how many groups had to run again.
  private func fail(
    _ statement: [UInt8], _ parameters: [Value], in shop: Shop
  ) throws -> (error: RequestError?, reruns: Int64) {
    let before = shop.counter("group_reruns")
    var (innocents, guilty): ([RequestToken], RequestToken?) = ([], nil)
    shop.together {
      innocents.append(shop.start(Shop.insertItem, [10, "before", 1]).token)
      guilty = shop.start(statement, parameters).token
      innocents.append(shop.start(Shop.insertItem, [11, "after", 1]).token)
    }
    for token in innocents { #expect(shop.sink.outcome(of: token).completion?.rowsChanged == 1) }
    let error = shop.sink.outcome(of: try #require(guilty)).error
    return (error, shop.counter("group_reruns") - before)
  }

  @Test(arguments: [([2, "first", 1] as [Value], "unique"), ([2, "check", -1], "check"), ([2, "null", nil], "null")])
  func `a constraint fails one write, and nobody runs again`(values: [Value], name: String) throws {
    let shop = try Shop()
    try shop.prove()
    try shop.base.run(Shop.insertItem, Self.first)
    #expect(try !shop.needsSavepoint(Shop.insertItem))
    let outcome = try fail(Shop.insertItem, values, in: shop)
    #expect(outcome.error != nil && outcome.reruns == 0)
    #expect(try shop.base.run(Shop.items).rows == [Self.first, [10, "before", 1], [11, "after", 1]])
    #expect(try !shop.needsSavepoint(Shop.insertItem))
  }

  @Test func `what SQLite would leave half done is undone with its group, which runs again`() throws {
    let shop = try Shop()
    try shop.base.sql("CREATE TABLE typed(id INTEGER PRIMARY KEY, a INTEGER) STRICT")
    let insert = Trees.insertRows("typed", ["id", "a"])
    func rows(_ first: Int64, _ second: Value) -> [Value] {
      [.rows(RowBatch(rows: [[.integer(first), 1], [.integer(first + 1), second]], columnCount: 2))]
    }
    for id in 1...40 { try shop.base.run(insert, rows(Int64(id * 2), 1)) }
    try shop.prove()
    #expect(try !shop.needsSavepoint(insert))
    // No journal is opened for a statement that only a type can fail.
    let outcome = try fail(insert, rows(1_000, "text"), in: shop)
    #expect(outcome.error?.code == .failedPrecondition && outcome.reruns == 1)
    #expect(try shop.base.run(Trees.select(["id"], from: "typed")).rows.count == 80)
    #expect(try shop.base.run(Shop.items).rows.map { $0[0] } == [10, 11])
    #expect(try shop.needsSavepoint(insert))
  }

  @Test func `a trigger that came later keeps what it says, and nobody else notices`() throws {
    let shop = try Shop()
    try shop.prove()
    try shop.base.sql(
      "CREATE TRIGGER keep AFTER INSERT ON item WHEN new.id = 2 BEGIN SELECT RAISE(FAIL, 'kept'); END")
    let outcome = try fail(Shop.insertItem, [2, "kept", 1], in: shop)
    #expect(outcome.error?.message.contains("kept") == true)
    #expect(try shop.base.run(Shop.items).rows.map { $0[0] } == [2, 10, 11])
    // It is known by now, and seen again when it is gone.
    for id in 20...120 { try shop.base.run(Shop.insertItem, [.integer(Int64(id)), nil, 1]) }
    #expect(try shop.needsSavepoint(Shop.insertItem))
    try shop.base.sql("DROP TRIGGER keep")
    for id in 121...125 { try shop.base.run(Shop.insertItem, [.integer(Int64(id)), nil, 1]) }
    #expect(try !shop.needsSavepoint(Shop.insertItem))
  }

  @Test func `a row that is too long to return is not written, and its neighbours are`() throws {
    let shop = try Shop { $0.limits.returningBytesMax = 2_000 }
    let touch = Trees.add("item", to: "qty", key: "id", returning: ["name"])
    try shop.base.run(Shop.insertItem, Self.first)
    try shop.base.sql("INSERT INTO item VALUES (2, printf('%.5000c', 'x'), 1)")
    for _ in 0..<40 { try shop.base.run(touch, [1, 1]) }
    #expect(try !shop.needsSavepoint(touch))
    let outcome = try fail(touch, [1, 2], in: shop)
    #expect(outcome.error?.reason == .limit && outcome.reruns == 1)
    let rows = try shop.base.run(Trees.select(["id", "qty"], from: "item")).rows
    #expect(rows == [[1, 41], [2, 1], [10, 1], [11, 1]])
    #expect(try shop.needsSavepoint(touch))
  }

  @Test func `what may fail at the commit, or ends the transaction, keeps its savepoint`() throws {
    let shop = try Shop()
    try shop.base.run(Shop.insertParent, [1])
    for id in 1...40 {
      try shop.base.run(Shop.insertChild, [.integer(Int64(id)), 1])
      try shop.base.run(Shop.insertItemOrRollback, [.integer(Int64(id)), nil, 1])
    }
    try shop.prove()
    try shop.base.run(Shop.insertChild, [41, 1])
    try shop.base.run(Shop.insertItemOrRollback, [41, nil, 1])
    #expect(try shop.needsSavepoint(Shop.insertChild) && shop.needsSavepoint(Shop.insertItemOrRollback))
  }

  @Test func `each step of a batch of independent ones is spared it, and fails alone`() throws {
    let shop = try Shop()
    try shop.prove()
    let values: [[Value]] = [[1, "a", 1], [2, "a", 1], [3, "c", -1], [4, "d", 1]]
    let steps = values.map { values in
      StatementStep(source: .statement(Shop.insertItem), parameters: values.map { .value($0) })
    }
    let before = shop.counter("group_reruns")
    let token = shop.sink.token()
    _ = shop.database.start(BatchRequest(steps: steps, isAtomic: false), token: token, sink: shop.sink)
    #expect(shop.sink.outcome(of: token).completion?.rowsChanged == 2)
    #expect(try shop.base.run(Shop.items).rows == [[1, "a", 1], [4, "d", 1]])
    #expect(shop.counter("group_reruns") == before)
  }
}
