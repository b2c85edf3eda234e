import MartletAST

/// A constraint of several columns, or of none, without their types.
///
/// Always true: as of a column's, columns stand without a table before them, and values are literals.
struct TableConstraintPart: Sendable {
  enum Kind: Sendable {
    case primaryKey([OrderingTerm], ConflictResolution?)
    case unique([OrderingTerm], ConflictResolution?)
    case check([QueryFragment])
    case foreignKey([QueryFragment], ForeignKeyPart)
  }

  var name: String?
  var kind: Kind

  func tree(in writer: inout TreeWriter) -> ASTTableConstraint {
    var tree = ASTTableConstraint()
    tree.name = name ?? ""
    switch kind {
    case .primaryKey(let columns, let resolution):
      tree.primaryKey.columns = writer.indexedColumns(columns)
      tree.primaryKey.onConflict = resolution?.tree ?? .unspecified
    case .unique(let columns, let resolution):
      tree.unique.columns = writer.indexedColumns(columns)
      tree.unique.onConflict = resolution?.tree ?? .unspecified
    case .check(let conditions): tree.check = writer.declaredCondition(conditions) ?? .keyword(.true)
    case .foreignKey(let columns, let key):
      tree.foreignKey.columns = columns.compactMap(\.columnName)
      tree.foreignKey.references = key.tree
    }
    return tree
  }
}
