/// An interactive transaction: the handle through which its owner sends statements, in order, until it finishes it.
///
/// Always true: after `finish` or the engine's own end of it, every further statement is answered with TRANSACTION_ENDED.
import MartletAST

public final class Transaction: Sendable {
  public let mode: TransactionMode

  init(mode: TransactionMode) {
    self.mode = mode
  }

  /// Runs a statement after those that were started before it.
  public func start(_ request: StatementRequest, token: RequestToken, sink: any ReplySink) -> Execution {
    let execution = Execution(token: token, sink: sink, deadline: request.deadline, credit: request.credit)
    sink.deliver(.failed(.notBuilt), to: token)
    return execution
  }

  /// Runs a batch inside the transaction, after the statements that were started before it.
  public func start(_ batch: BatchRequest, token: RequestToken, sink: any ReplySink) -> Execution {
    let execution = Execution(token: token, sink: sink, deadline: batch.deadline, credit: batch.credit)
    sink.deliver(.failed(.notBuilt), to: token)
    return execution
  }

  /// Sets, releases or rolls back to the savepoint that the owner numbered `number`.
  public func savepoint(_ action: SavepointAction, number: UInt32, token: RequestToken, sink: any ReplySink) {
    sink.deliver(.failed(.notBuilt), to: token)
  }

  /// Commits or rolls back, after the statements that were started before it.
  public func finish(commit: Bool, token: RequestToken, sink: any ReplySink) {
    sink.deliver(.failed(.notBuilt), to: token)
  }

  /// The owner is gone: roll back, tell nobody.
  public func abandon() {}
}

extension RequestError {
  static let notBuilt = RequestError(.unimplemented, .unsupported, "This part of the engine is being built.")
}
