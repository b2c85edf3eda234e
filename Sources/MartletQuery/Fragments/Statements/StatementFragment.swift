/// What a statement is made of, without its types.
public struct StatementFragment: Sendable {
  let tree: any StatementTree

  init(_ tree: any StatementTree) { self.tree = tree }
}

/// What knows its own tree, and writes it.
protocol StatementTree: Sendable {
  /// Writes the fields of a `Statement`: clauses in the order of the SQL, so that parameters are numbered as they are
  /// read.
  func write(to writer: inout TreeWriter)
  /// The names that its columns have by themselves, an empty one for each that has none; nil where none has.
  var columnNames: [String]? { get }
  /// Whether it was made of `none`, so that nothing it is used for has an effect.
  var isNone: Bool { get }
  /// Whether it changes rows.
  var writes: Bool { get }
  /// The same where columns of the tables around it are others.
  func mapping(_ change: ColumnMapping) -> any StatementTree
}

extension StatementFragment {
  func mapping(_ change: ColumnMapping) -> StatementFragment { StatementFragment(tree.mapping(change)) }
}

extension StatementTree {
  var isNone: Bool { false }
  var columnNames: [String]? { nil }
  /// Whether it changes rows.
  var writes: Bool { false }

  /// Statements that are no queries stand in no expression.
  func mapping(_ change: ColumnMapping) -> any StatementTree { self }
}
