import MartletAST
import MartletValues

/// One request on its way through the writer: what to do, and its results so far.
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
  /// The plan of a statement; nil for anything else.
  var plan: Plan? { if case .statement(let work) = work { work.plan } else { nil } }
  let execution: Execution
  /// Whether it changes the schema, as far as its text shows. What a transaction will do nobody knows yet.
  let changesSchema: Bool
  /// Whether the job is a VACUUM, which runs alone and outside of any transaction.
  let isVacuum: Bool
  /// What the connection that it runs on is prepared with.
  let script: SetupScript

  /// The steps of a batch; nil for anything else.
  var batch: BatchWork?

  /// One result for a statement, or one for each step of a batch.
  var results: [StatementResult]

  /// Bytes of the results of a batch of independent steps.
  var heldBytes = 0

  /// Members of the group that have no final result yet.
  var openMembers = 1

  /// Nanoseconds that the job's successful members took.
  var ranNanoseconds: UInt64 = 0
  /// It has run, perhaps in a turn that was undone since.
  var hasBegun = false
  /// Nanoseconds that the job ran in its last turn, whatever its result.
  var turnNanoseconds: UInt64 = 0

  /// How the job comes into the queue; once it has arrived, and for its number there, with the writer's lock held.
  var arrival: WriteArrival?
  var number: UInt64 = 0

  /// The first step of a batch of independent steps that has no final result: it was undone there, and goes on there.
  var resumesAtStep: Int?
  /// The number of the commit that its last steps were in.
  var commitSequence: UInt64 = 0

  init(_ work: Work, execution: Execution, script: SetupScript, batch: BatchWork? = nil) {
    self.script = script
    self.work = work
    self.execution = execution
    self.batch = batch
    let plan: Plan? = if case .statement(let work) = work { work.plan } else { nil }
    changesSchema = plan?.changesSchema ?? batch?.plans.contains(where: \.changesSchema) ?? false
    isVacuum = plan?.maintenance == .vacuum
    results = batch.map { Array(repeating: StatementResult(), count: $0.plans.count) } ?? [StatementResult()]
  }

  /// Whose time the job takes.
  var share: SessionShare { execution.sessionShare }

  /// The plans of what runs as one member of a group: the statement, all steps of an atomic batch, or one of
  /// independent steps.
  func plans(ofMember step: Int) -> [Plan] {
    if let plan { return [plan] }
    guard let batch else { return [] }
    return isAtomic ? batch.plans : [batch.plans[step]]
  }

  /// Whether what runs as one member of a group has to be undone by a savepoint if it fails.
  func needsSavepoint(ofMember step: Int) -> Bool {
    if let plan { return plan.savepoint.isNeeded }
    guard let batch, !isAtomic else { return true }
    return batch.plans[step].savepoint.isNeeded
  }

  /// A member of a group has taken its transaction with it.
  func tookTransaction(ofMember step: Int) {
    for plan in plans(ofMember: step) { plan.judgeSavepoint { $0.tookTransaction() } }
  }

  /// What is known of how long its statements take: as long as the longest, and short only if all are.
  var standing: WriteJudgement.Standing {
    if let plan { return plan.writeStanding }
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

  /// What is said if the deadline passes while the job waits.
  var lateError: RequestError { hasBegun ? .deadlineMissed : .deadlineInQueue }

  /// The job's time was cut, and has passed: makes its error say how to get more.
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

  private var isAtomic: Bool { if case .atomicBatch = work { true } else { false } }
}
