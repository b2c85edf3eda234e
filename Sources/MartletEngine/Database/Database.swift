/// One database file of the engine: where statements, batches and transactions start.
///
/// Always true: what is started here is answered exactly once, on a thread of the engine or before `start` returns.
public import MartletAST

public final class Database: Sendable {
  public let name: String

  init(name: String) {
    self.name = name
  }

  /// Grows by one with each commit, before any reply to the commit leaves.
  public var commitSequence: UInt64 { 0 }

  /// Runs one statement in a transaction of its own.
  public func start(_ request: StatementRequest, token: RequestToken, sink: any ReplySink) -> Execution {
    let execution = Execution(token: token, sink: sink, deadline: request.deadline, credit: request.credit)
    sink.deliver(.failed(.notBuilt), to: token)
    return execution
  }

  /// Runs a batch: in one transaction where it is atomic, each step in its own otherwise.
  public func start(_ batch: BatchRequest, token: RequestToken, sink: any ReplySink) -> Execution {
    let execution = Execution(token: token, sink: sink, deadline: batch.deadline, credit: batch.credit)
    sink.deliver(.failed(.notBuilt), to: token)
    return execution
  }

  /// Opens an interactive transaction. The token's completion comes when it is its turn, before `deadline` or not at
  /// all; statements may be started without waiting for it.
  public func begin(
    _ mode: TransactionMode, deadline: MonotonicTime, token: RequestToken, sink: any ReplySink
  ) -> Transaction {
    sink.deliver(.failed(.notBuilt), to: token)
    return Transaction(mode: mode)
  }
}
