/// When writes of a shape need a savepoint beside others.
import MartletSQLite
import Testing

@testable import MartletEngine

@Suite struct SavepointJudgementTests {
  private func proven(_ reach: FailureReach) -> SavepointJudgement {
    var judgement = SavepointJudgement()
    for _ in 0..<EngineLimits.savepointSuccessesMin { judgement.succeeded() }
    judgement.lookedAt(reach)
    return judgement
  }

  @Test func `many have to succeed, and the statement has to be one that SQLite undoes`() {
    var judgement = SavepointJudgement()
    judgement.lookedAt(.statement)
    for _ in 1..<EngineLimits.savepointSuccessesMin {
      judgement.succeeded()
      #expect(judgement.isNeeded && !judgement.isProven)
    }
    judgement.succeeded()
    #expect(!judgement.isNeeded && judgement.isProven)
    #expect(proven(.beyond).isNeeded)
  }

  @Test func `each that takes its transaction with it doubles what the next ones have to prove`() {
    var judgement = proven(.statement)
    var wanted = Int(EngineLimits.savepointSuccessesMin)
    for loss in 1...13 {
      judgement.tookTransaction()
      #expect(judgement.isNeeded && !judgement.isProven)
      if loss <= EngineLimits.savepointLossesMax { wanted *= 2 }
      for _ in 1..<wanted { judgement.succeeded() }
      #expect(judgement.isNeeded)
      judgement.succeeded()
      #expect(!judgement.isNeeded)
      #expect(SavepointJudgement(bits: judgement.bits) == judgement)
    }
  }

  @Test func `a changed statement is judged anew`() {
    var judgement = proven(.statement)
    judgement.lookedAt(.beyond)
    #expect(judgement.isNeeded && judgement.isProven)
    judgement.lookedAt(.statement)
    #expect(!judgement.isNeeded)
  }

  @Test func `it keeps what it knows as a number, however many succeed`() {
    var judgement = proven(.statement)
    for _ in 0..<1_000 { judgement.succeeded() }
    #expect(judgement == proven(.statement))
    #expect(SavepointJudgement(bits: judgement.bits) == judgement)
    #expect(SavepointJudgement(bits: 0) == SavepointJudgement())
  }
}
