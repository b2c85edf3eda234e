/// Requests as kinds of messages, so that a test's script says what it sends in one word.
package import MartletProtocol
package import MartletValues

extension ClientMessage.Kind {
  package static func execute(_ execute: ClientMessage.Execute) -> Self { .request(.execute(execute)) }
  package static func batch(_ batch: ClientMessage.Batch) -> Self { .request(.batch(batch)) }
  package static func begin(_ mode: TransactionMode, deadlineMs: UInt32 = 0) -> Self {
    .request(.begin(mode, deadlineMs: deadlineMs))
  }
  package static func finish(transaction: UInt32, commit: Bool, required: UInt32 = 0) -> Self {
    .request(.finish(transaction: transaction, commit: commit, required: required))
  }
  package static func savepoint(transaction: UInt32, _ action: SavepointAction, number: UInt32) -> Self {
    .request(.savepoint(transaction: transaction, action, number: number))
  }
  package static func ping(_ payload: [UInt8] = []) -> Self { .request(.ping(payload)) }
  package static func inspect(shapes: UInt32, sessions: UInt32) -> Self {
    .request(.inspect(shapes: shapes, sessions: sessions))
  }
  package static func administer(_ task: Administration) -> Self { .request(.administer(task)) }
  package static func maintain(_ task: MaintenanceTask, deadlineMs: UInt32 = 0, credit: UInt32 = 0) -> Self {
    .request(.maintain(task, deadlineMs: deadlineMs, credit: credit))
  }
}
