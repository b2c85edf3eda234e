import MartletValues

/// Which steps of a batch run, and with which values: conditions on and references to earlier steps.
///
/// Always true: it was checked on arrival that every condition and reference names an earlier step, so a decision never
/// looks ahead; the outcome of a step can be told again when a group commit runs it again.
struct BatchScript {
  /// What later steps may ask about a step that succeeded.
  struct Success: Equatable {
    var rowsChanged: Int64 = 0
    var lastInsertRowID: Int64 = 0
    var rowsReturned: Int64 = 0
    var firstRow: [Value] = []
  }

  enum Outcome: Equatable {
    case pending
    case succeeded(Success)
    case failed
    case skipped
  }

  enum Decision: Equatable {
    case run(parameters: [Value])
    case skip
    case fail(RequestError)
  }

  let request: BatchRequest
  /// Steps whose first row a later one asks for.
  private let needsFirstRow: Set<Int>
  private(set) var outcomes: [Outcome]
  /// Bytes of the values of earlier steps that one step may name.
  private let namedBytesMax: Int

  init(_ request: BatchRequest, limits: Limits) throws(RequestError) {
    guard !request.steps.isEmpty else { throw .noSteps }
    guard request.steps.count <= limits.batchStepsMax else { throw .tooManySteps(limits) }
    var needed: Set<Int> = []
    for (index, step) in request.steps.enumerated() {
      try Self.check(step, number: index + 1, needed: &needed, limits: limits)
    }
    self.request = request
    needsFirstRow = needed
    namedBytesMax = limits.decodedBytesMax
    outcomes = Array(repeating: .pending, count: request.steps.count)
  }

  private static func check(
    _ step: StatementStep, number: Int, needed: inout Set<Int>, limits: Limits
  ) throws(RequestError) {
    func isEarlier(_ other: Int) -> Bool { other >= 1 && other < number }
    for condition in step.conditions where !isEarlier(condition.step) {
      throw .conditionOfNoEarlierStep(number, condition.step)
    }
    for parameter in step.parameters {
      let named: Int
      switch parameter {
      case .value: continue
      case .lastInsertRowID(let step), .rowsChanged(let step): named = step
      case .firstRow(let step, let column):
        named = step
        guard column >= 0 && column < limits.resultColumnsMax else {
          throw .valueOfNoColumn(number)
        }
        needed.insert(step)
      }
      guard isEarlier(named) else {
        throw .valueOfNoEarlierStep(number, named)
      }
    }
  }

  // MARK: Events

  /// Steps are counted from 0 here.
  mutating func stepSucceeded(_ step: Int, _ success: Success) { outcomes[step] = .succeeded(success) }
  mutating func stepFailed(_ step: Int) { outcomes[step] = .failed }
  mutating func stepSkipped(_ step: Int) { outcomes[step] = .skipped }

  // MARK: Questions

  /// Whether the first row of this step has to be kept.
  func isFirstRowNeeded(_ step: Int) -> Bool { needsFirstRow.contains(step + 1) }

  /// What to do with a step, given the results of the earlier ones.
  func decision(_ index: Int) -> Decision {
    let step = request.steps[index]
    if !step.conditions.isEmpty {
      let holds =
        step.isAnyEnough ? step.conditions.contains(where: holds) : step.conditions.allSatisfy(holds)
      if !holds { return .skip }
    }
    var values: [Value] = []
    // Values that were sent are bounded by the message; those of earlier steps may be named any number of times.
    var namedBytes = 0
    values.reserveCapacity(step.parameters.count)
    for parameter in step.parameters {
      guard let value = resolve(parameter) else {
        return .fail(.valueOfFailedStep(index + 1))
      }
      if case .firstRow = parameter { namedBytes += value.byteCount }
      guard namedBytes <= namedBytesMax else { return .fail(.valuesTooLong(index + 1, max: namedBytesMax)) }
      values.append(value)
    }
    return .run(parameters: values)
  }

  private func holds(_ condition: StepCondition) -> Bool {
    let isTrue: Bool
    switch (condition.outcome, outcomes[condition.step - 1]) {
    case (.succeeded, .succeeded), (.failed, .failed), (.skipped, .skipped): isTrue = true
    case (.returnedRows, .succeeded(let success)): isTrue = success.rowsReturned > 0
    case (.changedRows, .succeeded(let success)): isTrue = success.rowsChanged > 0
    default: isTrue = false
    }
    return isTrue != condition.isNegated
  }

  /// Nil if the step that it refers to did not succeed.
  private func resolve(_ parameter: StepParameter) -> Value? {
    switch parameter {
    case .value(let value): return value
    case .lastInsertRowID(let step): return success(of: step).map { .integer($0.lastInsertRowID) }
    case .rowsChanged(let step): return success(of: step).map { .integer($0.rowsChanged) }
    case .firstRow(let step, let column):
      return success(of: step).map { column < $0.firstRow.count ? $0.firstRow[column] : .null }
    }
  }

  private func success(of step: Int) -> Success? {
    if case .succeeded(let success) = outcomes[step - 1] { success } else { nil }
  }
}
