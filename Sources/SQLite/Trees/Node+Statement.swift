internal import MartletAST
internal import MartletQuery
internal import MartletValues

/// Nodes as statements that can be sent.
extension Node {
  /// The node as a statement that can be sent: the tree, and the values beside it. A value alone becomes a query of
  /// itself.
  var serialized: SerializedStatement {
    var values = TreeValues()
    let tree = statement(&values)
    return SerializedStatement(
      tree, parameters: values.parameters, failure: values.failure.map { QueryBindingFailure($0) })
  }

  private func statement(_ values: inout TreeValues) -> ASTStatement {
    switch kind {
    case .statement(let statement): return statement.tree(&values)
    case .raw(let sql, let bound):
      var statement = ASTStatement()
      statement.raw.parts = Node.parts(sql, bound, &values)
      return statement
    default:
      let column = resultColumn(&values)
      return .select { $0.columns = [column] }
    }
  }
}
