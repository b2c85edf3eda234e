import MartletAST

/// A constraint of one column without its type, and what it becomes in the tree.
///
/// Always true: columns in a constraint stand without a table before them, and values are literals.
enum ColumnConstraintPart: Sendable {
  case primaryKey(autoincrement: Bool, descending: Bool, ConflictResolution?)
  case notNull(ConflictResolution?)
  case unique(ConflictResolution?)
  case `default`(QueryFragment)
  case check(QueryFragment)
  case collation(String)
  case references(ForeignKeyPart)
  case generated(QueryFragment?, stored: Bool?)

  /// A later constraint of the same kind replaces the earlier one; nil: constraints of this kind add up.
  var kind: Int? {
    switch self {
    case .primaryKey: 0
    case .notNull: 1
    case .default: 2
    case .collation: 3
    case .generated: 4
    case .unique, .check, .references: nil
    }
  }

  func tree(named name: String?, in writer: inout TreeWriter) -> ASTColumnConstraint {
    var tree = ASTColumnConstraint()
    tree.name = name ?? ""
    switch self {
    case .primaryKey(let autoincrement, let descending, let resolution):
      tree.primaryKey.autoincrement = autoincrement
      if descending { tree.primaryKey.direction = .descending }
      tree.primaryKey.onConflict = resolution?.tree ?? .unspecified
    case .notNull(let resolution): tree.notNull.onConflict = resolution?.tree ?? .unspecified
    case .unique(let resolution): tree.unique.onConflict = resolution?.tree ?? .unspecified
    case .default(let value): tree.default = writer.declared(value)
    case .check(let condition): tree.check = writer.declared(condition)
    case .collation(let collation): tree.collation = collation
    case .references(let key): tree.references = key.tree
    case .generated(let expression, let stored):
      if let expression { tree.generated.expression = writer.declared(expression) }
      tree.generated.stored = stored ?? false
    }
    return tree
  }
}
