import MartletAST
import MartletValues

/// A statement with its values, ready to run.
///
/// One object, because it goes from thread to thread: a copy of its parts would count references to what all requests
/// share, for which threads wait for each other.
final class StatementWork: Sendable {
  let plan: Plan
  let parameters: [Value]
  let columnsVersion: UInt64
  /// The request carried the statement's bytes, so the answer names the shape.
  let isShapeWanted: Bool
  /// Counts the memory of the rows until they have left; nil: nobody counts it.
  let account: MemoryAccount?
  /// What the subject may do. Only compiling shows whether raw text changes the schema.
  let permissions: Permissions
  let restriction: Restriction?
  /// The subject's quotas; nil if it has none.
  let quotas: StatementQuotas?
  /// The commit of the transaction requires that this statement has succeeded.
  let isRequired: Bool
  /// Results below this are not counted: each is small, and a request has only one.
  let countedBytesMin: Int

  init(
    plan: Plan, parameters: [Value], columnsVersion: UInt64, isShapeWanted: Bool, account: MemoryAccount?,
    subject: Subject, isRequired: Bool = false, countedBytesMin: Int = EngineLimits.countedAnswerBytesMin
  ) {
    self.plan = plan
    self.parameters = parameters
    self.columnsVersion = columnsVersion
    self.isShapeWanted = isShapeWanted
    self.account = account
    permissions = subject.permissions
    restriction = subject.restriction
    quotas = subject.quotas
    self.isRequired = isRequired
    self.countedBytesMin = countedBytesMin
  }

  /// About how much memory the values take.
  var byteCount: Int { parameters.reduce(0) { $0 &+ $1.byteCount } }
}
