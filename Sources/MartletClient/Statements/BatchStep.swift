public import MartletValues

/// The steps of a batch: statements in one round trip, each on conditions and with values of earlier steps.
///
/// Always true: steps are counted from 1; a condition or a reference names an earlier step (the server checks it).
public struct BatchStep: Sendable {
  /// A value that a step binds: known here, or what an earlier step produced.
  public enum Parameter: Sendable, Equatable {
    case value(Value)
    case lastInsertRowID(step: Int)
    case rowsChanged(step: Int)
    /// A column, counted from 0, of the step's first row; NULL where it gave none.
    case firstRow(step: Int, column: Int)
  }

  /// What must be true of an earlier step.
  public struct Condition: Sendable, Equatable {
    public enum Outcome: Int, Sendable {
      case succeeded = 1
      case failed = 2
      case skipped = 3
      case returnedRows = 4
      case changedRows = 5
    }

    public var step: Int
    public var outcome: Outcome
    public var isNegated: Bool

    public init(step: Int, _ outcome: Outcome, isNegated: Bool = false) {
      self.step = step
      self.outcome = outcome
      self.isNegated = isNegated
    }

    public static prefix func ! (condition: Condition) -> Condition {
      Condition(step: condition.step, condition.outcome, isNegated: !condition.isNegated)
    }
  }

  public var statement: RemoteStatement
  public var parameters: [Parameter]

  /// None: the step always runs. One that does not run is skipped.
  public var conditions: [Condition]

  /// One condition is enough; otherwise all must hold.
  public var isAnyEnough: Bool

  public init(
    _ statement: RemoteStatement, _ parameters: [Parameter] = [], when conditions: [Condition] = [],
    isAnyEnough: Bool = false
  ) {
    self.statement = statement
    self.parameters = parameters
    self.conditions = conditions
    self.isAnyEnough = isAnyEnough
  }
}

extension BatchStep.Parameter: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  public init(floatLiteral value: Double) { self = .value(.real(value)) }
  public init(stringLiteral value: String) { self = .value(.text(value)) }
  public init(nilLiteral: ()) { self = .value(.null) }
}

/// How one step of a batch ended.
public struct StepResult: Sendable {
  /// Where the step ran and succeeded, or was skipped (`Completion.isSkipped`).
  public var completion: Completion?

  /// Where the step failed and the batch went on.
  public var error: RequestError?

  /// The rows that the step gave.
  public var rows: [Row] = []

  public init() {}
}
