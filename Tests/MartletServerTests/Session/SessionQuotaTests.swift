/// What a session does with the quotas of its subject, as scripts.
import MartletEngine
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct SessionQuotaTests {
  private static let refusal = RequestError.quotaExceeded(.requestsPerSecond, 5)

  private func receive(
    _ script: inout SessionScript, _ id: UInt32, _ kind: ClientMessage.Kind, refusal: RequestError? = refusal
  ) -> [SessionAction] {
    var actions: [SessionAction] = []
    script.session.messageDecoded(
      ClientMessage(requestID: id, kind: kind), refusal: refusal, now: script.now, &actions)
    return actions
  }

  private func bounded(_ values: [Quota: Int]) -> SessionScript {
    var script = SessionScript.opened()
    script.session.subject.quotas = StatementQuotas(values)
    return script
  }

  @Test func `a request beyond a quota is answered with its error, and nothing of it is begun or kept`() {
    let kinds: [ClientMessage.Kind] = [
      .execute(), .request(.begin(.write)), .request(.ping()), .request(.inspect(shapes: 1, sessions: 1)),
      .batch(.init(steps: [.init(source: .statement([1]))])), .request(.maintain(.check)),
    ]
    for kind in kinds {
      var script = SessionScript.opened()
      #expect(receive(&script, 2, kind) == [.send(.error(Self.refusal), to: 2, step: 0)], "\(kind)")
      #expect(script.session.requests.isEmpty && script.session.transactions.isEmpty)
      #expect(!receive(&script, 2, kind, refusal: nil).refusals.values.contains(.quota))
    }
  }

  @Test func `what is no request is not refused, and what is wrong is told first`() {
    var script = SessionScript.opened()
    _ = receive(&script, 2, .execute(), refusal: nil)
    #expect(receive(&script, 2, .cancel) == [.cancel(2)])
    #expect(receive(&script, 2, .credit(bytes: 5)).refusals == [:])
    #expect(receive(&script, 2, .execute()).refusals == [2: .malformed])
    var server = SessionScript()
    _ = server.receive(1, .hello(.init(database: "")))
    _ = server.opened()
    #expect(receive(&server, 2, .execute()).refusals == [2: .notAllowed])
  }

  @Test func `a connection beyond a quota is told so under its hello's id, and ends`() {
    var script = SessionScript()
    _ = script.receive(1, .hello(.init(database: "db", credential: "t")))
    let error = RequestError.quotaExceeded(.connections, 3)
    var actions: [SessionAction] = []
    script.session.connectionRefused(error, now: script.now, &actions)
    #expect(actions == [.send(.error(error), to: 1, step: 0), .finishWriting])
    #expect(script.session.ignoresInput && !script.session.hasSaidHello)
    #expect(script.receive(2, .execute()) == [])
    #expect(script.tick(afterMs: Limits().lingerMs) == [.close(.quotaExceeded)])
    // Late, or to somebody who asked for nothing, it means nothing.
    var open = SessionScript.opened()
    actions = []
    open.session.connectionRefused(error, now: open.now, &actions)
    #expect(actions == [])
  }

  /// The quota, what is asked for, and how long the request has then.
  @Test(
    arguments: [
      (nil, 0, 5_000), (nil, 700, 700), (nil, 2_000_000, 600_000), (200, 0, 200), (200, 100, 100), (200, 201, 200),
      (9_000, 0, 5_000), (9_000, 60_000, 9_000), (2_000_000, 1_000_000, 600_000),
    ] as [(Int?, UInt32, Int)])
  func `a deadline is the shortest of what is asked for, the quota and the limit`(quota: Int?, asked: UInt32, ms: Int) {
    var script = bounded(quota.map { [.deadlineMs: $0] } ?? [:])
    for case .start(_, _, let deadline, _) in script.receive(2, .execute(deadlineMs: asked)) {
      #expect(deadline == script.now.advanced(milliseconds: ms))
    }
    #expect(script.session.requests.count == 1)
  }

  @Test func `a deadline that a quota made short names the quota, and any other does not`() throws {
    let late = RequestError(.deadlineExceeded, .deadline, "late", sqliteCode: 9, isOutcomeUnknown: true)
    var script = bounded([.deadlineMs: 200])
    _ = script.receive(2, .execute())
    _ = script.receive(3, .execute(deadlineMs: 100))
    let due = script.now.advanced(milliseconds: 200)
    let named = script.session.explained(late, of: 2, now: due)
    #expect(named.reason == .quota && named.code == .deadlineExceeded && named.message.contains("deadline-ms"))
    #expect(named.message.contains("200 ms") && named.sqliteCode == 9 && named.isOutcomeUnknown && !named.isRetryable)
    #expect(script.session.explained(late, of: 3, now: due) == late)
    #expect(script.session.explained(late, of: 4, now: due) == late)
    // It was something else that was late, such as its transaction.
    #expect(script.session.explained(late, of: 2, now: script.now.advanced(milliseconds: 199)) == late)
  }

  @Test func `the longest deadline is named if it cut the request's own, and not otherwise`() {
    let late = RequestError(.deadlineExceeded, .deadline, "Late.", isOutcomeUnknown: true)
    var script = SessionScript.opened()
    _ = script.receive(2, .execute(deadlineMs: 2_000_000))
    _ = script.receive(3, .execute(deadlineMs: 600_000))
    _ = script.receive(4, .execute(deadlineMs: 500))
    let due = script.now.advanced(milliseconds: 600_000)
    let told = script.session.explained(late, of: 2, now: due)
    #expect(told.message == "Late. The server's limit deadline-max-ms allows 600000 ms at most.")
    #expect(told.reason == .deadline && told.isOutcomeUnknown)
    for id: UInt32 in [3, 4] { #expect(script.session.explained(late, of: id, now: due) == late) }
  }

  @Test func `what a reload changes holds from the next request on`() {
    var script = bounded([.deadlineMs: 200])
    _ = script.receive(2, .execute())
    var subject = script.session.subject
    subject.quotas = nil
    script.session.permissionsChanged(subject, ends: nil)
    for case .start(_, _, let deadline, _) in script.receive(3, .execute()) {
      #expect(deadline == script.now.advanced(milliseconds: 5_000))
    }
    let late = RequestError(.deadlineExceeded, .deadline, "late")
    let due = script.now.advanced(milliseconds: 200)
    #expect(script.session.explained(late, of: 2, now: due).reason == .quota)
    #expect(script.session.explained(late, of: 3, now: due) == late)
  }

  @Test func `each quota's error names it, its value and what to do, and says whether waiting helps`() {
    let waiting: Set<Quota> = [
      .connections, .requestsInFlight, .requestsPerSecond, .requestBurst, .roleConnections, .roleRequestsInFlight,
      .roleRequestsPerSecond, .roleRequestBurst,
    ]
    for quota in Quota.allCases {
      let error = RequestError.quotaExceeded(quota, 1_234)
      #expect(error.reason.rawValue == "QUOTA" && error.message.contains("The quota \(quota.rawValue) of"))
      #expect(error.message.contains("1234 ") && error.message.hasSuffix("."))
      #expect(error.isRetryable == waiting.contains(quota), "\(quota)")
      #expect(!error.isOutcomeUnknown)
    }
  }
}
