/// Statements that SQLite compiles for longer than a turn: nobody waits for that, and they run all the same.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine
@testable import MartletSQLite

@Suite(.serialized) struct LongCompilationTests {
  private static let sliceMs = 4

  /// A statement that does nothing, and that takes SQLite at least `ms` milliseconds of this machine to compile. Each
  /// level of it is the one before it, twice.
  private static func slow(_ head: String, ms: Int) throws -> [UInt8] {
    let probe = try Connection(path: ":memory:", label: "probe", access: .writer, setup: setup()) { 0 }
    for levels in 4...20 {
      let tables = (1...levels).map { "c\($0)(x) AS (SELECT a.x FROM c\($0 - 1) a, c\($0 - 1) b)" }
      let query = "WITH c0(x) AS (SELECT 1), \(tables.joined(separator: ", ")) SELECT x FROM c\(levels) LIMIT 0"
      let began = CompilationGuard.threadTime
      _ = try probe.prepare(query)
      if CompilationGuard.threadTime - began >= UInt64(ms) * 1_000_000 { return Trees.raw(head + query) }
    }
    return Trees.raw("never")
  }

  private static func setup() -> ConnectionSetup {
    var setup = ConnectionSetup()
    setup.compileMicrosecondsMax = 60_000_000
    setup.compileWriteMicrosecondsMax = 60_000_000
    return setup
  }

  private func shop() throws -> Shop {
    try Shop {
      $0.limits.writeTimeMaxMs = 20_000
      $0.limits.compileMsMax = 30_000
      $0.limits.compileWriteMsMax = 30_000
      $0.limits.writeSliceMs = Self.sliceMs
    }
  }

  private func start(
    _ statement: [UInt8], _ values: [Value] = [], session: UInt64, ms: Int = 20_000, in shop: Shop
  ) -> RequestToken {
    let token = RequestToken(session: session, request: 1)
    let deadline = EngineConfiguration.systemClock().advanced(milliseconds: ms)
    let request = StatementRequest(source: .statement(statement), parameters: values, deadline: deadline)
    _ = shop.database.start(request, token: token, sink: shop.sink)
    return token
  }

  @Test func `a write that is compiled for long gives way to its neighbours, and runs after them`() throws {
    let shop = try shop()
    // Longer than it takes the others to come, even if the machine is busy.
    let slow = try Self.slow("INSERT INTO log(note) ", ms: 400)
    // It has been planned then, which counts as one, and the writer has not seen it: judging it takes longer than its
    // time. On a busy machine its time may be over before it is judged.
    let first = shop.counter("prepares")
    var session: UInt64 = 99
    try waitUntil {
      session += 1
      #expect(shop.sink.outcome(of: start(slow, session: session, ms: 100, in: shop)).error?.reason == .deadline)
      return shop.counter("prepares") > first
    }
    let before = shop.counter("prepares")
    let guilty = start(slow, session: 1, in: shop)
    try waitUntil(within: .seconds(20)) { shop.counter("prepares") > before }
    let innocents = (2...9).map { session in
      start(Shop.insertItem, [.integer(session), nil, 1], session: UInt64(session), in: shop)
    }
    let commits = innocents.compactMap { shop.sink.outcome(of: $0).completion?.commitSequence }
    #expect(commits.count == innocents.count)
    let last = try #require(shop.sink.outcome(of: guilty).completion?.commitSequence)
    #expect(commits.allSatisfy { $0 < last })
    #expect(shop.counter("writes_undone_for_others") >= 1)
    #expect(try shop.base.sql("SELECT count(*) FROM log").rows == [[0]])
  }

  @Test func `a write that nobody waits for is compiled at once, and kept`() throws {
    let shop = try shop()
    let slow = try Self.slow("INSERT INTO log(note) ", ms: 10 * Self.sliceMs)
    #expect(shop.sink.outcome(of: start(slow, session: 1, in: shop)).error == nil)
    #expect(shop.counter("writes_undone_for_others") == 0)
  }

  @Test func `the deadline of a write counts while it is compiled`() throws {
    let shop = try shop()
    let slow = try Self.slow("INSERT INTO log(note) ", ms: 500)
    let error = shop.sink.outcome(of: start(slow, session: 1, ms: 100, in: shop)).error
    #expect(error?.reason == .deadline, "\(String(describing: error))")
    #expect(shop.sink.outcome(of: start(Shop.insertItem, [1, nil, 1], session: 2, in: shop)).error == nil)
  }
}
