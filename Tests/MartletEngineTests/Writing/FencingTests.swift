/// What happens when the disk does not do its part.
import Dispatch
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct FencingTests {
  /// Makes commits fail from when it is armed.
  private final class Fault: Sendable {
    private let error = Mutex<SQLiteError?>(nil)

    func arm(_ code: Int32?) {
      error.withLock { $0 = code.map { SQLiteError(extendedCode: $0, message: "injected") } }
    }
    var hook: @Sendable () -> SQLiteError? { { self.error.withLock { $0 } } }
  }

  private static let failedSync = SQLiteCode.io | (4 << 8)

  @Test func `a commit of unknown outcome says so and fences, and reads go on`() throws {
    let fault = Fault()
    let shop = try Shop { $0.commitFault = fault.hook }
    try shop.base.run(Shop.insertItem, [1, "a", 1])
    let before = shop.database.commitSequence
    var members: [RequestToken] = []
    var failed: RequestToken?
    var alone: RequestToken?
    shop.together {
      members.append(shop.start(Shop.insertItem, [2, "b", 1]).token)
      failed = shop.start(Shop.insertItem, [3, "a", 1]).token
      members.append(shop.start(Shop.insertItem, [4, "d", 1]).token)
      // In a group of its own, which never gets to run.
      alone = shop.start(Trees.raw("CREATE TABLE later(a)")).token
      fault.arm(Self.failedSync)
    }
    for token in members {
      let error = shop.sink.outcome(of: token).error
      #expect(error?.isOutcomeUnknown == true && error?.isRetryable == false)
    }
    #expect(shop.sink.outcome(of: try #require(failed)).error?.isOutcomeUnknown == false)
    #expect(shop.sink.outcome(of: try #require(alone)).error == .fenced)
    fault.arm(nil)
    #expect(shop.base.result(Shop.insertItem, [5, "e", 1]).error == .fenced)
    #expect(shop.database.isFenced && shop.database.commitSequence == before)
    #expect(try shop.base.run(Shop.items).rows.count == 1)
    let begin = shop.sink.token()
    _ = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    #expect(shop.sink.outcome(of: begin).error == .fenced)
  }

  /// Asks at the moment of each answer whether the database is fenced.
  private final class Onlooker: ReplySink {
    let database: Database
    let wasFenced = Mutex<[Bool]>([])
    let told = DispatchSemaphore(value: 0)

    init(_ database: Database) { self.database = database }

    func deliver(_ event: ReplyEvent, to token: RequestToken) {
      guard case .failed = event else { return }
      wasFenced.withLock { $0.append(database.isFenced) }
      told.signal()
    }
  }

  @Test func `who hears that the database is fenced can have the fence lifted at once`() throws {
    let fault = Fault()
    let shop = try Shop { $0.commitFault = fault.hook }
    let onlooker = Onlooker(shop.database)
    fault.arm(Self.failedSync)
    for id in 1...3 as ClosedRange<UInt32> {
      let request = StatementRequest(
        source: .statement(Shop.insertItem), parameters: [.integer(Int64(id)), .text("\(id)"), 1])
      _ = shop.database.start(request, token: RequestToken(session: 9, request: id), sink: onlooker)
    }
    for _ in 1...3 { onlooker.told.wait() }
    #expect(onlooker.wasFenced.withLock { $0 } == [true, true, true])
  }

  @Test(arguments: [
    SQLiteCode.error, SQLiteCode.tooBig, SQLiteCode.mismatch, SQLiteCode.range, SQLiteCode.corruptVirtualTable,
  ])
  func `what a virtual table says at the commit fails the write, not the database`(code: Int32) throws {
    let fault = Fault()
    let shop = try Shop { $0.commitFault = fault.hook }
    fault.arm(code)
    var tokens: [RequestToken] = []
    shop.together {
      for id in 1...3 { tokens.append(shop.start(Shop.insertItem, [.integer(Int64(id)), nil, 1]).token) }
    }
    for token in tokens {
      let error = shop.sink.outcome(of: token).error
      #expect(error != nil && error?.isOutcomeUnknown == false && error?.reason != .fenced)
    }
    fault.arm(nil)
    #expect(try shop.base.run(Shop.insertItem, [1, "a", 1]).completion?.rowsChanged == 1)
    #expect(!shop.database.isFenced)
  }

  @Test func `a full disk fails the write, not the database`() throws {
    let fault = Fault()
    let shop = try Shop { $0.commitFault = fault.hook }
    fault.arm(SQLiteCode.full)
    var tokens: [RequestToken] = []
    shop.together {
      for id in 1...3 { tokens.append(shop.start(Shop.insertItem, [.integer(Int64(id)), nil, 1]).token) }
    }
    for token in tokens {
      let error = shop.sink.outcome(of: token).error
      #expect(error?.code == .resourceExhausted && error?.isOutcomeUnknown == false)
    }
    #expect(try shop.base.run(Shop.items).rows.isEmpty)
    fault.arm(nil)
    #expect(try shop.base.run(Shop.insertItem, [1, "a", 1]).completion?.rowsChanged == 1)
  }

  @Test func `steps that commit one by one after a full disk have their own numbers`() throws {
    // One commit finds the disk full, so that its members run again, each alone.
    let isFull = Mutex(false)
    let shop = try Shop {
      $0.commitFault = {
        isFull.withLock { isFull in
          defer { isFull = false }
          return isFull ? SQLiteError(extendedCode: SQLiteCode.full, message: "full") : nil
        }
      }
    }
    let token = shop.sink.token()
    let steps = (1...3).map { id in
      StatementStep(
        source: .statement(Shop.insertParent), parameters: [.value(.integer(Int64(id)))])
    }
    shop.together {
      _ = shop.database.start(BatchRequest(steps: steps, isAtomic: false), token: token, sink: shop.sink)
      isFull.withLock { $0 = true }
    }
    _ = shop.sink.outcome(of: token)
    let numbers = (1...3).map { step in
      let step = RequestToken(session: token.session, request: token.request, step: UInt32(step))
      return shop.sink.outcome(of: step).completion?.commitSequence ?? 0
    }
    #expect(numbers[0] < numbers[1] && numbers[1] < numbers[2], "\(numbers)")
  }

  @Test func `a write that finds the file full is undone alone`() throws {
    let shop = try Shop()
    let pages = try shop.base.sql("SELECT page_count FROM pragma_page_count").rows
    #expect(pages.count == 1)
    let huge = Value.text(String(repeating: "x", count: 4_000_000))
    var small: RequestToken?
    var large: RequestToken?
    shop.together {
      small = shop.start(Shop.insertItem, [1, "a", 1]).token
      large = shop.start(Shop.insertItem, [2, huge, -1]).token
    }
    #expect(shop.sink.outcome(of: try #require(small)).error == nil)
    #expect(shop.sink.outcome(of: try #require(large)).error?.reason == .constraint)
  }

  @Test func `an interactive commit of unknown outcome fences too`() throws {
    let fault = Fault()
    let shop = try Shop { $0.commitFault = fault.hook }
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    let insert = shop.sink.token()
    _ = transaction.start(
      StatementRequest(source: .statement(Shop.insertItem), parameters: [1, "a", 1]), token: insert, sink: shop.sink)
    #expect(shop.sink.outcome(of: insert).error == nil)
    fault.arm(Self.failedSync)
    let finish = shop.sink.token()
    transaction.finish(commit: true, token: finish, sink: shop.sink)
    #expect(shop.sink.outcome(of: finish).error?.isOutcomeUnknown == true)
    #expect(shop.base.result(Shop.insertItem, [2, "b", 1]).error == .fenced)
  }

  @Test func `an engine without room tells its operator, counts what it refuses, and goes on reading`() throws {
    final class Told: Sendable {
      let notices = Mutex<[EngineNotice]>([])
    }
    let told = Told()
    // No database is made where there is no room, so it has been there before.
    let directory = TemporaryDirectory()
    let before = try Engine(configuration: EngineConfiguration(directory: directory.path))
    _ = try before.database(named: "test", create: true)
    before.shutdown()
    let base = try TemporaryDatabase {
      $0.directory = directory.path
      $0.limits.diskFreeBytesMin = 1 << 50
      $0.report = { notice in told.notices.withLock { $0.append(notice) } }
    }
    let sink = CollectingSink()
    // Together, so that some of them share a group, which is refused as a whole.
    let tokens = (0..<20).map { _ in sink.token() }
    for token in tokens {
      let request = StatementRequest(source: .statement(Trees.insert("item", ["id"])), parameters: [1])
      _ = base.database.start(request, token: token, sink: sink)
    }
    for token in tokens { #expect(sink.outcome(of: token).error == .diskAlmostFull) }
    #expect(base.result(Trees.raw("SELECT 1")).error == nil)
    #expect(told.notices.withLock { $0 }.contains { $0.level == .error && $0.text.contains("the disk is almost full") })
    #expect(base.engine.counters().first { $0.name == "disk_refusals" }?.value == 20)
  }

  @Test func `the log stays small while many commit and readers come and go`() throws {
    let shop = try Shop { $0.limits.walCheckpointBytes = 64 << 10 }
    for id in 1...400 { try shop.base.run(Shop.insertItem, [.integer(Int64(id)), .text("name \(id)"), 1]) }
    #expect(shop.counter("checkpoints") > 0)
    #expect(shop.counter("checkpoint_failures") == 0)
    #expect(shop.counter("wal_bytes") < 4 * (64 << 10))
  }

  @Test func `a snapshot that keeps the log from shrinking is evicted at the limit`() throws {
    let shop = try Shop {
      $0.limits.walCheckpointBytes = 64 << 10
      $0.limits.walBytesMax = 256 << 10
    }
    let begin = shop.sink.token()
    let reader = shop.database.begin(.read, deadline: .distantFuture, token: begin, sink: shop.sink)
    #expect(shop.sink.outcome(of: begin).completion?.transaction == .read)
    let text = Value.text(String(repeating: "x", count: 2_000))
    var id: Int64 = 0
    var isEnded: Bool {
      shop.sink.events(of: begin).contains { if case .transactionEnded = $0 { true } else { false } }
    }
    while !isEnded, id < 5_000 {
      id += 1
      try shop.base.run(Shop.addAndGrow, [.integer(id), text])
    }
    #expect(isEnded)
    #expect(shop.counter("wal_bytes") < 1 << 20)
    reader.abandon()
  }
}
