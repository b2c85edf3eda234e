import MartletAST
public import MartletValues

/// Collects the steps of a batch and names their results for later steps.
///
/// Always true: `add` returns a reference to the step that it added, so a reference is always to an earlier step.
public struct BatchBuilder: Sendable {
  public private(set) var steps: [BatchStep] = []

  public init() {}

  /// Adds a step and returns a reference to its result:
  ///
  ///     let order = batch.add(insertOrder, ["Anna"])
  ///     batch.add(insertLine, [order.lastInsertRowID, "Tea"])
  @discardableResult
  public mutating func add(
    _ statement: RemoteStatement, _ parameters: [StepParameter] = [], when conditions: StepCondition...
  ) -> StepReference {
    steps.append(BatchStep(statement, parameters, when: conditions))
    return StepReference(step: steps.count)
  }

  /// Adds a step that runs if one of the conditions holds.
  @discardableResult
  public mutating func add(
    _ statement: RemoteStatement, _ parameters: [StepParameter] = [], whenAny conditions: [StepCondition]
  ) -> StepReference {
    steps.append(BatchStep(statement, parameters, when: conditions, isAnyEnough: true))
    return StepReference(step: steps.count)
  }
}

/// An earlier step of a batch: its results as parameters, its outcomes as conditions.
public struct StepReference: Sendable, Hashable {
  /// Counted from 1.
  public let step: Int

  public var lastInsertRowID: StepParameter { .lastInsertRowID(step: step) }
  public var rowsChanged: StepParameter { .rowsChanged(step: step) }

  /// A column, counted from 0, of the step's first row; NULL if it returned none.
  public func firstRow(column: Int) -> StepParameter { .firstRow(step: step, column: column) }

  public var succeeded: StepCondition { .init(step: step, .succeeded) }
  public var failed: StepCondition { .init(step: step, .failed) }
  public var skipped: StepCondition { .init(step: step, .skipped) }
  public var returnedRows: StepCondition { .init(step: step, .returnedRows) }
  public var changedRows: StepCondition { .init(step: step, .changedRows) }
}
