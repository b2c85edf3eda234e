import MartletAST
import MartletValues

/// One request on its way through the writer: what to do, and what has come of it.
///
/// Always true: once it is queued only the writer's thread touches its results; it is answered once, when the
/// transaction that its last result came from has ended.
// Unchecked because the queue hands it over: whoever made it does not look at its results any more.
final class WriteJob: @unchecked Sendable {
  enum Work {
    case statement(StatementWork)
    /// All steps in one savepoint, undone together at the first that fails.
    case atomicBatch
    /// Each step in a savepoint of its own.
    case looseBatch
    case transaction(WriteTransaction)
  }

  let work: Work
  let execution: Execution
  /// What the connection that it runs on is prepared with.
  let script: SetupScript

  /// The steps of a batch; nil for anything else.
  var batch: BatchWork?

  /// One for a statement, one for each step of a batch.
  var results: [StatementResult]

  /// Of the results of a batch of independent steps.
  var heldBytes = 0

  /// Members of the group that have no final result yet.
  var openMembers = 1

  /// For so many nanoseconds it has run among ordinary writes.
  var ranNanoseconds: UInt64 = 0

  /// The first step of a batch of independent steps that has no final result: it was undone there, and goes on there.
  var resumesAtStep: Int?
  /// Of the commit that its last steps were in.
  var commitSequence: UInt64 = 0

  init(_ work: Work, execution: Execution, script: SetupScript, batch: BatchWork? = nil) {
    self.script = script
    self.work = work
    self.execution = execution
    self.batch = batch
    results = Array(repeating: StatementResult(), count: batch?.plans.count ?? 1)
  }

  var session: UInt64 { execution.token.session }

  /// What is known of how long its statements take: as long as the longest, and short only where all are.
  var standing: WriteJudgement.Standing {
    if case .statement(let work) = work { return work.plan.writeStanding }
    guard let batch else { return .unknown }
    var standing = WriteJudgement.Standing.light
    for plan in batch.plans where plan.access != .read {
      switch plan.writeStanding {
      case .long: return .long
      case .unknown: standing = .unknown
      case .light: break
      }
    }
    return standing
  }

  /// Its time was cut, and has passed: says where more of it is to be had.
  func explainShortTime() {
    for step in results.indices {
      if case .failed(let error) = results[step].ending, error.reason == .deadline {
        results[step].ending = .failed(error.whereWritesAreShort)
      }
    }
  }

  /// Answers a batch of independent steps of which some have been carried out, and the rest will not be.
  func refuseRest(from step: Int, _ error: RequestError) {
    for index in step..<results.count { results[index] = .failed(error) }
    guard !execution.isAbandoned else { return }
    let rest = replies(commitSequence: commitSequence, transaction: .none)
    HeldReplies(rest, holds: results.compactMap(\.hold)).begin(execution)
  }

  /// All events of the request, in order: for a batch each step's, and then one of its own.
  func replies(commitSequence: UInt64, transaction: TransactionStatus) -> [Reply] {
    guard batch != nil else {
      return results[0].replies(to: execution.token, commitSequence: commitSequence, transaction: transaction)
    }
    return BatchWork.replies(
      results, to: execution.token, isAtomic: isAtomic, commitSequence: commitSequence, transaction: transaction)
  }

  /// It runs outside of any transaction, and alone.
  var isVacuum: Bool { if case .statement(let work) = work { work.plan.maintenance == .vacuum } else { false } }

  private var isAtomic: Bool { if case .atomicBatch = work { true } else { false } }
}

/// A statement with its values, ready to run.
struct StatementWork: Sendable {
  var plan: Plan
  var parameters: [Value]
  var columnsVersion: UInt64
  /// The request carried the statement's bytes, so the answer names the shape.
  var isShapeWanted: Bool

  /// Who holds the rows until they have left; nil where nobody counts.
  var account: MemoryAccount?
  /// Of its subject: raw text shows only when it is compiled that it changes the schema.
  var permissions = Permissions.all
  /// Results below this are not told of: alone they are small, and as many as there are requests.
  var countedBytesMin = 16 << 10

  /// About how much memory the values take.
  var byteCount: Int { parameters.reduce(0) { $0 &+ $1.byteCount } }
}

extension Value {
  /// About how much memory the value takes.
  var byteCount: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let blob): blob.count
    case .rows(let rows): rows.byteCount
    }
  }
}

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

  /// The step as a statement, with the values that its references came to.
  func statement(_ step: Int, parameters: [Value]) -> StatementWork {
    StatementWork(
      plan: plans[step], parameters: parameters, columnsVersion: script.request.steps[step].columnsVersion,
      isShapeWanted: isShapeWanted[step], account: script.request.account,
      permissions: script.request.subject.permissions, countedBytesMin: 0)
  }
}

/// What a statement gave, held back until the transaction that it ran in has ended.
struct StatementResult: Sendable {
  enum Ending: Sendable {
    case pending
    case completed(Completion)
    case failed(RequestError)
  }

  var columns: ResultColumns?
  var batches: [RowBatch] = []
  var ending = Ending.pending
  /// Of the batches.
  var byteCount = 0
  /// What of them the connection's account holds; nil where they are small.
  var hold: MemoryHold?

  static func failed(_ error: RequestError) -> StatementResult { StatementResult(ending: .failed(error)) }

  static var skipped: StatementResult { StatementResult(ending: .completed(Completion(isSkipped: true))) }

  /// Has the account hold what the rows take by now. Throws where there is no room for it.
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
