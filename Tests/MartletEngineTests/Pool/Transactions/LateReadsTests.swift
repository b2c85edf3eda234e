/// A read transaction whose owner has sent something that is still under way keeps its snapshot, though others wait to
/// begin one.
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct LateReadsTests {
  /// Keeps the engine's questions until it says that everything was heard.
  private final class LateSink: ReplySink {
    let inner = CollectingSink()
    private let questions = Mutex<[@Sendable () -> Void]>([])

    func deliver(_ event: ReplyEvent, to token: RequestToken) { inner.deliver(event, to: token) }
    func listen(for token: RequestToken, _ heard: @escaping @Sendable () -> Void) {
      questions.withLock { $0.append(heard) }
    }

    var isAsked: Bool { questions.withLock { !$0.isEmpty } }

    func hear() {
      let heard = questions.withLock { questions in
        defer { questions = [] }
        return questions
      }
      for one in heard { one() }
    }
  }

  /// Two transactions that have all places, and one of another session that waits for one.
  private struct Stage {
    let fixture: ReadFixture
    let sink = LateSink()
    let held: [(token: RequestToken, transaction: ReadTransaction)]
    let waiting: ReadTransaction

    init() throws {
      let fixture = try ReadFixture { $0.readerConnectionsMax = 4 }
      let sink = self.sink
      held = (0..<2).map { _ in
        let token = sink.inner.token()
        let transaction = ReadTransaction(
          on: fixture.pool, deadline: .distantFuture, subject: .program, token: token, sink: sink)
        transaction.begin()
        return (token, transaction)
      }
      for (token, _) in held { #expect(sink.inner.outcome(of: token).completion != nil) }
      self.fixture = fixture
      waiting = fixture.begin(RequestToken(session: 99, request: 1))
    }

    var endedCount: Int {
      held.count { one in
        sink.inner.events(of: one.token).contains { if case .transactionEnded = $0 { true } else { false } }
      }
    }

    /// Time passes, until the condition holds.
    func pass(until isMet: () -> Bool) throws {
      try waitUntil {
        step()
        return isMet()
      }
    }

    func step() {
      fixture.clock.advance(milliseconds: EngineLimits.idleReadMs / 4)
      fixture.pool.tick(now: fixture.clock.now)
    }

    func end() { for transaction in held.map(\.transaction) + [waiting] { transaction.abandon() } }
  }

  @Test func `it ends only after its owner was heard, and if nothing came`() throws {
    let stage = try Stage()
    defer { stage.end() }
    try stage.pass(until: { stage.sink.isAsked })
    #expect(stage.endedCount == 0)
    // Both go on, so neither was idle.
    for (_, transaction) in stage.held {
      transaction.planning(isUnderWay: true)
      transaction.planning(isUnderWay: false)
    }
    stage.sink.hear()
    #expect(stage.endedCount == 0)
    try stage.pass(until: { stage.sink.isAsked })
    stage.sink.hear()
    #expect(stage.endedCount == 1)
  }

  @Test func `a read that is being planned is no silence`() throws {
    let stage = try Stage()
    defer { stage.end() }
    for (_, transaction) in stage.held { transaction.planning(isUnderWay: true) }
    for _ in 0..<16 { stage.step() }
    #expect(!stage.sink.isAsked && stage.endedCount == 0)
    for (_, transaction) in stage.held { transaction.planning(isUnderWay: false) }
    try stage.pass(until: { stage.sink.isAsked })
    stage.sink.hear()
    #expect(stage.endedCount == 1)
  }
}
