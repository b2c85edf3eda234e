import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

/// Answers that the owner of a transaction does not wait for wake nobody by themselves, and are never kept.
@Suite struct QuietRepliesTests {
  /// A sink like a loop's: what comes quietly stays until something else comes, or until it is announced.
  private final class SleepySink: ReplySink {
    let awake = CollectingSink()
    private let asleep = Mutex<[Reply]>([])
    let wakes = Atomic<Int>(0)

    func deliver(_ event: ReplyEvent, to token: RequestToken) {
      asleep.withLock { $0.append(Reply(token: token, event: event)) }
      announce()
    }

    func deliverQuietly(_ event: ReplyEvent, to token: RequestToken) {
      asleep.withLock { $0.append(Reply(token: token, event: event)) }
    }

    func announce() {
      let replies = asleep.withLock { asleep in
        defer { asleep = [] }
        return asleep
      }
      guard !replies.isEmpty else { return }
      wakes.wrappingAdd(1, ordering: .relaxed)
      awake.deliver(replies)
    }
  }

  /// A transaction whose begin nobody has waited for.
  private struct Owner {
    static let insert = Trees.insert("log", ["id", "note"])

    let shop: Shop
    let sink = SleepySink()
    let transaction: Transaction

    init(_ shop: Shop) {
      self.shop = shop
      transaction = shop.database.begin(.write, deadline: .distantFuture, token: sink.awake.token(), sink: sink)
    }

    func send(_ statement: [UInt8], _ parameters: [Value] = [], isRequired: Bool = true) -> RequestToken {
      let token = sink.awake.token()
      var request = StatementRequest(source: .statement(statement), parameters: parameters)
      request.isRequired = isRequired
      _ = transaction.start(request, token: token, sink: sink)
      return token
    }

    func commit(required: Int) -> RequestToken {
      let token = sink.awake.token()
      transaction.finish(commit: true, required: required, token: token, sink: sink)
      return token
    }
  }

  @Test func `whoever waits for a begin, or for a required statement, is told although nothing follows`() throws {
    let owner = Owner(try Shop())
    let insert = owner.send(Owner.insert, [1, "a"])
    #expect(owner.sink.awake.outcome(of: insert).completion != nil)
    let commit = owner.commit(required: 1)
    #expect(owner.sink.awake.outcome(of: commit).completion != nil)
  }

  @Test func `a transaction that is sent in one piece wakes its owner once`() throws {
    let shop = try Shop()
    // While this one is open, what the other sends waits for its turn.
    let first = shop.database.begin(.write, deadline: .distantFuture, token: shop.sink.token(), sink: shop.sink)
    let owner = Owner(shop)
    let inserts = (1...20).map { owner.send(Owner.insert, [.integer($0), "a"]) }
    let commit = owner.commit(required: 20)
    first.finish(commit: false, token: shop.sink.token(), sink: shop.sink)
    #expect(owner.sink.awake.outcome(of: commit).completion != nil)
    for insert in inserts { #expect(owner.sink.awake.outcome(of: insert).completion?.rowsChanged == 1) }
    #expect(owner.sink.wakes.load(ordering: .relaxed) == 1)
  }

  @Test func `each request's answer comes to its own sink, also where those of one transaction have several`() throws {
    let shop = try Shop()
    let first = shop.database.begin(.write, deadline: .distantFuture, token: shop.sink.token(), sink: shop.sink)
    let owner = Owner(shop)
    let other = SleepySink()
    // Of the transaction's session, and no number of the owner's.
    let token = RequestToken(session: 1, request: 1_000)
    var request = StatementRequest(source: .statement(Owner.insert), parameters: [7, "b"])
    request.isRequired = true
    let before = owner.send(Owner.insert, [1, "a"])
    _ = owner.transaction.start(request, token: token, sink: other)
    let commit = owner.commit(required: 2)
    first.finish(commit: false, token: shop.sink.token(), sink: shop.sink)
    #expect(other.awake.outcome(of: token).completion != nil)
    #expect(owner.sink.awake.outcome(of: before).completion != nil)
    #expect(owner.sink.awake.outcome(of: commit).completion != nil)
    #expect(owner.sink.awake.events(of: token).isEmpty)
  }

  @Test func `a statement that fails is told of at once, with those before it`() throws {
    let shop = try Shop()
    let owner = Owner(shop)
    let good = owner.send(Owner.insert, [1, "a"])
    let bad = owner.send(Owner.insert, [1, "a"])
    #expect(owner.sink.awake.outcome(of: bad).error?.reason == .constraint)
    #expect(owner.sink.awake.outcome(of: good).completion != nil)
    let commit = owner.commit(required: 2)
    #expect(owner.sink.awake.outcome(of: commit).error?.reason == .transactionEnded)
  }

  @Test func `answers do not wait behind a statement that runs long`() throws {
    let shop = try Shop()
    let first = shop.database.begin(.write, deadline: .distantFuture, token: shop.sink.token(), sink: shop.sink)
    let owner = Owner(shop)
    let quick = owner.send(Owner.insert, [1, "a"])
    let endless = owner.sink.awake.token()
    let text = """
      WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c) INSERT INTO numbers SELECT n FROM c WHERE n < 0
      """
    let running = owner.transaction.start(
      StatementRequest(source: .statement(Trees.raw(text))), token: endless, sink: owner.sink)
    first.finish(commit: false, token: shop.sink.token(), sink: shop.sink)
    // The endless one is what the writer is at: its owner hears of the quick one all the same.
    #expect(owner.sink.awake.outcome(of: quick).completion != nil)
    #expect(owner.sink.awake.events(of: endless).isEmpty)
    running.cancel()
    #expect(owner.sink.awake.outcome(of: endless).error?.code == .cancelled)
  }
}
