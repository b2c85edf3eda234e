import MartletAST
import MartletSQLite
import MartletValues
import Synchronization

/// Carries out an interactive write transaction on the writer's thread, for as long as it holds the writer.
///
/// Always true: when `run` returns no transaction is open; while it waits for its owner, the jobs that wait behind it
/// are still answered when their deadlines pass.
struct TransactionRunner {
  private enum Next {
    case command(WriteTransaction.Command)
    case end(TransactionEnd)
    case expired([WriteJob])
  }

  let transaction: WriteTransaction
  let monitor: Monitor<WriterState>
  let writer: WriterConnection
  let runner: StatementRunner
  let limits: Limits
  let clock: @Sendable () -> MonotonicTime
  let counters: WriterCounters
  let commitClock: CommitClock
  let diskGuard: DiskGuard
  let watch: WriteWatch
  let quietReplies: QuietReplies

  func run() {
    if let error = beginError() {
      transaction.refuseTurn(error)
      return
    }
    watch.quietReplies = quietReplies
    defer {
      quietReplies.leave()
      watch.quietReplies = nil
    }
    counters.openTransactions.store(1, ordering: .relaxed)
    monitor.withLock { state in
      state.hasTransaction = true
      transaction.lease.turnCame(clock())
    }
    quietReplies.deliver(
      .completed(Completion(commitSequence: commitClock.sequence, transaction: .write)), to: transaction.execution)
    var isOpen = true
    while isOpen {
      switch nextEvent() {
      case .expired(let jobs): Writer.expire(jobs)
      case .command(let command): isOpen = perform(command)
      case .end(let end):
        finish(end)
        isOpen = false
      }
    }
    monitor.withLock { $0.hasTransaction = false }
    counters.openTransactions.store(0, ordering: .relaxed)
  }

  private func beginError() -> RequestError? {
    if let error = writer.fenceError { return error }
    if transaction.execution.isCancelled { return .cancelledByOwner }
    let now = clock()
    if now >= transaction.execution.deadline { return .deadlineInQueue }
    if let error = diskGuard.refusal(at: now) { return error }
    do {
      try writer.begin()
      writer.connection.forgetLastInsertRowID()
      return nil
    } catch {
      return writer.fenceError ?? RequestError(error)
    }
  }

  private func nextEvent() -> Next {
    while true {
      let next = monitor.wait { state -> Monitor<WriterState>.Look<Next?> in
        let now = clock()
        let expired = state.lanes.ticked(now)
        if !expired.isEmpty {
          state.publish()
          return .found(.expired(expired))
        }
        transaction.lease.waitersChanged(to: state.lanes.count, now)
        if let end = pressingEnd(state, now) { return .found(.end(end)) }
        if let command = transaction.lease.nextCommand() { return .found(.command(command)) }
        // The owner hears of what it did not wait for before the writer waits for it.
        if quietReplies.isHolding { return .found(nil) }
        return .wait(nanoseconds: state.nanoseconds(until: transaction.lease.nextDeadline, now: now))
      }
      if let next { return next }
      quietReplies.leave()
    }
  }

  /// Why the transaction cannot go on; with the lock held.
  private func pressingEnd(_ state: WriterState, _ now: MonotonicTime) -> TransactionEnd? {
    if transaction.isAbandoned { return .ownerGone }
    if state.phase != .open { return .shuttingDown }
    return transaction.lease.ticked(now)
  }

  // MARK: Commands

  /// False when the transaction is over.
  private func perform(_ command: WriteTransaction.Command) -> Bool {
    switch command {
    case .statement(let work, let execution): runStatement(work, execution)
    case .batch(let batch, let execution): runBatch(batch, execution)
    case .savepoint(let action, let number, let token, let sink):
      do {
        try writer.savepoint(action, number: number)
        sink.deliver(.completed(Completion(commitSequence: commitClock.sequence, transaction: .write)), to: token)
      } catch {
        sink.deliver(.failed(RequestError(error)), to: token)
      }
    case .finish(let commit, let required, let token, let sink):
      if !commit {
        rollBack(token, sink)
        return false
      }
      if transaction.requiredSucceeded < required {
        refuseCommit(token, sink)
        return false
      }
      if self.commit(token, sink) { return false }
    }
    watch.unwatch()
    monitor.withLock { _ in
      transaction.lease.commandFinished(clock())
      transaction.running = nil
    }
    if let end = transaction.imposedEnd {
      finish(end)
      return false
    }
    guard writer.isInTransaction else {
      finish(.rolledBackBySQLite)
      return false
    }
    return true
  }

