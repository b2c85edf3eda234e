/// What a session does when the operator changes its limits.
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct SessionLimitsTests {
  private static func serving(_ change: (inout Limits) -> Void) -> ServingLimits {
    var limits = Limits()
    change(&limits)
    return ServingLimits(limits)
  }

  private static func deadlineMs(_ script: inout SessionScript, _ id: UInt32, _ ms: UInt32) -> Int? {
    for case .start(_, .execute, deadline: let deadline, credit: _) in script.receive(id, .execute(deadlineMs: ms)) {
      return deadline.milliseconds(since: script.now)
    }
    return nil
  }

  @Test func `requests that come after the change have its deadlines`() {
    var script = SessionScript.opened()
    #expect(Self.deadlineMs(&script, 1, 0) == Limits().deadlineDefaultMs)
    script.session.limitsChanged(
      Self.serving {
        $0.deadlineDefaultMs = 70
        $0.deadlineMaxMs = 90
      })
    #expect(Self.deadlineMs(&script, 2, 0) == 70)
    #expect(Self.deadlineMs(&script, 3, .max) == 90)
    script.session.limitsChanged(ServingLimits(Limits()))
    #expect(Self.deadlineMs(&script, 4, 0) == Limits().deadlineDefaultMs)
  }

  @Test func `whoever has not said hello has the new time for it, longer or shorter, from when it connected`() {
    for (ms, changedAt, closedAt) in [(100, 50, 100), (20_000, 9_999, 20_000), (30, 50, 50)] {
      var script = SessionScript()
      #expect(script.tick(afterMs: changedAt) == [])
      script.session.limitsChanged(Self.serving { $0.helloDeadlineMs = ms })
      if closedAt > changedAt { #expect(script.tick(afterMs: closedAt - changedAt - 1) == [], "\(ms)") }
      #expect(script.tick(afterMs: closedAt > changedAt ? 1 : 0).refusals == [0: .deadline], "\(ms)")
    }
  }

  @Test func `an end that has begun keeps its time`() {
    var script = SessionScript.opened()
    _ = script.receive(1, .execute())
    _ = script.shutDown()
    script.session.limitsChanged(Self.serving { $0.shutdownDrainMs = 1 })
    #expect(!script.tick(afterMs: Limits().shutdownDrainMs - 1).isEnding)
    #expect(script.tick(afterMs: 1).isEnding)
  }

  @Test func `each limit that can change is taken, and no other one is touched`() {
    var other = Limits()
    for (name, change) in Self.changes {
      let before = other
      change(&other)
      #expect(other != before, "\(name)")
    }
    var limits = Limits()
    limits.take(ServingLimits(other))
    #expect(limits == other)
    #expect(ServingLimits(limits) == ServingLimits(other))
    #expect(Mirror(reflecting: ServingLimits(limits)).children.compactMap(\.label) == Self.changes.map(\.0))
  }

  private static let changes: [(String, @Sendable (inout Limits) -> Void)] = [
    ("connectionsMax", { $0.connectionsMax += 1 }), ("memoryBudgetBytes", { $0.memoryBudgetBytes += 1 }),
    ("helloDeadlineMs", { $0.helloDeadlineMs += 1 }),
    ("shutdownDrainMs", { $0.shutdownDrainMs += 1 }), ("deadlineDefaultMs", { $0.deadlineDefaultMs += 1 }),
    ("deadlineMaxMs", { $0.deadlineMaxMs += 1 }), ("writeTimeMaxMs", { $0.writeTimeMaxMs += 1 }),
    ("transactionIdleMs", { $0.transactionIdleMs += 1 }), ("transactionTotalMs", { $0.transactionTotalMs += 1 }),
  ]
}
