public import MartletValues

/// Statements that run one after another in one round trip, each on conditions and with values of earlier steps.
///
/// Always true: steps are counted from 1, and a condition or a reference names an earlier step.
public struct BatchRequest: Sendable {
  public struct Step: Sendable {
    public var source: StatementRequest.Source
    public var parameters: [Parameter]
    public var columnsVersion: UInt64
    public var conditions: [Condition]
    /// One condition is enough; otherwise all must hold.
    public var isAnyEnough: Bool

    public init(
      source: StatementRequest.Source, parameters: [Parameter] = [], columnsVersion: UInt64 = 0,
      conditions: [Condition] = [], isAnyEnough: Bool = false
    ) {
      self.source = source
      self.parameters = parameters
      self.columnsVersion = columnsVersion
      self.conditions = conditions
      self.isAnyEnough = isAnyEnough
    }
  }

  public enum Parameter: Sendable, Equatable {
    case value(Value)
    case lastInsertRowID(step: Int)
    case rowsChanged(step: Int)
    /// A column, counted from 0, of the step's first row; NULL where it gave no row.
    case firstRow(step: Int, column: Int)
  }

  public struct Condition: Sendable, Equatable {
    public enum Outcome: UInt32, Sendable {
      case succeeded = 1
      case failed = 2
      case skipped = 3
      case returnedRows = 4
      case changedRows = 5
    }
    public var step: Int
    public var outcome: Outcome
    public var isNegated: Bool

    public init(step: Int, outcome: Outcome, isNegated: Bool = false) {
      self.step = step
      self.outcome = outcome
      self.isNegated = isNegated
    }
  }

  public var steps: [Step]
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

  public init(steps: [Step], isAtomic: Bool, deadline: MonotonicTime = .distantFuture, credit: Int = .max) {
    self.steps = steps
    self.isAtomic = isAtomic
    self.deadline = deadline
    self.credit = credit
  }
}
