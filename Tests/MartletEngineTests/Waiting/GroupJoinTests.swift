/// Writes that come while a group runs, on a real database: they share its commit, and whoever fails, fails alone.
import Foundation
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct GroupJoinTests {
  private static let insertBrief = Trees.insert("brief", ["n"])

  /// With a write that takes a part of a millisecond, in which others can come.
  private static func shop() throws -> Shop {
    let shop = try Shop()
    try shop.base.sql("CREATE TABLE brief(n INTEGER)")
    try shop.base.sql(
      """
      CREATE TRIGGER brief_insert AFTER INSERT ON brief BEGIN
        DELETE FROM numbers WHERE n IN (
          WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000) SELECT -count(*) FROM c);
      END
      """)
    return shop
  }

  /// Starts the brief write, and `others` as soon as it has its turn. Returns the outcomes, the brief one's first.
  ///
  /// How long it runs the machine decides, so who joins it is not certain.
  private static func beside(
    _ shop: Shop, _ others: [(statement: [UInt8], parameters: [Value])]
  ) -> [CollectingSink.Outcome] {
    let first = shop.start(insertBrief, [1])
    let last = EngineConfiguration.systemClock().advanced(milliseconds: 1_000)
    while first.execution.placeInQueue != nil, EngineConfiguration.systemClock() < last { sched_yield() }
    let tokens = [first.token] + others.map { shop.start($0.statement, $0.parameters).token }
    return tokens.map { shop.sink.outcome(of: $0) }
  }

  @Test func `a write that comes while another one runs shares its commit`() throws {
    let shop = try Self.shop()
    var sharing = 0
    for id in 1...2_000 where sharing < 3 {
      let outcomes = Self.beside(shop, [(Shop.insertItem, [.integer(Int64(id)), .text("i\(id)"), 1])])
      #expect(outcomes.allSatisfy { $0.error == nil && $0.completion?.rowsChanged == 1 })
      if outcomes[0].completion?.commitSequence == outcomes[1].completion?.commitSequence { sharing += 1 }
    }
    #expect(sharing == 3)
  }

  /// Of shapes that are known to be short, because the first of each succeeds.
  static let poisons: [(name: String, statement: [UInt8], good: [Value], bad: [Value], code: RequestError.Code)] = [
    ("unique", Shop.insertItem, [1, "one", 1], [1, "again", 1], .alreadyExists),
    ("check", Shop.insertItem, [1, "one", 1], [2, "two", -1], .failedPrecondition),
    ("deferred foreign key", Shop.insertChild, [1, nil], [2, -1], .failedPrecondition),
    ("on conflict rollback", Shop.insertItemOrRollback, [1, "one", 1], [1, "again", 1], .alreadyExists),
  ]

  @Test(arguments: poisons.indices) func `one that joins and fails is nobody else's failure`(index: Int) throws {
    let poison = Self.poisons[index]
    let shop = try Self.shop()
    try shop.base.run(poison.statement, poison.good)
    try shop.base.run(Shop.insertParent, [0])
    var (together, rounds) = (0, 0)
    // One that rolls back runs alone, so the last one is in another transaction.
    let isRollback = poison.name == "on conflict rollback"
    for id in 1...(isRollback ? 200 : 2_000) where together < 3 {
      rounds = id
      let innocents = [Int64(2 * id), Int64(2 * id + 1)]
      let outcomes = Self.beside(
        shop,
        [
          (Shop.insertParent, [.integer(innocents[0])]), (poison.statement, poison.bad),
          (Shop.insertParent, [.integer(innocents[1])]),
        ])
      for place in [0, 1, 3] { #expect(outcomes[place].completion?.rowsChanged == 1, "\(poison.name)") }
      #expect(outcomes[2].error?.code == poison.code, "\(poison.name)")
      // The last one came behind the one that failed, into the same transaction or the one that was run anew.
      if outcomes[0].completion?.commitSequence == outcomes[3].completion?.commitSequence { together += 1 }
    }
    let parents = try shop.base.run(Trees.select(["id"], from: "parent")).rows
    #expect(parents.count == 1 + 2 * rounds)
    #expect(together == 3 || isRollback, "\(poison.name): \(together)")
  }

  @Test func `one that joins and is cancelled is carried out or is not, as it hears`() throws {
    let shop = try Self.shop()
    try shop.base.run(Shop.insertParent, [0])
    var kept = 1
    for id in 1...300 {
      let first = shop.start(Self.insertBrief, [1])
      let second = shop.start(Shop.insertParent, [.integer(Int64(id))])
      second.execution.cancel()
      #expect(shop.sink.outcome(of: first.token).error == nil)
      switch shop.sink.outcome(of: second.token).error?.reason {
      case nil: kept += 1
      case let reason: #expect(reason == .cancelled)
      }
    }
    #expect(try shop.base.run(Trees.select(["id"], from: "parent")).rows.count == kept)
  }
}
