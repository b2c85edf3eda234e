public import MartletValues

/// Statements that run one after another in one round trip, each on conditions and with values of earlier steps.
///
/// Always true: steps are counted from 1.
public struct BatchRequest: Sendable {
  public var steps: [StatementStep]
  /// All in one transaction, rolled back at the first step that fails.
  public var isAtomic: Bool
  public var deadline: MonotonicTime
  /// As in `StatementRequest`.
  public var mayShortenDeadline = false
  public var credit: Int
  /// Who holds what the steps give until it has left; nil where nobody counts.
  public var account: MemoryAccount?
  /// Who asks.
  public var subject = Subject.program

  public init(steps: [StatementStep], isAtomic: Bool, deadline: MonotonicTime = .distantFuture, credit: Int = .max) {
    self.steps = steps
    self.isAtomic = isAtomic
    self.deadline = deadline
    self.credit = credit
  }
}
