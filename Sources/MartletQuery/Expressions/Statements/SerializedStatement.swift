public import MartletAST
public import MartletValues

/// A statement's bytes, ready to be sent, and the values beside them.
public struct SerializedStatement: Sendable {
  /// The serialized `martlet.v1.Statement`.
  public var bytes: [UInt8]
  /// Values for the tree's parameters: the first for `?1`.
  public var parameters: [Value]
  /// Why a value could not be bound; nil if all could.
  public var failure: QueryBindingFailure?

  /// Bytes that exist already.
  public init(bytes: [UInt8], parameters: [Value] = [], failure: QueryBindingFailure? = nil) {
    self.bytes = bytes
    self.parameters = parameters
    self.failure = failure
  }

  /// The bytes of a tree.
  public init(_ tree: ASTStatement, parameters: [Value] = [], failure: QueryBindingFailure? = nil) {
    self.init(bytes: tree.serialized, parameters: parameters, failure: failure)
  }

  init(_ tree: any StatementTree, inliningValues: Bool) {
    var writer = TreeWriter(inliningValues: inliningValues)
    tree.write(to: &writer)
    self.init(bytes: writer.bytes, parameters: writer.values.parameters, failure: writer.values.failure)
  }

  /// The SQL that a server makes of it, for people; empty if it would refuse it.
  public var sql: String {
    (try? StatementRenderer.newest.render(ASTStatement.read(bytes)).sql) ?? ""
  }
}

extension Statement {
  /// Bytes and parameters together. Writing it twice makes the same.
  public var serialized: SerializedStatement { serialized(inliningValues: false) }

  func serialized(inliningValues: Bool) -> SerializedStatement {
    SerializedStatement(statementFragment.tree, inliningValues: inliningValues)
  }
}
