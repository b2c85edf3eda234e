package import MartletValues
import Synchronization

/// An interactive transaction: the handle through which its owner sends statements, in order, until it finishes it.
///
/// Always true: after `finish` or the engine's own end of it, every further statement is answered with
/// TRANSACTION_ENDED.
package final class Transaction: Sendable {
  enum Side: Sendable {
    case read(ReadTransaction)
    case write(WriteTransaction)
  }

  private let database: Database
  private let side: Side
  private let share: SessionShare
  /// What came while a long statement was being planned, which is done on another thread than the owner's.
  private let waiting = Mutex<[Waiting]>([])
  private let isPlanning = Atomic<Bool>(false)
  private let savepointsOfRead = Mutex(Savepoints())

  private struct Waiting {
    let body: @Sendable (_ isPatient: Bool) -> Void
    /// Nil for what is done at once when its turn comes.
    let execution: Execution?
  }

  init(database: Database, side: Side, share: SessionShare) {
    self.database = database
    self.side = side
    self.share = share
  }

  package var mode: TransactionMode {
    switch side {
    case .read: .read
    case .write: .write
    }
  }

  /// Runs a statement after those that were started before it. `allowance`: as for `Database.start`.
  package func start(
    _ request: StatementRequest, token: RequestToken, sink: any ReplySink, allowance: LoopAllowance? = nil
  ) -> Execution {
    let execution = Execution(
      token: token, sink: sink, deadline: request.deadline, credit: request.credit, account: request.account,
      subject: request.subject)
    inOrder(isLong: database.isForPlanner(request, allowance), of: execution, allowance) { [self] _ in
      start(request, execution)
    }
    return execution
  }

  private func start(_ request: StatementRequest, _ execution: Execution) {
    do throws(RequestError) {
      // Whether raw text writes is found out when it runs.
      let work = try database.work(for: request, isPatient: false)
      switch side {
      case .read(let transaction): try transaction.start(request, plan: work.plan, execution: execution)
      case .write(let transaction): database.writer.send(.statement(work, execution), to: transaction)
      }
    } catch {
      execution.deliver(.failed(error))
    }
  }

  /// Runs a batch inside the transaction, after the statements that were started before it. `allowance`: as for
  /// `Database.start`.
  package func start(
    _ batch: BatchRequest, token: RequestToken, sink: any ReplySink, allowance: LoopAllowance? = nil
  ) -> Execution {
    let execution = Execution(
      token: token, sink: sink, deadline: batch.deadline, credit: batch.credit, account: batch.account,
      subject: batch.subject)
    inOrder(isLong: database.isForPlanner(batch, allowance), of: execution, allowance) { [self] in
      start(batch, execution, isPatient: $0)
    }
    return execution
  }

  private func start(_ batch: BatchRequest, _ execution: Execution, isPatient: Bool) {
    do throws(RequestError) {
      guard let work = try database.work(for: batch, isPatient: isPatient) else {
        return inOrder(isLong: true, of: execution) { [self] in start(batch, execution, isPatient: $0) }
      }
      switch side {
      case .read(let transaction):
        guard work.isReadOnly else { throw .writeAmongReads }
        ReadBatch(work, execution: execution, pool: database.pool, script: database.scope.script).start(in: transaction)
      case .write(let transaction): database.writer.send(.batch(work, execution), to: transaction)
      }
    } catch {
      execution.deliver(.failed(error))
    }
  }

  /// Sets, releases or rolls back to the savepoint that the owner numbered `number`.
  package func savepoint(_ action: SavepointAction, number: UInt32, token: RequestToken, sink: any ReplySink) {
    inOrder { [self] _ in
      switch side {
      case .read(let transaction):
        // A snapshot has nothing to undo, so a savepoint in it is only a place in the order.
        transaction.perform(
          { [self] lease in
            if let error = note(action, number) {
              sink.deliver(.failed(error), to: token)
              return .done
            }
            sink.deliver(
              .completed(Completion(commitSequence: lease.snapshotSequence, transaction: .read)), to: token)
            return .done
          }, refused: { error in sink.deliver(.failed(error), to: token) })
      case .write(let transaction):
        database.writer.send(.savepoint(action, number: number, token: token, sink: sink), to: transaction)
      }
    }
  }

  private func note(_ action: SavepointAction, _ number: UInt32) -> RequestError? {
    savepointsOfRead.withLock { savepoints in
      if let error = savepoints.refusal(of: action, number) { return error }
      savepoints.done(action, number)
      return nil
    }
  }

  /// Commits or rolls back, after the statements that were started before it. If fewer than `required` of the required
  /// statements have succeeded, a write is rolled back, and the answer is an error.
  package func finish(commit: Bool, required: Int = 0, token: RequestToken, sink: any ReplySink) {
    inOrder { [self] _ in
      switch side {
      case .read(let transaction): transaction.finish(token: token, sink: sink)
      case .write(let transaction):
        database.writer.send(
          .finish(commit: commit, required: required, token: token, sink: sink), to: transaction)
      }
    }
  }

  // MARK: - Long statements

  /// Runs `body` after what came before it: at once, unless it is long or something long is still being planned; then
  /// it runs on the thread for long statements.
  private func inOrder(
    isLong: Bool = false, of execution: Execution? = nil, _ allowance: LoopAllowance? = nil,
    _ body: @escaping @Sendable (_ isPatient: Bool) -> Void
  ) {
    if !isLong, !isPlanning.load(ordering: .acquiring) { return allowance.spend { body(false) } }
    let begins = waiting.withLock { waiting in
      waiting.append(Waiting(body: body, execution: execution))
      return !isPlanning.exchange(true, ordering: .acquiringAndReleasing)
    }
    guard begins else { return }
    notePlanning(isUnderWay: true)
    planNext()
  }

  private func notePlanning(isUnderWay: Bool) {
    switch side {
    case .write(let transaction): database.writer.planning(for: transaction, isUnderWay: isUnderWay)
    case .read(let transaction): transaction.planning(isUnderWay: isUnderWay)
    }
  }

  /// One at a time, so that others have their turn on the thread for long statements. If too many wait there, the next
  /// one is refused on this thread, and the one behind it is tried in the same way.
  private func planNext() {
    repeat {
      let isTaken = database.planner.takes(
        of: share, refuse: { [self] in if takeNext(isRefused: true) { planNext() } },
        { [self] in if takeNext(isRefused: false) { planNext() } })
      if isTaken { return }
    } while takeNext(isRefused: true)
  }

  /// Carries out or refuses what is next. Whether more waits behind it.
  private func takeNext(isRefused: Bool) -> Bool {
    guard let next = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    if isRefused, let execution = next.execution {
      execution.deliver(.failed(.planQueueFull))
    } else {
      next.body(true)
    }
    return waiting.withLock { waiting in
      guard waiting.isEmpty else { return true }
      // With the lock, so that what comes now says so after this.
      notePlanning(isUnderWay: false)
      isPlanning.store(false, ordering: .releasing)
      return false
    }
  }

  /// The owner waits no longer for the transaction to begin. If it has not, it never will: the begin and what was sent
  /// behind it are answered with errors.
  package func cancelBegin() {
    switch side {
    case .read(let transaction): transaction.cancelBegin()
    case .write(let transaction): transaction.execution.cancel()
    }
  }

  /// The owner is gone: roll back, tell nobody.
  package func abandon() {
    switch side {
    case .read(let transaction): transaction.abandon()
    case .write(let transaction): database.writer.abandon(transaction)
    }
  }
}
