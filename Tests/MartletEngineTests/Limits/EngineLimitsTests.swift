import MartletValues
import Testing

@testable import MartletEngine

/// What must hold between bounds that stand alone in the file: a change of one of them is a change of both.
@Suite struct EngineLimitsTests {
  private typealias Bounds = EngineLimits

  @Test(arguments: [
    // A light read's slice ends before a heavy one's, and no turn of heavy reads is longer than what they wait for.
    ("a slice", Bounds.lightSliceNs, Bounds.heavySliceNs), ("a turn", Bounds.heavyTurnNs, Bounds.lightRunNs),
    ("a look for others", Bounds.turnAskNs, Bounds.lightSliceNs), ("a seat", Bounds.heavySliceNs, Bounds.seatTimeNs),
    // What is charged at least is less than what is presumed, and that less than what makes a read heavy.
    ("a job", Bounds.jobNsMin, Bounds.presumedJobNs), ("a known job", Bounds.presumedJobNs, Bounds.lightSliceNs),
    ("a preparation", Bounds.countedPreparationNsMin, Bounds.presumedJobNs),
    // A session that was away may catch up less than what a turn of its own takes.
    ("what is saved", Bounds.presumedJobNs, Bounds.savedNsMax),
  ])
  func `a shorter time is shorter`(what: String, shorter: UInt64, longer: UInt64) {
    #expect(shorter < longer, "\(what)")
  }

  @Test(arguments: [
    ("looks at the files", Bounds.commitLookMs, Bounds.filesLookMs),
    ("a tick and a look at the files", Bounds.tickMs, Bounds.filesLookMs),
    ("pauses of the memory", Bounds.memoryReturnPauseMsMin, Bounds.memoryReturnPauseMsMax),
    ("idle reads", Bounds.idleReadMs, Bounds.idleLoneReadMs),
    ("pauses of the schema", Bounds.schemaSavedMs, Bounds.schemaPauseMaxMs),
    ("a change and its changer", Bounds.schemaPauseMaxMs, Bounds.schemaChangerMs),
    ("checkpoints", Bounds.checkpointUrgentRetryMs, Bounds.checkpointRetryMs),
  ])
  func `what is sooner comes sooner`(what: String, sooner: Int, later: Int) { #expect(sooner < later, "\(what)") }

  @Test func `the least is not more than the most`() {
    #expect(Bounds.inlineDeclinesMin < Bounds.inlineDeclinesMax)
    #expect(Bounds.longWriteTurnsMin < Bounds.longWriteTurnsMax)
    #expect(Bounds.memoryShareBytesMin < Bounds.memorySmallBytes)
    #expect(Bounds.countedAnswerBytesMin < Bounds.memorySmallBytes)
    #expect(Limits.memoryBudgetBytesMin < Bounds.memoryBudgetBytesMax)
  }

  @Test func `it takes several slow reads to make a shape heavy`() {
    #expect(Bounds.inlineSlownessStep * 2 < Bounds.inlineSlownessMax)
  }

  @Test func `parts leave something to others`() {
    #expect(Bounds.longLeaseDivisor > 1 && Bounds.transactionLeaseDivisor > 1)
    #expect((1..<100).contains(Bounds.schemaSharePercent))
    // A large holder has more than a small one, and all setups together no more than half of the room for one.
    #expect(1 < Bounds.memoryLargeParts && Bounds.memoryLargeParts < Bounds.memorySmallParts)
    #expect(Bounds.memoryLargeParts <= Bounds.memorySetupParts)
  }

  /// The counter of commits is far from its bound after any restart.
  @Test func `a block of numbers is a small part of all`() { #expect(Bounds.sequenceBlock << 32 < Bounds.sequenceMax) }

  @Test func `the bounds fit the limits that a server has without options`() {
    let limits = Limits()
    #expect(limits.check() == nil)
    #expect(Bounds.tickMs < limits.deadlineDefaultMs && Bounds.idleLoneReadMs < limits.transactionIdleMs)
    #expect(Bounds.waitersLookedAtMax <= limits.readQueueMax)
    #expect(UInt64(limits.inlineStopMicroseconds) * 1_000 <= Bounds.lightSliceNs)
    #expect(Bounds.briefHoldNs <= UInt64(limits.transactionContendedIdleMs) * 1_000_000)
    #expect(limits.inlineStepsMax / Bounds.inlineLooksMin > 0)
    #expect(Bounds.waitNsMax > UInt64(limits.deadlineMaxMs) * 1_000_000)
  }
}
