import MartletAST
import MartletValues

/// The steps of a batch with their plans, and how far their script has come.
struct BatchWork: Sendable {
  var script: BatchScript
  var plans: [Plan]
  var isShapeWanted: [Bool]

  /// Every step only reads, as far as is known before it runs.
  var isReadOnly: Bool { plans.allSatisfy { $0.access == .read } }

  /// About how much memory the values take.
  var byteCount: Int {
    var sum = 0
    for step in script.request.steps {
      for case .value(let value) in step.parameters { sum &+= value.byteCount }
    }
    return sum
  }

  /// Each step's events and then the batch's own: the error that ended an atomic batch, or the sums of its steps.
  static func replies(
    _ results: [StatementResult], to token: RequestToken, isAtomic: Bool, commitSequence: UInt64,
    transaction: TransactionStatus
  ) -> [Reply] {
    var replies: [Reply] = []
    var sum = Completion(commitSequence: commitSequence, transaction: transaction)
    var cause: RequestError?
    for (index, result) in results.enumerated() {
      var stepToken = token
      stepToken.step = UInt32(truncatingIfNeeded: index + 1)
      replies += result.replies(to: stepToken, commitSequence: commitSequence, transaction: transaction)
      switch result.ending {
      case .completed(let completion):
        sum.rowsChanged &+= completion.rowsChanged
        sum.rowsReturned &+= completion.rowsReturned
        if completion.lastInsertRowID != 0 { sum.lastInsertRowID = completion.lastInsertRowID }
      case .failed(let error) where cause == nil || cause?.reason == .batchAborted: cause = error
      case .failed, .pending: break
      }
    }
    if isAtomic, let cause {
      replies.append(Reply(token: token, event: .failed(cause)))
    } else {
      replies.append(Reply(token: token, event: .completed(sum)))
    }
    return replies
  }

  /// The step as a statement, with the values of its references.
  func statement(_ step: Int, parameters: [Value]) -> StatementWork {
    StatementWork(
      plan: plans[step], parameters: parameters, columnsVersion: script.request.steps[step].columnsVersion,
      isShapeWanted: isShapeWanted[step], account: script.request.account, subject: script.request.subject,
      countedBytesMin: 0)
  }
}
