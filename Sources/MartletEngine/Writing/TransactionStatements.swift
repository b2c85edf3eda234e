import MartletSQLite
import MartletValues

/// Runs the statements and batches of an interactive transaction that is open, and answers them.
///
/// Always true: whatever a statement that failed may have done is undone before its owner hears of it, with the whole
/// transaction if it cannot be undone alone. The transaction's course is told the result.
struct TransactionStatements {
  let owner: TransactionOwner
  let writer: WriterConnection
  let runner: StatementRunner
  let limits: Limits
  let counters: WriterCounters
  let commitClock: CommitClock
  let watch: WriteWatch
  let quietReplies: QuietReplies

  private var transaction: WriteTransaction { owner.transaction }

  // MARK: - Watching

  /// Begins to watch a statement or batch; returns the moment at which it has to end.
  private func deadline(of execution: Execution) -> MonotonicTime {
    let (deadline, contendedSince) = owner.begins(execution)
    let (limits, connection, pace) = (limits, writer.connection, owner.desk.copyPace)
    watch.watch(execution, contendedSince: contendedSince) {
      let owed = pace.nanoseconds(owedFor: connection.uncommittedLogBytes)
      return TransactionLease<WriteTransaction.Command>.patienceMs(limits, owedMs: Int(clamping: owed / 1_000_000))
    }
    return deadline
  }

  /// If a statement was ended for others' sake, or because the transaction's time is over, its error says so, and the
  /// transaction ends.
  private func explained(
    _ ending: StatementResult.Ending, _ course: inout TransactionCourse
  ) -> StatementResult.Ending {
    guard case .failed(let error) = ending, let end = watch.hasYielded ? .openWhileOthersWaited : timeEnd(error) else {
      return ending
    }
    course.endImposed(end)
    return .failed(.transactionEnded(end, limits: transaction.limits))
  }

  private func timeEnd(_ error: RequestError) -> TransactionEnd? {
    error.reason == .deadline ? owner.timeEnd : nil
  }

  private func refusal(
    _ execution: Execution, _ deadline: MonotonicTime, _ course: inout TransactionCourse
  ) -> RequestError? {
    if execution.isCancelled { return .cancelledByOwner }
    guard owner.clock() >= deadline else { return nil }
    guard let end = owner.timeEnd else { return .deadlineInQueue }
    course.endImposed(end)
    return .transactionEnded(end, limits: transaction.limits)
  }

  private func note(_ plans: [Plan], in course: inout TransactionCourse) {
    let isViolated = writer.connection.hasDeferredForeignKeyViolations
    for plan in plans { course.statementEnded(isViolated: isViolated, writing: WrittenTable.names(in: plan.sql)) }
  }

  private var status: TransactionStatus { writer.isInTransaction ? .write : .ended }

  // MARK: - Changes of the schema

  /// A session that changed the schema lately waited before its transaction began. Another one cannot wait here, where
  /// everybody would wait with it.
  private func refusalOfChange() -> RequestError? {
    let (schema, now) = (owner.desk.schema, owner.clock())
    guard now < schema.freeAt, !schema.isChanger(transaction.execution.sessionShare.session, at: now) else {
      return nil
    }
    // Its next transaction waits before it begins, and so comes through.
    schema.wants(transaction.execution.sessionShare.session, at: now)
    return .schemaChangesTooOften
  }

  private func noteChange() {
    owner.desk.schema.ran(for: transaction.execution.sessionShare.session, at: owner.clock())
  }

  // MARK: - One statement

  func run(_ work: StatementWork, _ execution: Execution, _ course: inout TransactionCourse) {
    WriterCounters.add(1, to: counters.requests)
    let deadline = deadline(of: execution)
    if let error = refusal(execution, deadline, &course) {
      execution.deliver(.failed(error))
      return
    }
    if work.plan.changesSchema, let error = refusalOfChange() {
      execution.deliver(.failed(error))
      return
    }
    execution.setDriver(owner.desk.ownerBell)
    var run = StatementRunner.StreamedRun(ending: .pending)
    let fault = undoably(work.plan) {
      run = runner.runStreaming(work, execution: execution, cancellation: watch, deadline: deadline) {
        waitForCredit(execution, deadline, &course)
      }
      return run.isUncertain
    }
    if let fault { run.ending = .failed(RequestError(fault)) }
    note([work.plan], in: &course)
    if work.plan.changesSchema { noteChange() }
    execution.setDriver(nil)
    let ending = explained(run.ending, &course)
    if work.isRequired, case .completed = ending { course.requiredStatementSucceeded() }
    guard !execution.isAbandoned else { return }
    let event = StatementResult(ending: ending).ending(
      to: execution.token, commitSequence: commitClock.sequence, transaction: status
    ).event
    // The owner does not wait for a required statement, and looks at its answer with that of a later one.
    if work.isRequired, case .completed = event {
      quietReplies.deliver(event, to: execution)
    } else {
      execution.deliver(event)
    }
  }

