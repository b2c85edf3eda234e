/// The protocol of one connection as scripts: hello, requests, transactions, ends.
///
/// Always true: each line is an event and what the session wants done for it.
import MartletAST
import MartletEngine
import MartletWire
import Testing

@testable import MartletServer

@Suite struct SessionTests {
  private let failure = RequestError(.notFound, .unknownDatabase, "There is none.")

  @Test func `hello opens the database, answers and lifts the frame limit`() {
    var script = SessionScript()
    let asked = script.receive(7, .hello(.init(database: "shop", create: true)))
    #expect(asked == [.pauseReading, .openDatabase(name: "shop", create: true)])
    #expect(!script.session.takesFrames)
    let opened = script.opened()
    #expect(
      opened == [
        .setFrameLimit(bytes: Limits().frameBytesMax), .send(.hello(SessionScript.greeting), to: 7, step: 0),
        .resumeReading,
      ])
    #expect(script.session.takesFrames)
  }

  @Test func `a client may try another database after one that is unknown`() {
    var script = SessionScript()
    _ = script.receive(1, .hello(.init(database: "a")))
    #expect(script.refused(failure) == [.send(.error(failure), to: 1, step: 0), .resumeReading])
    #expect(script.receive(2, .hello(.init(database: "b"))).contains(.openDatabase(name: "b", create: false)))
  }

  @Test func `what is no hello, a second hello, a wrong version and a bad name end the connection with a reason`() {
    var early = SessionScript()
    let first = early.receive(1, .ping([]))
    #expect(first.refusals == [1: .notAllowed] && first.isEnding)
    #expect(early.receive(2, .hello(.init(database: "db"))) == [])

    var twice = SessionScript.opened()
    let second = twice.receive(2, .hello(.init(database: "db")))
    #expect(second.refusals == [2: .notAllowed] && second.isEnding)

    var version = SessionScript()
    #expect(version.receive(1, .hello(.init(protocolVersion: 2, database: "db"))).refusals == [1: .unsupported])
    for name in ["", "../etc", "a b", "é", String(repeating: "a", count: 65)] {
      var script = SessionScript()
      let refused = script.receive(1, .hello(.init(database: name)))
      #expect(refused.refusals == [1: .malformed] && refused.isEnding, "\(name)")
    }
  }

  @Test func `requests run side by side and end once`() {
    var script = SessionScript.opened()
    #expect(script.receive(1, .execute()).started.keys.sorted() == [1])
    #expect(script.receive(2, .execute()).started.keys.sorted() == [2])
    let done = Completion(rowsChanged: 1)
    #expect(
      script.engine(.completed(done), 2) == [.send(.completion(done), to: 2, step: 0), .forgetRequest(2)])
    #expect(script.engine(.completed(done), 2) == [])
    #expect(
      script.engine(.failed(failure), 1) == [.send(.error(failure), to: 1, step: 0), .forgetRequest(1)])
    #expect(script.session.requests.isEmpty)
    #expect(
      script.receive(2, .execute()).started.keys.sorted() == [2], "an id is free again when its request has ended")
  }

  @Test func `steps of a batch do not end it`() {
    var script = SessionScript.opened()
    let batch = ClientMessage.Batch(steps: [.init(source: .statement([1]))])
    _ = script.receive(1, .batch(batch))
    let done = Completion()
    #expect(script.engine(.completed(done), 1, step: 1) == [.send(.completion(done), to: 1, step: 1)])
    #expect(script.engine(.failed(failure), 1, step: 2) == [.send(.error(failure), to: 1, step: 2)])
    #expect(script.engine(.completed(done), 1).contains(.forgetRequest(1)))
  }

  @Test func `an id that is in flight, or is a transaction's, cannot be used again`() {
    var script = SessionScript.opened()
    _ = script.receive(1, .execute())
    let refused = script.receive(1, .execute())
    #expect(refused.refusals == [1: .malformed] && refused.isEnding && refused.contains(.forgetRequest(1)))

    var other = SessionScript.opened()
    _ = other.receive(5, .begin(.write, deadlineMs: 0))
    _ = other.engine(.completed(Completion()), 5)
    #expect(other.receive(5, .execute()).isEnding)
  }

  @Test func `requests beyond the limit are refused alone`() {
    var limits = Limits()
    limits.requestsPerConnectionMax = 2
    limits.transactionsPerConnectionMax = 1
    var script = SessionScript.opened(limits: limits)
    _ = script.receive(1, .begin(.read, deadlineMs: 0))
    #expect(script.receive(2, .begin(.read, deadlineMs: 0)).refusals == [2: .overloaded])
    _ = script.receive(3, .execute())
    #expect(script.receive(4, .execute()).refusals == [4: .overloaded])
    _ = script.engine(.completed(Completion()), 3)
    #expect(script.receive(5, .execute()).started.keys.sorted() == [5])
  }

  @Test func `deadlines default and are clamped`() {
    var script = SessionScript.opened()
    func deadline(_ ms: UInt32) -> Int? {
      for case .execute(_, _, deadline: let deadline, credit: _) in script.receive(
        UInt32(ms) | 1, .execute(deadlineMs: ms))
      {
        return deadline.milliseconds(since: script.now)
      }
      return nil
    }
    #expect(deadline(0) == Limits().deadlineDefaultMs)
    #expect(deadline(70) == 70)
    #expect(deadline(.max) == Limits().deadlineMaxMs)
  }

  @Test func `cancel and credit name a request that is in flight, or do nothing`() {
    var script = SessionScript.opened()
    #expect(script.receive(1, .cancel) == [])
    #expect(script.receive(1, .credit(bytes: .max)) == [])
    _ = script.receive(1, .execute())
    #expect(script.receive(1, .cancel) == [.cancel(1)])
    #expect(script.receive(1, .cancel) == [.cancel(1)])
  }

  @Test func `a message that was refused by itself leaves the connection alone, a broken one ends it`() {
    var script = SessionScript.opened()
    var actions: [SessionAction] = []
    script.session.decodingFailed(
      MessageError(requestID: 3, error: failure, isFatal: false), now: script.now, &actions)
    #expect(actions == [.send(.error(failure), to: 3, step: 0)])
    actions = []
    script.session.decodingFailed(MessageError(requestID: 4, error: failure, isFatal: true), now: script.now, &actions)
    #expect(actions.isEnding)
    actions = []
    script.session.framingFailed(.unknownFlags(1), now: script.now, &actions)
    #expect(actions == [], "only the first reason is told")
  }
}
