import MartletAST
import MartletValues

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
  var restriction: Restriction?
  /// Of its subject.
  var quotas: StatementQuotas?
  /// It counts for what the commit of its transaction requires.
  var isRequired = false
  /// Results below this are not told of: alone they are small, and as many as there are requests.
  var countedBytesMin = 16 << 10

  /// About how much memory the values take.
  var byteCount: Int { parameters.reduce(0) { $0 &+ $1.byteCount } }
}
