import MartletSQLite
import MartletValues
import Synchronization

/// A batch whose steps only read, on a reader's connection: all steps in one snapshot, whether it is atomic or not.
///
/// Always true: it is answered once, when its last step has run or its transaction has refused it; rows beyond the
/// credit wait in memory, at most `limits.returningBytesMax` of them.
final class ReadBatch: Sendable {
  private let batch: BatchWork
  private let execution: Execution
  private let pool: ReaderPool
  private let script: SetupScript
  private let isAtomic: Bool

  /// `script`: what its connection is to be prepared with, if it does not run in an open transaction.
  init(_ batch: BatchWork, execution: Execution, pool: ReaderPool, script: SetupScript) {
    self.script = script
    self.batch = batch
    self.execution = execution
    self.pool = pool
    isAtomic = batch.script.request.isAtomic
  }

  /// In a transaction of its own. `kind` is what it holds its connection as: long if it had to begin again.
  func startAlone(as kind: LeaseQueue.Kind = .brief, pace: TimeShares.Pace = TimeShares.Pace()) {
    let sink = SilentSink()
    let token = RequestToken(session: execution.token.session, request: 0)
    let transaction = ReadTransaction(
      on: pool, deadline: execution.deadline, subject: execution.subject, token: token, sink: sink, kind: kind,
      pace: pace, script: script)
    transaction.begin()
    execution.setDriver(Stopper { transaction.end(.cancelledByOwner) })
    transaction.perform(
      { [self] lease in
        if run(lease, transaction: .none) == .again {
          lease.turn.beginAgain()
          startAlone(as: .long, pace: lease.turn.paceNow)
        }
        return .done
      },
      refused: { [self] error in refuse(error, by: transaction) })
    transaction.finish(token: token, sink: sink)
    if execution.isCancelled { transaction.end(.cancelledByOwner) }
  }

  /// After what came before it in an open transaction.
  func start(in transaction: ReadTransaction) {
    transaction.perform(
      { [self] lease in
        // If the batch is parked, its cancellation must wake it.
        let (turn, workers) = (lease.turn, pool.context.workers)
        execution.setDriver(Stopper { workers.stop(turn) })
        let next = run(lease, transaction: .read)
        if next == .again { turn.beginAgain() }
        return next
      },
      refused: { [self] error in execution.deliver(.failed(error)) })
  }

  private func refuse(_ error: RequestError, by transaction: ReadTransaction) {
    execution.setDriver(nil)
    execution.deliver(.failed(stop(in: transaction).refusal(error)))
  }

  /// What may have stopped the batch by now.
  private func stop(in transaction: ReadTransaction) -> ReadBatchStop {
    ReadBatchStop(
      isCancelled: execution.isCancelled, isLate: pool.context.clock() >= execution.deadline,
      ending: transaction.ending)
  }

  /// `.again`: it was put back, and nothing of it has been delivered.
  private func run(_ lease: ReadLease, transaction: TransactionStatus) -> Turn.Next {
    let limits = pool.context.limits
    let runner = StatementRunner(
      connection: lease.session.connection, prepared: lease.session.plans, limits: limits, clock: pool.context.clock,
      counters: nil, turn: lease.turn)
    // A copy, because its script is told the results of its steps, and has to be new if they run again.
    var batch = batch
    let cancellation = EitherCancelled(first: execution, second: lease.transaction)
    var results: [StatementResult] = []
    if isAtomic {
      results =
        runner.runAtomic(
          &batch, cancellation: cancellation, deadline: execution.deadline, bytesMax: limits.returningBytesMax
        ).results
    } else {
      var bytesLeft = limits.returningBytesMax
      for step in batch.plans.indices {
        guard lease.reader.hasSnapshot else {
          results.append(.failed(.transactionEnded(.rolledBackBySQLite, limits: limits)))
          continue
        }
        let run = runner.runStep(
          step, of: &batch, cancellation: cancellation, deadline: execution.deadline, bytesMax: bytesLeft)
        bytesLeft -= run.result.byteCount
        results.append(run.result)
      }
    }
    if lease.turn.displacement == .putBack {
      pool.context.counters.putBack.wrappingAdd(1, ordering: .relaxed)
      return .again
    }
    if results.contains(where: \.isFailed) {
      let stop = stop(in: lease.transaction)
      results = results.map { stop.explained($0) }
    }
    let replies = BatchWork.replies(
      results, to: execution.token, isAtomic: isAtomic, commitSequence: lease.snapshotSequence,
      transaction: transaction)
    HeldReplies(replies, holds: results.compactMap(\.hold)).begin(execution)
    return .done
  }

  /// Ends what runs for the batch.
  private final class Stopper: ExecutionDriver {
    private let stop: @Sendable () -> Void

    init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

    func creditExtended(_ execution: Execution) {}
    func cancelled(_ execution: Execution) { stop() }
  }

  /// Nobody asked for the transaction, so nobody hears of its begin and end.
  private final class SilentSink: ReplySink {
    func deliver(_ event: ReplyEvent, to token: RequestToken) {}
  }

  private final class EitherCancelled: CancellationSource {
    private let first: any CancellationSource
    private let second: any CancellationSource

    init(first: any CancellationSource, second: any CancellationSource) {
      self.first = first
      self.second = second
    }

    var isCancelled: Bool { first.isCancelled || second.isCancelled }
  }
}
