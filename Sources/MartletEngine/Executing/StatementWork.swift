import MartletAST
import MartletValues

/// A statement with its values, ready to run.
struct StatementWork: Sendable {
  var plan: Plan
  var parameters: [Value]
  var columnsVersion: UInt64
  /// The request carried the statement's bytes, so the answer names the shape.
  var isShapeWanted: Bool

  /// Counts the memory of the rows until they have left; nil: nobody counts it.
  var account: MemoryAccount?
  /// What the subject may do. Only compiling shows whether raw text changes the schema.
  var permissions = Permissions.all
  var restriction: Restriction?
  /// The subject's quotas; nil if it has none.
  var quotas: StatementQuotas?
  /// The commit of the transaction requires that this statement has succeeded.
  var isRequired = false
  /// Results below this are not counted: each is small, and a request has only one.
  var countedBytesMin = EngineLimits.countedAnswerBytesMin

  /// About how much memory the values take.
  var byteCount: Int { parameters.reduce(0) { $0 &+ $1.byteCount } }
}
