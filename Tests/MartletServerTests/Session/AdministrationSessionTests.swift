/// Sessions for the server as a whole, and what they may ask.
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct AdministrationSessionTests {
  private func opened(_ database: String, permissions: Permissions = .all) -> (Session, [SessionAction]) {
    var actions: [SessionAction] = []
    var session = Session(
      limits: Limits(),
      greeting: HelloReply(
        server: "s", sqlite: "3", frameBytesMax: 1, requestsMax: 1, creditBytesMax: 1, creditBytesDefault: 1),
      subject: Subject(origin: .unnamedProcess, permissions: permissions), now: MonotonicTime(nanoseconds: 0))
    session.messageDecoded(
      ClientMessage(requestID: 1, kind: .hello(.init(database: database))), now: MonotonicTime(nanoseconds: 0), &actions
    )
    let asked = actions
    session.databaseOpened(&actions)
    return (session, asked)
  }

  private func ask(_ session: inout Session, _ kind: ClientMessage.Kind) -> [SessionAction] {
    var actions: [SessionAction] = []
    session.messageDecoded(ClientMessage(requestID: 7, kind: kind), now: MonotonicTime(nanoseconds: 0), &actions)
    return actions
  }

  private func error(in actions: [SessionAction]) -> RequestError? {
    for case .send(.error(let error), to: 7, step: 0) in actions { return error }
    return nil
  }

  @Test func `a session without a database opens none and runs no statement`() {
    var (session, asked) = opened("")
    #expect(asked == [.pauseReading, .openServer])
    let statements: [ClientMessage.Kind] = [
      .execute(.init(source: .statement([1]))), .batch(.init(steps: [.init(source: .statement([1]))])),
      .begin(.read, deadlineMs: 0), .maintain(.check, deadlineMs: 0, credit: 0), .finish(transaction: 3, commit: true),
      .savepoint(transaction: 3, .set, number: 1),
    ]
    for statement in statements {
      #expect(error(in: ask(&session, statement))?.reason == .notAllowed, "\(statement)")
    }
    #expect(ask(&session, .inspect(shapes: 1, sessions: 2)).requests == [.inspect(shapes: 1, sessions: 2)])
    var actions: [SessionAction] = []
    session.hostAnswered(7, .inspection(Inspection()), now: MonotonicTime(nanoseconds: 1), &actions)
    #expect(actions == [.send(.inspection(Inspection()), to: 7, step: 0)])
    #expect(ask(&session, .administer(.list(after: "a"))).requests == [.administer(.list(after: "a"))])
  }

  @Test func `each task needs its permissions`() {
    let tasks: [(Administration, [Permissions])] = [
      (.list(after: ""), [.inspect]), (.create("a"), [.create]),
      (.rename("a", to: "b", endsSessions: true), [.drop, .create, .schema]),
      (.drop("a", endsSessions: true), [.drop, .schema]),
    ]
    for (task, needed) in tasks {
      for permission in needed {
        var (session, _) = opened("", permissions: .all.subtracting(permission))
        #expect(error(in: ask(&session, .administer(task)))?.reason == .permission, "\(task) \(permission)")
      }
      var (session, _) = opened("", permissions: needed.reduce(into: Permissions()) { $0.formUnion($1) })
      #expect(ask(&session, .administer(task)).requests == [.administer(task)], "\(task)")
    }
  }

  @Test func `a session does not take away its own database`() {
    var (session, _) = opened("shop")
    #expect(error(in: ask(&session, .administer(.drop("shop", endsSessions: true))))?.reason == .notAllowed)
    #expect(
      error(in: ask(&session, .administer(.rename("shop", to: "b", endsSessions: true))))?.reason == .notAllowed)
    #expect(error(in: ask(&session, .administer(.drop("other", endsSessions: true)))) == nil)
  }

  @Test func `when its database goes every request in flight is told, and then the connection`() {
    var (session, _) = opened("shop")
    _ = ask(&session, .execute(.init(source: .statement([1]))))
    var actions: [SessionAction] = []
    session.databaseEnded(.dropped("shop"), now: MonotonicTime(nanoseconds: 5), &actions)
    let told = actions.compactMap { action -> (UInt32, RequestError)? in
      if case .send(.error(let error), let id, _) = action { (id, error) } else { nil }
    }
    #expect(told.map(\.0) == [7, 0])
    #expect(told.map(\.1.isOutcomeUnknown) == [true, false])
    #expect(told.allSatisfy { $0.1.message.contains("shop") })
    #expect(session.ignoresInput)
    actions = []
    session.databaseEnded(.dropped("shop"), now: MonotonicTime(nanoseconds: 6), &actions)
    #expect(actions.isEmpty)
  }

  @Test func `an answer that nobody waits for any more is not sent`() {
    var (session, _) = opened("")
    var actions: [SessionAction] = []
    session.hostAnswered(9, .completion(Completion()), now: MonotonicTime(nanoseconds: 1), &actions)
    #expect(actions.isEmpty)
    _ = ask(&session, .administer(.create("a")))
    session.hostAnswered(7, .completion(Completion()), now: MonotonicTime(nanoseconds: 1), &actions)
    #expect(actions == [.send(.completion(Completion()), to: 7, step: 0)])
  }
}
