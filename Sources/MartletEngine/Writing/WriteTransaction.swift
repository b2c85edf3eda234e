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
  private let writer: Writer

  /// With the writer's lock held only.
  var lease: TransactionLease<Command>
  /// With the writer's lock held only: the statement that the writer's thread is at.
  var running: Execution?
  /// With the writer's lock held only.
  var isAbandoned = false

  /// On the writer's thread only: an end that came while a statement waited for its owner.
  var imposedEnd: TransactionEnd?

  /// On the writer's thread only: how many of the statements that its commit may require have succeeded.
  var requiredSucceeded = 0

  /// On the writer's thread only.
  var deferredKeys = DeferredKeys()

  init(execution: Execution, writer: Writer, limits: Limits, quotaMs: Int = .max) {
    self.execution = execution
    self.writer = writer
    self.limits = limits
    lease = TransactionLease(limits: limits, quotaMs: quotaMs)
  }

  func send(_ command: Command) {
    switch writer.commandArrived(command, for: self) {
    case .queued: break
    case .refusedEnded(let end): command.refuse(.transactionEnded(end, limits: limits))
    case .refusedOverloaded: command.refuse(.transactionFull)
    }
  }

  /// Rolls back and tells nobody.
  func abandon() {
    execution.abandon()
    writer.ownerGone(of: self)
  }

  /// Its turn will not come: the begin and the commands behind it hear why.
  func refuseTurn(_ error: RequestError) {
    let left = writer.turnRefused(to: self)
    execution.deliver(.failed(error))
    for command in left { command.refuse(.transactionEnded(.neverOpened, limits: limits)) }
  }
}

extension WriteTransaction: ExecutionDriver {
  func creditExtended(_ execution: Execution) { writer.wake() }
  func cancelled(_ execution: Execution) { writer.wake() }
}
