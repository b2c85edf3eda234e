/// Writes that come while somebody else has the writer's lock: none is lost, and each hears of its end once.
import Dispatch
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct WriterTests {
  /// Starts an insert on another thread while this one has the writer's lock; calls `then` on that thread.
  private static func insertAside(
    _ number: Int64, _ shop: Shop, then: @escaping @Sendable (Execution) -> Void = { _ in }
  ) -> RequestToken {
    let (database, sink) = (shop.database, shop.sink)
    let token = sink.token()
    let done = DispatchSemaphore(value: 0)
    database.writer.withLock { _ in
      let started = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let request = StatementRequest(
          source: .statement(Shop.insertItem), parameters: [.integer(number), .text("name \(number)"), .integer(1)])
        let execution = database.start(request, token: token, sink: sink)
        // Nobody who brings a write waits for the lock, or this would wait for ever.
        started.signal()
        then(execution)
        done.signal()
      }
      started.wait()
    }
    done.wait()
    return token
  }

  private static func count(_ shop: Shop) throws -> Value? {
    try shop.base.sql("SELECT count(*) FROM item").rows.first?.first
  }

  @Test func `a write that comes while somebody has the lock is carried out`() throws {
    let shop = try Shop()
    for number in 1...200 {
      let token = Self.insertAside(Int64(number), shop)
      #expect(shop.sink.outcome(of: token).error == nil)
    }
    #expect(try Self.count(shop) == .integer(200))
  }

  @Test func `one that is cancelled before it has its place is carried out or is not, as it hears`() throws {
    let shop = try Shop()
    var kept: Int64 = 0
    for number in 1...200 {
      let token = Self.insertAside(Int64(number), shop) { $0.cancel() }
      switch shop.sink.outcome(of: token).error?.reason {
      case nil: kept += 1
      case let reason: #expect(reason == .cancelled)
      }
    }
    #expect(try Self.count(shop) == .integer(kept))
  }

  @Test func `one whose owner has gone meanwhile holds up nobody`() throws {
    let shop = try Shop()
    for number in 1...200 {
      _ = Self.insertAside(Int64(number), shop) { $0.abandon() }
    }
    #expect(shop.base.result(Shop.insertItem, [1_000, "last", 1]).error == nil)
    #expect(shop.counter("write_queue_depth") == 0)
  }

  @Test func `what waits behind an open transaction hears of its cancel at once, and leaves its place`() throws {
    // The clock stands, so that the transaction is not ended for those who wait.
    let clock = ManualClock()
    let shop = try Shop { $0.clock = clock.read }
    let changesSchema = Trees.raw("CREATE TABLE later(a)")
    try shop.together {
      for round in 0..<50 {
        let started = [
          shop.start(Shop.insertItem, [.integer(Int64(round)), .text("x"), 1]), shop.start(changesSchema),
        ]
        let begin = shop.sink.token()
        let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
        // Whoever has the writer's lock takes in what comes meanwhile.
        try waitUntil("all have a place", within: .seconds(10)) { shop.counter("write_queue_depth") == 3 }
        for (_, execution) in started { execution.cancel() }
        transaction.abandon()
        try waitUntil("none has a place", within: .seconds(10)) { shop.counter("write_queue_depth") == 0 }
        for (token, _) in started { #expect(shop.sink.outcome(of: token).error?.reason == .cancelled) }
      }
    }
    #expect(try Self.count(shop) == .integer(0))
    #expect(try shop.base.sql("SELECT 1 FROM sqlite_schema WHERE name = 'later'").rows.isEmpty)
  }
}
