public import MartletAST
public import MartletValues

/// Anything that can be executed. A statement with one column is an expression too: a subquery.
///
/// Always true: `tree`, `parameters` and `sql` come from one and the same building, so parameter n of the tree is
/// `parameters[n - 1]`.
public protocol Statement<QueryValue>: ComputedExpression {
  /// The statement without its types: what trees and bytes are made of.
  var statementFragment: StatementFragment { get }
}

/// A statement that is ready to be sent: the shape, and the values beside it.
public struct BuiltStatement: Sendable {
  /// What a server executes, as a tree of the grammar.
  public var tree: ASTStatement
  /// Values for the tree's parameters: the first for `?1`.
  public var parameters: [Value]
  /// Why a value could not be bound; nil if all could.
  public var failure: QueryBindingFailure?
}

extension Statement {
  public var queryFragment: QueryFragment { QueryFragment(.subquery(statementFragment)) }

  /// Tree and parameters together: `serialized`, read back. Building it twice makes the same.
  ///
  /// A statement that nests deeper than servers take by default has an empty tree, and a failure that says so; its
  /// bytes can be sent all the same, and the server answers.
  public var built: BuiltStatement {
    let written = serialized
    var built = BuiltStatement(tree: ASTStatement(), parameters: written.parameters, failure: written.failure)
    do { built.tree = try ASTStatement.read(written.bytes) } catch {
      built.failure = built.failure ?? QueryBindingFailure(error.message)
    }
    return built
  }

  /// What a server executes. Builds anew with each call, as `parameters` and `sql` do.
  public var tree: ASTStatement { built.tree }
  /// Values for the tree's parameters: the first for `?1`.
  public var parameters: [Value] { built.parameters }

  /// `EXISTS (...)`.
  public func exists() -> SQLQueryExpression<Bool> {
    SQLQueryExpression(QueryFragment(.exists(statementFragment)))
  }
}
