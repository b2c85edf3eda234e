import MartletAST
import MartletValues

/// What a statement returned, held back until the transaction that it ran in has ended.
struct StatementResult: Sendable {
  enum Ending: Sendable {
    case pending
    case completed(Completion)
    case failed(RequestError)
  }

  var columns: ResultColumns?
  var batches: [RowBatch] = []
  var ending = Ending.pending
  /// Bytes of the batches.
  var byteCount = 0
  /// The part of the rows that the connection's account holds; nil if they are small.
  var hold: MemoryHold?

  static func failed(_ error: RequestError) -> StatementResult { StatementResult(ending: .failed(error)) }

  static var skipped: StatementResult { StatementResult(ending: .completed(Completion(isSkipped: true))) }

  /// Has the account count what the rows take by now. Throws if there is no room for it.
  mutating func count(for work: StatementWork) throws(RequestError) {
    guard byteCount > work.countedBytesMin, let account = work.account else { return }
    let hold = self.hold ?? MemoryHold(account)
    self.hold = hold
    guard hold.grow(toBytes: byteCount) else { throw .noMemory("the rows that the statement returns") }
  }

  var isFailed: Bool { if case .failed = ending { true } else { false } }

  /// The events that tell it, in order.
  func replies(to token: RequestToken, commitSequence: UInt64, transaction: TransactionStatus) -> [Reply] {
    var replies: [Reply] = []
    replies.reserveCapacity(batches.count + 2)
    if let columns { replies.append(Reply(token: token, event: .columns(columns))) }
    for batch in batches { replies.append(Reply(token: token, event: .rows(batch))) }
    replies.append(ending(to: token, commitSequence: commitSequence, transaction: transaction))
    return replies
  }

  func ending(to token: RequestToken, commitSequence: UInt64, transaction: TransactionStatus) -> Reply {
    switch ending {
    case .pending: return Reply(token: token, event: .failed(.lostResult))
    case .failed(let error): return Reply(token: token, event: .failed(error))
    case .completed(var completion):
      // A step of a loose batch has the number of its own commit, which may be an earlier one.
      if completion.commitSequence == 0 { completion.commitSequence = commitSequence }
      completion.transaction = transaction
      return Reply(token: token, event: .completed(completion))
    }
  }
}
