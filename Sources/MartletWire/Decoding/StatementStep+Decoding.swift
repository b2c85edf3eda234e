internal import CMartletProto
internal import MartletValues

/// The steps of a batch, from protobuf-c's structures.
///
/// Always true: a condition or a reference names an earlier step.
extension StatementSource {
  init(shape: ProtobufCBinaryData) throws(RequestError) {
    guard let shape = ShapeID(bytes: UnsafeRawBufferPointer(shape.buffer)) else {
      throw .shapeIDLength
    }
    self = .shape(shape)
  }
}

extension StatementStep {
  init(_ step: Martlet__V1__Step, number: Int, limits: Limits) throws(RequestError) {
    let source: StatementSource
    switch step.source_case {
    case MARTLET__V1__STEP__SOURCE_SHAPE: source = try .init(shape: step.shape)
    case MARTLET__V1__STEP__SOURCE_STATEMENT: source = .statement(Array(step.statement.buffer))
    default: throw .stepWithoutSource
    }
    try limits.checkParameters(step.n_parameters)
    guard step.n_conditions <= limits.batchStepsMax else {
      throw .tooManyConditions(limits)
    }
    self.init(source: source, columnsVersion: step.columns_version, isAnyEnough: step.any != 0)
    parameters.reserveCapacity(step.n_parameters)
    for index in 0..<step.n_parameters {
      // `!` because protobuf-c filled as many pointers as it counted.
      let value = step.parameters[index]!.pointee
      parameters.append(try StepParameter(value, ofStep: number, limits: limits))
    }
    for index in 0..<step.n_conditions {
      // `!` because protobuf-c filled as many pointers as it counted.
      conditions.append(try StepCondition(step.conditions[index]!.pointee, ofStep: number))
    }
  }
}

extension StepParameter {
  init(_ value: Martlet__V1__Value, ofStep number: Int, limits: Limits) throws(RequestError) {
    guard value.kind_case == MARTLET__V1__VALUE__KIND_REFERENCE else {
      self = .value(try Value(value, limits: limits))
      return
    }
    let reference = value.reference.pointee
    let step = try earlier(reference.step, than: number)
    switch reference.field {
    case MARTLET__V1__STEP_REFERENCE__FIELD__FIELD_LAST_INSERT_ROWID: self = .lastInsertRowID(step: step)
    case MARTLET__V1__STEP_REFERENCE__FIELD__FIELD_ROWS_CHANGED: self = .rowsChanged(step: step)
    case MARTLET__V1__STEP_REFERENCE__FIELD__FIELD_FIRST_ROW:
      guard reference.column < UInt32(clamping: limits.resultColumnsMax) else {
        throw .referenceOfNoColumn
      }
      self = .firstRow(step: step, column: Int(reference.column))
    default: throw .referenceWithoutField
    }
  }
}

extension StepCondition {
  init(_ condition: Martlet__V1__Condition, ofStep number: Int) throws(RequestError) {
    guard let outcome = Outcome(rawValue: condition.outcome.rawValue) else {
      throw .conditionWithoutOutcome
    }
    self.init(step: try earlier(condition.step, than: number), outcome, isNegated: condition.negated != 0)
  }
}

private func earlier(_ step: UInt32, than number: Int) throws(RequestError) -> Int {
  guard step >= 1, Int(step) < number else {
    throw .noEarlierStep(number, step)
  }
  return Int(step)
}
