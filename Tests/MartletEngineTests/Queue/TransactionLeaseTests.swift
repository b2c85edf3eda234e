/// Scripts for the life of an interactive transaction, with the time passed in.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct TransactionLeaseTests {
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  private func lease() -> TransactionLease<String> {
    var limits = Limits()
    limits.transactionIdleMs = 50
    limits.transactionTotalMs = 300
    limits.requestsPerConnectionMax = 3
    return TransactionLease(limits: limits)
  }

  /// The end that a look finds when nothing of the owner's is under way.
  private func found<Command>(_ lease: inout TransactionLease<Command>, _ now: MonotonicTime) -> TransactionEnd? {
    var tick = lease.ticked(now)
    if case .listen(let number) = tick {
      lease.ownerHeard(number)
      tick = lease.ticked(now)
    }
    guard case .end(let end) = tick else { return nil }
    return end
  }

  @Test func `commands wait for the turn and run one at a time in order`() {
    var lease = lease()
    #expect(lease.commandArrived("a") == .queued)
    #expect(lease.commandArrived("b") == .queued)
    #expect(lease.nextCommand() == nil)
    lease.turnCame(at(10))
    #expect(lease.nextCommand() == "a")
    #expect(lease.nextCommand() == nil)
    lease.commandFinished(at(20))
    #expect(lease.nextCommand() == "b")
    lease.commandFinished(at(30))
    #expect(lease.nextCommand() == nil)
    #expect(lease.ageMs(at(35)) == 25)
  }

  @Test func `an idle transaction ends at the idle limit, a busy one at the total limit`() {
    var lease = lease()
    lease.turnCame(at(0))
    #expect(lease.nextDeadline == at(50))
    #expect(found(&lease, at(49)) == nil)
    #expect(found(&lease, at(50)) == .idleTooLong)
    _ = lease.commandArrived("a")
    _ = lease.nextCommand()
    #expect(found(&lease, at(200)) == nil)
    #expect(lease.nextDeadline == at(300))
    #expect(found(&lease, at(300)) == .openTooLong)
  }

  @Test func `an owner's quota ends it where it is shorter than the limit, and says so`() {
    var limits = Limits()
    limits.transactionIdleMs = 50
    limits.transactionTotalMs = 300
    for (quota, end, at) in [
      (20, TransactionEnd.openBeyondQuota(ms: 20), 20), (49, .openBeyondQuota(ms: 49), 49), (60, .idleTooLong, 50),
      (300, .idleTooLong, 50), (.max, .idleTooLong, 50),
    ] {
      var lease = TransactionLease<String>(limits: limits, quotaMs: quota)
      lease.turnCame(self.at(0))
      #expect(lease.nextDeadline == self.at(at) && found(&lease, self.at(at - 1)) == nil)
      #expect(found(&lease, self.at(at)) == end)
      _ = lease.commandArrived("a")
      _ = lease.nextCommand()
      #expect(lease.totalDeadline == self.at(min(quota, 300)) && found(&lease, self.at(min(quota, 300) - 1)) == nil)
      #expect(found(&lease, self.at(300)) == (quota < 300 ? .openBeyondQuota(ms: quota) : .openTooLong))
    }
  }

  @Test func `waiting for the owner to take rows is idle time`() {
    var lease = lease()
    lease.turnCame(at(0))
    _ = lease.commandArrived("a")
    _ = lease.nextCommand()
    lease.commandPaused(at(100))
    #expect(found(&lease, at(149)) == nil)
    #expect(found(&lease, at(150)) == .idleTooLong)
    lease.commandResumed()
    #expect(found(&lease, at(200)) == nil)
  }

  @Test func `after the end everything is refused with the first reason`() {
    var lease = lease()
    _ = lease.commandArrived("a")
    #expect(lease.ended(.idleTooLong) == ["a"])
    #expect(lease.ended(.committed) == [])
    #expect(lease.commandArrived("b") == .refusedEnded(.idleTooLong))
    lease.turnCame(at(5))
    #expect(lease.nextCommand() == nil)
    #expect(lease.state == .ended(.idleTooLong))
    #expect(found(&lease, at(10_000)) == nil)
  }

  @Test func `commands that wait are bounded`() {
    var lease = lease()
    for name in ["a", "b", "c"] { #expect(lease.commandArrived(name) == .queued) }
    #expect(lease.commandArrived("d") == .refusedOverloaded)
  }

  @Test func `waiting shortens a lease, and a client that asks without pauses keeps it`() {
    let limits = Limits()
    var lease = TransactionLease<String>(limits: limits)
    lease.turnCame(at(0))
    lease.waitersChanged(to: 3, at(0))
    for now in stride(from: 5, to: 2_000, by: 5) {
      #expect(found(&lease, at(now)) == nil)
      _ = lease.commandArrived("a")
      #expect(lease.nextCommand() == "a")
      lease.commandFinished(at(now))
    }
    #expect(lease.nextDeadline == at(1_995 + limits.transactionContendedIdleMs))
    lease.waitersChanged(to: 1_000, at(1_996))
    #expect(lease.nextDeadline == at(1_995 + limits.transactionContendedIdleMinMs))
    lease.waitersChanged(to: 0, at(1_997))
    #expect(lease.nextDeadline == at(1_995 + limits.transactionIdleMs), "nobody waits any more")
    lease.waitersChanged(to: 1, at(3_000))
    #expect(found(&lease, at(3_000 + limits.transactionContendedIdleMs - 1)) == nil)
    #expect(
      found(&lease, at(3_000 + limits.transactionContendedIdleMs))
        == .idleWhileOthersWaited(ms: limits.transactionContendedIdleMs))
  }

  @Test func `a transaction that never rests ends when others have waited for long enough`() {
    let limits = Limits()
    var lease = TransactionLease<String>(limits: limits)
    lease.turnCame(at(0))
    _ = lease.commandArrived("a")
    _ = lease.nextCommand()
    lease.waitersChanged(to: 1, at(10_000))
    #expect(found(&lease, at(10_000 + limits.transactionContendedTotalMs - 1)) == nil)
    #expect(found(&lease, at(10_000 + limits.transactionContendedTotalMs)) == .openWhileOthersWaited)
  }

  @Test func `silence ends a transaction only after its owner was listened to`() {
    let limits = Limits()
    let idle = limits.transactionContendedIdleMs
    // What comes between the question and the next look, and what that look finds.
    let cases: [(String, (inout TransactionLease<String>, UInt64) -> Void, TransactionLease<String>.Tick?)] = [
      ("nothing", { lease, number in lease.ownerHeard(number) }, .end(.idleWhileOthersWaited(ms: idle))),
      ("no answer yet", { _, _ in }, nil),
      ("the answer to another question", { lease, number in lease.ownerHeard(number + 1) }, nil),
      (
        "a command that was under way",
        { lease, number in
          _ = lease.commandArrived("a")
          lease.ownerHeard(number)
        }, nil
      ),
      (
        "a command that has to be planned",
        { lease, number in
          lease.planningBegan()
          lease.ownerHeard(number)
        }, nil
      ),
      (
        "nobody waits any more",
        { lease, number in
          lease.waitersChanged(to: 0, self.at(60))
          lease.ownerHeard(number)
        }, nil
      ),
    ]
    for (name, between, found) in cases {
      var lease = TransactionLease<String>(limits: limits)
      lease.turnCame(at(0))
      lease.waitersChanged(to: 1, at(0))
      #expect(lease.ticked(at(idle)) == .listen(1))
      #expect(lease.ticked(at(idle)) == nil, "it asks once")
      between(&lease, 1)
      #expect(lease.ticked(at(idle + 10)) == found, "\(name)")
    }
  }

  @Test func `an owner who does not answer is not waited for beyond the limits`() {
    let limits = Limits()
    var lease = TransactionLease<String>(limits: limits)
    lease.turnCame(at(0))
    lease.waitersChanged(to: 1, at(0))
    #expect(lease.ticked(at(limits.transactionContendedIdleMs)) == .listen(1))
    #expect(lease.nextDeadline == at(limits.transactionContendedTotalMs))
    #expect(lease.ticked(at(limits.transactionContendedTotalMs)) == .end(.openWhileOthersWaited))
  }

  @Test func `the next silence is asked about anew`() {
    var lease = lease()
    lease.turnCame(at(0))
    #expect(lease.ticked(at(50)) == .listen(1))
    _ = lease.commandArrived("a")
    lease.ownerHeard(1)
    _ = lease.nextCommand()
    lease.commandFinished(at(60))
    #expect(lease.ticked(at(110)) == .listen(2))
    lease.ownerHeard(1)
    #expect(lease.ticked(at(111)) == nil, "that was heard before")
    lease.ownerHeard(2)
    #expect(lease.ticked(at(112)) == .end(.idleTooLong))
  }

  @Test func `a command that is being planned is no silence, and what follows it is`() {
    var lease = lease()
    lease.turnCame(at(0))
    lease.planningBegan()
    #expect(lease.ticked(at(200)) == nil && lease.nextDeadline == at(300))
    lease.planningEnded(at(210))
    #expect(lease.nextDeadline == at(260))
    #expect(found(&lease, at(260)) == .idleTooLong)
  }

  @Test func `what a transaction has written takes of the time that others wait for it, but not all of it`() {
    let limits = Limits()
    let whole = limits.transactionContendedTotalMs
    for (owedMs, patienceMs) in [(0, whole), (100, whole - 100), (whole / 2, whole / 2), (Int.max / 2, whole / 2)] {
      var lease = TransactionLease<String>(limits: limits)
      lease.turnCame(at(0))
      _ = lease.commandArrived("a")
      _ = lease.nextCommand()
      lease.commandFinished(at(1), owed: UInt64(owedMs).multipliedReportingOverflow(by: 1_000_000).partialValue)
      _ = lease.commandArrived("b")
      _ = lease.nextCommand()
      lease.waitersChanged(to: 1, at(10))
      #expect(TransactionLease<String>.patienceMs(limits, owedMs: owedMs) == patienceMs)
      guard owedMs < whole * 2 else { continue }
      #expect(lease.ticked(at(10 + patienceMs - 1)) == nil)
      #expect(lease.ticked(at(10 + patienceMs)) == .end(.openWhileOthersWaited))
    }
  }
}
