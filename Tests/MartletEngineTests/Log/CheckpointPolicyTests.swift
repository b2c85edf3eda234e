/// Scripts for when a checkpoint runs.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct CheckpointPolicyTests {
  private func policy() -> CheckpointPolicy {
    var limits = Limits()
    limits.walCheckpointBytes = 100
    limits.walBytesMax = 1000
    return CheckpointPolicy(limits: limits)
  }

  @Test func `a small WAL is left alone`() {
    var policy = policy()
    #expect(policy.committed(walBytes: 99) == .none)
    #expect(policy.committed(walBytes: 100) == .passive)
  }

  @Test func `a WAL that grows on after a full copy is restarted`() {
    var policy = policy()
    #expect(policy.committed(walBytes: 120) == .passive)
    policy.attempted(.passive, walBytes: 120, isComplete: true)
    #expect(policy.committed(walBytes: 160) == .none)
    #expect(policy.committed(walBytes: 220) == .restart)
    policy.attempted(.restart, walBytes: 220, isComplete: true)
    #expect(policy.committed(walBytes: 10) == .none)
    #expect(policy.committed(walBytes: 100) == .passive)
  }

  @Test func `a pinned WAL is tried again only when it has grown by another threshold`() {
    var policy = policy()
    #expect(policy.committed(walBytes: 100) == .passive)
    policy.attempted(.passive, walBytes: 100, isComplete: false)
    #expect(policy.committed(walBytes: 150) == .none)
    #expect(policy.committed(walBytes: 200) == .passive)
    policy.attempted(.passive, walBytes: 200, isComplete: false)
    #expect(policy.isOverLimit(walBytes: 1000) == false)
    #expect(policy.isOverLimit(walBytes: 1001))
    #expect(policy.committed(walBytes: 1001) == .restart)
  }
}
