/// Scripts for the order of savepoints, commits and re-runs of a group.
import MartletTestSupport
import Testing

@testable import MartletEngine

@Suite struct GroupCommitTests {
  @Test func `a member without company needs no savepoint`() {
    var group = GroupCommit(memberCount: 1)
    #expect(group.started() == .begin)
    #expect(group.began() == .run(member: 0))
    #expect(group.memberSucceeded() == .commit)
    #expect(group.committed() == .reply(members: [0]))
    #expect(group.replied() == .finish)
  }

  @Test func `members share one commit, each behind its savepoint`() {
    var group = GroupCommit(memberCount: 2)
    #expect(group.started() == .begin)
    #expect(group.began() == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 0))
    #expect(group.memberSucceeded() == .releaseSavepoint)
    #expect(group.savepointReleased() == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 1))
    #expect(group.memberSucceeded() == .releaseSavepoint)
    #expect(group.savepointReleased() == .commit)
    #expect(group.committed() == .reply(members: [0, 1]))
    #expect(group.replied() == .finish)
  }

  @Test func `who needs no savepoint is spared it, and fails alone or takes all with it`() {
    var group = GroupCommit(memberCount: 4)
    _ = group.started()
    #expect(group.began() == .setSavepoint && group.upcoming == 0)
    #expect(group.savepointSpared() == .run(member: 0) && group.isSpared)
    #expect(group.memberSucceeded() == .setSavepoint && group.upcoming == 1 && !group.isSpared)
    #expect(group.savepointSpared() == .run(member: 1))
    // SQLite has undone it.
    #expect(group.memberFailed() == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 2) && !group.isSpared)
    #expect(group.memberSucceeded() == .releaseSavepoint)
    #expect(group.savepointReleased() == .setSavepoint)
    #expect(group.savepointSpared() == .run(member: 3))
    #expect(group.transactionLost(.other) == .begin)
    #expect(group.isVictim(0) && !group.isVictim(1) && group.isVictim(2))
    #expect(group.began() == .setSavepoint && group.upcoming == 0)
  }

  @Test func `who comes before the commit runs in it, behind a savepoint`() {
    var group = GroupCommit(memberCount: 1)
    _ = group.started()
    _ = group.began()
    #expect(!group.mayBeJoined)
    #expect(group.memberSucceeded() == .commit)
    #expect(group.mayBeJoined)
    #expect(group.joined(by: 2) == .setSavepoint)
    #expect(!group.mayBeJoined)
    #expect(group.savepointSet() == .run(member: 1))
    #expect(group.memberFailed() == .rollBackToSavepoint)
    #expect(group.rolledBackToSavepoint() == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 2))
    #expect(group.memberSucceeded() == .releaseSavepoint)
    #expect(group.savepointReleased() == .commit)
    #expect(group.joined(by: 1) == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 3))
    // Takes the transaction with it, also from those who were there before it.
    #expect(group.transactionLost(.ownTime) == .reply(members: [3]))
    #expect(group.replied() == .begin)
    #expect(group.isVictim(0) && !group.isVictim(1) && group.isVictim(2))
    #expect(!group.mayBeJoined)
    #expect(group.began() == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 0))
  }

  @Test(arguments: [2, 31, 32, 100]) func `a large group commits at once`(count: Int) {
    var group = GroupCommit(memberCount: count)
    _ = group.started()
    _ = group.began()
    for _ in 0..<count {
      _ = group.savepointSet()
      _ = group.memberSucceeded()
      _ = group.savepointReleased()
    }
    #expect(group.mayBeJoined == (count < 32))
  }

  @Test func `nobody joins while another part of the group waits for its transaction`() {
    var group = GroupCommit(memberCount: 2)
    _ = group.started()
    _ = group.began()
    _ = group.savepointSet()
    _ = group.memberSucceeded(isTimeUp: true)
    #expect(group.savepointReleased() == .commit)
    #expect(!group.mayBeJoined)
  }

  @Test func `a failed member is undone and its neighbours commit`() {
    var group = GroupCommit(memberCount: 2)
    _ = group.started()
    _ = group.began()
    _ = group.savepointSet()
    #expect(group.memberFailed() == .rollBackToSavepoint)
    #expect(group.rolledBackToSavepoint() == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 1))
    #expect(group.memberSucceeded() == .releaseSavepoint)
    #expect(group.savepointReleased() == .commit)
    #expect(group.committed() == .reply(members: [0, 1]))
  }

