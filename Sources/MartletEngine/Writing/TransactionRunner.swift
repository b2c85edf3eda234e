import MartletSQLite
import MartletValues
import Synchronization

/// Carries out an interactive write transaction on the writer's thread, for as long as it holds the writer.
///
/// Always true: when `run` returns no transaction is open. `TransactionCourse` decides what its statements mean for its
/// end; this carries that out.
struct TransactionRunner {
  private let owner: TransactionOwner
  private let statements: TransactionStatements
  private let writer: WriterConnection
  private let counters: WriterCounters
  private let commitClock: CommitClock
  private let diskGuard: DiskGuard
  private let watch: WriteWatch
  private let quietReplies = QuietReplies()
  private var course = TransactionCourse()
  private var savepoints = Savepoints()

  init(
    _ transaction: WriteTransaction, on writer: WriterConnection, desk: Writer, configuration: EngineConfiguration,
    commitClock: CommitClock, diskGuard: DiskGuard
  ) {
    owner = TransactionOwner(desk: desk, transaction: transaction, clock: configuration.clock)
    self.writer = writer
    counters = desk.counters
    watch = desk.watch
    self.diskGuard = diskGuard
    self.commitClock = commitClock
    statements = TransactionStatements(
      owner: owner, writer: writer, runner: writer.runner, limits: configuration.limits, counters: counters,
      commitClock: commitClock, watch: watch, quietReplies: quietReplies)
  }

  private var transaction: WriteTransaction { owner.transaction }

  mutating func run() {
    if let error = beginError() {
      owner.desk.refuseTurn(of: transaction, error)
      return
    }
    watch.quietReplies = quietReplies
    defer {
      quietReplies.leave()
      watch.quietReplies = nil
    }
    counters.openTransactions.store(1, ordering: .relaxed)
    owner.turnCame()
    quietReplies.deliver(
      .completed(Completion(commitSequence: commitClock.sequence, transaction: .write)), to: transaction.execution)
    var isOpen = true
    while isOpen {
      switch owner.nextEvent(quietReplies) {
      case .command(let command): isOpen = perform(command)
      case .end(let end):
        finish(end)
        isOpen = false
      }
    }
    owner.closed()
    counters.openTransactions.store(0, ordering: .relaxed)
  }

  private func beginError() -> RequestError? {
    if let error = writer.fenceError { return error }
    if transaction.execution.isCancelled { return .cancelledByOwner }
    let now = owner.clock()
    if now >= transaction.execution.deadline { return .deadlineInQueue }
    if let error = diskGuard.refusal(at: now) {
      WriterCounters.add(1, to: counters.diskRefusals)
      return error
    }
    do {
      try writer.begin()
      writer.connection.forgetUncommitted()
      writer.connection.forgetLastWrite()
      return nil
    } catch {
      return writer.fenceError ?? RequestError(error)
    }
  }

  // MARK: - Commands

  /// False when the transaction is over.
  private mutating func perform(_ command: WriteTransaction.Command) -> Bool {
    switch command {
    case .statement(let work, let execution): statements.run(work, execution, &course)
    case .batch(let batch, let execution): statements.run(batch, execution, &course)
    case .savepoint(let action, let number, let token, let sink):
      carryOut(action, number, token, sink)
    case .finish(let commit, let required, let token, let sink):
      let decision = course.finishAsked(
        commit: commit, required: required, isViolated: writer.connection.hasDeferredForeignKeyViolations)
      if carryOut(decision, token, sink) { return false }
    }
    watch.unwatch()
    owner.commandFinished(logBytes: writer.connection.uncommittedLogBytes)
    guard let end = course.commandEnded(isInTransaction: writer.isInTransaction) else { return true }
    finish(end)
    return false
  }

  private mutating func carryOut(
    _ action: SavepointAction, _ number: UInt32, _ token: RequestToken, _ sink: any ReplySink
  ) {
    if let error = savepoints.refusal(of: action, number) { return sink.deliver(.failed(error), to: token) }
    do {
      try writer.savepoint(action, number: number)
      savepoints.done(action, number)
      sink.deliver(.completed(Completion(commitSequence: commitClock.sequence, transaction: .write)), to: token)
    } catch {
      sink.deliver(.failed(RequestError(error)), to: token)
    }
  }

  /// True when the transaction is over.
  private func carryOut(_ decision: TransactionCourse.Finish, _ token: RequestToken, _ sink: any ReplySink) -> Bool {
    switch decision {
    case .rollBack:
      writer.rollBack()
      answer(.rolledBack, .completed(Completion(commitSequence: commitClock.sequence)), token, sink)
    case .refuse:
      writer.rollBack()
      answer(
        .requiredFailed, .failed(.transactionEnded(.requiredFailed, limits: transaction.limits)), token, sink)
    case .goOn(let violated):
      sink.deliver(.failed(RequestError(.deferredForeignKey, writing: violated)), to: token)
      return false
    case .commit: commit(token, sink)
    }
    return true
  }

  private func commit(_ token: RequestToken, _ sink: any ReplySink) {
    switch writer.commit() {
    case .committed(let sequence):
      WriterCounters.add(1, to: counters.commits)
      answer(.committed, .completed(Completion(commitSequence: sequence)), token, sink)
    case .notCommitted(let error):
      writer.rollBack()
      answer(.rolledBack, .failed(error), token, sink)
    case .unknown(let error):
      writer.rollBack()
      answer(.fenced, .failed(error), token, sink)
    }
  }

  /// The transaction is over because its owner asked for that: first the answer, then the commands that will not run.
  private func answer(_ end: TransactionEnd, _ event: ReplyEvent, _ token: RequestToken, _ sink: any ReplySink) {
    let left = owner.ended(end)
    sink.deliver(event, to: token)
    transaction.refuse(left, end)
  }

  /// The engine ends the transaction: first the news, then the commands that will not run.
  private func finish(_ end: TransactionEnd) {
    writer.rollBack()
    let (left, ageMs) = owner.endedByEngine(end)
    if end.isNews {
      transaction.execution.deliver(.transactionEnded(.transactionEnded(end, limits: transaction.limits), ageMs: ageMs))
    }
    if end != .ownerGone { transaction.refuse(left, end) }
  }
}
