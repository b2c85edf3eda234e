public import MartletValues
import Synchronization

/// An interactive transaction: the handle through which its owner sends statements, in order, until it finishes it.
///
/// Always true: after `finish` or the engine's own end of it, every further statement is answered with
/// TRANSACTION_ENDED.
public final class Transaction: Sendable {
  enum Side: Sendable {
    case read(ReadTransaction)
    case write(WriteTransaction)
  }

  private let database: Database
  private let side: Side
  /// What came while a long statement was being planned, which is done on another thread than the owner's.
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  private let isPlanning = Atomic<Bool>(false)

  init(database: Database, side: Side) {
    self.database = database
    self.side = side
  }

  public var mode: TransactionMode {
    switch side {
    case .read: .read
    case .write: .write
    }
  }

  /// Runs a statement after those that were started before it.
  public func start(_ request: StatementRequest, token: RequestToken, sink: any ReplySink) -> Execution {
    let execution = Execution(
      token: token, sink: sink, deadline: request.deadline, credit: request.credit, account: request.account,
      subject: request.subject)
    inOrder(isLong: request.source.isLong(database.file.configuration.limits)) { [self] in
      start(request, execution)
    }
    return execution
  }

  private func start(_ request: StatementRequest, _ execution: Execution) {
    do throws(RequestError) {
      // Whether raw text writes is found out where it runs.
      let work = try database.work(for: request, isPatient: false)
      switch side {
      case .read(let transaction): try transaction.start(request, plan: work.plan, execution: execution)
      case .write(let transaction): transaction.send(.statement(work, execution))
      }
    } catch {
      execution.deliver(.failed(error))
    }
  }

  /// Runs a batch inside the transaction, after the statements that were started before it.
  public func start(_ batch: BatchRequest, token: RequestToken, sink: any ReplySink) -> Execution {
    let execution = Execution(
      token: token, sink: sink, deadline: batch.deadline, credit: batch.credit, account: batch.account,
      subject: batch.subject)
    let isLong = batch.isLong(database.file.configuration.limits)
    inOrder(isLong: isLong) { [self] in start(batch, execution, isPatient: isLong) }
    return execution
  }

  private func start(_ batch: BatchRequest, _ execution: Execution, isPatient: Bool) {
    do throws(RequestError) {
      let work = try database.work(for: batch, isPatient: isPatient)
      switch side {
      case .read(let transaction):
        guard work.isReadOnly else { throw .writeAmongReads }
        ReadBatch(work, execution: execution, pool: database.pool).start(in: transaction)
      case .write(let transaction): transaction.send(.batch(work, execution))
      }
    } catch {
      execution.deliver(.failed(error))
    }
  }

  /// Sets, releases or rolls back to the savepoint that the owner numbered `number`.
  public func savepoint(_ action: SavepointAction, number: UInt32, token: RequestToken, sink: any ReplySink) {
    inOrder { [self] in
      switch side {
      case .read(let transaction):
        // A snapshot has nothing to undo, so a savepoint in it is only a place in the order.
        transaction.perform(
          { lease in
            sink.deliver(
              .completed(Completion(commitSequence: lease.snapshotSequence, transaction: .read)), to: token)
            return .done
          }, refused: { error in sink.deliver(.failed(error), to: token) })
      case .write(let transaction): transaction.send(.savepoint(action, number: number, token: token, sink: sink))
      }
    }
  }

  /// Commits or rolls back, after the statements that were started before it. Where fewer than `required` of the
  /// statements that are required have succeeded a write is rolled back, and the answer is an error.
  public func finish(commit: Bool, required: Int = 0, token: RequestToken, sink: any ReplySink) {
    inOrder { [self] in
      switch side {
      case .read(let transaction): transaction.finish(token: token, sink: sink)
      case .write(let transaction):
        transaction.send(.finish(commit: commit, required: required, token: token, sink: sink))
      }
    }
  }

  // MARK: - Long statements

  /// Runs `body` after what came before it: at once, unless it is long or something long is still being planned.
  private func inOrder(isLong: Bool = false, _ body: @escaping @Sendable () -> Void) {
    if !isLong, !isPlanning.load(ordering: .acquiring) { return body() }
    let begins = waiting.withLock { waiting in
      waiting.append(body)
      return !isPlanning.exchange(true, ordering: .acquiringAndReleasing)
    }
    // Where the planner takes no more it is done here: its owner waits anyway, and the order stays.
    if begins, !database.planner.submit({ [self] in runWaiting() }) { runWaiting() }
  }

  private func runWaiting() {
    while true {
      let next = waiting.withLock { waiting -> (@Sendable () -> Void)? in
        guard waiting.isEmpty else { return waiting.removeFirst() }
        isPlanning.store(false, ordering: .releasing)
        return nil
      }
      guard let next else { return }
      next()
    }
  }

  /// The owner is gone: roll back, tell nobody.
  public func abandon() {
    switch side {
    case .read(let transaction): transaction.abandon()
    case .write(let transaction): transaction.abandon()
    }
  }
}