  @Test func `nothing is committed where all failed`() {
    var group = GroupCommit(memberCount: 1)
    _ = group.started()
    _ = group.began()
    #expect(group.memberFailed() == .rollBackAll)
    #expect(group.rolledBack() == .reply(members: [0]))
    #expect(group.replied() == .finish)
  }

  @Test func `a member that takes the transaction with it runs alone, between those before it and those after`() {
    var group = GroupCommit(memberCount: 4)
    _ = group.started()
    _ = group.began()
    _ = group.savepointSet()
    _ = group.memberSucceeded()
    _ = group.savepointReleased()
    _ = group.savepointSet()
    _ = group.memberFailed()
    _ = group.rolledBackToSavepoint()
    #expect(group.savepointSet() == .run(member: 2))
    #expect(group.transactionLost(.other) == .begin)
    #expect(group.isVictim(0) && !group.isVictim(1) && !group.isVictim(2))

    // Member 1 failed beside member 0's uncommitted work, so it is asked again too.
    #expect(group.began() == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 0))
    _ = group.memberSucceeded()
    _ = group.savepointReleased()
    #expect(group.savepointSet() == .run(member: 1))
    _ = group.memberFailed()
    #expect(group.rolledBackToSavepoint() == .commit)
    #expect(group.committed() == .reply(members: [0, 1]))

    #expect(group.replied() == .begin)
    #expect(group.began() == .run(member: 2))
    #expect(group.transactionLost(.other) == .reply(members: [2]))

    #expect(group.replied() == .begin)
    #expect(group.began() == .run(member: 3))
    #expect(group.memberSucceeded() == .commit)
    #expect(group.committed() == .reply(members: [3]))
    #expect(group.replied() == .finish)
  }

  @Test func `a member whose own time is up is answered at once and not run again`() {
    var group = GroupCommit(memberCount: 3)
    _ = group.started()
    _ = group.began()
    _ = group.savepointSet()
    _ = group.memberSucceeded()
    _ = group.savepointReleased()
    #expect(group.savepointSet() == .run(member: 1))
    #expect(group.transactionLost(.ownTime) == .reply(members: [1]))
    #expect(group.replied() == .begin)
    #expect(group.began() == .run(member: 0))
    #expect(group.memberSucceeded() == .commit)
    #expect(group.committed() == .reply(members: [0]))
    #expect(group.replied() == .begin)
    #expect(group.began() == .run(member: 2))
    #expect(group.memberSucceeded() == .commit)
    #expect(group.committed() == .reply(members: [2]))
    #expect(group.replied() == .finish)
  }

  @Test func `a commit that certainly did not happen is tried for each alone`() {
    var group = GroupCommit(memberCount: 2)
    _ = group.started()
    _ = group.began()
    for _ in 0..<2 {
      _ = group.savepointSet()
      _ = group.memberSucceeded()
      _ = group.savepointReleased()
    }
    #expect(group.commitFailed(.notCommitted) == .rollBackAll)
    #expect(group.rolledBack() == .begin)
    #expect(group.began() == .run(member: 0))
    #expect(group.memberSucceeded() == .commit)
    #expect(group.commitFailed(.notCommitted) == .rollBackAll)
    #expect(group.rolledBack() == .reply(members: [0]))
    #expect(group.replied() == .begin)
    #expect(group.began() == .run(member: 1))
    #expect(group.memberSucceeded() == .commit)
    #expect(group.committed() == .reply(members: [1]))
    #expect(group.replied() == .finish)
  }

  @Test func `an unknown outcome fences, and names who never ran`() {
    var group = GroupCommit(memberCount: 3)
    _ = group.started()
    _ = group.began()
    _ = group.savepointSet()
    #expect(group.memberSucceeded(isTimeUp: true) == .releaseSavepoint)
    #expect(group.savepointReleased() == .commit)
    #expect(group.commitFailed(.outcomeUnknown) == .fence(members: [0], unrun: [1, 2]))
  }

  @Test func `members that took long do not wait for the rest`() {
    var group = GroupCommit(memberCount: 3)
    _ = group.started()
    _ = group.began()
    _ = group.savepointSet()
    _ = group.memberSucceeded(isTimeUp: true)
    #expect(group.savepointReleased() == .commit)
    #expect(group.committed() == .reply(members: [0]))
    #expect(group.replied() == .begin)
    #expect(group.began() == .setSavepoint)
    #expect(group.savepointSet() == .run(member: 1))
    _ = group.memberSucceeded()
    _ = group.savepointReleased()
    #expect(group.savepointSet() == .run(member: 2))
    _ = group.memberSucceeded()
    #expect(group.savepointReleased() == .commit)
    #expect(group.committed() == .reply(members: [1, 2]))
    #expect(group.replied() == .finish)
  }

