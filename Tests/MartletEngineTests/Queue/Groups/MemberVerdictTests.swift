/// What the run of one member means for its group.
import Testing

@testable import MartletEngine

@Suite struct MemberVerdictTests {
  private func verdict(
    _ failure: GroupCommit.Blame?, hasYielded: Bool = false, isSpared: Bool = false, isUndone: Bool = false,
    keepsPart: Bool = false, isInTransaction: Bool = true, isViolated: Bool = false
  ) -> MemberVerdict {
    MemberVerdict(
      failure: failure, hasYielded: hasYielded, isSpared: isSpared, isUndone: isUndone,
      keepsPart: keepsPart, isInTransaction: isInTransaction, isViolated: isViolated)
  }

  @Test func `one that succeeded counts where its transaction is there and its keys hold`() {
    #expect(verdict(nil) == .succeeded)
    #expect(verdict(nil, isViolated: true) == .violates)
    #expect(verdict(nil, isInTransaction: false) == .transactionVanished)
    #expect(verdict(nil, isInTransaction: false, isViolated: true) == .transactionVanished)
    #expect(verdict(nil, hasYielded: true) == .succeeded, "it was done before it could be ended")
  }

  @Test(arguments: [GroupCommit.Blame.ownTime, .other])
  func `one that failed fails alone, unless its transaction went with it`(blame: GroupCommit.Blame) {
    #expect(verdict(blame) == .failed)
    #expect(verdict(blame, isViolated: true) == .failed, "what it left is undone with it")
    #expect(verdict(blame, isInTransaction: false) == .transactionLost(blame))
  }

  @Test(arguments: [GroupCommit.Blame.ownTime, .other])
  func `one without a savepoint fails alone only if nothing of it is left`(blame: GroupCommit.Blame) {
    #expect(verdict(blame, isSpared: true, isUndone: true) == .failed)
    #expect(verdict(blame, isSpared: true, isUndone: true, isInTransaction: false) == .transactionLost(blame))
    #expect(verdict(blame, isSpared: true) == .transactionLost(blame))
    #expect(verdict(nil, isSpared: true) == .succeeded)
    #expect(verdict(nil, isSpared: true, isViolated: true) == .transactionLost(.other))
  }

  @Test func `what says so keeps a part, if its transaction is there and its keys hold`() {
    #expect(verdict(.other, keepsPart: true) == .failedInPart)
    #expect(verdict(.other, keepsPart: true, isViolated: true) == .violates)
    #expect(verdict(.other, keepsPart: true, isInTransaction: false) == .transactionLost(.other))
    #expect(verdict(.other, isSpared: true, keepsPart: true) == .transactionLost(.other))
  }

  @Test func `nobody's doing is looked into, but not where it was ended for others`() {
    #expect(verdict(.nobody) == .interrupted)
    #expect(verdict(.nobody, isInTransaction: false) == .interrupted)
    for blame in [GroupCommit.Blame.nobody, .ownTime, .other] {
      #expect(verdict(blame, hasYielded: true) == .leaves)
      #expect(verdict(blame, hasYielded: true, isInTransaction: false) == .leaves)
    }
  }
}
