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
    #expect(lease.ticked(at(49)) == nil)
    #expect(lease.ticked(at(50)) == .idleTooLong)
    _ = lease.commandArrived("a")
    _ = lease.nextCommand()
    #expect(lease.ticked(at(200)) == nil)
    #expect(lease.nextDeadline == at(300))
    #expect(lease.ticked(at(300)) == .openTooLong)
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
      #expect(lease.nextDeadline == self.at(at) && lease.ticked(self.at(at - 1)) == nil)
      #expect(lease.ticked(self.at(at)) == end)
      _ = lease.commandArrived("a")
      _ = lease.nextCommand()
      #expect(lease.totalDeadline == self.at(min(quota, 300)) && lease.ticked(self.at(min(quota, 300) - 1)) == nil)
      #expect(lease.ticked(self.at(300)) == (quota < 300 ? .openBeyondQuota(ms: quota) : .openTooLong))
    }
  }

  @Test func `waiting for the owner to take rows is idle time`() {
    var lease = lease()
    lease.turnCame(at(0))
    _ = lease.commandArrived("a")
    _ = lease.nextCommand()
    lease.commandPaused(at(100))
    #expect(lease.ticked(at(149)) == nil)
    #expect(lease.ticked(at(150)) == .idleTooLong)
    lease.commandResumed()
    #expect(lease.ticked(at(200)) == nil)
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
    #expect(lease.ticked(at(10_000)) == nil)
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
      #expect(lease.ticked(at(now)) == nil)
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
    #expect(lease.ticked(at(3_000 + limits.transactionContendedIdleMs - 1)) == nil)
    #expect(
      lease.ticked(at(3_000 + limits.transactionContendedIdleMs))
        == .idleWhileOthersWaited(ms: limits.transactionContendedIdleMs))
  }

  @Test func `a transaction that never rests ends when others have waited for long enough`() {
    let limits = Limits()
    var lease = TransactionLease<String>(limits: limits)
    lease.turnCame(at(0))
    _ = lease.commandArrived("a")
    _ = lease.nextCommand()
    lease.waitersChanged(to: 1, at(10_000))
    #expect(lease.ticked(at(10_000 + limits.transactionContendedTotalMs - 1)) == nil)
    #expect(lease.ticked(at(10_000 + limits.transactionContendedTotalMs)) == .openWhileOthersWaited)
  }
}
