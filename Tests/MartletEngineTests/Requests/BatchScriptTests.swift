/// Scripts for conditions and references between the steps of a batch.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct BatchScriptTests {
  private typealias Step = StatementStep
  private typealias Condition = StepCondition

  private func step(
    _ parameters: [StepParameter] = [], _ conditions: [StepCondition] = [], any: Bool = false
  ) -> StatementStep {
    StatementStep(source: .statement([]), parameters: parameters, conditions: conditions, isAnyEnough: any)
  }

  private func script(_ steps: [StatementStep]) throws -> BatchScript {
    try BatchScript(BatchRequest(steps: steps, isAtomic: false), limits: Limits())
  }

  @Test func `conditions and references point backwards or the batch is refused`() throws {
    let refused: [[StatementStep]] = [
      [],
      [step([], [Condition(step: 1, .succeeded)])],
      [step([], [Condition(step: 0, .failed)])],
      [step(), step([.lastInsertRowID(step: 2)])],
      [step(), step([.rowsChanged(step: -1)])],
      [step(), step([.firstRow(step: 3, column: 0)])],
      [step(), step([.firstRow(step: 1, column: -1)])],
      [step(), step([.firstRow(step: 1, column: 1_000_000)])],
    ]
    for steps in refused {
      #expect(throws: RequestError.self) { try script(steps) }
    }
    _ = try script([step(), step([.firstRow(step: 1, column: 3)], [Condition(step: 1, .failed)])])
  }

  @Test func `a batch is bounded`() {
    var limits = Limits()
    limits.batchStepsMax = 2
    for (count, error) in [(0, RequestError.noSteps), (3, .tooManySteps(limits))] {
      let steps = (0..<count).map { _ in step() }
      #expect(throws: error) { try BatchScript(BatchRequest(steps: steps, isAtomic: true), limits: limits) }
    }
  }

  @Test func `each outcome answers each condition`() throws {
    let success = BatchScript.Success(rowsChanged: 0, rowsReturned: 2)
    let change = BatchScript.Success(rowsChanged: 3)
    // Which of succeeded, failed, skipped, returnedRows, changedRows hold.
    let table: [(BatchScript.Outcome, [Bool])] = [
      (.succeeded(success), [true, false, false, true, false]),
      (.succeeded(change), [true, false, false, false, true]),
      (.failed, [false, true, false, false, false]),
      (.skipped, [false, false, true, false, false]),
    ]
    let outcomes: [StepCondition.Outcome] = [.succeeded, .failed, .skipped, .returnedRows, .changedRows]
    for (outcome, expected) in table {
      for (asked, holds) in zip(outcomes, expected) {
        for isNegated in [false, true] {
          let condition = Condition(step: 1, asked, isNegated: isNegated)
          var script = try script([step(), step([], [condition])])
          switch outcome {
          case .succeeded(let success): script.stepSucceeded(0, success)
          case .failed: script.stepFailed(0)
          default: script.stepSkipped(0)
          }
          #expect((script.decision(1) == .run(parameters: [])) == (holds != isNegated), "\(outcome) \(condition)")
        }
      }
    }
  }

  @Test func `all conditions must hold unless any is enough`() throws {
    let conditions = [Condition(step: 1, .succeeded), Condition(step: 2, .succeeded)]
    var script = try script([step(), step(), step([], conditions), step([], conditions, any: true)])
    script.stepSucceeded(0, .init())
    script.stepFailed(1)
    #expect(script.decision(2) == .skip)
    #expect(script.decision(3) == .run(parameters: []))
  }

  @Test func `references take the values of earlier steps`() throws {
    let last = step([
      .value("x"), .lastInsertRowID(step: 1), .rowsChanged(step: 1), .firstRow(step: 1, column: 1),
      .firstRow(step: 1, column: 9),
    ])
    var script = try script([step(), last])
    #expect(script.isFirstRowNeeded(0) && !script.isFirstRowNeeded(1))
    script.stepSucceeded(
      0, .init(rowsChanged: 4, lastInsertRowID: 7, rowsReturned: 1, firstRow: [.integer(1), .text("b")]))
    #expect(script.decision(1) == .run(parameters: ["x", 7, 4, "b", nil]))
  }

  @Test func `a long value of an earlier step is named so often as a message could have carried it`() throws {
    let limits = Limits()
    let long = Value.blob([UInt8](repeating: 1, count: 3 << 20))
    for (count, fits) in [(10, true), (11, false), (130, false)] {
      let names = (0..<count).map { _ in StepParameter.firstRow(step: 1, column: 0) }
      var script = try script([step(), step(names)])
      script.stepSucceeded(0, .init(rowsReturned: 1, firstRow: [long]))
      let decision = script.decision(1)
      #expect((decision == .run(parameters: names.map { _ in long })) == fits, "\(count)")
      #expect((decision == .fail(.valuesTooLong(2, max: limits.decodedBytesMax))) == !fits, "\(count)")
    }
  }

  @Test func `a value from a step that did not succeed fails the step`() throws {
    var script = try script([step(), step([.lastInsertRowID(step: 1)])])
    script.stepFailed(0)
    guard case .fail(let error) = script.decision(1) else {
      Issue.record("It should not run with a made-up value.")
      return
    }
    #expect(error.code == .failedPrecondition)
  }
}
