/// What a database tells of its commits, however they were made.
///
/// Always true: a commit is told of before its reply, so nothing is waited for.
import Dispatch
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct CommitFeedTests {
  @Test func `a commit has the number of its completions, and its tables`() throws {
    let followed = FollowedShop(try Shop())
    let shop = followed.shop
    #expect(followed.follower.since == shop.database.commitSequence)
    let completion = try shop.base.run(Shop.insertItem, [1, "a", 1]).completion
    let commit = try #require(followed.follower.take().commits.first)
    #expect(commit.sequence == completion?.commitSequence && commit.sequence == followed.follower.since + 1)
    #expect(FollowedShop.names(commit.tables) == ["item"] && commit.log == nil)
    #expect(followed.follower.take().isEmpty)
    // Reads are no commits.
    _ = try shop.base.run(Shop.items)
    #expect(followed.follower.take().isEmpty)
  }

  @Test func `a group is one commit of all tables that its members wrote`() throws {
    let followed = FollowedShop(try Shop())
    let shop = followed.shop
    var tokens: [RequestToken] = []
    shop.together {
      tokens.append(shop.start(Shop.insertItem, [1, "a", 1]).token)
      tokens.append(shop.start(Shop.addAndGrow, [1, "note"]).token)
      tokens.append(shop.start(Shop.insertItem, [2, "b", 1]).token)
      // Its trigger deletes from another table.
      tokens.append(shop.start(Shop.insertSlow, [0]).token)
    }
    let sequences = Set(tokens.map { shop.sink.outcome(of: $0).completion?.commitSequence })
    let commits = followed.follower.take().commits
    #expect(commits.map(\.sequence) == sequences.compactMap { $0 })
    #expect(commits.map { FollowedShop.names($0.tables) } == [["item", "log", "numbers", "slow"]])
  }

  /// Members that fail, none of which writes to `item` or `parent`.
  static let guilty: [(name: String, statement: [UInt8], parameters: [Value])] = [
    ("unique", Shop.addAndGrow, [1, "again"]), ("deferred foreign key", Shop.insertChild, [1, 999]),
    ("raise rollback", Shop.insertPoison, [1]), ("not a value", Shop.addAndGrow, [1]),
    ("schema", Trees.insert("absent", ["a"]), [1]),
  ]

  @Test(arguments: guilty.indices) func `a member that fails adds nothing`(index: Int) throws {
    let (name, statement, parameters) = Self.guilty[index]
    let shop = try Shop()
    try shop.base.run(Shop.addAndGrow, [1, "first"])
    let followed = FollowedShop(shop)
    var guilty: RequestToken?
    var innocents: [RequestToken] = []
    shop.together {
      innocents.append(shop.start(Shop.insertItem, [1, "a", 1]).token)
      guilty = shop.start(statement, parameters).token
      innocents.append(shop.start(Shop.insertParent, [7]).token)
    }
    for token in innocents { #expect(shop.sink.outcome(of: token).error == nil) }
    #expect(shop.sink.outcome(of: try #require(guilty)).error != nil, "\(name)")
    let commits = followed.follower.take().commits
    #expect(Set(commits.flatMap { FollowedShop.names($0.tables) }) == ["item", "parent"], "\(name)")
    #expect(Set(commits.map(\.sequence)).count == commits.count)
    // Alone it is no commit.
    _ = shop.base.result(statement, parameters)
    #expect(followed.follower.take().isEmpty, "\(name)")
  }

  @Test func `a loose batch tells of the steps that were carried out, an atomic one of all or none`() throws {
    let followed = FollowedShop(try Shop())
    let shop = followed.shop
    func batch(_ isAtomic: Bool, _ id: Int64) -> CollectingSink.Outcome {
      let steps: [([UInt8], [Value])] = [
        (Shop.insertItem, [.integer(id), .text("n\(id)"), 1]), (Shop.insertPoison, [1]),
        (Shop.addAndGrow, [.integer(id), "note"]),
      ]
      let token = shop.sink.token()
      let request = BatchRequest(
        steps: steps.map { .init(source: .statement($0.0), parameters: $0.1.map { .value($0) }) }, isAtomic: isAtomic)
      _ = shop.database.start(request, token: token, sink: shop.sink)
      return shop.sink.outcome(of: token)
    }
    #expect(batch(true, 1).error != nil)
    #expect(followed.written() == [])
    #expect(batch(false, 2).completion?.rowsChanged == 2)
    #expect(Set(followed.written().flatMap { $0 }) == ["item", "log"])
  }

  @Test func `an interactive transaction is one commit, and none where it is undone`() throws {
    let followed = FollowedShop(try Shop())
    let shop = followed.shop
    let kept = OpenTransaction(shop.database)
    kept.run(Shop.insertItem, [1, "a", 1])
    kept.batch(
      [
        .init(source: .statement(Shop.insertParent), parameters: [.value(3)]),
        .init(source: .statement(Shop.insertChild), parameters: [.value(1), .value(3)]),
      ], isAtomic: true)
    #expect(followed.written() == [])
    let sequence = kept.finish(commit: true).completion?.commitSequence
    let commit = followed.follower.take().commits
    #expect(commit.map(\.sequence) == [sequence ?? 0])
    #expect(commit.map { FollowedShop.names($0.tables) } == [["child", "item", "parent"]])
    let undone = OpenTransaction(shop.database)
    undone.run(Shop.insertItem, [2, "b", 1])
    undone.finish(commit: false)
    let poisoned = OpenTransaction(shop.database)
    poisoned.run(Shop.insertItem, [2, "b", 1])
    #expect(poisoned.run(Shop.insertPoison, [1]).error != nil)
    #expect(poisoned.finish(commit: true).error != nil)
    let abandoned = OpenTransaction(shop.database)
    abandoned.run(Shop.insertItem, [2, "b", 1])
    abandoned.transaction.abandon()
    #expect(followed.written() == [])
    // What came before in the same connection is not told of later.
    try shop.base.run(Shop.addAndGrow, [9, "note"])
    #expect(followed.written() == [["log"]])
  }

  @Test func `what a savepoint undid is told of all the same, and what a failed batch did is not`() throws {
    let followed = FollowedShop(try Shop())
    let open = OpenTransaction(followed.shop.database)
    open.run(Shop.insertItem, [1, "a", 1])
    open.savepoint(.set, 1)
    open.run(Shop.addAndGrow, [1, "note"])
    open.savepoint(.rollBackTo, 1)
    let steps: [StatementStep] = [
      .init(source: .statement(Shop.insertParent), parameters: [.value(3)]),
      .init(source: .statement(Shop.insertItem), parameters: [.value(1), .value("a"), .value(1)]),
    ]
    #expect(open.batch(steps, isAtomic: true).error != nil)
    open.finish(commit: true)
    #expect(followed.written() == [["item", "log"]])
  }

  @Test func `whoever comes while a transaction is open hears that it wrote to anything`() throws {
    let shop = try Shop()
    let open = OpenTransaction(shop.database)
    open.run(Shop.insertItem, [1, "a", 1])
    let followed = FollowedShop(shop)
    open.run(Shop.addAndGrow, [1, "note"])
    open.finish(commit: true)
    #expect(followed.written() == [["*"]])
    try shop.base.run(Shop.addAndGrow, [2, "note"])
    #expect(followed.written() == [["log"]])
  }

  @Test func `every commit of many threads is told of once, in order`() throws {
    let shop = try Shop()
    let followed = FollowedShop(shop, queueMax: 10_000)
    let tokens = Mutex<[RequestToken]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<50 {
        let token = shop.start(Shop.addAndGrow, [.integer(Int64(thread * 1_000 + number)), "n"]).token
        _ = shop.sink.outcome(of: token)
        tokens.withLock { $0.append(token) }
      }
    }
    let told = followed.follower.take().commits.map(\.sequence)
    let completed = tokens.withLock { $0 }.compactMap { shop.sink.outcome(of: $0).completion?.commitSequence }
    #expect(completed.count == 400 && Set(completed) == Set(told))
    #expect(told == told.indices.map { followed.follower.since + 1 + UInt64($0) })
  }

  @Test func `who is slow hears of a gap, who leaves of nothing, and nobody is waited for`() throws {
    let shop = try Shop()
    let wakes = Mutex(0)
    let slow = shop.database.subscribe(queueMax: 2) { wakes.withLock { $0 += 1 } }
    var leaver: CommitSubscription? = shop.database.subscribe(queueMax: 2) {}
    for id in 1...5 {
      try shop.base.run(id == 1 ? Shop.insertParent : Shop.addAndGrow, id == 1 ? [1] : [.integer(Int64(id)), "n"])
    }
    let news = slow.take()
    #expect(wakes.withLock { $0 } == 1)
    #expect(news.gap?.through == news.commits.first.map { $0.sequence - 1 })
    #expect(news.gap.map { FollowedShop.names($0.tables) } == ["log", "parent"])
    #expect(news.commits.map { FollowedShop.names($0.tables) } == [["log"]])
    #expect(leaver?.take().gap != nil)
    leaver?.cancel()
    try shop.base.run(Shop.insertParent, [9])
    #expect(leaver?.take().isEmpty == true && wakes.withLock { $0 } == 2)
    slow.cancel()
    leaver = nil
    #expect(!shop.database.file.feed.isWatched)
  }
}
