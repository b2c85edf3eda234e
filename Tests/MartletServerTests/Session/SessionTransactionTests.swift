/// Interactive transactions of a session: whose they are, when they end, and who is told.
///
/// Always true: a session's transactions are its own; another's ids mean nothing to it.
import MartletEngine
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct SessionTransactionTests {
  private let failure = RequestError(.aborted, .transactionEnded, "It was idle for too long.")

  @Test func `statements follow a begin without waiting and end with the finish`() {
    var script = SessionScript.opened()
    #expect(script.receive(1, .begin(.write, deadlineMs: 100)).count == 1)
    #expect(script.receive(2, .execute(transaction: 1)).started.keys.sorted() == [2])
    #expect(
      script.receive(3, .savepoint(transaction: 1, .set, number: 9)).requests == [
        .savepoint(transaction: 1, .set, number: 9)
      ])
    #expect(
      script.receive(4, .finish(transaction: 1, commit: true)).requests == [.finish(transaction: 1, commit: true)])
    #expect(script.receive(5, .execute(transaction: 1)).refusals == [5: .transactionEnded])
    #expect(script.receive(6, .finish(transaction: 1, commit: true)).refusals == [6: .transactionEnded])
    for id: UInt32 in 1...3 { _ = script.engine(.completed(Completion()), id) }
    let done = Completion()
    #expect(
      script.engine(.completed(done), 4) == [.send(.completion(done), to: 4, step: 0), .forgetTransaction(1)])
    #expect(script.session.transactions.isEmpty)
    #expect(script.receive(7, .execute(transaction: 1)).refusals == [7: .transactionEnded])
  }

  @Test func `a transaction that is another session's, or nobody's, is unknown`() {
    var script = SessionScript.opened()
    var other = SessionScript.opened()
    _ = other.receive(8, .begin(.write, deadlineMs: 0))
    let kinds: [ClientMessage.Kind] = [
      .execute(transaction: 8), .batch(.init(steps: [.init(source: .statement([1]))], transaction: 8)),
      .finish(transaction: 8, commit: true), .savepoint(transaction: 8, .set, number: 1),
      .finish(transaction: 0, commit: true),
    ]
    for kind in kinds {
      let actions = script.receive(2, kind)
      #expect(actions.refusals == [2: .unknownTransaction] && actions.count == 1, "\(kind)")
    }
  }

  @Test func `a begin that fails leaves no transaction`() {
    var script = SessionScript.opened()
    _ = script.receive(1, .begin(.write, deadlineMs: 1))
    #expect(
      script.engine(.failed(failure), 1) == [.send(.error(failure), to: 1, step: 0), .forgetTransaction(1)])
    #expect(script.session.transactions.isEmpty)
  }

  @Test func `a begin is answered, and its transaction kept, though its end was answered first`() {
    for isFailed in [true, false] {
      var script = SessionScript.opened()
      _ = script.receive(1, .begin(.read, deadlineMs: 0))
      #expect(script.receive(1, .cancel) == [.cancel(1)])
      _ = script.receive(2, .finish(transaction: 1, commit: false))
      #expect(script.engine(.failed(failure), 2) == [.send(.error(failure), to: 2, step: 0)])
      #expect(!script.session.transactions.isEmpty)
      let done = Completion()
      let (event, answer): (ReplyEvent, ServerMessage.Part) =
        isFailed ? (.failed(failure), .error(failure)) : (.completed(done), .completion(done))
      #expect(script.engine(event, 1) == [.send(answer, to: 1, step: 0), .forgetTransaction(1)])
      #expect(script.session.transactions.isEmpty)
    }
  }

  @Test func `a transaction that the engine ends is told with its age, once`() {
    var script = SessionScript.opened()
    _ = script.receive(1, .begin(.write, deadlineMs: 0))
    _ = script.engine(.completed(Completion()), 1)
    #expect(
      script.engine(.transactionEnded(failure, ageMs: 5_000), 1) == [
        .send(.transactionEnded(transaction: 1, failure, ageMs: 5_000), to: 1, step: 0), .forgetTransaction(1),
      ])
    #expect(script.engine(.transactionEnded(failure, ageMs: 5_000), 1) == [])
    #expect(script.receive(2, .execute(transaction: 1)).refusals == [2: .transactionEnded])
  }

  @Test func `an end that is answered late does not end the next transaction of that number`() {
    for (event, isBegun) in [(ReplyEvent.failed(failure), false), (.transactionEnded(failure, ageMs: 1), true)] {
      var script = SessionScript.opened()
      _ = script.receive(1, .begin(.write, deadlineMs: 0))
      if isBegun { _ = script.engine(.completed(Completion()), 1) }
      _ = script.receive(2, .finish(transaction: 1, commit: true))
      #expect(script.engine(event, 1).contains(.forgetTransaction(1)))
      #expect(script.receive(1, .begin(.write, deadlineMs: 0)).requests.count == 1)
      let done = Completion()
      #expect(script.engine(.completed(done), 1) == [.send(.completion(done), to: 1, step: 0)])
      #expect(script.engine(.failed(failure), 2) == [.send(.error(failure), to: 2, step: 0)])
      // The end of the former one changed nothing for this one.
      #expect(script.receive(3, .execute(transaction: 1)).started.keys.sorted() == [3])
      _ = script.receive(4, .finish(transaction: 1, commit: true))
      #expect(script.engine(.completed(done), 4).contains(.forgetTransaction(1)))
    }
  }

  @Test func `whatever way a session ends, its requests and transactions are abandoned`() {
    let ends: [(inout SessionScript) -> [SessionAction]] = [
      { $0.peerClosed() }, { $0.peerClosed(failed: true) }, { $0.receive(2, .hello(.init(database: "x"))) },
      { script in
        _ = script.shutDown()
        return script.tick(afterMs: Limits().shutdownDrainMs)
      },
    ]
    for end in ends {
      var script = SessionScript.opened()
      _ = script.receive(3, .begin(.write, deadlineMs: 0))
      _ = script.engine(.completed(Completion()), 3)
      _ = script.receive(4, .execute(transaction: 3))
      let actions = end(&script)
      #expect(actions.contains(.forgetRequest(4)) && actions.contains(.forgetTransaction(3)))
      #expect(script.engine(.completed(Completion()), 4) == [], "nobody hears what comes afterwards")
    }
  }
}
