package import MartletValues

/// Statements that run one after another in one round trip, each on conditions and with values of earlier steps.
///
/// Always true: steps are counted from 1.
package struct BatchRequest: Sendable {
  package var steps: [StatementStep]
  /// All in one transaction, rolled back at the first step that fails.
  package var isAtomic: Bool
  package var deadline: MonotonicTime
  /// As in `StatementRequest`.
  package var mayShortenDeadline = false
  package var credit: Int
  /// Counts the memory of the steps' rows until they have left; nil: nobody counts it.
  package var account: MemoryAccount?
  /// Who asks.
  package var subject = Subject.program

  package init(steps: [StatementStep], isAtomic: Bool, deadline: MonotonicTime = .distantFuture, credit: Int = .max) {
    self.steps = steps
    self.isAtomic = isAtomic
    self.deadline = deadline
    self.credit = credit
  }
}
