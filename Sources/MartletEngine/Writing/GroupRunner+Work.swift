import MartletValues

/// What runs as one member of a group: a statement, a step of a batch, or an atomic batch.
extension GroupRunner {
  struct WorkOutcome {
    /// Who is to blame if it failed; nil if it succeeded.
    var blame: GroupCommit.Blame?
    /// Bytes of rows that wait for the commit.
    var bytes = 0
    /// It failed, and nothing of it is left.
    var isUndone = true
    /// It failed, and a part of it is to stay.
    var keepsPart = false
    /// When it had run; nil if nobody has looked.
    var endedAt: MonotonicTime?

    static func failed(_ blame: GroupCommit.Blame) -> WorkOutcome { WorkOutcome(blame: blame) }
    static func succeeded(bytes: Int) -> WorkOutcome { WorkOutcome(bytes: bytes) }

    static func of(_ run: StatementRunner.HeldRun) -> WorkOutcome {
      var outcome = run.result.isFailed ? failed(run.blame) : succeeded(bytes: run.result.byteCount)
      outcome.isUndone = run.isUndone
      outcome.keepsPart = run.keepsPart
      outcome.endedAt = run.endedAt
      return outcome
    }
  }

  func runWork(_ index: Int, deadline: MonotonicTime, startedAt: MonotonicTime) -> WorkOutcome {
    let job = members[index].job
    switch job.work {
    case .statement(let work):
      let run = runner.runHeld(
        work, cancellation: watch, deadline: deadline, bytesMax: returningBytesMax, startedAt: startedAt)
      members.ran(run.result, index)
      return WorkOutcome.of(run)
    case .looseBatch:
      return runStep(index, of: job, deadline: deadline)
    case .atomicBatch:
      return runAtomic(index, of: job, deadline: deadline)
    case .transaction:
      return .failed(.other)
    }
  }

  private func runStep(_ index: Int, of job: WriteJob, deadline: MonotonicTime) -> WorkOutcome {
    guard var batch = job.batch else { return .failed(.other) }
    members.stepBegins(index)
    let run = runner.runStep(
      members[index].step, of: &batch, cancellation: watch, deadline: deadline,
      bytesMax: returningBytesMax - job.heldBytes)
    job.batch = batch
    members.ran(run.result, index)
    return WorkOutcome.of(run)
  }

  private func runAtomic(_ index: Int, of job: WriteJob, deadline: MonotonicTime) -> WorkOutcome {
    guard var batch = job.batch else { return .failed(.other) }
    let run = runner.runAtomic(
      &batch, cancellation: watch, deadline: deadline, bytesMax: returningBytesMax)
    job.batch = batch
    members.ran(run.results, index)
    return run.failedStep == nil
      ? .succeeded(bytes: run.results.reduce(0) { $0 &+ $1.byteCount }) : .failed(run.blame)
  }
}
