/// The protocol of one connection as scripts: hello, requests, transactions, ends.
///
/// Always true: each line is an event and what the session wants done for it.
import MartletEngine
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct SessionTests {
  private let failure = RequestError(.notFound, .unknownDatabase, "There is none.")

  @Test func `hello opens the database, answers and lifts the frame limit`() {
    var script = SessionScript()
    let asked = script.receive(7, .hello(.init(database: "shop", create: true)))
    #expect(asked == [.pauseReading, .openDatabase(name: "shop", create: true, setup: [])])
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
    #expect(
      script.refused(failure) == [
        .setFrameLimit(bytes: Limits().frameBeforeHelloBytesMax), .send(.error(failure), to: 1, step: 0),
        .resumeReading,
      ])
    #expect(
      script.receive(2, .hello(.init(database: "b"))).contains(.openDatabase(name: "b", create: false, setup: [])))
  }

  @Test func `a database that does not open in time ends the connection, which is told so`() {
    let ms = Limits().openDeadlineMs
    let late = [SessionAction.send(.error(.openedTooLate(Limits())), to: 1, step: 0), .finishWriting]
    var script = SessionScript()
    _ = script.receive(1, .hello(.init(database: "db")))
    #expect(script.tick(afterMs: ms - 1) == [])
    #expect(script.tick(afterMs: 1) == late)
    #expect(script.opened() == [] && script.refused(failure) == [], "it comes too late")
    // Whoever is refused in time may ask again, and has the whole time then.
    var other = SessionScript()
    _ = other.receive(1, .hello(.init(database: "a", setup: [[1]])))
    other.now = other.now.advanced(milliseconds: ms - 1)
    _ = other.refused(failure)
    _ = other.receive(1, .hello(.init(database: "b")))
    #expect(other.tick(afterMs: ms - 1) == [])
    #expect(other.opened().contains(.resumeReading))
    #expect(other.tick(afterMs: 1) == [])
  }

  @Test func `the bytes of a setup are the session's until its database is open or refused, or it ends`() {
    var script = SessionScript()
    _ = script.receive(1, .hello(.init(database: "db", setup: [[1]], setupFollows: true)))
    #expect(script.session.setupBytes == 1)
    _ = script.receive(1, .setup([[2, 3], [4]]))
    #expect(script.session.setupBytes == 4)
    _ = script.refused(failure)
    #expect(script.session.setupBytes == 0)
    _ = script.receive(2, .hello(.init(database: "db", setup: [[1, 2]])))
    #expect(script.session.setupBytes == 2)
    _ = script.opened()
    #expect(script.session.setupBytes == 0)
    var ended = SessionScript()
    _ = ended.receive(1, .hello(.init(database: "db", setup: [[1, 2]])))
    _ = ended.peerClosed()
    #expect(ended.session.setupBytes == 0)
  }

  @Test func `a setup comes in the hello, or right after it in a message of its own, or both`() {
    var short = SessionScript()
    #expect(
      short.receive(1, .hello(.init(database: "db", setup: [[1], [2]]))) == [
        .pauseReading, .openDatabase(name: "db", create: false, setup: [[1], [2]]),
      ])

    var long = SessionScript()
    #expect(
      long.receive(4, .hello(.init(database: "db", create: true, setup: [[1]], setupFollows: true))) == [
        .setFrameLimit(bytes: Limits().setupFrameBytesMax)
      ])
    #expect(long.session.takesFrames)
    #expect(
      long.receive(4, .setup([[2], [3]])) == [
        .pauseReading, .openDatabase(name: "db", create: true, setup: [[1], [2], [3]]),
      ])
    // Refused, it may try again from the beginning.
    #expect(long.refused(failure).contains(.setFrameLimit(bytes: Limits().frameBeforeHelloBytesMax)))
    _ = long.receive(5, .hello(.init(database: "db")))
    #expect(long.opened().contains(.send(.hello(SessionScript.greeting), to: 5, step: 0)))
  }

  @Test func `a setup that is late, missing, under another id or too large ends the connection`() {
    var late = SessionScript.opened()
    #expect(late.receive(2, .setup([])).refusals == [2: .notAllowed])
    var early = SessionScript()
    #expect(early.receive(1, .setup([])).refusals == [1: .notAllowed])

    let announced = ClientMessage.Kind.hello(.init(database: "db", setupFollows: true))
    var missing = SessionScript()
    _ = missing.receive(1, announced)
    let refused = missing.receive(2, .execute())
    #expect(refused.refusals == [2: .notAllowed] && refused.isEnding)
    var other = SessionScript()
    _ = other.receive(1, announced)
    #expect(other.receive(2, .setup([[1]])).refusals == [2: .notAllowed])

    var limits = Limits()
    limits.setupStatementsMax = 2
    limits.setupBytesMax = 10
    for setup in [[[1], [2], [3]], [[UInt8](repeating: 1, count: 11)]] as [[[UInt8]]] {
      var inHello = SessionScript(limits: limits)
      let first = inHello.receive(1, .hello(.init(database: "db", setup: setup)))
      #expect(first.refusals == [1: .limit] && first.isEnding)
      var after = SessionScript(limits: limits)
      _ = after.receive(1, announced)
      let second = after.receive(1, .setup(setup))
      #expect(second.refusals == [1: .limit] && second.isEnding)
    }
    var slow = SessionScript()
    _ = slow.receive(7, announced)
    let told = [SessionAction.send(.error(.setupTooLate(Limits())), to: 7, step: 0), .finishWriting]
    #expect(slow.tick(afterMs: Limits().helloDeadlineMs) == told)
    #expect(slow.tick(afterMs: Limits().lingerMs) == [.close(.helloTooLate)])
    for message in [announced, .ping([]), .execute()] as [ClientMessage.Kind] {
      var other = SessionScript()
      _ = other.receive(1, announced)
      #expect(other.receive(2, message) == [.send(.error(.setupMissing), to: 2, step: 0), .finishWriting])
    }
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
    for name in ["../etc", "a b", "é", String(repeating: "a", count: 65)] {
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
      for case .start(_, .execute, deadline: let deadline, credit: _) in script.receive(
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
