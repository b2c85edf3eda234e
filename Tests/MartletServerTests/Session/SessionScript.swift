/// Drives a session as its connection would: events in, actions out, time by hand.
///
/// Always true: no socket, no engine, no clock.
import MartletEngine
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

struct SessionScript {
  var session: Session
  var now = MonotonicTime(nanoseconds: 1)
  static let greeting = HelloReply(
    server: "test", sqlite: "3", frameBytesMax: 1, requestsMax: 1, creditBytesMax: 1, creditBytesDefault: 1)

  init(limits: Limits = Limits()) {
    session = Session(limits: limits, greeting: Self.greeting, subject: .program, now: now)
  }

  /// A session that has said hello.
  static func opened(limits: Limits = Limits()) -> SessionScript {
    var script = SessionScript(limits: limits)
    _ = script.receive(1, .hello(.init(database: "db")))
    _ = script.opened()
    return script
  }

  mutating func receive(_ id: UInt32, _ kind: ClientMessage.Kind) -> [SessionAction] {
    var actions: [SessionAction] = []
    session.messageDecoded(ClientMessage(requestID: id, kind: kind), now: now, &actions)
    return actions
  }

  mutating func opened() -> [SessionAction] {
    var actions: [SessionAction] = []
    session.databaseOpened(&actions)
    return actions
  }

  mutating func refused(_ error: RequestError) -> [SessionAction] {
    var actions: [SessionAction] = []
    session.databaseRefused(error, &actions)
    return actions
  }

  mutating func engine(_ event: ReplyEvent, _ id: UInt32, step: UInt32 = 0) -> [SessionAction] {
    var actions: [SessionAction] = []
    session.engineDelivered(event, request: id, step: step, now: now, &actions)
    return actions
  }

  mutating func output(queued: Int, written: Int) -> [SessionAction] {
    var actions: [SessionAction] = []
    session.outputChanged(queuedBytes: queued, writtenBytes: UInt64(written), now: now, &actions)
    return actions
  }

  mutating func tick(afterMs ms: Int) -> [SessionAction] {
    now = now.advanced(milliseconds: ms)
    var actions: [SessionAction] = []
    session.ticked(now: now, &actions)
    return actions
  }

  mutating func shutDown() -> [SessionAction] {
    var actions: [SessionAction] = []
    session.shutdownBegan(now: now, &actions)
    return actions
  }

  mutating func peerClosed(failed: Bool = false) -> [SessionAction] {
    var actions: [SessionAction] = []
    session.peerClosed(failed: failed, &actions)
    return actions
  }
}

extension ClientMessage.Kind {
  static func execute(transaction: UInt32 = 0, credit: UInt32 = 0, deadlineMs: UInt32 = 0) -> ClientMessage.Kind {
    .execute(.init(source: .statement([1]), transaction: transaction, deadlineMs: deadlineMs, credit: credit))
  }
}

extension [SessionAction] {
  /// The reasons of the errors that are sent, with the requests that they are for.
  var refusals: [UInt32: RequestError.Reason] {
    var refusals: [UInt32: RequestError.Reason] = [:]
    for case .send(.error(let error), to: let id, step: 0) in self { refusals[id] = error.reason }
    return refusals
  }

  /// What the host is to carry out.
  var requests: [ClientMessage.Request] {
    compactMap { if case .start(_, let request, deadline: _, credit: _) = $0 { request } else { nil } }
  }

  /// Started statements with the credit that their engine gets.
  var started: [UInt32: Int] {
    var started: [UInt32: Int] = [:]
    for case .start(let id, .execute, deadline: _, credit: let credit) in self { started[id] = credit }
    return started
  }

  var extended: [UInt32: Int] {
    var extended: [UInt32: Int] = [:]
    for case .extendCredit(let id, bytes: let bytes) in self { extended[id, default: 0] += bytes }
    return extended
  }

  var isEnding: Bool { contains(.finishWriting) }
}
