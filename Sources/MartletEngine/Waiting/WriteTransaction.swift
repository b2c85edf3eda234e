import MartletValues

/// An interactive write transaction: its commands on their way to the writer's thread.
///
/// Always true: the lease is touched with the writer's lock held; commands are answered in the order of their arrival,
/// each once, also when the transaction ends before them.
// Unchecked because the lease and what runs are only reached through the writer's monitor.
final class WriteTransaction: @unchecked Sendable {
  enum Command {
    case statement(StatementWork, Execution)
    case batch(BatchWork, Execution)
    case savepoint(SavepointAction, number: UInt32, token: RequestToken, sink: any ReplySink)
    case finish(commit: Bool, required: Int, token: RequestToken, sink: any ReplySink)

    /// Answers without having done anything.
    func refuse(_ error: RequestError) {
      switch self {
      case .statement(_, let execution), .batch(_, let execution): execution.deliver(.failed(error))
      case .savepoint(_, _, let token, let sink), .finish(_, _, let token, let sink):
        sink.deliver(.failed(error), to: token)
      }
    }
  }

  /// The begin itself: its token names the transaction.
  let execution: Execution
  let limits: Limits

  /// With the writer's lock held only.
  var lease: TransactionLease<Command>
  /// With the writer's lock held only: the statement that the writer's thread is at.
  var running: Execution?
  /// With the writer's lock held only.
  var isAbandoned = false

  init(execution: Execution, limits: Limits, quotaMs: Int = .max) {
    self.execution = execution
    self.limits = limits
    lease = TransactionLease(limits: limits, quotaMs: quotaMs)
  }

  /// Commands that will not run hear why the transaction is over.
  func refuse(_ left: [Command], _ end: TransactionEnd) {
    for command in left { command.refuse(.transactionEnded(end, limits: limits)) }
  }
}
