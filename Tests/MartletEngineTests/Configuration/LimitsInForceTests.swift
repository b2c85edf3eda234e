/// Limits of time that an engine takes while it runs.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct LimitsInForceTests {
  private static func serving(_ change: (inout Limits) -> Void) -> ServingLimits {
    var limits = Limits()
    change(&limits)
    return ServingLimits(limits)
  }

  @Test func `a write may ask for as long as the limit is now`() throws {
    let shop = try Shop()
    func insert(_ id: Int64, forMs ms: Int) -> RequestError? {
      let deadline = EngineConfiguration.systemClock().advanced(milliseconds: ms)
      let (token, _) = shop.start(Shop.insertItem, [.integer(id), .text("n\(id)"), 1], deadline: deadline)
      return shop.sink.outcome(of: token).error
    }
    #expect(insert(1, forMs: 20_000) == nil)
    shop.base.engine.take(Self.serving { $0.writeTimeMaxMs = 10_000 })
    #expect(insert(2, forMs: 20_000) == .writeDeadlineTooLong(mostMs: 10_000))
    #expect(insert(3, forMs: 9_000) == nil)
    shop.base.engine.take(Self.serving { $0.writeTimeMaxMs = 90_000 })
    #expect(insert(4, forMs: 60_000) == nil)
  }

  @Test(arguments: [TransactionMode.write, .read])
  func `a transaction has the time that it began with, and the next one the new time`(_ mode: TransactionMode) throws {
    let clock = ManualClock()
    let shop = try Shop {
      $0.clock = clock.read
      $0.limits.transactionIdleMs = 60_000
      $0.limits.transactionTotalMs = 60_000
    }
    /// Begins one, and returns what the engine says of its end, and when.
    func begin() -> (token: RequestToken, transaction: Transaction) {
      let token = shop.sink.token()
      let transaction = shop.database.begin(mode, deadline: .distantFuture, token: token, sink: shop.sink)
      _ = shop.sink.outcome(of: token)
      return (token, transaction)
    }
    func isEnded(_ token: RequestToken) -> RequestError? {
      for case .transactionEnded(let error, _) in shop.sink.events(of: token) { return error }
      return nil
    }
    let first = begin()
    shop.base.engine.take(
      Self.serving {
        $0.transactionIdleMs = 1_000
        $0.transactionTotalMs = 2_000
      })
    // Its owner asks for something meanwhile, which sets the time that it is idle.
    let asked = shop.sink.token()
    _ = first.transaction.start(StatementRequest(source: .statement(Shop.items)), token: asked, sink: shop.sink)
    #expect(shop.sink.outcome(of: asked).error == nil)
    clock.advance(milliseconds: 50_000)
    let again = shop.sink.token()
    _ = first.transaction.start(StatementRequest(source: .statement(Shop.items)), token: again, sink: shop.sink)
    #expect(shop.sink.outcome(of: again).error == nil && isEnded(first.token) == nil)
    let ended = shop.sink.token()
    first.transaction.finish(commit: true, token: ended, sink: shop.sink)
    #expect(shop.sink.outcome(of: ended).error == nil)

    let second = begin()
    shop.sink.wait(for: second.token, meanwhile: { clock.advance(milliseconds: 250) }) { events in
      events.contains { if case .transactionEnded = $0 { true } else { false } }
    }
    // The clock may have run past both before the engine looked.
    let said = isEnded(second.token)?.message ?? ""
    #expect(said.contains("1000 ms") || said.contains("2000 ms"), "\(said)")
    withExtendedLifetime(second.transaction) {}
  }

  @Test func `two engines of one configuration have limits of their own`() throws {
    let (one, other) = (TemporaryDirectory(), TemporaryDirectory())
    var configuration = EngineConfiguration(directory: one.path)
    let first = try Engine(configuration: configuration)
    configuration.directory = other.path
    let second = try Engine(configuration: configuration)
    first.take(Self.serving { $0.writeTimeMaxMs = 1 })
    #expect(first.configuration.limitsNow.writeTimeMaxMs == 1)
    #expect(second.configuration.limitsNow == second.configuration.limits)
  }
}