  /// Waits until the owner takes rows again; an error if it will not, in time.
  private func waitForCredit(
    _ execution: Execution, _ deadline: MonotonicTime, _ course: inout TransactionCourse
  ) -> RequestError? {
    switch owner.waitForCredit(execution, deadline) {
    case .credit: return nil
    case .refused(let error): return error
    case .ended(let end):
      course.endImposed(end)
      return .transactionEnded(end, limits: transaction.limits)
    }
  }

  /// Runs `body`, which tells whether it failed and may have been carried out all the same. An error if the body never
  /// ran, or if what it did is gone.
  private func undoably(_ plan: Plan, _ body: () -> Bool) -> SQLiteError? {
    let hasSavepoint = StatementUndo.needsSavepoint(plan)
    do throws(SQLiteError) {
      if hasSavepoint { try writer.setMember() }
      let isUncertain = body()
      guard writer.isInTransaction else { return nil }
      switch StatementUndo(
        isUncertain: isUncertain, hasSavepoint: hasSavepoint, hasGivenRows: watch.hasGivenRows)
      {
      case .nothing: break
      case .releaseSavepoint: try writer.releaseMember()
      case .rollBackToSavepoint: try writer.rollBackToMember()
      case .rollBackAll: writer.rollBack()
      }
      return nil
    } catch {
      writer.rollBack()
      return error
    }
  }

  // MARK: - Batches

  func run(_ batch: BatchWork, _ execution: Execution, _ course: inout TransactionCourse) {
    WriterCounters.add(1, to: counters.requests)
    let deadline = deadline(of: execution)
    if let error = refusal(execution, deadline, &course) {
      execution.deliver(.failed(error))
      return
    }
    let changesSchema = batch.plans.contains(where: \.changesSchema)
    if changesSchema, let error = refusalOfChange() {
      execution.deliver(.failed(error))
      return
    }
    let isAtomic = batch.script.request.isAtomic
    var results = isAtomic ? runAtomic(batch, deadline) : runLoose(batch, deadline)
    for index in results.indices { results[index].ending = explained(results[index].ending, &course) }
    note(batch.plans, in: &course)
    if changesSchema { noteChange() }
    let replies = BatchWork.replies(
      results, to: execution.token, isAtomic: isAtomic, commitSequence: commitClock.sequence, transaction: status)
    HeldReplies(replies, holds: results.compactMap(\.hold)).begin(execution)
  }

  private func runAtomic(_ batch: BatchWork, _ deadline: MonotonicTime) -> [StatementResult] {
    var batch = batch
    do {
      try writer.setMember()
      let run = runner.runAtomic(
        &batch, cancellation: watch, deadline: deadline, bytesMax: limits.returningBytesMax)
      if run.failedStep == nil {
        try writer.releaseMember()
      } else if writer.isInTransaction {
        try writer.rollBackToMember()
      }
      return run.results
    } catch {
      writer.rollBack()
      return batch.plans.map { _ in .failed(RequestError(error)) }
    }
  }

  private func runLoose(_ batch: BatchWork, _ deadline: MonotonicTime) -> [StatementResult] {
    var batch = batch
    var results: [StatementResult] = []
    var bytesLeft = limits.returningBytesMax
    for step in batch.plans.indices {
      guard writer.isInTransaction else {
        results.append(.failed(.transactionEnded(.rolledBackBySQLite, limits: transaction.limits)))
        continue
      }
      var result = StatementResult()
      let fault = undoably(batch.plans[step]) {
        let run = runner.runStep(step, of: &batch, cancellation: watch, deadline: deadline, bytesMax: bytesLeft)
        result = run.result
        return run.isUncertain
      }
      if let fault { result = .failed(RequestError(fault)) }
      bytesLeft -= result.byteCount
      results.append(result)
    }
    return results
  }
}
