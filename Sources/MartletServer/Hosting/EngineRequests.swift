internal import MartletEngine
internal import MartletValues
internal import MartletWire

/// The wire's requests as the engine's: the two know nothing of each other.
///
/// Always true: the mapping is total, because the wire has checked what it decoded.
extension StatementRequest.Source {
  init(_ source: ClientMessage.Source) {
    switch source {
    case .shape(let shape): self = .shape(shape)
    case .statement(let bytes): self = .statement(bytes)
    }
  }
}

extension BatchRequest {
  init(_ batch: ClientMessage.Batch, deadline: MonotonicTime, credit: Int) {
    self.init(steps: batch.steps.map { Step($0) }, isAtomic: batch.isAtomic, deadline: deadline, credit: credit)
  }
}

extension BatchRequest.Step {
  init(_ step: ClientMessage.Step) {
    self.init(
      source: StatementRequest.Source(step.source), parameters: step.parameters.map { BatchRequest.Parameter($0) },
      columnsVersion: step.columnsVersion, conditions: step.conditions.map { BatchRequest.Condition($0) },
      isAnyEnough: step.isAnyEnough)
  }
}

extension BatchRequest.Parameter {
  init(_ parameter: ClientMessage.StepParameter) {
    switch parameter {
    case .value(let value): self = .value(value)
    case .lastInsertRowID(let step): self = .lastInsertRowID(step: step)
    case .rowsChanged(let step): self = .rowsChanged(step: step)
    case .firstRow(let step, let column): self = .firstRow(step: step, column: column)
    }
  }
}

extension BatchRequest.Condition {
  init(_ condition: ClientMessage.Condition) {
    let outcome: Outcome =
      switch condition.outcome {
      case .succeeded: .succeeded
      case .failed: .failed
      case .skipped: .skipped
      case .returnedRows: .returnedRows
      case .changedRows: .changedRows
      }
    self.init(step: condition.step, outcome: outcome, isNegated: condition.isNegated)
  }
}
