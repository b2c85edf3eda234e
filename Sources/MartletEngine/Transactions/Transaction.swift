/// An interactive transaction: the handle through which its owner sends statements, in order, until it finishes it.
///
/// Always true: after `finish` or the engine's own end of it, every further statement is answered with
/// TRANSACTION_ENDED.
import MartletAST

public final class Transaction: Sendable {
  enum Side: Sendable {
    case read(ReadTransaction)
    case write(WriteTransaction)
  }

  private let database: Database
  private let side: Side

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
      token: token, sink: sink, deadline: request.deadline, credit: request.credit, account: request.account)
    do throws(RequestError) {
      let work = try database.work(for: request)
      switch side {
      case .read(let transaction):
        return transaction.start(request, plan: work.plan, token: token, sink: sink)
      case .write(let transaction): transaction.send(.statement(work, execution))
      }
    } catch {
      execution.deliver(.failed(error))
    }
    return execution
  }

  /// Runs a batch inside the transaction, after the statements that were started before it.
  public func start(_ batch: BatchRequest, token: RequestToken, sink: any ReplySink) -> Execution {
    let execution = Execution(
      token: token, sink: sink, deadline: batch.deadline, credit: batch.credit, account: batch.account)
    do throws(RequestError) {
      let work = try database.work(for: batch)
      switch side {
      case .read(let transaction):
        guard work.isReadOnly else { throw .writeAmongReads }
        ReadBatch(work, execution: execution, pool: database.pool).start(in: transaction)
      case .write(let transaction): transaction.send(.batch(work, execution))
      }
    } catch {
      execution.deliver(.failed(error))
    }
    return execution
  }

  /// Sets, releases or rolls back to the savepoint that the owner numbered `number`.
  public func savepoint(_ action: SavepointAction, number: UInt32, token: RequestToken, sink: any ReplySink) {
    switch side {
    case .read(let transaction):
      // A snapshot has nothing to undo, so a savepoint in it is only a place in the order.
      transaction.perform(
        { lease in
          sink.deliver(
            .completed(Completion(commitSequence: lease.snapshotSequence, transaction: .read)), to: token)
        }, refused: { error in sink.deliver(.failed(error), to: token) })
    case .write(let transaction): transaction.send(.savepoint(action, number: number, token: token, sink: sink))
    }
  }

  /// Commits or rolls back, after the statements that were started before it.
  public func finish(commit: Bool, token: RequestToken, sink: any ReplySink) {
    switch side {
    case .read(let transaction): transaction.finish(token: token, sink: sink)
    case .write(let transaction): transaction.send(.finish(commit: commit, token: token, sink: sink))
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
