/// What a statement is made of, without its types.
public struct StatementFragment: Sendable {
  let tree: any StatementTree

  init(_ tree: any StatementTree) {
    self.tree = tree
    ColumnPlace.queryMade()
  }
}

/// What knows its own tree, and writes it.
protocol StatementTree: Sendable {
  /// Writes the fields of a `Statement`: clauses in the order of the SQL, so that parameters are numbered as they are
  /// read.
  func write(to writer: inout TreeWriter)
  /// The names that its columns have by themselves, empty for a column without one; nil if no column has one.
  var columnNames: [String]? { get }
  /// How deep its expressions nest.
  var depth: Int32 { get }
  /// True if it was made of `none`: a statement that uses it has no effect.
  var isNone: Bool { get }
  /// True if it may give more than one row.
  var hasSeveralRows: Bool { get }
  /// True if it changes rows.
  var writes: Bool { get }
  /// True if its only column comes out of a document.
  var readsDocument: Bool { get }
  /// The same statement, whose numbers are REALs in the columns that are marked.
  func withReals(_ areReal: [Bool]) -> any StatementTree
  /// Looks for columns of an outer query that SQL would take for those of this statement's row.
  func look(_ search: inout PlaceSearch)
  /// The same statement with other columns of the tables around it.
  func mapping(_ change: ColumnMapping) -> any StatementTree
}

extension StatementFragment {
  func mapping(_ change: ColumnMapping) -> StatementFragment { StatementFragment(tree.mapping(change)) }
}

extension StatementTree {
  /// Most are no part of an expression.
  var depth: Int32 { 0 }
  var isNone: Bool { false }
  var hasSeveralRows: Bool { false }
  var columnNames: [String]? { nil }
  var readsDocument: Bool { false }
  func withReals(_ areReal: [Bool]) -> any StatementTree { self }
  /// True if it changes rows.
  var writes: Bool { false }

  /// A statement that is no query cannot be part of an expression.
  func look(_ search: inout PlaceSearch) {}

  /// A statement that is no query cannot be part of an expression, so nothing changes.
  func mapping(_ change: ColumnMapping) -> any StatementTree { self }
}
