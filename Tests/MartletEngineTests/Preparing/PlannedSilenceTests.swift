/// A statement that waits for the thread that plans long ones is no silence of its transaction.
import Dispatch
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct PlannedSilenceTests {
  @Test func `a transaction whose statement is still being planned goes on, though others wait`() throws {
    let idleMs = 100
    let shop = try Shop { configuration in
      configuration.limits.inlineStatementBytesMax = 8
      configuration.limits.transactionContendedIdleMs = idleMs
      configuration.limits.transactionContendedIdleMinMs = idleMs
    }
    let begin = shop.sink.token()
    let transaction = shop.database.begin(.write, deadline: .distantFuture, token: begin, sink: shop.sink)
    #expect(shop.sink.outcome(of: begin).completion?.transaction == .write)
    // The thread has something else to do for longer than a transaction may be silent.
    let isOver = DispatchSemaphore(value: 0)
    shop.database.planner.submit(of: SessionShare(subject: 9, session: 9), refuse: {}, { isOver.wait() })
    let insert = shop.sink.token()
    let request = StatementRequest(
      source: .statement(Shop.insertItem), parameters: [.integer(1), .text("a"), .integer(1)])
    _ = transaction.start(request, token: insert, sink: shop.sink)
    let other = RequestToken(session: .max, request: 1)
    let waiter = shop.database.begin(.write, deadline: .distantFuture, token: other, sink: shop.sink)
    let until = ContinuousClock.now + .milliseconds(5 * idleMs)
    try waitUntil { ContinuousClock.now >= until }
    isOver.signal()
    #expect(shop.sink.outcome(of: insert).completion != nil)
    let end = shop.sink.token()
    transaction.finish(commit: true, token: end, sink: shop.sink)
    #expect(shop.sink.outcome(of: end).completion != nil)
    #expect(shop.sink.outcome(of: other).completion?.transaction == .write)
    waiter.abandon()
  }
}
