import MartletSQLite
import MartletValues

/// The steps of a batch, one by one. Their script decides which of them run, and hears the result of each.
///
/// Always true: a step that is skipped, or whose values are missing, has not run at all; what steps did before one that
/// failed is for the caller to undo. Where others than the owner may stop a batch, the caller tells by whom it was.
extension StatementRunner {
  struct AtomicRun {
    var results: [StatementResult]
    var failedStep: Int?
    var blame = GroupCommit.Blame.other
  }

  /// Runs one step, or skips it, and tells the batch's script the result.
  func runStep(
    _ step: Int, of batch: inout BatchWork, cancellation: any CancellationSource, deadline: MonotonicTime, bytesMax: Int
  ) -> HeldRun {
    let run = decideAndRun(step, of: batch, cancellation: cancellation, deadline: deadline, bytesMax: bytesMax)
    switch run.result.ending {
    case .completed(let completion) where completion.isSkipped: batch.script.stepSkipped(step)
    case .completed: batch.script.stepSucceeded(step, run.success)
    case .failed, .pending: batch.script.stepFailed(step)
    }
    return run
  }

  private func decideAndRun(
    _ step: Int, of batch: BatchWork, cancellation: any CancellationSource, deadline: MonotonicTime, bytesMax: Int
  ) -> HeldRun {
    switch batch.script.decision(step) {
    case .skip: return HeldRun(result: .skipped)
    case .fail(let error): return HeldRun(result: .failed(error))
    case .run(let parameters):
      if cancellation.isCancelled { return HeldRun(result: .failed(.cancelledByOwner), blame: .ownTime) }
      if clock() >= deadline { return HeldRun(result: .failed(.deadlineInQueue), blame: .ownTime) }
      return runHeld(
        batch.statement(step, parameters: parameters), cancellation: cancellation, deadline: deadline,
        bytesMax: bytesMax,
        isFirstRowWanted: batch.script.isFirstRowNeeded(step))
    }
  }

  /// Runs the steps up to the first that fails; what they did before it is for the caller to undo.
  func runAtomic(
    _ batch: inout BatchWork, cancellation: any CancellationSource, deadline: MonotonicTime, bytesMax: Int
  ) -> AtomicRun {
    var run = AtomicRun(results: [])
    run.results.reserveCapacity(batch.plans.count)
    var bytesLeft = bytesMax
    for step in batch.plans.indices {
      let one = runStep(step, of: &batch, cancellation: cancellation, deadline: deadline, bytesMax: bytesLeft)
      bytesLeft -= one.result.byteCount
      run.results.append(one.result)
      guard one.result.isFailed else { continue }
      run.failedStep = step
      run.blame = one.blame
      run.results = batch.plans.indices.map { $0 == step ? one.result : .failed(.batchAborted) }
      break
    }
    return run
  }
}