  private func rollBack(_ token: RequestToken, _ sink: any ReplySink) {
    writer.rollBack()
    let left = monitor.withLock { _ in transaction.lease.ended(.rolledBack) }
    sink.deliver(.completed(Completion(commitSequence: commitClock.sequence)), to: token)
    refuse(left, .rolledBack)
  }

  /// Its owner sent statements without waiting for them, and the commit behind them; one of them was refused, be it
  /// before it came here, so nothing of the transaction may stay.
  private func refuseCommit(_ token: RequestToken, _ sink: any ReplySink) {
    writer.rollBack()
    let left = monitor.withLock { _ in transaction.lease.ended(.requiredFailed) }
    sink.deliver(.failed(.transactionEnded(.requiredFailed, limits: transaction.limits)), to: token)
    refuse(left, .requiredFailed)
  }

  /// True when it is over; false where the transaction goes on because a constraint does not hold yet.
  private func commit(_ token: RequestToken, _ sink: any ReplySink) -> Bool {
    if writer.connection.hasDeferredForeignKeyViolations {
      sink.deliver(.failed(RequestError(.deferredForeignKey, writing: transaction.deferredKeys.tables)), to: token)
      return false
    }
    let end: TransactionEnd
    let event: ReplyEvent
    switch writer.commit() {
    case .committed(let sequence):
      WriterCounters.add(1, to: counters.commits)
      end = .committed
      event = .completed(Completion(commitSequence: sequence))
    case .notCommitted(let error):
      writer.rollBack()
      end = .rolledBack
      event = .failed(error)
    case .unknown(let error):
      writer.rollBack()
      end = .fenced
      event = .failed(error)
    }
    let left = monitor.withLock { _ in transaction.lease.ended(end) }
    sink.deliver(event, to: token)
    refuse(left, end)
    return true
  }

  /// The engine ends it: first the news, then the commands that will not run.
  private func finish(_ end: TransactionEnd) {
    writer.rollBack()
    let (left, ageMs) = monitor.withLock { _ in
      let age = transaction.lease.ageMs(clock())
      return (transaction.lease.ended(end), age)
    }
    if end.isNews {
      transaction.execution.deliver(.transactionEnded(.transactionEnded(end, limits: transaction.limits), ageMs: ageMs))
    }
    if end != .ownerGone { refuse(left, end) }
  }

  private func refuse(_ left: [WriteTransaction.Command], _ end: TransactionEnd) {
    for command in left { command.refuse(.transactionEnded(end, limits: transaction.limits)) }
  }

  // MARK: Statements

  /// Begins to watch a statement or batch; gives the moment at which it has to end.
  private func deadline(of execution: Execution) -> MonotonicTime {
    let (deadline, contendedSince) = monitor.withLock { _ in
      transaction.running = execution
      return (min(execution.deadline, transaction.lease.totalDeadline), transaction.lease.contendedSince)
    }
    watch.watch(
      execution, patienceMs: limits.transactionContendedTotalMs, contendedSince: contendedSince)
    return deadline
  }

  /// What was ended for others' sake, or because the transaction's own time is over by a quota, is answered so, and
  /// ends the transaction.
  private func explained(_ ending: StatementResult.Ending) -> StatementResult.Ending {
    guard case .failed(let error) = ending, let end = watch.hasYielded ? .openWhileOthersWaited : quotaEnd(error) else {
      return ending
    }
    transaction.imposedEnd = end
    return .failed(.transactionEnded(end, limits: transaction.limits))
  }

  private func quotaEnd(_ error: RequestError) -> TransactionEnd? {
    guard error.reason == .deadline else { return nil }
    let end = monitor.withLock { _ in transaction.lease.ticked(clock()) }
    if case .openBeyondQuota = end { return end }
    return nil
  }

  private func refusal(_ execution: Execution, _ deadline: MonotonicTime) -> RequestError? {
    if execution.isCancelled { return .cancelledByOwner }
    return clock() >= deadline ? .deadlineInQueue : nil
  }

