/// What the statements of an interactive transaction mean for its end, and what of one that failed is undone.
import Testing

@testable import MartletEngine

@Suite struct TransactionCourseTests {
  @Test func `it commits only what has all that is required`() {
    var course = TransactionCourse()
    #expect(course.finishAsked(commit: true, required: 0, isViolated: false) == .commit)
    course.requiredStatementSucceeded()
    #expect(course.finishAsked(commit: true, required: 2, isViolated: false) == .refuse)
    course.requiredStatementSucceeded()
    #expect(course.finishAsked(commit: true, required: 2, isViolated: false) == .commit)
    #expect(course.finishAsked(commit: false, required: 3, isViolated: true) == .rollBack, "nothing is required of it")
  }

  @Test func `a key that does not hold yet keeps it open, and names the tables under suspicion`() {
    var course = TransactionCourse()
    course.statementEnded(isViolated: true, writing: ["orders"])
    course.statementEnded(isViolated: true, writing: ["lines"])
    #expect(
      course.finishAsked(commit: true, required: 0, isViolated: true) == .goOn(violated: ["orders", "lines"]))
    #expect(course.finishAsked(commit: true, required: 1, isViolated: true) == .refuse, "what is required comes first")
    course.statementEnded(isViolated: false, writing: ["orders"])
    #expect(course.finishAsked(commit: true, required: 0, isViolated: false) == .commit)
  }

  @Test func `it goes on after a command, unless it was ended or SQLite rolled back`() {
    var course = TransactionCourse()
    #expect(course.commandEnded(isInTransaction: true) == nil)
    #expect(course.commandEnded(isInTransaction: false) == .rolledBackBySQLite)
    course.endImposed(.openWhileOthersWaited)
    #expect(course.commandEnded(isInTransaction: true) == .openWhileOthersWaited)
    #expect(course.commandEnded(isInTransaction: false) == .openWhileOthersWaited)
  }

  @Test(
    arguments: [
      // It succeeded, or failed so that SQLite has undone it.
      (false, true, false, .releaseSavepoint), (false, true, true, .releaseSavepoint), (false, false, false, .nothing),
      (false, false, true, .nothing),
      // It may have been carried out: alone where it has a savepoint and nobody has rows of it.
      (true, true, false, .rollBackToSavepoint), (true, true, true, .rollBackAll), (true, false, false, .rollBackAll),
      (true, false, true, .rollBackAll),
    ] as [(Bool, Bool, Bool, StatementUndo)])
  func `what of a statement is undone`(isUncertain: Bool, hasSavepoint: Bool, hasGivenRows: Bool, undo: StatementUndo) {
    #expect(StatementUndo(isUncertain: isUncertain, hasSavepoint: hasSavepoint, hasGivenRows: hasGivenRows) == undo)
  }
}
