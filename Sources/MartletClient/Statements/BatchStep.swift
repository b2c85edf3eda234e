public import MartletValues

/// The steps of a batch: statements in one round trip, each on conditions and with values of earlier steps.
///
/// Always true: steps are counted from 1; a condition or a reference names an earlier step (the server checks it).
public struct BatchStep: Sendable {
  public var statement: RemoteStatement
  public var parameters: [StepParameter]

  /// None: the step always runs. One that does not run is skipped.
  public var conditions: [StepCondition]

  /// One condition is enough; otherwise all must hold.
  public var isAnyEnough: Bool

  public init(
    _ statement: RemoteStatement, _ parameters: [StepParameter] = [], when conditions: [StepCondition] = [],
    isAnyEnough: Bool = false
  ) {
    self.statement = statement
    self.parameters = parameters
    self.conditions = conditions
    self.isAnyEnough = isAnyEnough
  }
}

/// How one step of a batch ended.
public struct StepResult: Sendable {
  /// Present if the step ran and succeeded, or was skipped (`Completion.isSkipped`).
  public var completion: Completion?

  /// Present if the step failed and the batch went on.
  public var error: RequestError?

  /// The rows that the step returned.
  public var rows: [Row] = []

  public init() {}
}