  private func runStatement(_ work: StatementWork, _ execution: Execution) {
    WriterCounters.add(1, to: counters.requests)
    let deadline = deadline(of: execution)
    if let error = refusal(execution, deadline) {
      execution.deliver(.failed(error))
      return
    }
    execution.setDriver(transaction)
    var run = StatementRunner.StreamedRun(ending: .pending)
    let fault = undoably(work.plan) {
      run = runner.runStreaming(work, execution: execution, cancellation: watch, deadline: deadline) {
        waitForCredit(execution, deadline)
      }
      return run.isUncertain
    }
    if let fault { run.ending = .failed(RequestError(fault)) }
    noteDeferredKeys([work.plan])
    execution.setDriver(nil)
    let ending = explained(run.ending)
    if work.isRequired, case .completed = ending { transaction.requiredSucceeded += 1 }
    guard !execution.isAbandoned else { return }
    let status: TransactionStatus = writer.isInTransaction ? .write : .ended
    let event = StatementResult(ending: ending).ending(
      to: execution.token, commitSequence: commitClock.sequence, transaction: status
    ).event
    // Whoever requires a statement sent it without waiting, and looks at the answer with that of a later one.
    if work.isRequired, case .completed = event {
      quietReplies.deliver(event, to: execution)
    } else {
      execution.deliver(event)
    }
  }

  /// Runs `body`, which tells whether it failed and may have been carried out all the same: then its owner hears that
  /// it failed, and nothing of it may stay. What returns rows can fail over them, and what a rule asks of new rows can
  /// refuse one behind others, so these are undone alone; anything else fails so only if it was interrupted or late,
  /// and the transaction goes with it. So it does with what had given rows: whoever has those may not look at the end.
  /// An error if the body never ran, or if what it did is gone.
  private func undoably(_ plan: Plan, _ body: () -> Bool) -> SQLiteError? {
    let hasSavepoint = plan.access != .read && (plan.returnsRows || plan.holdsRaw || plan.checksNewRows)
    do throws(SQLiteError) {
      if hasSavepoint { try writer.setMember() }
      let isUncertain = body()
      guard writer.isInTransaction else { return nil }
      if hasSavepoint, !(isUncertain && watch.hasGivenRows) {
        try isUncertain ? writer.rollBackToMember() : writer.releaseMember()
      } else if isUncertain {
        writer.rollBack()
      }
      return nil
    } catch {
      writer.rollBack()
      return error
    }
  }

  private func noteDeferredKeys(_ plans: [Plan]) {
    let isViolated = writer.connection.hasDeferredForeignKeyViolations
    for plan in plans {
      transaction.deferredKeys.statementEnded(isViolated: isViolated, writing: WrittenTable.names(in: plan.sql))
    }
  }

  private func runBatch(_ batch: BatchWork, _ execution: Execution) {
    WriterCounters.add(1, to: counters.requests)
    let deadline = deadline(of: execution)
    if let error = refusal(execution, deadline) {
      execution.deliver(.failed(error))
      return
    }
    let isAtomic = batch.script.request.isAtomic
    var results = isAtomic ? runAtomic(batch, execution, deadline) : runLoose(batch, execution, deadline)
    for index in results.indices { results[index].ending = explained(results[index].ending) }
    noteDeferredKeys(batch.plans)
    let status: TransactionStatus = writer.isInTransaction ? .write : .ended
    let replies = BatchWork.replies(
      results, to: execution.token, isAtomic: isAtomic, commitSequence: commitClock.sequence, transaction: status)
    HeldReplies(replies, holds: results.compactMap(\.hold)).begin(execution)
  }

  private func runAtomic(_ batch: BatchWork, _ execution: Execution, _ deadline: MonotonicTime) -> [StatementResult] {
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

  private func runLoose(_ batch: BatchWork, _ execution: Execution, _ deadline: MonotonicTime) -> [StatementResult] {
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

  /// Waits until the owner takes rows again; an error where it will not, in time.
  private func waitForCredit(_ execution: Execution, _ deadline: MonotonicTime) -> RequestError? {
    monitor.withLock { _ in transaction.lease.commandPaused(clock()) }
    defer { monitor.withLock { _ in transaction.lease.commandResumed() } }
    while true {
      let look: (expired: [WriteJob], error: RequestError?) = monitor.wait { state in
        let now = clock()
        let expired = state.lanes.ticked(now)
        if !expired.isEmpty {
          state.publish()
          return .found((expired, nil))
        }
        transaction.lease.waitersChanged(to: state.lanes.count, now)
        if execution.isCancelled { return .found(([], .cancelledByOwner)) }
        if let end = pressingEnd(state, now) {
          transaction.imposedEnd = end
          return .found(([], .transactionEnded(end, limits: transaction.limits)))
        }
        if now >= deadline { return .found(([], .deadlineInQueue)) }
        if execution.hasCredit { return .found(([], nil)) }
        let until = min(transaction.lease.nextDeadline, deadline)
        return .wait(nanoseconds: state.nanoseconds(until: until, now: now))
      }
      if look.expired.isEmpty { return look.error }
      Writer.expire(look.expired)
    }
  }
}