  @Test func `when a group's time is over, those that have not begun leave it, and those that have are answered`() {
    var group = GroupCommit(memberCount: 6)
    _ = group.started()
    _ = group.began()
    for _ in 0..<2 {
      _ = group.savepointSet()
      _ = group.memberSucceeded()
      _ = group.savepointReleased()
    }
    // The third takes the transaction with it, so the first two and then the third itself run again.
    #expect(group.savepointSet() == .run(member: 2))
    #expect(group.transactionLost(.other) == .begin)
    _ = group.began()
    _ = group.savepointSet()
    _ = group.memberSucceeded(isTimeUp: true)
    #expect(group.savepointReleased() == .commit)
    #expect(group.committed() == .reply(members: [0]))
    #expect(group.replied(isTurnOver: true) == .begin)
    #expect(group.unbegun == [3, 4, 5])
    #expect(group.began() == .run(member: 1))
    #expect(group.memberSucceeded() == .commit)
    #expect(group.committed() == .reply(members: [1]))
    #expect(group.replied(isTurnOver: true) == .begin)
    #expect(group.began() == .run(member: 2))
    #expect(group.memberFailed() == .rollBackAll)
    #expect(group.rolledBack() == .reply(members: [2]))
    #expect(group.replied(isTurnOver: true) == .finish)
    #expect(group.unbegun == [3, 4, 5])
  }

  /// What came of the member that ran.
  private static func ran(_ group: inout GroupCommit, _ random: inout SeededGenerator) -> GroupCommit.Action {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: group.transactionLost(.other)
    case 1: group.transactionLost(.ownTime)
    case 2: group.memberFailed(isTimeUp: Bool.random(using: &random))
    case 3: group.memberSucceeded(isTimeUp: true)
    default: group.memberSucceeded()
    }
  }

  /// Plays a group whose members each have a fate, and checks that all are answered once and none runs without bound.
  @Test(arguments: 0..<300) func `every member is answered once, or leaves before it has begun, whatever happens`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    var count = Int.random(in: 1...12, using: &random)
    var group = GroupCommit(memberCount: count)
    var answers = Array(repeating: 0, count: count)
    var runs = Array(repeating: 0, count: count)
    var action = group.started()
    var steps = 0
    play: while true {
      steps += 1
      guard steps < 100 * count + 100 else {
        Issue.record("The group does not come to an end.")
        return
      }
      switch action {
      case .begin:
        action = Int.random(in: 0..<20, using: &random) == 0 ? group.beginFailed() : group.began()
      case .setSavepoint: action = Bool.random(using: &random) ? group.savepointSet() : group.savepointSpared()
      case .run(let member):
        runs[member] += 1
        action = Self.ran(&group, &random)
      case .releaseSavepoint: action = group.savepointReleased()
      case .rollBackToSavepoint: action = group.rolledBackToSavepoint()
      case .commit where group.mayBeJoined && count < 30 && Int.random(in: 0..<3, using: &random) == 0:
        let more = Int.random(in: 1...4, using: &random)
        answers += Array(repeating: 0, count: more)
        runs += Array(repeating: 0, count: more)
        count += more
        action = group.joined(by: more)
      case .commit:
        action =
          Int.random(in: 0..<6, using: &random) == 0 ? group.commitFailed(.notCommitted) : group.committed()
      case .rollBackAll: action = group.rolledBack()
      case .reply(let members):
        for member in members { answers[member] += 1 }
        action = group.replied(isTurnOver: seed % 3 == 0 && Int.random(in: 0..<4, using: &random) == 0)
      case .fence: Issue.record("Nothing was unknown here.")
      case .finish: break play
      }
    }
    for member in 0..<count {
      let hasLeft = group.unbegun.contains(member)
      #expect(answers[member] == (hasLeft ? 0 : 1) && (!hasLeft || runs[member] == 0))
    }
    #expect(seed % 3 == 0 || group.unbegun.isEmpty)
    // Each loss settles a member or sets it apart, so nobody runs more often than there are members.
    #expect(runs.allSatisfy { $0 <= count + 3 })
  }
}
