package import MartletAST
package import MartletValues

/// Queries of the library's own, whose rows are read by the places of their columns.
extension StatementExecutor {
  /// Every row of a SELECT, each with at least as many values as the tree has columns, so that a reader may count on
  /// them. Throws if the server answers with fewer.
  package func rows(of tree: ASTStatement, _ parameters: [Value] = []) async throws -> [[Value]] {
    try await fetchAll(RemoteStatement(tree), parameters).map { row in
      let values = try row.values()
      guard values.count >= tree.select.columns.count else { throw ClientError.otherAnswer }
      return values
    }
  }
}
